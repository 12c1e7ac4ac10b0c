/**
 * Asks Azure for the subscription that the credentials in use work in. Reads only: nothing is rented by checking.
 */
import { findAzureCredentials } from '../../clouds/azure/credentials.ts';
import { azureIdentity } from '../../clouds/azure/identity.ts';
import { AZURE } from '../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../clouds/azure/settings.ts';
import { type Fleet, namedUrl } from '../../clouds/fleet.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';

/** What a check found. */
export interface AzureCheck {
  /** The environment, or a file. */
  readonly source: string;
  readonly subscriptionId: string;
  readonly subscription: string;
  readonly state: string;
  readonly locations: readonly string[];
  /** Machines in the subscription, those of others included. */
  readonly instances: number;
}

/**
 * Checks the credentials in use.
 *
 * @throws DeckhandError `provider_auth` when they are refused, other provider codes, `credentials_missing`, `usage`
 */
export async function checkAzure(config: Config['azure'], fleet: Fleet): Promise<AzureCheck> {
  const parsed = azureSettingsSchema.safeParse({ ...fleet.providers['azure'], baseUrl: namedUrl(fleet, 'azure') });
  if (!parsed.success) {
    throw new DeckhandError('usage', 'the fleet file names no location of Azure', {
      hint: 'Write "providers": {"azure": {"locations": ["westeurope"]}} into the fleet file.',
    });
  }
  const settings = parsed.data;
  const { credentials, source } = findAzureCredentials(config, settings.baseUrl);
  const identity = await azureIdentity(settings, credentials);
  const provider = AZURE.open({ settings, credentials, installationId: fleet.installationId });
  const instances = await provider.listInstances();
  const { subscriptionId } = credentials;
  return { source, subscriptionId, ...identity, locations: settings.locations, instances: instances.length };
}
