/**
 * Pools of the servers that are configured by name: one for each profile whose models are on a server with an address. Its queues are its own,
 * so that calls of several profiles never wait in one queue, except for the profile of the installation, whose calls wait in the queues of all
 * pools.
 */
import { poolConfigSchema, type PoolConfig } from '../../fleet/pool/pool-config.ts';
import { GPU_CLASSES } from '../model-tasks.ts';
import { serverOfProfile, type Catalog } from './catalog.ts';
import { PRESETS } from './presets.ts';

/** Pool names are parts of host names: a letter, then up to eleven letters and digits. */
const NAME_LENGTH = 12;

/** Name of the pool of a profile, such as `qwen3vl`. @param taken names of other pools */
export function poolNameOf(profile: string, taken: ReadonlySet<string>): string {
  const plain = profile.replaceAll(/[^a-z0-9]/gu, '');
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : String(number);
    const name = `${plain.slice(0, NAME_LENGTH - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}

/** A profile with the name of its pool. */
export interface PooledProfile {
  readonly name: string;
  readonly pool: string;
}

/** The presets with the names of their pools. */
export const POOLED_PRESETS: readonly PooledProfile[] = PRESETS.profiles.map(({ name }) => ({
  name,
  pool: poolNameOf(name, new Set(['static'])),
}));

/**
 * The pools of all profiles that are on a server. A profile that is not usable any more has none.
 *
 * @param installed profile of the installation
 */
export function catalogPools(catalog: Catalog, pooled: readonly PooledProfile[], installed: string): PoolConfig[] {
  return pooled.flatMap(({ name, pool }) => {
    const profile = catalog.profiles.find((each) => each.name === name);
    const server = profile === undefined ? null : serverNamed(catalog, serverOfProfile(profile, catalog.models));
    if (server === null) return [];
    const { kind, url, keyFile, parallel, dataLeavesHost } = server;
    return poolConfigSchema.parse({
      name: pool,
      classes: [...GPU_CLASSES],
      endpoint: {
        kind,
        url,
        dataLeavesHost,
        ...(keyFile === null ? {} : { keyFile }),
        ...(parallel === null ? {} : { slotsPerReplica: parallel }),
      },
      ...(name === installed ? {} : { ownQueues: true, models: name }),
    });
  });
}

const serverNamed = ({ servers }: Catalog, wanted: string | null) =>
  servers.find(({ name }) => name === wanted) ?? null;
