/** Stores pause and priority of a run, and reads which of its activities a worker has started. */
import { Context } from '@temporalio/activity';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { GPU_CLASSES, type GpuClass } from '../../domain/models/model-tasks.ts';
import type { ConvertActivities } from '../convert/activities.ts';
import type { AnalysisRef } from './stages.ts';

/** `PENDING_ACTIVITY_STATE_SCHEDULED` of Temporal's API: no worker has it, also between two attempts. */
const SCHEDULED = 1;

const DRAWS_PAGES = 'convertWindow' satisfies keyof ConvertActivities;

/** Pause and priority of a run. */
export interface Standing {
  readonly paused: boolean;
  /** 1 (critical) … 5 (batch). */
  readonly priority: number;
}

/** Activities of the asking run that a worker has. */
export interface StartedCalls {
  /** Activity ids. */
  readonly started: readonly string[];
  /** Whether a worker draws pages of it. */
  readonly drawing: boolean;
}

/**
 * Writes pause and priority to the row of a run, and the priority of its planned calls, which are the demand of the fleet. A finished
 * analysis stays as it is; one that is paused again keeps its first pause time.
 *
 * @returns Classes of its planned calls
 */
export async function writeStanding(
  db: PrismaClient,
  { analysisId, paused, priority }: AnalysisRef & Standing,
): Promise<ReadonlySet<GpuClass>> {
  const underWay = { id: analysisId, status: { in: ['queued', 'running'] as ('queued' | 'running')[] } };
  return db.$transaction(async (tx) => {
    await tx.analysis.updateMany({ where: underWay, data: { priority } });
    const planned = { analysisId, state: 'planned' } as const;
    await tx.modelCall.updateMany({ where: planned, data: { priority } });
    const now = new Date();
    if (paused) await tx.analysis.updateMany({ where: { ...underWay, pausedAt: null }, data: { pausedAt: now } });
    else {
      const { count } = await tx.analysis.updateMany({
        where: { ...underWay, pausedAt: { not: null } },
        data: { pausedAt: null },
      });
      // The time of the pause does not count as waiting.
      if (count > 0) await tx.modelCall.updateMany({ where: planned, data: { createdAt: now } });
    }
    const open = await tx.modelCall.findMany({ where: planned, distinct: ['gpuClass'], select: { gpuClass: true } });
    return new Set(GPU_CLASSES.filter((c) => open.some((row) => row.gpuClass === c)));
  });
}

/** Asks Temporal which activities of the calling run have started. */
export async function startedCalls(): Promise<StartedCalls> {
  const { client, info } = Context.current();
  const { workflowExecution: run } = info;
  if (run === undefined) return { started: [], drawing: false };
  const { raw } = await client.workflow.getHandle(run.workflowId, run.runId).describe();
  const started = (raw.pendingActivities ?? []).filter((activity) => activity.state !== SCHEDULED);
  return {
    started: started.map((activity) => activity.activityId ?? ''),
    drawing: started.some((activity) => activity.activityType?.name === DRAWS_PAGES),
  };
}
