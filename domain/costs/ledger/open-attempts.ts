/**
 * The end of a call attempt whose gateway died before it could store the end.
 */
import { isAwake, type InstancePhase } from '../../fleet/phases.ts';
import { SERVING_BELIEVED_MS } from '../../fleet/pool/serving.ts';

/** Longest time that a call can hold a slot, given the time limits of attempts and model loading. */
export const LONGEST_CALL_MS = 3_600_000;

/** What is known of a machine with an open attempt. */
export interface AttemptTraces {
  readonly startedAtMs: number;
  /** Start of the next attempt of the same call; null = none. */
  readonly nextAttemptAtMs: number | null;
  /** Heartbeat of the attached gateway; null = none is attached. */
  readonly serving: { readonly startedAtMs: number; readonly seenAtMs: number } | null;
  /** Phases of the instance, oldest first. */
  readonly rows: readonly { readonly atMs: number; readonly phase: InstancePhase }[];
}

/** End of the attempt, at the latest the last known activity of its machine; null = it is presumably still running. */
export function endOfOpenAttempt(
  { startedAtMs, nextAttemptAtMs, serving, rows }: AttemptTraces,
  nowMs: number,
): number | null {
  const left = rows.find((row) => row.atMs > startedAtMs && !isAwake(row.phase));
  const ends = [nextAttemptAtMs, left?.atMs, endOfServing(startedAtMs, serving, nowMs), startedAtMs + LONGEST_CALL_MS];
  const known = ends.filter((end) => end !== null && end !== undefined && end <= nowMs);
  return known.length === 0 ? null : Math.max(startedAtMs, Math.min(...(known as number[])));
}

/** A gateway that attached later found no call; a gateway without heartbeats has done nothing since the last one. */
function endOfServing(startedAtMs: number, serving: AttemptTraces['serving'], nowMs: number): number | null {
  if (serving === null) return null;
  if (serving.startedAtMs > startedAtMs) return serving.startedAtMs;
  return nowMs - serving.seenAtMs > SERVING_BELIEVED_MS ? serving.seenAtMs : null;
}
