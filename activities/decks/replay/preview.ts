/**
 * The dry run of a replay. It runs the replay as far as that is possible without a model: its rows are written and its calls planned by the
 * planners of the run, in a transaction that is rolled back. A later step reads what an earlier one wrote (the text of the deck, the sector,
 * the answers), so only the rows themselves give the exact content keys. Where a call reads a result that is still to be computed, planning
 * stops and the descriptors of the tasks say what would follow.
 */
import { countCommitted } from '../../../platform/process-metrics.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { classesAhead } from '../../../domain/fleet/pool/foreseen.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS } from '../../../domain/models/model-tasks.ts';
import { scopeOfRun } from '../../../domain/decks/run-scope.ts';
import type { ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import type { Transaction } from '../../../platform/db.ts';
import { AnalysisContexts, pinnedSetup } from '../../models/analysis-context.ts';
import { PreviewWalk } from './preview-walk.ts';
import { loadReplayedAnalysis } from './previewed-calls.ts';

/** Longest time for planning a deck of 500 pages. */
const PREVIEW_TIMEOUT_MS = 120_000;

/** The rows of a replay that does not exist. */
export interface ReplayRows {
  readonly analysis: Prisma.AnalysisUncheckedCreateInput & { readonly id: string; readonly replayOfId: string };
  readonly overrides: readonly Prisma.ModelOverrideCreateManyInput[];
}

/** Carries the plan out of the transaction that is rolled back. */
class RolledBack extends Error {
  readonly plan: ReplayPlan;

  constructor(plan: ReplayPlan) {
    super('rolled back');
    this.plan = plan;
  }
}

/**
 * Plans what a replay of these rows would compute. Stores nothing.
 *
 * @throws DeckhandError those of planning: `model_not_ready` while no host has shown a model it needs, `prompt_missing`, `template_missing` …
 */
export async function previewReplay(db: PrismaClient, rows: ReplayRows): Promise<ReplayPlan> {
  const plan = async (tx: Transaction): Promise<never> => {
    const client = inlineTransaction(tx);
    await client.analysis.create({ data: rows.analysis });
    await client.modelOverride.createMany({ data: [...rows.overrides] });
    const contexts = new AnalysisContexts(client);
    const context = await contexts.get(rows.analysis.id);
    // While a model of the scope has no digest, stored results cannot be matched to calls.
    const classes = classesAhead(rows.analysis.taskType ?? null);
    for (const task of MODEL_TASK_NAMES) if (classes.has(MODEL_TASKS[task].gpuClass)) pinnedSetup(context, task);
    const walk = new PreviewWalk(client, contexts, {
      context,
      before: await loadReplayedAnalysis(client, rows.analysis.replayOfId),
      scope: scopeOfRun(rows.analysis.taskType ?? null),
      isFullReview: (rows.analysis.taskType ?? null) === null,
    });
    throw new RolledBack(await walk.plan());
  };
  try {
    return await countCommitted(() => db.$transaction(plan, { timeout: PREVIEW_TIMEOUT_MS }));
  } catch (error) {
    if (error instanceof RolledBack) return error.plan;
    throw error;
  }
}

/** A client whose `$transaction` joins the given transaction, so that planning code written for a database can be rolled back. */
function inlineTransaction(tx: Transaction): PrismaClient {
  const joined = async (work: unknown): Promise<unknown> => {
    if (typeof work === 'function') return (work as (tx: PrismaClient) => Promise<unknown>)(client);
    const results: unknown[] = [];
    for (const query of work as readonly Promise<unknown>[]) results.push(await query);
    return results;
  };
  const client: PrismaClient = new Proxy(tx as PrismaClient, {
    get: (target, key) => (key === '$transaction' ? joined : (Reflect.get(target, key, target) as unknown)),
  });
  return client;
}
