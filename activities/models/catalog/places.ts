/** Where the calls of a profile are answered: in the queues of all pools, or in those of the one pool that holds its models. */
import { DeckhandError } from '../../../domain/errors.ts';
import { ownPoolsOf, type OwnPool, type PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { READER_PROFILE } from '../../../domain/models/catalog/catalog.ts';
import { catalogPools, POOLED_PRESETS } from '../../../domain/models/catalog/pools.ts';
import { isPreset } from '../../../domain/models/catalog/presets.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { finishingProfiles, readCatalog } from './read.ts';

type Db = Prisma.TransactionClient | PrismaClient;

/** The pools of the servers that are configured by name, with those of removed profiles that open decks finish on. @param installed profile of the installation */
export async function serverPools(db: Db, installed: string): Promise<readonly PoolConfig[]> {
  const { catalog, rows } = await readCatalog(db);
  const profiles = [...catalog.profiles, ...(await finishingProfiles(db, rows))];
  return catalogPools({ ...catalog, profiles }, [...POOLED_PRESETS, ...rows.profiles], installed);
}

/** Every pool with queues of its own that takes new work, of the fleet file and of the servers. */
export async function ownPools(db: Db, fleetPools: readonly PoolConfig[], installed: string): Promise<OwnPool[]> {
  const { catalog, rows } = await readCatalog(db);
  const servers = catalogPools(catalog, [...POOLED_PRESETS, ...rows.profiles], installed);
  return ownPoolsOf([...fleetPools, ...servers], installed);
}

/** How a profile comes to be held here. The built-in reader is on no server, and one of people's own has its models in the catalogue already. */
function wayToHold(profile: string): string {
  const start = `\`./deckhand down\`, \`./deckhand up --models ${profile}\``;
  if (profile === READER_PROFILE) return `Start Deckhand with it: ${start}.`;
  if (isPreset(profile))
    return `Add the server that has them (\`./deckhand models add ${profile}\`), or start Deckhand with them: ${start}.`;
  return `Let a pool of the fleet file hold them ("ownQueues": true, "models": "${profile}"), or start Deckhand with them: ${start}.`;
}

/**
 * Pool whose queues the calls of a profile wait in; null = the queues of all pools.
 *
 * @throws DeckhandError `conflict` when nothing holds its models: the calls would wait for ever
 */
export async function poolOfProfile(
  db: Db,
  { fleetPools, installed }: { readonly fleetPools: readonly PoolConfig[]; readonly installed: string },
  profile: string,
): Promise<string | null> {
  if (profile === installed) return null;
  const found = (await ownPools(db, fleetPools, installed)).find((pool) => pool.profile === profile);
  if (found !== undefined) return found.name;
  throw new DeckhandError('conflict', `no server and no pool holds the models of profile ${profile}`, {
    userMessage: `Deckhand runs with the models of ${installed}, and nothing here holds those of ${profile}.`,
    hint: wayToHold(profile),
  });
}
