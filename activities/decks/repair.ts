/**
 * Repairs open analyses without a run: one that was stored but never started (the process ended in between) is started; one whose run was
 * ended from outside (terminated, lost with its server) is closed, so that no client waits for it.
 */
import { enqueueDeliveries } from '../webhooks/outbox.ts';
import { startWorkflow, withDeck, workflowState, type AnalysisWithDeck, type StartDeps } from './deck-runs.ts';
import type { Logger } from '../../platform/log.ts';
import { countAnalysisEnd } from '../metrics/counting.ts';

/** An open analysis is checked once it is this old. */
const QUIET_MS = 30_000;
/** Analyses per round, oldest first. */
const BATCH = 100;

type RepairDeps = StartDeps & { readonly log: Logger };

async function repairOne(deps: RepairDeps, row: AnalysisWithDeck): Promise<void> {
  const { db, temporal, log } = deps;
  const state = await workflowState(temporal, row.workflowId);
  if (state === 'running') return;
  if (state === 'absent' && row.status === 'queued') {
    log.warn({ analysisId: row.id }, 'starting an analysis that was stored but never started');
    await startWorkflow(deps, row);
    return;
  }
  const cancelled = state === 'cancelled';
  const status = cancelled ? 'cancelled' : 'failed';
  const closed = await db.$transaction(async (tx) => {
    const { count } = await tx.analysis.updateMany({
      where: { id: row.id, status: { in: ['queued', 'running'] } },
      data: {
        status,
        failureCode: cancelled ? null : 'internal',
        failureMessage: cancelled ? null : `The run ended without a result (${state}).`,
        finishedAt: new Date(),
        pausedAt: null,
      },
    });
    if (count === 0) return false;
    await tx.modelCall.updateMany({
      where: { analysisId: row.id, state: 'planned' },
      data: { state: 'cancelled', finishedAt: new Date() },
    });
    await enqueueDeliveries(tx, row.id, status);
    return true;
  });
  if (!closed) return;
  await countAnalysisEnd(db, row, status, new Date());
  log.warn({ analysisId: row.id, state }, 'closed an analysis whose run is over');
}

/**
 * One round.
 *
 * @param now analyses created more than half a minute before are checked
 */
export async function repairAnalyses(deps: RepairDeps, now: Date = new Date()): Promise<void> {
  const rows = await deps.db.analysis.findMany({
    where: {
      status: { in: ['queued', 'running'] },
      createdAt: { lt: new Date(now.getTime() - QUIET_MS) },
      // What is being deleted is neither started nor reported.
      deck: { deletingAt: null },
    },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
    include: withDeck,
  });
  for (const row of rows) await repairOne(deps, row);
}
