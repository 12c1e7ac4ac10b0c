/**
 * Starts a replay: a new analysis that is linked to the one it replays. The row first, then its run, as for every analysis.
 */
import { randomUUID } from 'node:crypto';
import { type AnalysisWithDeck, type StartDeps, withDeck } from '../../../activities/decks/deck-runs.ts';
import { previewReplay } from '../../../activities/decks/replay/preview.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import {
  isSameReplay,
  type ModelOverrideRow,
  type ReplayChoices,
  type ReplayColumns,
  resolveReplay,
} from '../../../domain/decks/replay/choices.ts';
import { poolOfReplay, refusePool } from '../../../domain/decks/replay/origin-pool.ts';
import { refuseOverride } from '../../../domain/decks/replay/override.ts';
import type { ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { ownPools } from '../../../activities/models/catalog/places.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { Analysis, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import type { ApiDeps } from '../../deps.ts';
import { checkTemplate, idOfKey, isNotStarted, reopen, startStored } from '../analyses/start.ts';
import { findAnalysis } from '../analyses/status.ts';
import { holdDeck } from '../store.ts';
import { checkItems } from './items.ts';

/** A request for a replay. */
export interface ReplayRequest {
  readonly tenantId: string;
  /** The analysis that is replayed. */
  readonly analysisId: string;
  readonly choices: ReplayChoices;
}

/** A replay as it would be stored. */
interface PreparedReplay {
  readonly id: string;
  readonly origin: AnalysisWithDeck;
  readonly columns: ReplayColumns;
  readonly overrides: readonly ModelOverrideRow[];
}

/** What a replay is started with. */
export type ReplayDeps = StartDeps & Pick<ApiDeps, 'log' | 'config'>;

/** What a replay is planned with. */
type PlanDeps = Pick<ApiDeps, 'db' | 'config'>;

/** What a replay copies besides the columns. */
export const withOverrides = { ...withDeck, modelOverrides: { select: { task: true, modelName: true } } } as const;

/** Makes the row of a request. @throws DeckhandError `not_found`; `invalid_request` for choices that exclude each other */
async function resolveRequest(db: PrismaClient, request: ReplayRequest, id: string): Promise<PreparedReplay> {
  const { tenantId, analysisId, choices } = request;
  await findAnalysis(db, tenantId, analysisId);
  const { modelOverrides, ...origin } = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    include: withOverrides,
  });
  return { id, origin, ...resolveReplay(id, { ...origin, overrides: modelOverrides }, choices) };
}

/**
 * Makes the row of a request that can be carried out, without storing anything.
 *
 * @throws DeckhandError those of {@link resolveRequest}; `conflict` while the analysis runs, or when its pool is gone; `template_missing`, `model_not_configured`,
 *   `model_lacks_vision`
 */
async function prepareReplay(deps: PlanDeps, request: ReplayRequest, id: string): Promise<PreparedReplay> {
  const { db } = deps;
  const { tenantId, analysisId, choices } = request;
  const prepared = await resolveRequest(db, request, id);
  const { origin, columns, overrides } = prepared;
  checkIsOver(origin);
  await checkPool(deps, origin);
  if (columns.requestedTemplate !== origin.requestedTemplate)
    await checkTemplate(db, tenantId, columns.requestedTemplate);
  await checkOverrides(db, origin, overrides);
  await checkItems(db, analysisId, choices.items);
  return prepared;
}

function checkIsOver(origin: Analysis): void {
  if (isFinished(origin.status)) return;
  throw new DeckhandError('conflict', `analysis ${origin.id} is ${origin.status}`, {
    userMessage: `This analysis is not over yet (${origin.status}).`,
    hint: 'Wait for its end or cancel it, then replay it.',
  });
}

/** @throws DeckhandError `conflict` when the one pool that can answer is not there any more: no model would answer */
async function checkPool({ db, config }: PlanDeps, origin: Analysis): Promise<void> {
  const pool = poolOfReplay(origin, config.models);
  if (pool === null) return;
  const looks = await db.fleetPool.count({ where: { name: pool, nextLookAt: { not: null } } });
  const configured = await ownPools(db, loadFleet(config).pools, config.models);
  const refusal = refusePool(pool, origin.modelProfile, configured, looks > 0);
  if (refusal === null) return;
  const { message, hint } = refusal;
  throw new DeckhandError('conflict', `replay of ${origin.id}: ${message}`, { userMessage: message, hint });
}

/**
 * What a replay would compute; starts nothing.
 *
 * @throws DeckhandError those of {@link prepareReplay} and of planning; `conflict` when the deck is being deleted
 */
export async function planReplay(deps: PlanDeps, request: ReplayRequest, id: string): Promise<ReplayPlan> {
  const { db } = deps;
  const prepared = await prepareReplay(deps, request, id);
  await db.$transaction((tx) => holdDeck(tx, request.tenantId, prepared.origin.deckId));
  const analysis = { ...replayRow(prepared), id, replayOfId: prepared.origin.id };
  return previewReplay(db, { analysis, overrides: overrideRows(prepared) });
}

/** Id of the replay that a key starts of an analysis. */
const replayIdOfKey = (tenantId: string, analysisId: string, key: string): string =>
  idOfKey(tenantId, JSON.stringify(['replay', analysisId, key]));

/** Row of a replay that is prepared. */
function replayRow({ id, origin, columns }: PreparedReplay): Prisma.AnalysisUncheckedCreateInput {
  const { tenantId, deckId, taskType, language, modelProfile } = origin;
  return { id, tenantId, deckId, taskType, language, modelProfile, ...columns, workflowId: makeDeckWorkflowId(id) };
}

/** Rows of the models it uses instead of the configured ones. */
const overrideRows = ({ id, origin, overrides }: PreparedReplay): Prisma.ModelOverrideCreateManyInput[] =>
  overrides.map(({ task, modelName }) => ({ tenantId: origin.tenantId, analysisId: id, task, modelName }));

/** Stores the row; false when there is one of its id. @throws DeckhandError `conflict` when the deck is being deleted */
function storeRow(db: PrismaClient, prepared: PreparedReplay, installed: string): Promise<boolean> {
  const { tenantId, deckId } = prepared.origin;
  const poolName = poolOfReplay(prepared.origin, installed);
  return db.$transaction(async (tx) => {
    await holdDeck(tx, tenantId, deckId);
    const { count } = await tx.analysis.createMany({
      data: { ...replayRow(prepared), poolName },
      skipDuplicates: true,
    });
    // Never for a row that existed: it may be of another request.
    if (count > 0) await tx.modelOverride.createMany({ data: overrideRows(prepared) });
    return count > 0;
  });
}

/**
 * Starts a replay, or returns the one that the same key started before.
 *
 * @throws DeckhandError those of {@link prepareReplay}; `conflict` when the key was used for other choices or the deck is being deleted;
 *   `service_unavailable`
 */
export async function startReplay(
  deps: ReplayDeps,
  request: ReplayRequest & { readonly idempotencyKey: string | undefined },
): Promise<{ readonly analysis: AnalysisWithDeck; readonly created: boolean }> {
  const { db, log, config } = deps;
  const { tenantId, analysisId, idempotencyKey } = request;
  const id = idempotencyKey === undefined ? randomUUID() : replayIdOfKey(tenantId, analysisId, idempotencyKey);
  // A replay that the key started before is returned unchecked; only a new one is checked.
  const known = idempotencyKey === undefined ? null : await db.analysis.findUnique({ where: { id } });
  const stands = known !== null && !isNotStarted(known);
  const prepared = stands ? await resolveRequest(db, request, id) : await prepareReplay(deps, request, id);
  const created = !stands && (await storeRow(db, prepared, config.models));
  const { modelOverrides, ...row } = await db.analysis.findUniqueOrThrow({ where: { id }, include: withOverrides });
  if (!created) {
    if (!isSameReplay({ ...row, overrides: modelOverrides }, prepared, id)) {
      throw new DeckhandError('conflict', `idempotency key of replay ${id} used for other choices`, {
        userMessage: 'This Idempotency-Key was used for another replay of this analysis.',
        hint: 'Use a new key for a new replay.',
      });
    }
    if (!(await reopen(db, id))) return { analysis: row, created: false };
  }
  await startStored(deps, row);
  log.info({ analysisId: id, replayOf: analysisId, kind: row.replayKind }, 'replay started');
  return { analysis: await findAnalysis(db, tenantId, id), created: true };
}

/**
 * Looks at the models of the analysis' profile and at the pools that are kept.
 *
 * @throws DeckhandError `model_not_configured`, `model_lacks_vision`
 */
export async function checkOverrides(
  db: PrismaClient,
  { tenantId, modelProfile }: Pick<Analysis, 'tenantId' | 'modelProfile'>,
  overrides: readonly ModelOverrideRow[],
): Promise<void> {
  if (overrides.length === 0) return;
  const [configurations, pools] = await Promise.all([
    db.modelConfiguration.findMany({ where: { tenantId, profile: modelProfile } }),
    db.fleetPool.findMany({ where: { nextLookAt: { not: null } }, select: { name: true, classes: true } }),
  ]);
  const known = configurations.flatMap((c) => {
    const task = memberOf(MODEL_TASK_NAMES, c.task);
    return task === null ? [] : [{ task, modelName: c.modelName }];
  });
  for (const { task: name, modelName } of overrides) {
    const task = memberOf(MODEL_TASK_NAMES, name);
    const refusal = task === null ? null : refuseOverride(task, modelName, known, pools);
    if (refusal === null) continue;
    const { code, message, hint } = refusal;
    throw new DeckhandError(code, message, { userMessage: message, hint });
  }
}
