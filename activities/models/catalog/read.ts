/** Reads the model catalogue from the database: presets, entries of the models file and of the API, and names of kept profiles. */
import type { z } from 'zod';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import {
  modelSchema,
  profileSchema,
  serverSchema,
  type Catalog,
  type Model,
  type ModelProfile,
} from '../../../domain/models/catalog/catalog.ts';
import { mergeCatalogs } from '../../../domain/models/catalog/lookup.ts';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { revisionDigest } from '../client/revision-digest.ts';

export type Tx = Prisma.TransactionClient;

/** Entries of the file and of the API, with the rows' own columns. */
async function readRows(db: Tx) {
  const orderBy = { name: 'asc' } as const;
  const servers = await db.modelServer.findMany({ orderBy });
  const models = await db.configuredModel.findMany({ orderBy });
  return { servers, models, profiles: await db.modelProfile.findMany({ orderBy }) };
}

/** Rows of the catalogue. */
export type CatalogRows = Awaited<ReturnType<typeof readRows>>;

/** An entry of the columns that its schema names. */
export const entryOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, row: object): z.output<z.ZodObject<S>> =>
  schema.parse(Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(schema.shape, name))));

/** The rows as entries. Removed profiles are left out. */
export const catalogOfRows = ({ servers, models, profiles }: CatalogRows): Catalog => ({
  servers: servers.map((row) => entryOf(serverSchema, row)),
  models: models.map((row) => entryOf(modelSchema, row)),
  profiles: profiles.filter(({ removedAt }) => removedAt === null).map((row) => entryOf(profileSchema, row)),
});

/** Presets, the file's and the API's entries, and the rows that the latter two are in. */
export async function readCatalog(
  db: Tx | PrismaClient,
): Promise<{ readonly catalog: Catalog; readonly rows: CatalogRows }> {
  // Of one moment: a change may add a model and the profile that names it. Who changes the catalogue holds it.
  const rows =
    '$transaction' in db
      ? await db.$transaction((tx) => readRows(tx), { isolationLevel: 'RepeatableRead' })
      : await readRows(db);
  const catalog = mergeCatalogs(PRESETS, catalogOfRows(rows));
  const models = catalog.models.map((model) => ({ ...model, digest: digestByRevision(model) ?? model.digest }));
  return { catalog: { ...catalog, models }, rows };
}

/** Digest that a machine with vLLM shows of a model; null where no revision is said. */
export const digestByRevision = ({ name, repository, revision }: Model): string | null =>
  repository === null || revision === null ? null : revisionDigest(name, `${repository}@${revision}`);

/** The catalogue as a tenant sees it: without the profiles of others. */
export const seenBy = (
  { catalog, rows }: { readonly catalog: Catalog; readonly rows: CatalogRows },
  tenantId: string,
): Catalog => ({
  ...catalog,
  profiles: catalog.profiles.filter(({ name }) =>
    [null, tenantId].includes(rows.profiles.find((row) => row.name === name)?.tenantId ?? null),
  ),
});

/** Names under which profiles are kept for open decks, such as `mine@2`. */
export async function keptNames(db: Tx | PrismaClient): Promise<string[]> {
  const rows = await db.modelConfiguration.findMany({
    where: { profile: { contains: '@' } },
    select: { profile: true },
    distinct: ['profile'],
    orderBy: { profile: 'asc' },
  });
  return rows.map(({ profile }) => profile);
}

/** A profile without the number under which open decks keep what it was. */
export const baseName = (profile: string): string => profile.split('@')[0] ?? profile;

/** Removed profiles that open decks finish on: what was kept for them is there. */
export async function finishingProfiles(db: Tx | PrismaClient, { profiles }: CatalogRows): Promise<ModelProfile[]> {
  const kept = new Set((await keptNames(db)).map(baseName));
  return profiles
    .filter(({ name, removedAt }) => removedAt !== null && kept.has(name))
    .map((row) => entryOf(profileSchema, row));
}

/** Changes whenever an entry is written or removed, and when the last deck of a removed one has ended. */
export async function catalogVersion(db: PrismaClient): Promise<string> {
  const of = { _count: { _all: true }, _max: { changedAt: true } } as const;
  const [kept, ...entries] = await Promise.all([
    keptNames(db),
    db.modelServer.aggregate(of),
    db.configuredModel.aggregate(of),
    db.modelProfile.aggregate(of),
  ]);
  const changes = entries.map((all) => `${all._count._all}/${all._max.changedAt?.getTime() ?? 0}`);
  return [...changes, ...kept].join(' ');
}
