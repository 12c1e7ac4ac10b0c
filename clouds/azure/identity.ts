/**
 * The subscription that the credentials work in, as Azure says: what a check of credentials shows.
 */
import { z } from 'zod';
import type { AzureCredentials } from './credentials.ts';
import { getResource } from './http/arm.ts';
import { createAzureTransport } from './http/transport.ts';
import type { AzureSettings } from './settings.ts';

/** Subscription and its state, such as `Enabled`. */
export interface AzureIdentity {
  readonly subscription: string;
  readonly state: string;
}

const subscriptionSchema = z
  .object({ displayName: z.string().catch(''), state: z.string().catch('') })
  .transform(({ displayName, state }) => ({ subscription: displayName, state }));

/** Asks for the subscription. @throws DeckhandError `provider_auth` when the credentials are refused, other provider codes */
export function azureIdentity(
  { baseUrl }: Pick<AzureSettings, 'baseUrl'>,
  credentials: AzureCredentials,
): Promise<AzureIdentity> {
  const http = createAzureTransport({ baseUrl, credentials });
  return getResource(http, `/subscriptions/${credentials.subscriptionId}`, subscriptionSchema);
}
