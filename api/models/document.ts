/** The catalogue as the API shows it. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { ownPools } from '../../activities/models/catalog/places.ts';
import { chosenProfile, readCatalog, seenBy } from '../../activities/models/catalog/store.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { serverOfProfile } from '../../domain/models/catalog/catalog.ts';
import type { RouteDeps } from '../context.ts';
import type { CatalogDocument } from './schemas.ts';

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
  const tenantOf = (name: string): string | null => rows.profiles.find((row) => row.name === name)?.tenantId ?? null;
  return {
    default: await chosenProfile(db, installed),
    installed,
    servers: catalog.servers.map((server) => ({ ...server, ...byWhom(rows.servers, server.name) })),
    models: catalog.models.map((model) => ({ ...model, ...byWhom(rows.models, model.name) })),
    profiles: catalog.profiles.map((profile) => ({
      ...profile,
      models: Object.fromEntries(
        Object.entries(profile.models).flatMap(([of, name]) => (name === undefined ? [] : [[of, name] as const])),
      ),
      ...byWhom(rows.profiles, profile.name),
      tenantId: tenantOf(profile.name),
      server: serverOfProfile(profile, catalog.models),
      isServed: profile.name === installed || held.some((pool) => pool.profile === profile.name),
    })),
  };
}
