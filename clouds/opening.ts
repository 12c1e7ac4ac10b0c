/**
 * Parts that providers of machines share: how one is opened, ids, host names, and disks that go with their machine.
 */
import { isLoopbackUrl } from '../platform/loopback.ts';
import { isProviderError, nullIfGone, providerError } from './errors.ts';
import type { ConnectionOptions } from './http/connection.ts';
import type { ProviderFacts } from './parts.ts';

/** How a provider is opened. */
export interface OpeningOptions<Settings, Credentials> extends ConnectionOptions {
  readonly settings: Settings;
  readonly credentials: Credentials;
  /** Stands in the names of what is made beside machines, such as a key, a firewall or a network. */
  readonly installationId: string;
  /** Overrides of what is known of the provider, as under a simulator's scenario. */
  readonly capabilities?: Partial<ProviderFacts>;
  /** Machines are reached at the model server that a simulator publishes; they have no address before that. */
  readonly simulatedAccess?: boolean;
}

/** True where machines may name the address of their model server: only a simulator on this machine is believed. */
export const trustsModelUrl = ({ baseUrl }: { readonly baseUrl: string | null }): boolean =>
  baseUrl !== null && isLoopbackUrl(baseUrl);

const HOSTNAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/u;

/** @throws DeckhandError `provider_config` for a name that a provider would refuse or cut; ours are shorter */
export function checkHostname(hostname: string, pattern: RegExp = HOSTNAME, more = ''): void {
  if (pattern.test(hostname)) return;
  const rule = `a host name of at most 60 lower-case letters, digits and dashes${more}`;
  throw providerError('config', `"${hostname}" is not ${rule}`);
}

/** The thing with this id; null where it is no id of the provider, or there is nothing (any more). */
export const lookUp = <At, Found>(at: At | null, read: (at: At) => Promise<Found>): Promise<Found | null> =>
  at === null ? Promise.resolve(null) : nullIfGone(() => read(at));

/** @throws DeckhandError `provider_gone` for what is no id of the provider */
export function known<At>(at: At | null, id: string, provider: string): At {
  if (at === null) throw providerError('gone', `"${id}" is not the id of a machine or disk at ${provider}`);
  return at;
}

/**
 * Deletes disks of a machine that ends or has ended. Those that still hang on it are left to the caller's next round.
 *
 * @param attached disks that go with the machine itself
 */
export async function purge(
  { deleteVolume }: { readonly deleteVolume: (id: string) => Promise<void> },
  volumeIds: readonly string[],
  attached: readonly string[] = [],
): Promise<void> {
  for (const volumeId of volumeIds.filter((id) => !attached.includes(id)))
    await deleteVolume(volumeId).catch((error: unknown) => {
      if (!isProviderError(error, 'not_yet')) throw error;
    });
}
