/**
 * The dry run of a replay. It is the replay itself, as far as it goes without a model: its rows are written and its calls planned by the
 * planners of the run, in a transaction that is rolled back. Where a call is built on one that is still to be made, planning stops and the
 * graph of what is built on what (domain/replay/plan.ts) says what would follow.
 */
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { FULL_SCOPE, scopeOfTask, TASK_TYPES } from '../../../domain/model-tasks.ts';
import type { ReplayPlan } from '../../../domain/replay/plan.ts';
import { AnalysisContexts } from '../../models/plan/analysis-context.ts';
import { inlineTransaction } from './inline-transaction.ts';
import { PreviewWalk } from './preview-walk.ts';
import { loadReplayedAnalysis } from './replayed-analysis.ts';

/** Longest time for planning a deck of 500 pages. */
const PREVIEW_TIMEOUT_MS = 120_000;

/** The rows of a replay that is not there. */
export interface ReplayRows {
  readonly analysis: Prisma.AnalysisUncheckedCreateInput & { readonly id: string; readonly replayOfId: string };
  readonly overrides: readonly Prisma.ModelOverrideCreateManyInput[];
}

/** Carries the plan out of the transaction that is given up. */
class RolledBack extends Error {
  readonly plan: ReplayPlan;

  constructor(plan: ReplayPlan) {
    super('rolled back');
    this.plan = plan;
  }
}

/**
 * What a replay of these rows would compute. Stores nothing.
 *
 * @throws DeckhandError those of planning: `model_not_ready` while no host has shown a model it needs, `prompt_missing`, `template_missing` …
 */
export async function previewReplay(db: PrismaClient, rows: ReplayRows): Promise<ReplayPlan> {
  const plan = async (tx: Prisma.TransactionClient): Promise<never> => {
    const client = inlineTransaction(tx);
    await client.analysis.create({ data: rows.analysis });
    await client.modelOverride.createMany({ data: [...rows.overrides] });
    const contexts = new AnalysisContexts(client);
    const walk = new PreviewWalk(client, contexts, {
      context: await contexts.get(rows.analysis.id),
      before: await loadReplayedAnalysis(client, rows.analysis.replayOfId),
      scope: scopeOf(rows.analysis.taskType ?? null),
      isFullReview: (rows.analysis.taskType ?? null) === null,
    });
    throw new RolledBack(await walk.plan());
  };
  try {
    return await db.$transaction(plan, { timeout: PREVIEW_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof RolledBack) return error.plan;
    throw error;
  }
}

function scopeOf(taskType: string | null): typeof FULL_SCOPE {
  const type = TASK_TYPES.find((t) => t === taskType);
  return type === undefined ? FULL_SCOPE : scopeOfTask(type);
}
