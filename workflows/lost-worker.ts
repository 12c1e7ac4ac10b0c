/**
 * Interceptor of every workflow: applies the installation's own time after which a worker counts as lost to activities and children.
 *
 * Times that are shorter already stay. Timeouts are no part of what a replay compares, so histories fit with and without it.
 */
import { workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { LOST_WORKER_MEMO, lostWorkerAfterMs } from '../domain/temporal/lost-worker.ts';

/** The server's own limit for a workflow task. */
const WORKFLOW_TASK_TIMEOUT = '10s';

type Duration = Parameters<typeof msToNumber>[0];

/** Asked at each call: when the interceptors are made the memo is not there yet. */
function sooner(timeout: Duration): Duration {
  const lostAfterMs = lostWorkerAfterMs(workflowInfo().memo);
  return lostAfterMs === null ? timeout : Math.min(msToNumber(timeout), lostAfterMs);
}

export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => {
        const { heartbeatTimeout } = input.options;
        if (heartbeatTimeout === undefined) return next(input);
        return next({ ...input, options: { ...input.options, heartbeatTimeout: sooner(heartbeatTimeout) } });
      },
      startChildWorkflowExecution: (input, next) => {
        const lostAfterMs = lostWorkerAfterMs(workflowInfo().memo);
        if (lostAfterMs === null) return next(input);
        const { options } = input;
        const workflowTaskTimeout = sooner(options.workflowTaskTimeout ?? WORKFLOW_TASK_TIMEOUT);
        const memo = { ...options.memo, [LOST_WORKER_MEMO]: lostAfterMs };
        return next({ ...input, options: { ...options, workflowTaskTimeout, memo } });
      },
    },
  ],
});
