/** The client's part of `domain/temporal/lost-worker.ts`: new workflows get the configured time after which a worker counts as lost. */
import type { CompiledWorkflowOptions, WorkflowClientInterceptor } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { LOST_WORKER_MEMO } from '../domain/temporal/lost-worker.ts';
import type { Config } from './config.ts';

/** The server's default limit of a workflow task. */
const WORKFLOW_TASK_TIMEOUT_MS = 10_000;

/** Interceptors of a client that starts workflows; none if the default applies. */
export function lostWorkerInterceptors({
  lostWorkerAfterMs,
}: Pick<Config, 'lostWorkerAfterMs'>): WorkflowClientInterceptor[] {
  if (lostWorkerAfterMs === undefined) return [];
  const workflowTaskTimeout = msToTs(Math.min(WORKFLOW_TASK_TIMEOUT_MS, lostWorkerAfterMs));
  const sooner = <Options extends Pick<CompiledWorkflowOptions, 'memo'>>(options: Options) => ({
    ...options,
    workflowTaskTimeout,
    memo: { ...options.memo, [LOST_WORKER_MEMO]: lostWorkerAfterMs },
  });
  return [
    {
      startWithDetails: (input, next) => next({ ...input, options: sooner(input.options) }),
      signalWithStart: (input, next) => next({ ...input, options: sooner(input.options) }),
    },
  ];
}
