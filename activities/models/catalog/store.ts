/**
 * The model catalogue in the database: entries of the models file and of the API. Presets are in code; the configuration of each task, which
 * calls use, is made from all of them.
 *
 * A profile that open decks use changes safely: they keep what they began with, under the profile's name with a number (`mine@2`).
 */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { CatalogOwner, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import {
  checkedProfile,
  modelSchema,
  modelsOfProfile,
  profileSchema,
  serverOfProfile,
  serverSchema,
  type Catalog,
  type Model,
  type ModelProfile,
  type ModelServer,
} from '../../../domain/models/catalog/catalog.ts';
import { findProfile, mergeCatalogs, tasksOfProfile, unknownProfile } from '../../../domain/models/catalog/lookup.ts';
import { POOLED_PRESETS, poolNameOf } from '../../../domain/models/catalog/pools.ts';
import { revisionDigest } from '../client/revision-digest.ts';
import { missingOf } from '../../../domain/models/footprint/need.ts';
import { isPreset, PRESETS } from '../../../domain/models/catalog/presets.ts';

type Tx = Prisma.TransactionClient;

/** Analyses that are not over. */
const OPEN = { status: { in: ['queued', 'running'] } } satisfies Prisma.AnalysisWhereInput;

/** The person or file that changes an entry. */
export interface Author {
  readonly owner: CatalogOwner;
  /** For people. */
  readonly by: string;
  readonly at: Date;
  /** Tenant whose profiles and those of the installation it sees; absent = all, for the models file. */
  readonly tenantId?: string;
}

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
const entryOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, row: object): z.output<z.ZodObject<S>> =>
  schema.parse(Object.fromEntries(Object.entries(row).filter(([name]) => Object.hasOwn(schema.shape, name))));

/** The rows as entries. Removed profiles are left out. */
export const catalogOfRows = ({ servers, models, profiles }: CatalogRows): Catalog => ({
  servers: servers.map((row) => entryOf(serverSchema, row)),
  models: models.map((row) => entryOf(modelSchema, row)),
  profiles: profiles.filter(({ removedAt }) => removedAt === null).map((row) => entryOf(profileSchema, row)),
});

/** Removed profiles that open decks finish on: what was kept for them is there. */
export async function finishingProfiles(db: Tx | PrismaClient, { profiles }: CatalogRows): Promise<ModelProfile[]> {
  const kept = new Set((await keptNames(db)).map(baseName));
  return profiles
    .filter(({ name, removedAt }) => removedAt !== null && kept.has(name))
    .map((row) => entryOf(profileSchema, row));
}

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
const digestByRevision = ({ name, repository, revision }: Model): string | null =>
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

/** Holds the catalogue for the rest of a transaction: changes are made one after the other. */
const holdCatalog = (tx: Tx): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('model catalogue'))`;

const refused = (message: string, hint: string): DeckhandError =>
  new DeckhandError('conflict', message, { userMessage: message, hint });

/** @throws DeckhandError `conflict` for an entry of the file that somebody else changes */
function checkOwner(what: string, row: { readonly owner: CatalogOwner } | null | undefined, { owner }: Author): void {
  if (row === null || row === undefined || row.owner === owner || owner === 'file') return;
  throw refused(`${what} is an entry of the models file.`, 'Change it there and start Deckhand again.');
}

const columnsOf = ({ owner, by, at }: Author) => ({ owner, changedBy: by, changedAt: at });

/** A change touches every task of every tenant. */
const WRITE_LIMIT_MS = 60_000;

/** Changes that are made together. */
interface Change {
  readonly tx: Tx;
  readonly author: Author;
  /** Models that were written or removed. */
  readonly models: Set<string>;
  /** For people: entries that left the models file and are the API's now, because others use them. */
  readonly handedOver: string[];
}

/**
 * Makes changes together or not at all, one command after the other, and brings the configuration of every task to them.
 *
 * @throws DeckhandError those of the changes; `invalid_request` and `model_lacks_vision` of `checkedProfile` for a profile that they would break
 */
export const changeCatalog = (
  db: PrismaClient,
  author: Author,
  make: (change: Change) => Promise<void>,
): Promise<Pick<Change, 'handedOver'>> =>
  db.$transaction(
    async (tx) => {
      await holdCatalog(tx);
      await forgetKept(tx);
      const change = { tx, author, models: new Set<string>(), handedOver: [] };
      await make(change);
      await configureAll(change);
      return { handedOver: change.handedOver };
    },
    { timeout: WRITE_LIMIT_MS },
  );

/** Writes a server. @throws DeckhandError `conflict` */
export async function putServer({ tx, author }: Change, server: ModelServer): Promise<void> {
  const { name, ...columns } = server;
  checkOwner(`Server ${name}`, await tx.modelServer.findUnique({ where: { name } }), author);
  const data = { ...columns, ...columnsOf(author) };
  await tx.modelServer.upsert({ where: { name }, create: { name, ...data }, update: data });
}

/** Writes a model. @throws DeckhandError `conflict`, `not_found` for its server, `invalid_request` for two identities in one entry */
export async function putModel({ tx, author, models }: Change, model: Model): Promise<void> {
  const { name, ...columns } = model;
  checkIdentity(model);
  checkOwner(`Model ${name}`, await tx.configuredModel.findUnique({ where: { name } }), author);
  const { server } = columns;
  if (server !== null && (await tx.modelServer.count({ where: { name: server } })) === 0)
    throw new DeckhandError('not_found', `There is no model server "${server}".`, {
      hint: `Add it: ./deckhand models add ${name} --server URL`,
    });
  const data = { ...columns, ...columnsOf(author) };
  await tx.configuredModel.upsert({ where: { name }, create: { name, ...data }, update: data });
  models.add(name);
}

/** @throws DeckhandError `invalid_request` */
function checkIdentity(model: Model): void {
  const { name, repository, revision, digest } = model;
  const refuse = (message: string, hint: string): never => {
    throw new DeckhandError('invalid_request', message, { userMessage: message, hint });
  };
  if ((repository === null) !== (revision === null))
    refuse(
      `${name} has a ${repository === null ? 'revision without a repository' : 'repository without a revision'}.`,
      'Say both, "repository" and "revision", or leave both out.',
    );
  if (revision !== null && digest !== null && digest !== digestByRevision(model))
    refuse(
      `${name} has a digest and a revision: a digest is that of Ollama, a revision that of vLLM.`,
      'Leave one of them out; give a model that runs on both an entry for each.',
    );
}

/**
 * Writes a profile.
 *
 * @param tenantId whose profile it is; null = the installation's
 * @throws DeckhandError `conflict` for a preset, an entry of the file or another tenant's profile; those of `checkedProfile`
 */
export async function putProfile(
  { tx, author }: Change,
  profile: ModelProfile,
  tenantId: string | null,
): Promise<void> {
  const { name, ...columns } = profile;
  if (isPreset(name)) throw refused(`${name} is a profile that comes with Deckhand.`, 'Take another name.');
  const known = await tx.modelProfile.findUnique({ where: { name } });
  checkOwner(`Profile ${name}`, known, author);
  if (known !== null && known.removedAt === null && known.tenantId !== tenantId)
    throw refused(`The profile name ${name} is in use.`, 'Take another name.');
  const { catalog } = await readCatalog(tx);
  checkedProfile(profile, catalog.models);
  if (known !== null && author.owner !== 'file') await refuseMoving(tx, known, profile, catalog);
  const pool = known?.pool ?? poolNameOf(name, await takenPoolNames(tx));
  const data = { ...columns, tenantId, pool, removedAt: null, ...columnsOf(author) };
  await tx.modelProfile.upsert({ where: { name }, create: { name, ...data }, update: data });
}

/** Calls of open decks wait in the profile's pool, and a pool is on one server. @throws DeckhandError `conflict` */
async function refuseMoving(
  tx: Tx,
  known: CatalogRows['profiles'][number],
  profile: ModelProfile,
  { models }: Catalog,
): Promise<void> {
  const { name, pool } = known;
  if ((await tx.analysis.count({ where: { poolName: pool, ...OPEN } })) === 0) return;
  const before = serverOfProfile(entryOf(profileSchema, known), models);
  if (before === serverOfProfile(profile, models)) return;
  throw refused(
    `Open decks of ${name} are answered by ${before ?? 'the servers in use'}, and it would move to another server.`,
    'Wait for their end or cancel them, or take another name for the profile.',
  );
}

/**
 * Forgets the digests that the models of a profile are pinned to, so that the next machine pins what it holds: one that was said of a model is
 * forgotten with them, or the next change would bring it back. Of all tenants: one machine serves them all, and holds one version of a model.
 *
 * @param modelsFile for people
 * @throws DeckhandError `not_found`; `conflict` for a digest that stands in the models file, and for one that rented machines are told
 */
export async function unpinProfile({ tx, author }: Change, profile: string, modelsFile: string): Promise<void> {
  const { rows, catalog } = await readSeen(tx, author);
  const used = modelsOfProfile(findProfile(catalog, profile), catalog.models);
  const said = rows.models.filter(({ name, digest }) => digest !== null && used.some((model) => model.name === name));
  const filed = said.find(({ owner }) => owner === 'file');
  if (filed !== undefined)
    throw refused(
      `The digest of ${filed.name} stands in ${modelsFile}.`,
      'Change it or leave it out there, and start Deckhand again.',
    );
  const rented = said.find((model) => model.server === null && missingOf(model).length === 0);
  if (rented !== undefined)
    throw refused(
      `Rented machines are told which version of ${rented.name} they have to hold.`,
      `Say the new one: ./deckhand models add ${rented.name} --pool --digest SHA256`,
    );
  await tx.configuredModel.updateMany({
    where: { name: { in: said.map(({ name }) => name) } },
    data: { digest: null, ...columnsOf(author) },
  });
  await tx.modelConfiguration.updateMany({ where: { profile }, data: { pinnedDigest: null, pinnedAt: null } });
}

async function takenPoolNames(tx: Tx): Promise<ReadonlySet<string>> {
  const [profiles, pools] = await Promise.all([
    tx.modelProfile.findMany({ select: { pool: true } }),
    tx.fleetPool.findMany({ select: { name: true } }),
  ]);
  return new Set([
    'static',
    ...POOLED_PRESETS.map(({ pool }) => pool),
    ...profiles.map(({ pool }) => pool),
    ...pools.map(({ name }) => name),
  ]);
}

/**
 * Removes an entry. Open decks of a removed profile finish on what they began with.
 *
 * @throws DeckhandError `not_found`; `conflict` for a preset, an entry of the file, and what other entries or the default name; a default that leaves the file gives
 *   way to the profile of the installation
 */
export async function removeEntry(
  { tx, author, models, handedOver }: Change,
  kind: 'server' | 'model' | 'profile',
  name: string,
): Promise<void> {
  const { rows, catalog } = await readSeen(tx, author);
  const present = {
    server: rows.servers,
    model: rows.models,
    profile: rows.profiles.filter((row) => catalog.profiles.some((profile) => profile.name === row.name)),
  }[kind];
  const row = present.find((each) => each.name === name);
  const isKnown = { server: catalog.servers, model: catalog.models, profile: catalog.profiles }[kind].some(
    (each) => each.name === name,
  );
  if (row === undefined && isKnown)
    throw refused(`The ${kind} ${name} comes with Deckhand.`, 'It costs nothing as long as nothing uses it.');
  if (row === undefined) {
    const known = present.map((each) => each.name).join(', ');
    throw new DeckhandError('not_found', `There is no ${kind} "${name}".`, {
      hint: known === '' ? `No ${kind} was added.` : `Known: ${known}.`,
    });
  }
  checkOwner(`The ${kind} ${name}`, row, author);
  const use = await useOf({ tx, author }, kind, name, { rows, catalog });
  if (use !== null && author.owner !== 'file') throw use;
  // Nobody could change what uses it: Deckhand would not start.
  if (use !== null) {
    const where = { name };
    const data = columnsOf({ ...author, owner: 'api' });
    if (kind === 'server') await tx.modelServer.update({ where, data });
    if (kind === 'model') await tx.configuredModel.update({ where, data });
    handedOver.push(use.userMessage);
    return;
  }
  switch (kind) {
    case 'server':
      await tx.modelServer.delete({ where: { name } });
      break;
    case 'model':
      await tx.configuredModel.delete({ where: { name } });
      models.add(name);
      break;
    case 'profile':
      await tx.modelProfile.update({ where: { name }, data: { removedAt: author.at, ...columnsOf(author) } });
      await keepForOpenRuns(tx, name);
      await tx.modelConfiguration.deleteMany({ where: { profile: name } });
      break;
  }
}

/** Rows, and the catalogue as an author sees it. */
async function readSeen(tx: Tx, { tenantId }: Author): ReturnType<typeof readCatalog> {
  const all = await readCatalog(tx);
  return tenantId === undefined ? all : { ...all, catalog: seenBy(all, tenantId) };
}

/** The refusal of removing an entry that is in use; null = nothing uses it. A default that leaves the file is none any more. */
async function useOf(
  { tx, author }: Pick<Change, 'tx' | 'author'>,
  kind: 'server' | 'model' | 'profile',
  name: string,
  { rows, catalog }: { readonly rows: CatalogRows; readonly catalog: Catalog },
): Promise<DeckhandError | null> {
  if (kind === 'profile') {
    const choice = await tx.modelChoice.findUnique({ where: { id: 1 } });
    if (choice?.profile !== name) return null;
    if (author.owner === 'file') {
      await tx.modelChoice.delete({ where: { id: 1 } });
      return null;
    }
    return refused(
      `${name} is the profile of new analyses.`,
      'Choose another one first: ./deckhand models use PROFILE',
    );
  }
  const users =
    kind === 'server'
      ? rows.models.filter(({ server }) => server === name).map((model) => `model ${model.name}`)
      : catalogOfRows(rows)
          .profiles.filter(({ models }) => Object.values(models).includes(name))
          .map((profile) =>
            catalog.profiles.some((seen) => seen.name === profile.name)
              ? `profile ${profile.name}`
              : 'a profile of another tenant',
          );
  if (users.length > 0)
    return refused(`The ${kind} ${name} is used by ${users.join(', ')}.`, 'Remove or change that first.');
  const decks = kind === 'model' ? await openDecksOf(tx, name) : 0;
  if (decks === 0) return null;
  return refused(
    `The model ${name} answers ${decks === 1 ? 'an open deck' : `${decks} open decks`}.`,
    'Wait for their end or cancel them, and remove it then.',
  );
}

/** Open analyses that a model answers. */
async function openDecksOf(tx: Tx, modelName: string): Promise<number> {
  const rows = await tx.modelConfiguration.findMany({
    where: { modelName },
    select: { tenantId: true, profile: true },
    distinct: ['tenantId', 'profile'],
  });
  if (rows.length === 0) return 0;
  const using = rows.map(({ tenantId, profile: modelProfile }) => ({ tenantId, modelProfile }));
  return tx.analysis.count({ where: { ...OPEN, OR: using } });
}

/** Brings the configuration of every task of every tenant to the catalogue. */
async function configureAll({ tx, models: changed }: Change): Promise<void> {
  const { catalog, rows } = await readCatalog(tx);
  const everyone = (await tx.tenant.findMany({ select: { id: true } })).map(({ id }) => id);
  for (const { name, tenantId, removedAt } of rows.profiles) {
    if (removedAt !== null) continue;
    const wanted = checkedProfile(findProfile(catalog, name), catalog.models);
    await writeTasks(tx, name, wanted, tenantId === null ? everyone : [tenantId]);
  }
  // Settings of a model count in the presets as well. Their digests are those of a library: unless somebody said one, machines pin what they hold.
  const isSaid = (model: string): boolean => rows.models.some((row) => row.name === model);
  for (const { name, models } of PRESETS.profiles) {
    if (!Object.values(models).some((model) => model !== undefined && changed.has(model))) continue;
    const wanted = tasksOfProfile(catalog, name);
    const pinned = wanted.map((task) => (isSaid(task.modelName) ? task : { ...task, pinnedDigest: null }));
    await writeTasks(tx, name, pinned, everyone);
  }
}

/** Writes the tasks of a profile for these tenants. What open decks began with is kept for them. */
async function writeTasks(
  tx: Tx,
  profile: string,
  wanted: ReturnType<typeof tasksOfProfile>,
  tenants: readonly string[],
): Promise<void> {
  const stored = await tx.modelConfiguration.findMany({ where: { profile } });
  const differs = stored.some((row) => {
    const now = wanted.find(({ task }) => task === row.task);
    return (
      now === undefined ||
      row.modelName !== now.modelName ||
      row.numCtx !== now.numCtx ||
      row.numPredict !== now.numPredict ||
      row.temperature !== now.temperature ||
      row.topP !== now.topP ||
      (now.pinnedDigest !== null && row.pinnedDigest !== now.pinnedDigest)
    );
  });
  if (differs) await keepForOpenRuns(tx, profile);
  for (const tenantId of tenants)
    for (const { task, profile: _, pinnedDigest, ...columns } of wanted) {
      const before = stored.find((row) => row.tenantId === tenantId && row.task === task);
      const isSame = before?.modelName === columns.modelName;
      const digest = pinnedDigest ?? (isSame ? before.pinnedDigest : null);
      const pinnedAt = digest === null ? null : digest === before?.pinnedDigest ? before.pinnedAt : new Date();
      const data = { ...columns, pinnedDigest: digest, pinnedAt };
      if (before !== undefined && isDeepStrictEqual({ ...before, ...data }, before)) continue;
      await tx.modelConfiguration.upsert({
        where: { tenantId_profile_task: { tenantId, profile, task } },
        create: { id: `${tenantId}/${profile}/${task}`, tenantId, profile, task, ...data },
        update: data,
      });
    }
}

/** Open analyses of a profile go on with what it says now, under a name of its own; see the file's header. */
async function keepForOpenRuns(tx: Tx, profile: string): Promise<void> {
  const where = { modelProfile: profile, ...OPEN };
  if ((await tx.analysis.count({ where })) === 0) return;
  const earlier = await tx.modelConfiguration.findMany({
    where: { profile: { startsWith: `${profile}@` } },
    select: { profile: true },
    distinct: ['profile'],
  });
  const number = 1 + Math.max(0, ...earlier.map((row) => Number(row.profile.slice(profile.length + 1)) || 0));
  const kept = `${profile}@${number}`;
  const rows = await tx.modelConfiguration.findMany({ where: { profile } });
  await tx.modelConfiguration.createMany({
    data: rows.map((row) => ({ ...row, id: `${row.tenantId}/${kept}/${row.task}`, profile: kept })),
  });
  await tx.analysis.updateMany({ where, data: { modelProfile: kept } });
}

/** Removes what was kept for decks that have ended since, and profiles that were removed meanwhile. */
export async function forgetEnded(db: PrismaClient): Promise<void> {
  await db.$transaction(async (tx) => {
    await holdCatalog(tx);
    await forgetKept(tx);
  });
}

async function forgetKept(tx: Tx): Promise<void> {
  for (const profile of await keptNames(tx)) {
    if ((await tx.analysis.count({ where: { modelProfile: profile, ...OPEN } })) > 0) continue;
    await tx.modelConfiguration.deleteMany({ where: { profile } });
    // A replay takes what the profile says then.
    await tx.analysis.updateMany({ where: { modelProfile: profile }, data: { modelProfile: baseName(profile) } });
  }
}

/** Names under which profiles are kept for open decks, such as `mine@2`. */
async function keptNames(db: Tx | PrismaClient): Promise<string[]> {
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

/** Writes the configuration of all profiles of the installation for a new tenant. */
export async function configureTenant(tx: Tx, tenantId: string): Promise<void> {
  const { catalog, rows } = await readCatalog(tx);
  for (const { name, tenantId: owner, removedAt } of rows.profiles)
    if (owner === null && removedAt === null) await writeTasks(tx, name, tasksOfProfile(catalog, name), [tenantId]);
}

/** An entry of the catalogue by its kind and name. */
type EntryName = `${'server' | 'model' | 'profile'} ${string}`;

/** Entries that a models file changed. */
export interface FileChanges {
  readonly written: readonly EntryName[];
  readonly left: readonly EntryName[];
  /** For people: entries that left the file and are the API's now, because others use them. */
  readonly handedOver: readonly string[];
}

/**
 * Brings the database to the models file: its entries are written, those that have left it are removed, or are the API's from then on where others
 * use them. Repeating it changes nothing.
 *
 * @throws DeckhandError of `checkedProfile` for a profile of the API that the file would break
 */
export async function applyModelsFile(db: PrismaClient, file: Catalog, at: Date): Promise<FileChanges> {
  const { rows } = await readCatalog(db);
  const before = catalogOfRows(rows);
  const isSame = (kind: keyof Catalog, { name }: { readonly name: string }, entry: object): boolean =>
    rows[kind].some((row) => row.name === name && row.owner === 'file') &&
    isDeepStrictEqual(
      before[kind].find((each) => each.name === name),
      entry,
    );
  const changed = <Entry extends { readonly name: string }>(kind: keyof Catalog, entries: readonly Entry[]): Entry[] =>
    entries.filter((entry) => !isSame(kind, entry, entry));
  const left = (kind: keyof Catalog): string[] =>
    before[kind]
      .map(({ name }) => name)
      .filter((name) => rows[kind].some((row) => row.name === name && row.owner === 'file'))
      .filter((name) => !file[kind].some((entry) => entry.name === name));
  const written: EntryName[] = [];
  const gone: EntryName[] = [];
  const { handedOver } = await changeCatalog(db, { owner: 'file', by: 'the models file', at }, async (change) => {
    for (const server of changed('servers', file.servers)) {
      await putServer(change, server);
      written.push(`server ${server.name}`);
    }
    for (const model of changed('models', file.models)) {
      await putModel(change, model);
      written.push(`model ${model.name}`);
    }
    for (const profile of changed('profiles', file.profiles)) {
      await putProfile(change, profile, null);
      written.push(`profile ${profile.name}`);
    }
    for (const kind of ['profile', 'model', 'server'] as const)
      for (const name of left(`${kind}s`)) {
        await removeEntry(change, kind, name);
        gone.push(`${kind} ${name}`);
      }
  });
  return { written, left: gone, handedOver };
}

/** Makes a profile the one of new analyses that name none. @throws DeckhandError `not_found`; `conflict` for one of a tenant */
export async function chooseProfile(db: PrismaClient, profile: string, by: string): Promise<void> {
  const { catalog, rows } = await readCatalog(db);
  findProfile(catalog, profile);
  if (rows.profiles.some(({ name, tenantId }) => name === profile && tenantId !== null))
    throw refused(
      `${profile} is a profile of one tenant, and new analyses of every tenant would be answered by it.`,
      `Name it where you want it: ./deckhand analyze deck.pdf --models ${profile}`,
    );
  const data = { profile, changedBy: by, changedAt: new Date() };
  await db.modelChoice.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** The profile of new analyses that name none. @param installed the one that the processes were started with */
export async function chosenProfile(db: Tx | PrismaClient, installed: string): Promise<string> {
  return (await db.modelChoice.findUnique({ where: { id: 1 } }))?.profile ?? installed;
}

/** @throws DeckhandError `invalid_request` for a profile that a tenant does not have */
export async function checkProfile(db: Tx | PrismaClient, tenantId: string, profile: string): Promise<void> {
  if ((await db.modelConfiguration.count({ where: { tenantId, profile } })) > 0) return;
  const known = await db.modelConfiguration.findMany({
    where: { tenantId, NOT: { profile: { contains: '@' } } },
    select: { profile: true },
    distinct: ['profile'],
    orderBy: { profile: 'asc' },
  });
  throw unknownProfile(
    profile,
    known.map((row) => row.profile),
    'invalid_request',
  );
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
