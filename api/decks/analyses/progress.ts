/**
 * Progress of an analysis: queried from its workflow, or counted in the database when the workflow is over or does not answer.
 */
import type { Client } from '@temporalio/client';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { tasksOfStep, tasksWhere } from '../../../domain/models/model-tasks.ts';
import type { DeckProgress, StageCount } from '../../../domain/decks/progress.ts';
import { PLAN_STEPS, type Stage, STAGES } from '../../../domain/decks/stage-graph.ts';
import type { Logger } from '../../../platform/log.ts';
import { PROGRESS_QUERY } from '../../../contracts/decks.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import { progressSchema } from './schemas.ts';

/** A busy or missing worker must not delay a status page. */
const QUERY_DEADLINE_MS = 1500;

/** Progress from the run itself; null when it does not answer. */
export async function progressFromWorkflow(
  temporal: Client,
  workflowId: string,
  log: Logger,
): Promise<DeckProgress | null> {
  try {
    const answer: unknown = await temporal.withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).query(PROGRESS_QUERY),
    );
    return progressSchema.parse(answer);
  } catch (error) {
    // Not an error of the request: the database knows nearly as much.
    log.debug({ err: error, workflowId }, 'the workflow did not answer the progress query');
    return null;
  }
}

interface CallCount {
  readonly task: string;
  readonly state: string;
  readonly cached: boolean;
  readonly count: number;
}

interface SlideCall {
  readonly slideNumber: number | null;
  readonly state: string;
}

/** Counts the calls of the tasks that are counted under a name. A cancelled call is neither done nor failed. */
function countCalls(
  calls: readonly CallCount[],
  name: (typeof PLAN_STEPS)[keyof typeof PLAN_STEPS]['countedAs'],
): StageCount {
  const tasks: readonly string[] = tasksWhere(({ step }) => PLAN_STEPS[step].countedAs === name);
  const sum = (states: readonly string[] | null): number =>
    calls
      .filter((c) => tasks.includes(c.task) && (states === null || states.includes(c.state)))
      .reduce((total, c) => total + c.count, 0);
  return { done: sum(['stored']), failed: sum(['failed']), total: sum(null) };
}

/** Slides with all their calls finished; a slide with a failed call counts as failed. */
export function countSlides(calls: readonly SlideCall[], pageCount: number): StageCount {
  const states = new Map<number, string[]>();
  for (const { slideNumber, state } of calls) {
    if (slideNumber === null) continue;
    states.set(slideNumber, [...(states.get(slideNumber) ?? []), state]);
  }
  const all = [...states.values()];
  const failed = all.filter((s) => s.includes('failed') && !s.includes('planned')).length;
  const done = all.filter((s) => s.every((state) => state === 'stored')).length;
  return { done, failed, total: pageCount };
}

/** Progress counted from the rows: four queries. */
export async function progressFromDatabase(
  db: PrismaClient,
  analysis: {
    readonly id: string;
    readonly deckId: string;
    readonly stage: string | null;
    readonly pageCount: number | null;
    readonly pausedAt: Date | null;
  },
): Promise<DeckProgress> {
  const where = { analysisId: analysis.id };
  const [grouped, slideGroups, pages, gaps] = await Promise.all([
    db.modelCall.groupBy({ by: ['task', 'state', 'cached'], where, _count: true }),
    db.modelCall.groupBy({
      by: ['slideNumber', 'state'],
      where: { ...where, task: { in: [...tasksOfStep('slides')] } },
    }),
    db.slide.findMany({ where: { deckId: analysis.deckId }, distinct: ['number'], select: { failureCode: true } }),
    db.gap.count({ where }),
  ]);
  const calls = grouped.map(({ _count, ...rest }) => ({ ...rest, count: _count }));
  const failedPages = pages.filter((p) => p.failureCode !== null).length;
  const total = analysis.pageCount ?? 0;
  const stored = calls.filter((c) => c.state === 'stored');
  const sum = (list: readonly CallCount[]): number => list.reduce((n, c) => n + c.count, 0);
  const stage: Stage = memberOf(STAGES, analysis.stage) ?? 'probe';
  return {
    stage,
    rendered: { done: pages.length - failedPages, failed: failedPages, total },
    slides: countSlides(slideGroups, total),
    extractions: countCalls(calls, 'extractions'),
    answers: countCalls(calls, 'answers'),
    scores: countCalls(calls, 'scores'),
    specialised: countCalls(calls, 'specialised'),
    cachedCalls: sum(stored.filter((c) => c.cached)),
    modelCalls: sum(stored.filter((c) => !c.cached)),
    gaps,
    paused: analysis.pausedAt !== null,
    waitingFor: null,
  };
}
