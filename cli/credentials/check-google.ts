/** Checks the credentials of a Google Cloud project: whether Google takes them, and what they see. */
import { isProviderError } from '../../clouds/errors.ts';
import { findGoogleCredentials, projectOf } from '../../clouds/google/credentials.ts';
import { GOOGLE } from '../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../clouds/google/settings.ts';
import { type Fleet, namedUrl } from '../../clouds/fleet.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';

/** What a check found. */
export interface GoogleCheck {
  /** File, or the simulator's default. */
  readonly source: string;
  /** Address of the service account; null for the login of a person. */
  readonly account: string | null;
  readonly project: string;
  readonly regions: readonly string[];
  /** Zones of the regions. */
  readonly zones: number;
  /** Instances in the project, those of others included. */
  readonly instances: number;
}

/**
 * Checks the credentials in use with the project and the regions of the fleet file.
 *
 * @throws DeckhandError `provider_auth` when they are refused, other provider codes, `credentials_missing`, `usage` also for an unknown project
 */
export async function checkGoogle(config: Config['google'], fleet: Fleet): Promise<GoogleCheck> {
  const parsed = googleSettingsSchema.safeParse({ ...fleet.providers['google'], baseUrl: namedUrl(fleet, 'google') });
  if (!parsed.success) {
    throw new DeckhandError('usage', 'the fleet file names no region of Google', {
      hint: 'Write "providers": {"google": {"regions": ["europe-west4"]}} into the fleet file.',
    });
  }
  const settings = parsed.data;
  const found = findGoogleCredentials(config, settings.baseUrl);
  const { credentials, source } = found;
  const project = projectOf(settings, config, found);
  const provider = GOOGLE.open({ settings, project, credentials, installationId: fleet.installationId });
  const zones = await provider.listLocations().catch((error: unknown) => {
    if (!isProviderError(error, 'gone')) throw error;
    throw new DeckhandError('usage', `there is no project ${project}, or these credentials may not see it`, {
      hint: 'Correct "project" under "providers.google" in the fleet file, or GOOGLE_CLOUD_PROJECT.',
      cause: error,
    });
  });
  const instances = await provider.listInstances();
  return {
    source,
    account: credentials.kind === 'service_account' ? credentials.email : null,
    project,
    regions: settings.regions,
    zones: zones.length,
    instances: instances.length,
  };
}
