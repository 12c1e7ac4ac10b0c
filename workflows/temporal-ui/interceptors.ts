/**
 * Interceptor of every workflow: no activity is scheduled without a line that says what it does, and no line is too long for the server.
 *
 * Summaries are no part of what a replay compares, so they can be changed at any time.
 */
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { boundedSummary } from '../../domain/temporal/run-details.ts';
import { summaryOfActivity } from './activity-summaries.ts';

export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      scheduleActivity: (input, next) => {
        const { activityType, args, options } = input;
        const summary = options.summary ?? summaryOfActivity(activityType, args);
        if (summary === undefined) return next(input);
        return next({ ...input, options: { ...options, summary: boundedSummary(summary) } });
      },
      startTimer: (input, next) => {
        const summary = input.options?.summary;
        if (summary === undefined) return next(input);
        return next({ ...input, options: { ...input.options, summary: boundedSummary(summary) } });
      },
    },
  ],
});
