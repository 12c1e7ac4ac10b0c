/**
 * When an instance is looked at next, and how: part of what is remembered of it, so that a restart loses no look.
 */
import type { HealthSettings, HealthState } from './state.ts';

/** The next look. A time that has passed means now. */
export type NextLook =
  | { readonly kind: 'sample'; readonly atMs: number }
  /** Of a certain model; null = of whichever was not tried for longest. */
  | { readonly kind: 'probe'; readonly atMs: number; readonly model: string | null };

/**
 * A sample is due by its interval, a probe when nothing has shown for the idle time that the machine works: exactly then. A sample goes before
 * each probe, because calls may have come since the last one; a probe that found something is repeated at once. Calls that have been silent
 * for the idle time are looked at exactly then, too.
 */
export function nextLook(state: HealthState, settings: HealthSettings): NextLook {
  const { probe, sampledAtMs, sampleDueMs, isLoading } = state;
  if (probe?.times === 1) return { kind: 'probe', atMs: state.probedAtMs ?? 0, model: probe.model || null };
  // While it does not answer only that is of interest.
  if (state.missing > 0) return { kind: 'sample', atMs: sampleDueMs };
  if (state.probesLeft > 0) return { kind: 'probe', atMs: state.probedAtMs ?? 0, model: null };
  const dueMs = probeDueMs(state, settings);
  if (sampledAtMs !== null && sampledAtMs >= dueMs && !isLoading) return { kind: 'probe', atMs: dueMs, model: null };
  const early = [dueMs, hangDueMs(state, settings)].filter((atMs) => atMs > (sampledAtMs ?? 0));
  return { kind: 'sample', atMs: Math.min(sampleDueMs, ...early) };
}

/** When calls that are in flight hang, if they show no sign of life before. */
const hangDueMs = ({ busySinceMs, lastProgressAtMs }: HealthState, { probeIdleMs }: HealthSettings): number =>
  busySinceMs === null ? Infinity : Math.max(busySinceMs, lastProgressAtMs ?? 0) + probeIdleMs;

/**
 * When a probe is due, if no call shows life before. A server that runs already is somebody's own: it is tried once after calls ran on it, and
 * while it is ill, but not for as long as nobody uses it.
 */
export function probeDueMs(state: HealthState, { rented, probeIdleMs }: HealthSettings): number {
  const { provedAtMs, lastProgressAtMs, probedAtMs, level } = state;
  const isUsed = lastProgressAtMs !== null && lastProgressAtMs > (probedAtMs ?? 0);
  if (!rented && !isUsed && level === 'healthy') return Infinity;
  return Math.max(provedAtMs, probedAtMs ?? 0, lastProgressAtMs ?? 0) + probeIdleMs;
}

/**
 * When the next sample is due after one that was due, asked for and answered at these times. What looks wrong is looked at again after half
 * the interval.
 */
export function nextSampleDueMs(
  times: { readonly dueMs: number; readonly askedAtMs: number; readonly answeredAtMs: number },
  isSuspect: boolean,
  { sampleIntervalMs }: HealthSettings,
): number {
  const stepMs = isSuspect ? sampleIntervalMs / 2 : sampleIntervalMs;
  // Asked early for the sake of a probe, or late because the machine did not answer: never two at once.
  return Math.round(Math.max(Math.min(times.dueMs, times.askedAtMs) + stepMs, times.answeredAtMs + stepMs / 4));
}
