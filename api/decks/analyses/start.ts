/**
 * Starts an analysis: the row first, then the workflow, so that a run always has its row. If the workflow cannot be started the row says
 * `failed`; if the process ends in between, activities/decks/repair.ts starts it.
 *
 * An Idempotency-Key makes the analysis id: the same key is the same row, also for two requests at the same moment.
 */
import { randomUUID } from 'node:crypto';
import { countAnalysisEnd } from '../../../activities/metrics/counting.ts';
import type { Analysis, PrismaClient } from '../../../generated/prisma/client.ts';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import type { Language, TaskType } from '../../../domain/models/model-tasks.ts';
import { makeDeckWorkflowId } from '../../../contracts/decks.ts';
import type { ApiDeps } from '../../deps.ts';
import { assignmentOf } from '../../rollouts/assign.ts';
import { chosenProfile, checkProfile } from '../../../activities/models/catalog/choice.ts';
import { baseName } from '../../../activities/models/catalog/read.ts';
import { poolOfProfile } from '../../../activities/models/catalog/places.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { findDeck, holdDeck } from '../store.ts';
import { findAnalysis } from './status.ts';
import type { AnalysisWithDeck } from '../../../activities/decks/deck-runs.ts';
import { startWorkflow, type StartDeps } from '../../../activities/decks/deck-runs.ts';
import { sha256Hex } from '../../../platform/hash.ts';

/** What is started. */
export interface StartRequest {
  readonly tenantId: string;
  readonly deckId: string;
  /** Null for the full review. */
  readonly taskType: TaskType | null;
  readonly language: Language;
  readonly template: string | null;
  /** Profile that the request names; undefined = that of the rollout, or the default one. */
  readonly models: string | undefined;
  readonly priority: number;
  /** The run ends at this time with what it has; null = it takes as long as it takes. */
  readonly deadlineAt: Date | null;
  readonly idempotencyKey: string | undefined;
}

/** Code under which a run that could not be started is marked; only such a run is started again by the same key. */
const NOT_STARTED = 'service_unavailable';

/** An id of UUID form (version 8) that belongs to a key of one tenant. */
export function idOfKey(tenantId: string, key: string): string {
  const hex = sha256Hex(JSON.stringify([tenantId, key]));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @throws DeckhandError `template_missing` for a slug that no template of the tenant has */
export async function checkTemplate(db: PrismaClient, tenantId: string, slug: string | null): Promise<void> {
  if (slug === null) return;
  const versions = await db.templateVersion.count({ where: { tenantId, template: { tenantId, slug } } });
  if (versions > 0) return;
  const known = await db.template.findMany({
    where: { tenantId },
    select: { slug: true },
    orderBy: { slug: 'asc' },
    take: 20,
  });
  throw new DeckhandError('template_missing', `template ${slug} does not exist`, {
    userMessage: `There is no template called ${slug}.`,
    hint: `Templates: ${known.map((t) => t.slug).join(', ') || 'none'}.`,
  });
}

/**
 * Priority is not compared: it changes no result, and may have been changed since. Nor is the deadline: a duration names another time at each
 * try, and that of the first request stands.
 */
function checkSameRequest(row: AnalysisWithDeck, request: StartRequest): void {
  const same =
    row.replayOfId === null &&
    row.deckId === request.deckId &&
    row.taskType === request.taskType &&
    row.language === request.language &&
    row.requestedTemplate === request.template &&
    (request.models === undefined || baseName(row.modelProfile) === request.models);
  if (same) return;
  throw new DeckhandError('conflict', `idempotency key of analysis ${row.id} used for another request`, {
    userMessage: 'This Idempotency-Key was used for another request.',
    hint: 'Use a new key for a new analysis.',
  });
}

/**
 * Starts a run, or returns the one that the same key started before.
 *
 * @throws DeckhandError `not_found` (deck), `template_missing`, `conflict` (key; deck being deleted), `service_unavailable`
 */
export async function startAnalysis(
  deps: StartDeps & Pick<ApiDeps, 'log' | 'config'>,
  request: StartRequest,
): Promise<{ analysis: AnalysisWithDeck; created: boolean }> {
  const { db, log, config } = deps;
  const { tenantId, deckId, idempotencyKey } = request;
  await findDeck(db, tenantId, deckId);
  await checkTemplate(db, tenantId, request.template);
  const id = idempotencyKey === undefined ? randomUUID() : idOfKey(tenantId, idempotencyKey);
  const installed = config.models;
  const profile = request.models ?? (await chosenProfile(db, installed));
  if (profile !== installed) await checkProfile(db, tenantId, profile);
  const poolName = await poolOfProfile(db, { fleetPools: loadFleet(config).pools, installed }, profile);
  const { count } = await db.$transaction(async (tx) => {
    await holdDeck(tx, tenantId, deckId);
    const assigned =
      request.models === undefined || request.models === installed
        ? await assignmentOf(tx, { tenantId, deckId })
        : null;
    const stored = await tx.analysis.createMany({
      data: {
        id,
        tenantId,
        deckId,
        taskType: request.taskType,
        language: request.language,
        modelProfile: assigned?.profile ?? profile,
        ...assigned?.columns,
        poolName: assigned?.columns.poolName ?? poolName,
        priority: request.priority,
        requestedTemplate: request.template,
        deadlineAt: request.deadlineAt,
        workflowId: makeDeckWorkflowId(id),
      },
      skipDuplicates: true,
    });
    // Never for a row that existed: it may be of another request.
    if (stored.count > 0 && assigned !== null) {
      const overrides = assigned.models.map(({ task, modelName }) => ({ tenantId, analysisId: id, task, modelName }));
      await tx.modelOverride.createMany({ data: overrides });
    }
    return stored;
  });
  const row = await findAnalysis(db, tenantId, id);
  if (count === 0) {
    checkSameRequest(row, request);
    if (!(await reopen(db, id))) return { analysis: row, created: false };
  }
  await startStored(deps, row);
  log.info({ analysisId: id, deckId, taskType: request.taskType }, 'analysis started');
  return { analysis: await findAnalysis(db, tenantId, id), created: true };
}

/** True for a row whose run could not be started; the same key starts it. */
export const isNotStarted = (row: Pick<Analysis, 'status' | 'failureCode' | 'startedAt'>): boolean =>
  row.status === 'failed' && row.failureCode === NOT_STARTED && row.startedAt === null;

/** True for a row whose run could not be started: it is queued again. */
export async function reopen(db: PrismaClient, id: string): Promise<boolean> {
  const { count } = await db.analysis.updateMany({
    where: { id, status: 'failed', failureCode: NOT_STARTED, startedAt: null },
    data: { status: 'queued', failureCode: null, failureMessage: null, finishedAt: null },
  });
  return count > 0;
}

/** Starts the run of a row that is stored. @throws DeckhandError `service_unavailable`, and then the row says so */
export async function startStored(deps: StartDeps, row: AnalysisWithDeck): Promise<void> {
  try {
    await startWorkflow(deps, row);
  } catch (thrown) {
    const error = asDeckhandError(thrown);
    // Only while it is queued: the start may have reached the server although its answer did not reach us.
    const finishedAt = new Date();
    const { count } = await deps.db.analysis.updateMany({
      where: { id: row.id, status: 'queued', startedAt: null },
      data: { status: 'failed', failureCode: NOT_STARTED, failureMessage: error.userMessage, finishedAt },
    });
    if (count > 0) await countAnalysisEnd(deps.db, row, 'failed', finishedAt);
    throw error;
  }
}
