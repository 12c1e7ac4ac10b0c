/** Failed calls of one slide or question, planned again; and calls whose input changed after they were planned, planned anew. */
import type { ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { type ModelTask, pageGapItem, readsAnswer, gapItemOf, modelTaskOf } from '../../domain/models/model-tasks.ts';
import { PAGE_IS_READ } from '../convert/page-is-read.ts';
import type { AnalysisContext, AnalysisContexts } from '../models/analysis-context.ts';
import { CallInputSource, contentKeyOf } from '../models/call-input.ts';
import { NOT_SENT, planCalls, type PlannedCall } from '../models/plan-calls.ts';
import { markBuiltWithout } from '../models/built-without.ts';
import { closeGap } from '../models/gaps.ts';
import { subjectOf } from '../models/store-result.ts';
import { visualCalls, type VisualScope } from '../../domain/decks/run-scope.ts';
import type { AnalysisRef } from './stages.ts';

/** What is tried again: exactly one of slide and question. */
export interface RetryInput extends AnalysisRef, VisualScope {
  readonly slide: number | null;
  readonly questionId: string | null;
}

/** One call that is tried again. */
export interface RetriedCall {
  readonly task: ModelTask;
  /** Null when a stored result has answered it by now. */
  readonly call: PlannedCall | null;
  /** True when its gap is recorded; false for the calls of a page that is drawn at last. */
  readonly hadFailed: boolean;
}

export interface RetryPlan {
  /** The page could not be drawn: it is drawn first, and asked for again. */
  readonly mustDraw: boolean;
  readonly calls: readonly RetriedCall[];
}

const NOTHING: RetryPlan = { mustDraw: false, calls: [] };

/** Plans the failed calls of a slide or question, also those that already run again. Empty when none has failed. */
export async function planRetry(db: PrismaClient, contexts: AnalysisContexts, input: RetryInput): Promise<RetryPlan> {
  const { analysisId, slide, questionId } = input;
  if (slide === null && questionId === null) return NOTHING;
  const context = await contexts.get(analysisId);
  const redrawn = slide === null ? null : await planRedrawn(db, context, { ...input, slide });
  if (redrawn !== null) return redrawn;
  const failed = await db.modelCall.findMany({
    where: {
      analysisId,
      ...(slide === null ? { questionId } : { slideNumber: slide }),
      // An attempt that broke off has left some of them planned.
      OR: [{ state: 'failed' }, { state: 'planned', failureCode: { not: null } }],
    },
  });
  if (failed.length === 0) return NOTHING;
  await reopen(db, analysisId);
  const gaps = await db.gap.findMany({
    where: { analysisId, item: { in: failed.map(gapItemOf) } },
    select: { item: true },
  });
  const missing = new Set(gaps.map((gap) => gap.item));
  const source = new CallInputSource(db, context);
  const calls: RetriedCall[] = [];
  for (const row of failed) {
    const hadFailed = missing.has(gapItemOf(row));
    calls.push({ task: modelTaskOf(row.task), call: await planAnew(db, context, row, source), hadFailed });
  }
  return { mustDraw: false, calls };
}

/** The calls of a page that could not be drawn before; null for a page that was drawn from the first. */
async function planRedrawn(
  db: PrismaClient,
  context: AnalysisContext,
  { slide, ...scope }: RetryInput & { readonly slide: number },
): Promise<RetryPlan | null> {
  const { analysisId, deckId } = context;
  const item = pageGapItem(slide);
  const gap = await db.gap.findUnique({ where: { analysisId_item: { analysisId, item } } });
  if (gap === null) return null;
  await reopen(db, analysisId);
  const isRead = (await db.slide.count({ where: { deckId, number: slide, ...PAGE_IS_READ } })) > 0;
  if (!isRead) return { mustDraw: true, calls: [] };
  const subjects = visualCalls(scope, [slide]);
  const tasks = subjects.map(({ task }) => task);
  const plan = await planCalls(db, context, subjects);
  await db.$transaction(async (tx) => {
    // The calls go on with what their page failed with: by that they are found again when this breaks off, and what was built without the
    // page is named once more when it is described.
    await tx.modelCall.updateMany({
      where: { analysisId, slideNumber: slide, task: { in: tasks }, state: 'planned' },
      data: { failureCode: gap.code, failureMessage: gap.message },
    });
    await markBuiltWithout(tx, { analysisId, slideNumber: slide });
    await closeGap(tx, analysisId, item);
  });
  const callOf = (task: ModelTask): PlannedCall | null => plan.calls.find((c) => c.task === task) ?? null;
  return { mustDraw: false, calls: tasks.map((task) => ({ task, call: callOf(task), hadFailed: false })) };
}

/**
 * Plans a call whose input changed after it was planned. Null when a stored result has answered it.
 *
 * @throws DeckhandError `not_found` when the call is gone
 */
export async function replanCall(
  db: PrismaClient,
  contexts: AnalysisContexts,
  { analysisId, callId }: AnalysisRef & { readonly callId: string },
): Promise<PlannedCall | null> {
  const row = await db.modelCall.findUnique({ where: { id: callId } });
  if (row === null) throw new DeckhandError('not_found', `model call ${callId} does not exist any more`);
  const context = await contexts.get(analysisId);
  return planAnew(db, context, row, new CallInputSource(db, context));
}

/**
 * Plans a row under the key of what it reads now. What it failed with stays on it until it is stored: by that its gap is closed. Repeating
 * it changes nothing.
 */
async function planAnew(
  db: PrismaClient,
  context: AnalysisContext,
  row: ModelCall,
  source: CallInputSource,
): Promise<PlannedCall | null> {
  const { id, analysisId, failureCode, failureMessage } = row;
  const subject = subjectOf(row);
  const contentKey = contentKeyOf(context, subject.task, await source.build(subject));
  // It waits from now on, and may be sent as often as any other.
  const planned = { state: 'planned', createdAt: new Date(), finishedAt: null, cached: false, ...NOT_SENT } as const;
  const same = await db.modelCall.findUnique({ where: { analysisId_contentKey: { analysisId, contentKey } } });
  if (same === null || same.id === id) {
    // A score lacks what its answer lacks; anything else reads what is there now.
    const computedWithout = readsAnswer(subject.task) ? row.computedWithout : [];
    await db.modelCall.update({ where: { id }, data: { ...planned, contentKey, computedWithout } });
  } else {
    // Planned beside it by now: that one is run, and closes the gap that this one left.
    await db.modelCall.update({ where: { id }, data: { state: 'cancelled', finishedAt: new Date() } });
    if (same.state === 'stored') await closeGap(db, analysisId, gapItemOf(row));
    else {
      const again = same.state === 'planned' ? {} : planned;
      const failure = failureCode === null ? {} : { failureCode, failureMessage };
      await db.modelCall.update({ where: { id: same.id }, data: { ...again, ...failure } });
    }
  }
  const plan = await planCalls(db, context, [subject], source);
  return plan.calls[0] ?? null;
}

/** A retry that was requested while the end was written continues the run. */
async function reopen(db: PrismaClient, analysisId: string): Promise<void> {
  await db.analysis.updateMany({
    where: { id: analysisId, status: { in: ['completed', 'completed_with_gaps'] } },
    data: { status: 'running', finishedAt: null },
  });
}
