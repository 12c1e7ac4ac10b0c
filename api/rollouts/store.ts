/** Rollouts as rows: started, changed, ended, listed. */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../domain/errors.ts';
import type { OwnPool } from '../../domain/fleet/pool/pool-config.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { lockForTransaction } from '../../platform/locks.ts';
import { unknownTenant } from '../auth/keys.ts';
import { modelsByTask } from '../decks/replays/schemas.ts';
import { checkOverrides } from '../decks/replays/start.ts';
import { documentOf } from '../http/definition.ts';
import { type NewRollout, type RolloutDocument, rolloutSchema } from './schemas.ts';

const withModels = { models: { orderBy: { task: 'asc' } } } as const satisfies Prisma.RolloutInclude;
type RolloutRow = Prisma.RolloutGetPayload<{ include: typeof withModels }>;

/** What the installation is set to, as far as a rollout depends on it. */
export interface Installation {
  readonly profile: string;
  /** Those of the fleet file. */
  readonly ownPools: readonly OwnPool[];
}

/** A rollout as the API shows it. */
export const rolloutDocument = (row: RolloutRow): RolloutDocument => {
  const models = row.models.map(({ task, modelName }) => ({ task, model: modelName }));
  return documentOf(rolloutSchema, { ...row, candidate: { profile: row.profile, models, pool: row.pool } });
};

/** Every rollout, the newest first. */
export async function listRollouts(db: PrismaClient): Promise<RolloutDocument[]> {
  const rows = await db.rollout.findMany({ orderBy: [{ startedAt: 'desc' }, { id: 'desc' }], include: withModels });
  return rows.map(rolloutDocument);
}

/** @throws DeckhandError `not_found` */
export async function findRollout(db: Prisma.TransactionClient, name: string): Promise<RolloutRow> {
  const row = await db.rollout.findUnique({ where: { name }, include: withModels });
  if (row !== null) return row;
  throw new DeckhandError('not_found', `no rollout ${name}`, {
    userMessage: `There is no rollout called ${name}.`,
    hint: '`./deckhand rollout list` shows them.',
  });
}

const refused = (message: string, hint: string): DeckhandError =>
  new DeckhandError('invalid_request', message, { userMessage: message, hint });
const conflicting = (message: string, hint: string): DeckhandError =>
  new DeckhandError('conflict', message, { userMessage: message, hint });

const otherCandidate = (name: string): DeckhandError =>
  conflicting(
    `The rollout ${name} has another candidate.`,
    'Its analyses would no longer be comparable: choose another name, or leave the candidate out to change the share.',
  );

/** Of a rollout whose candidate follows from the fleet file no longer as it did when it was started. */
const otherFleet = (name: string, was: Candidate, is: Candidate): DeckhandError =>
  conflicting(
    `The rollout ${name} was started with ${inWords(was)}; by the fleet file as it is now, that is ${inWords(is)}.`,
    `End it (./deckhand rollout stop ${name}) and start one of another name, or change the fleet file back and restart Deckhand (\`./deckhand down\`, \`./deckhand up\`).`,
  );

interface Candidate {
  readonly profile: string | null;
  readonly pool: string | null;
  readonly models: readonly { readonly task: string; readonly modelName: string }[];
}

function candidateOf({ profile, models, pool }: NewRollout): Candidate {
  const byTask = Object.entries(modelsByTask(models)).flatMap(([task, modelName]) =>
    modelName === null ? [] : [{ task, modelName }],
  );
  return { profile: profile ?? null, pool: pool ?? null, models: byTask };
}

const isNone = ({ profile, pool, models }: Candidate): boolean =>
  profile === null && pool === null && models.length === 0;

const inWords = ({ profile, pool }: Candidate): string =>
  `${profile === null ? "the installation's profile" : `profile ${profile}`} on ${pool === null ? 'all pools' : `pool ${pool}`}`;

const shape = ({ profile, pool, models }: Candidate): string =>
  JSON.stringify([profile, pool, models.map(({ task, modelName }) => `${task}=${modelName}`).toSorted()]);

/**
 * The candidate with what follows from the fleet: a pool's profile is that of its models, and another profile than the installation's is
 * answered by the pool that holds its models.
 *
 * @throws DeckhandError `invalid_request` when no pool, or more than one, holds the models of the profile
 */
function completed(asked: Candidate, { profile: own, ownPools }: Installation): Candidate {
  const { profile, pool } = asked;
  if (pool !== null) {
    const held = ownPools.find(({ name }) => name === pool)?.profile ?? own;
    return { ...asked, profile: profile ?? (held === own ? null : held) };
  }
  if (profile === null || profile === own) return asked;
  const [only, ...others] = ownPools.filter((each) => each.profile === profile).map(({ name }) => name);
  if (only !== undefined && others.length === 0) return { ...asked, pool: only };
  if (only !== undefined)
    throw refused(
      `Several pools hold the models of profile ${profile}.`,
      `Name one: ${[only, ...others].map((name) => `--pool ${name}`).join(', ')}.`,
    );
  throw refused(
    `No pool holds the models of profile ${profile}; machines hold those of ${own}.`,
    `Add a pool with "ownQueues": true and "models": "${profile}" to the fleet file and restart Deckhand (\`./deckhand down\`, \`./deckhand up\`), then start the rollout again.`,
  );
}

/**
 * Refuses a candidate that could not answer: what it names has to be there before decks are sent to it.
 *
 * @throws DeckhandError `invalid_request`, `model_not_configured`, `model_lacks_vision`
 */
async function checkCandidate(
  db: PrismaClient,
  tenantIds: readonly string[],
  { profile, pool, models }: Candidate,
  installation: Installation,
): Promise<void> {
  if (profile === installation.profile && pool === null && models.length === 0)
    throw refused(
      `${profile} is the profile that the installation uses already.`,
      'Name another profile, models or a pool.',
    );
  const held = installation.ownPools.find(({ name }) => name === pool);
  if (pool !== null && held === undefined) {
    const known = installation.ownPools.map(({ name }) => name).join(', ');
    throw refused(
      `There is no pool ${pool} with queues of its own.`,
      known === '' ? 'Set ownQueues of a pool in the fleet file.' : `Pools with queues of their own: ${known}.`,
    );
  }
  if (held !== undefined && profile !== null && profile !== held.profile)
    throw refused(
      `Pool ${held.name} holds the models of profile ${held.profile}, not of ${profile}.`,
      `Leave the profile out, or name a pool with "models": "${profile}" in the fleet file.`,
    );
  const modelProfile = profile ?? installation.profile;
  // A tenant without configurations runs nothing, whatever its decks are given.
  const configured = await db.modelConfiguration.findMany({
    where: { profile: modelProfile, tenantId: { in: [...tenantIds] } },
    distinct: ['tenantId'],
    select: { tenantId: true },
  });
  for (const { tenantId } of configured) await checkOverrides(db, { tenantId, modelProfile }, models);
}

/**
 * Starts a rollout, changes the share of one, or starts an ended one again with the same candidate.
 *
 * @param by name of the operator's key
 * @throws DeckhandError those of {@link completed} and {@link checkCandidate}; `conflict` when another one is active, or the candidate differs or would by the fleet file, `not_found` (tenant)
 */
export async function startRollout(
  db: PrismaClient,
  wish: NewRollout,
  by: string,
  installation: Installation,
): Promise<{ readonly rollout: RolloutDocument; readonly created: boolean }> {
  const { name } = wish;
  const wanted = candidateOf(wish);
  const asked = completed(wanted, installation);
  const there = await db.rollout.findUnique({ where: { name }, include: withModels });
  if (there === null && isNone(asked))
    throw refused('A rollout needs a candidate.', 'Name a profile, a model of a task, or a pool.');
  if (there !== null && !isNone(asked) && ![shape(asked), shape(wanted)].includes(shape(there)))
    throw otherCandidate(name);
  const candidate: Candidate = there ?? asked;
  const byFleet = completed(candidate, installation);
  if (shape(byFleet) !== shape(candidate)) throw otherFleet(name, candidate, byFleet);
  const tenants = [...new Set(wish.tenants ?? there?.tenants ?? [])];
  const percent = wish.percent ?? there?.percent ?? (tenants.length > 0 ? 100 : null);
  if (percent === null) throw refused('A rollout needs a share.', 'Name a percentage of the decks, or tenants.');
  const all = (await db.tenant.findMany({ select: { id: true } })).map(({ id }) => id);
  const missing = tenants.find((tenant) => !all.includes(tenant));
  if (missing !== undefined) throw unknownTenant(missing);
  await checkCandidate(db, tenants.length > 0 ? tenants : all, candidate, installation);
  return db.$transaction(async (tx) => {
    await lockForTransaction(tx, 'rollouts');
    const other = await tx.rollout.findFirst({ where: { state: 'active', name: { not: name } } });
    if (other !== null)
      throw conflicting(
        `The rollout ${other.name} is active, and only one can be at a time.`,
        `End it first: ./deckhand rollout stop ${other.name}`,
      );
    const now = new Date();
    const share = {
      percent,
      tenants,
      state: 'active' as const,
      changedBy: by,
      changedAt: now,
      endedBy: null,
      endedAt: null,
    };
    const { profile, pool, models } = candidate;
    const row = await tx.rollout.upsert({
      where: { name },
      create: {
        id: randomUUID(),
        name,
        profile,
        pool,
        startedBy: by,
        startedAt: now,
        ...share,
        models: { create: models.map(({ task, modelName }) => ({ task, modelName })) },
      },
      update: share,
      include: withModels,
    });
    // Somebody else may have started one of this name meanwhile.
    if (shape(row) !== shape(candidate)) throw otherCandidate(name);
    return { rollout: rolloutDocument(row), created: there === null };
  });
}

/** Ends a rollout: analyses that start from now on are as without it, running ones go on as they began. @throws DeckhandError `not_found` */
export async function stopRollout(db: PrismaClient, name: string, by: string): Promise<RolloutDocument> {
  await db.rollout.updateMany({
    where: { name, state: 'active' },
    data: { state: 'ended', endedBy: by, endedAt: new Date() },
  });
  return rolloutDocument(await findRollout(db, name));
}
