/**
 * When an attempt ended whose gateway died before it could say so.
 */
import { isAwake, type InstancePhase } from '../../fleet/phases.ts';
import { SERVING_BELIEVED_MS } from '../../fleet/pool/serving.ts';

/** No call holds a slot for longer than this: its attempts and the loading of its model have limits of their own. */
export const LONGEST_CALL_MS = 3_600_000;

/** What there is to be seen of a machine on which an attempt was left open. */
export interface AttemptTraces {
  readonly startedAtMs: number;
  /** Begin of the next attempt of the same call; null = there is none. */
  readonly nextAttemptAtMs: number | null;
  /** What the gateway that is attached says; null = none is. */
  readonly serving: { readonly startedAtMs: number; readonly seenAtMs: number } | null;
  /** Phases of the instance, oldest first. */
  readonly rows: readonly { readonly atMs: number; readonly phase: InstancePhase }[];
}

/** The end of the attempt, at the latest what its machine was last seen doing; null = it runs, as far as anybody knows. */
export function endOfOpenAttempt(
  { startedAtMs, nextAttemptAtMs, serving, rows }: AttemptTraces,
  nowMs: number,
): number | null {
  const left = rows.find((row) => row.atMs > startedAtMs && !isAwake(row.phase));
  const ends = [nextAttemptAtMs, left?.atMs, endOfServing(startedAtMs, serving, nowMs), startedAtMs + LONGEST_CALL_MS];
  const known = ends.filter((end) => end !== null && end !== undefined && end <= nowMs);
  return known.length === 0 ? null : Math.max(startedAtMs, Math.min(...(known as number[])));
}

/** A gateway that attached later found no call; one that is not heard of did nothing since. */
function endOfServing(startedAtMs: number, serving: AttemptTraces['serving'], nowMs: number): number | null {
  if (serving === null) return null;
  if (serving.startedAtMs > startedAtMs) return serving.startedAtMs;
  return nowMs - serving.seenAtMs > SERVING_BELIEVED_MS ? serving.seenAtMs : null;
}
