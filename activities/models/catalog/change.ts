/** Writes entries of the model catalogue, for people and for the models file: several together or none. */
import type { CatalogOwner, PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import {
  checkedProfile,
  modelsOfProfile,
  profileSchema,
  serverOfProfile,
  type Catalog,
  type Model,
  type ModelProfile,
  type ModelServer,
} from '../../../domain/models/catalog/catalog.ts';
import { findProfile } from '../../../domain/models/catalog/lookup.ts';
import { POOLED_PRESETS, poolNameOf } from '../../../domain/models/catalog/pools.ts';
import { isPreset } from '../../../domain/models/catalog/presets.ts';
import { missingOf } from '../../../domain/models/footprint/need.ts';
import { forgetKept, holdCatalog, OPEN } from './kept.ts';
import { digestByRevision, entryOf, readCatalog, seenBy, type CatalogRows, type Tx } from './read.ts';
import { configureAll } from './tasks.ts';

/** The person or file that changes an entry. */
export interface Author {
  readonly owner: CatalogOwner;
  /** For people. */
  readonly by: string;
  readonly at: Date;
  /** Tenant whose profiles and those of the installation it sees; absent = all, for the models file. */
  readonly tenantId?: string;
}

export const refused = (message: string, hint: string): DeckhandError =>
  new DeckhandError('conflict', message, { userMessage: message, hint });

/** @throws DeckhandError `conflict` for an entry of the file that somebody else changes */
export function checkOwner(
  what: string,
  row: { readonly owner: CatalogOwner } | null | undefined,
  { owner }: Author,
): void {
  if (row === null || row === undefined || row.owner === owner || owner === 'file') return;
  throw refused(`${what} is an entry of the models file.`, 'Change it there and start Deckhand again.');
}

export const columnsOf = ({ owner, by, at }: Author) => ({ owner, changedBy: by, changedAt: at });

/** A change touches every task of every tenant. */
const WRITE_LIMIT_MS = 60_000;

/** Changes that are made together. */
export interface Change {
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
      await configureAll(tx, change.models);
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

/** Rows, and the catalogue as an author sees it. */
export async function readSeen(tx: Tx, { tenantId }: Author): ReturnType<typeof readCatalog> {
  const all = await readCatalog(tx);
  return tenantId === undefined ? all : { ...all, catalog: seenBy(all, tenantId) };
}
