/**
 * Asks AWS whom the credentials in use belong to. Reads only: nothing is rented by checking.
 */
import { findAwsCredentials } from '../../clouds/aws/credentials.ts';
import { awsIdentity } from '../../clouds/aws/identity.ts';
import { AWS } from '../../clouds/aws/provider.ts';
import { awsSettingsSchema } from '../../clouds/aws/settings.ts';
import { type Fleet, namedUrl } from '../../clouds/fleet.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';

/** What a check found. */
export interface AwsCheck {
  /** The environment, or a file. */
  readonly source: string;
  readonly account: string;
  readonly arn: string;
  readonly regions: readonly string[];
  /** Instances in these regions, those of others included. */
  readonly instances: number;
}

/**
 * Checks the credentials in use with the regions of the fleet file.
 *
 * @throws DeckhandError `provider_auth` when they are refused, other provider codes, `credentials_missing`, `usage`
 */
export async function checkAws(config: Config['aws'], fleet: Fleet): Promise<AwsCheck> {
  const parsed = awsSettingsSchema.safeParse({ ...fleet.providers['aws'], baseUrl: namedUrl(fleet, 'aws') });
  if (!parsed.success) {
    throw new DeckhandError('usage', 'the fleet file names no region of AWS', {
      hint: 'Write "providers": {"aws": {"regions": ["eu-west-1"]}} into the fleet file.',
    });
  }
  const settings = parsed.data;
  const { credentials, source } = findAwsCredentials(config, settings.profile, settings.baseUrl);
  const identity = await awsIdentity(settings, credentials);
  const provider = AWS.open({ settings, credentials, installationId: fleet.installationId });
  const instances = await provider.listInstances();
  return { source, ...identity, regions: settings.regions, instances: instances.length };
}
