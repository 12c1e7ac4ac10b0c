/**
 * Who the credentials belong to, as AWS says: what a check of credentials shows. It asks for nothing that needs a permission.
 */
import { z } from 'zod';
import { query } from './http/query.ts';
import type { AwsCredentials } from './http/sign.ts';
import { createAwsTransport } from './http/transport.ts';
import type { AwsSettings } from './settings.ts';

/** Account and user. */
export interface AwsIdentity {
  readonly account: string;
  /** Name of the user or role, such as `arn:aws:iam::123456789012:user/deckhand`. */
  readonly arn: string;
}

const identitySchema = z
  .object({ GetCallerIdentityResult: z.object({ Account: z.string().min(1), Arn: z.string().min(1) }) })
  .transform(({ GetCallerIdentityResult: { Account: account, Arn: arn } }) => ({ account, arn }));

/** Asks the first region. @throws DeckhandError `provider_auth` when the credentials are refused, other provider codes */
export function awsIdentity(
  { regions, baseUrl }: Pick<AwsSettings, 'regions' | 'baseUrl'>,
  credentials: AwsCredentials,
): Promise<AwsIdentity> {
  const http = createAwsTransport({ baseUrl, credentials });
  const region = regions[0] ?? 'us-east-1';
  return query(http, { service: 'sts', kind: 'read', region, action: 'GetCallerIdentity' }, identitySchema);
}
