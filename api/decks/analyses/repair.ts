/**
 * Repairs rows whose run is not there: one that was written but never started (the process died in between) is started; one whose run was
 * ended from outside (terminated, lost with its server) is closed, so that nobody waits for it.
 */
import { enqueueDeliveries } from '../../../activities/webhooks/outbox.ts';
import type { ApiDeps } from '../../context.ts';
import { withDeck, type AnalysisWithDeck } from './status.ts';
import { startWorkflow, workflowState, type StartDeps } from './workflow.ts';

/** A row this old that is still open is looked at. */
const QUIET_MS = 30_000;
/** Rows per sweep, oldest first. */
const BATCH = 100;

type RepairDeps = StartDeps & Pick<ApiDeps, 'log'>;

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
  if (closed) log.warn({ analysisId: row.id, state }, 'closed an analysis whose run is over');
}

/**
 * One sweep.
 *
 * @param now rows created more than half a minute before are looked at
 */
export async function repairAnalyses(deps: RepairDeps, now: Date = new Date()): Promise<void> {
  const rows = await deps.db.analysis.findMany({
    where: {
      status: { in: ['queued', 'running'] },
      createdAt: { lt: new Date(now.getTime() - QUIET_MS) },
      // What is being deleted is neither started nor told of.
      deck: { deletingAt: null },
    },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
    include: withDeck,
  });
  for (const row of rows) await repairOne(deps, row);
}
