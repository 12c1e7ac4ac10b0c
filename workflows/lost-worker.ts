/**
 * Interceptor of every workflow: applies the installation's own time after which a worker counts as lost to activities and children.
 *
 * Times that are shorter already stay. Timeouts are no part of what a replay compares, so histories fit with and without it.
 */
import { workflowInfo, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { LOST_WORKER_MEMO, lostWorkerAfterMs } from '../domain/lost-worker.ts';

export const interceptors: WorkflowInterceptorsFactory = () => {
  const lostAfterMs = lostWorkerAfterMs(workflowInfo().memo);
  if (lostAfterMs === null) return {};
  const sooner = (timeout: Parameters<typeof msToNumber>[0]): number => Math.min(msToNumber(timeout), lostAfterMs);
  return {
    outbound: [
      {
        scheduleActivity: (input, next) => {
          const { heartbeatTimeout } = input.options;
          if (heartbeatTimeout === undefined) return next(input);
          return next({ ...input, options: { ...input.options, heartbeatTimeout: sooner(heartbeatTimeout) } });
        },
        startChildWorkflowExecution: (input, next) => {
          const { options } = input;
          const workflowTaskTimeout = sooner(options.workflowTaskTimeout ?? '10s');
          const memo = { ...options.memo, [LOST_WORKER_MEMO]: lostAfterMs };
          return next({ ...input, options: { ...options, workflowTaskTimeout, memo } });
        },
      },
    ],
  };
};
