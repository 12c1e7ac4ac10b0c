/** The catalogue as the API shows it. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { ownPools } from '../../activities/models/catalog/places.ts';
import { chosenProfile } from '../../activities/models/catalog/choice.ts';
import { readCatalog, seenBy } from '../../activities/models/catalog/read.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { STATIC } from '../../clouds/fleet.ts';
import { SERVING_BELIEVED_MS } from '../../domain/fleet/pool/serving.ts';
import { namedModels, serverOfProfile } from '../../domain/models/catalog/catalog.ts';
import type { RouteDeps } from '../context.ts';
import type { CatalogDocument, ProfileState } from './schemas.ts';

interface Row {
  readonly name: string;
  readonly owner: 'file' | 'api';
  readonly changedBy: string;
  readonly changedAt: Date;
}

const byWhom = (rows: readonly Row[], name: string) => {
  const row = rows.find((each) => each.name === name);
  if (row === undefined) return { owner: 'preset' as const, changedBy: null, changedAt: null };
  return { owner: row.owner, changedBy: row.changedBy, changedAt: row.changedAt.toISOString() };
};

/** The kept pools with what their gateways last said of the servers. */
const readPools = (db: PrismaClient, now: Date) =>
  db.fleetPool.findMany({
    where: { nextLookAt: { not: null } },
    select: {
      name: true,
      provider: true,
      ownQueues: true,
      instances: {
        where: { endedAt: null, serving: { seenAt: { gt: new Date(now.getTime() - SERVING_BELIEVED_MS) } } },
        select: { serving: { select: { state: true, message: true } } },
      },
    },
  });

/** State of a profile by the pools that hold its models. */
function stateOf(pools: Awaited<ReturnType<typeof readPools>>): ProfileState {
  // Rented machines sleep until there is work.
  if (pools.some(({ provider }) => provider !== STATIC)) return 'ready';
  const reports = pools.flatMap(({ instances }) => instances.flatMap(({ serving }) => serving ?? []));
  if (reports.some(({ state }) => state === 'serving')) return 'ready';
  // A server that has not failed yet has only just been attached.
  const isSilent = reports.length > 0 && reports.every((row) => row.state === 'connecting' && row.message !== null);
  return isSilent ? 'does not answer' : 'being checked';
}

/** The catalogue as a tenant sees it: everything of the installation, and its own profiles. */
export async function catalogDocument(
  db: PrismaClient,
  config: RouteDeps['config'],
  tenantId: string,
): Promise<CatalogDocument> {
  const installed = config.models;
  const all = await readCatalog(db);
  const { rows } = all;
  const catalog = seenBy(all, tenantId);
  const held = await ownPools(db, loadFleet(config).pools, installed);
  const pools = await readPools(db, new Date());
  const stateNow = (profile: string): ProfileState | null => {
    const own = held.find((pool) => pool.profile === profile)?.name;
    if (own !== undefined) return stateOf(pools.filter(({ name }) => name === own));
    return profile === installed ? stateOf(pools.filter(({ ownQueues }) => !ownQueues)) : null;
  };
  const tenantOf = (name: string): string | null => rows.profiles.find((row) => row.name === name)?.tenantId ?? null;
  return {
    default: await chosenProfile(db, installed),
    installed,
    servers: catalog.servers.map((server) => ({ ...server, ...byWhom(rows.servers, server.name) })),
    models: catalog.models.map((model) => ({ ...model, ...byWhom(rows.models, model.name) })),
    profiles: catalog.profiles.map((profile) => ({
      ...profile,
      models: namedModels(profile),
      ...byWhom(rows.profiles, profile.name),
      tenantId: tenantOf(profile.name),
      server: serverOfProfile(profile, catalog.models),
      isServed: profile.name === installed || held.some((pool) => pool.profile === profile.name),
      state: stateNow(profile.name),
    })),
  };
}
