/** Contract to start the reaper: names, ids, input, result. No workflow code. */
import type { ReapVerdict } from '../domain/fleet/provider/reaper.ts';

/** Workflow type of one round of the reaper. */
export const REAPER_WORKFLOW = 'reapRound';
/** Schedule that runs it. */
export const REAPER_SCHEDULE_ID = 'reaper';
/** Workflow id of a requested round. */
export const makeReapWorkflowId = (id: string): string => `reaper/${id}`;

/** Input of {@link REAPER_WORKFLOW}. */
export interface ReapRoundInput {
  /** Says what would go and changes nothing, not even what is remembered of sightings. */
  readonly dryRun: boolean;
}

/** What one round saw and did. */
export interface ReapReport {
  readonly dryRun: boolean;
  /** Things of ours that have an owner. */
  readonly kept: number;
  /** Things under names of others, never judged. */
  readonly foreign: number;
  readonly quarantined: readonly ReapVerdict[];
  readonly reaped: readonly (ReapVerdict & { readonly removed: boolean; readonly message: string | null })[];
  /** Instances of the database without a workflow. */
  readonly lost: readonly { readonly name: string; readonly reason: string }[];
  /** Providers that did not answer, with their words: nothing of theirs was looked at. Absent when all answered. */
  readonly unanswered?: readonly { readonly provider: string; readonly message: string }[];
}
