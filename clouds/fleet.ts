/**
 * The fleet of an installation as the processes use it: the parsed fleet file, with an installation id.
 */
import type { FleetConfig } from '../domain/fleet/pool/pool-config.ts';

/** A fleet with its installation id. */
export interface Fleet extends FleetConfig {
  readonly installationId: string;
}

/** Name of the provider that rents nothing: servers that run already. */
export const STATIC = 'static';

/**
 * Providers that a fleet names, the fleet's own first: in pools, and in `providers`, so that what was rented there is still looked after. None
 * for a static fleet.
 */
export function providerNames(fleet: Pick<FleetConfig, 'provider' | 'providers' | 'pools'>): readonly string[] {
  const named = [fleet.provider, ...fleet.pools.flatMap((pool) => pool.providers), ...Object.keys(fleet.providers)];
  return [...new Set(named)].filter((name) => name !== STATIC);
}

/** Providers that a pool rents from, the preferred one first. */
export const providersOfPool = (
  { providers }: { readonly providers: readonly string[] },
  fleetProvider: string,
): readonly string[] => (providers.length === 0 ? [fleetProvider] : providers);

/** Address of a provider's API that the fleet file names; null = the provider's own. */
export function namedUrl(
  fleet: Pick<FleetConfig, 'provider' | 'providers' | 'baseUrl'>,
  provider: string,
): string | null {
  const own = fleet.providers[provider]?.['baseUrl'];
  if (typeof own === 'string') return own;
  return provider === fleet.provider ? fleet.baseUrl : null;
}
