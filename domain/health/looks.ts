/**
 * When an instance is sampled or probed next. It follows from the stored state, so a restart loses no look.
 */
import type { HealthSettings, HealthState } from './state.ts';

/** The next look. A time that has passed means now. */
export type NextLook =
  | { readonly kind: 'sample'; readonly atMs: number }
  /** Null = the model whose last probe is longest ago. */
  | { readonly kind: 'probe'; readonly atMs: number; readonly model: string | null };

/**
 * A sample is due by its interval; a probe when no call has shown for `probeIdleMs` that the machine works. A sample is taken before each
 * probe, because calls may have come since the last one. A probe that found something is repeated at once. Calls that have shown no progress
 * for `probeIdleMs`, and for longer than was expected of them, cause a sample, too.
 */
export function nextLook(state: HealthState, settings: HealthSettings): NextLook {
  const { probe, sampledAtMs, sampleDueMs, isLoading } = state;
  if (probe?.times === 1) return { kind: 'probe', atMs: state.probedAtMs ?? 0, model: probe.model || null };
  // While samples have no answer, no probe is made.
  if (state.missing > 0) return { kind: 'sample', atMs: sampleDueMs };
  if (state.probesLeft > 0) return { kind: 'probe', atMs: state.probedAtMs ?? 0, model: null };
  const dueMs = probeDueMs(state, settings);
  if (sampledAtMs !== null && sampledAtMs >= dueMs && !isLoading) return { kind: 'probe', atMs: dueMs, model: null };
  const early = [dueMs, hangDueMs(state, settings)].filter((atMs) => atMs > (sampledAtMs ?? 0));
  return { kind: 'sample', atMs: Math.min(sampleDueMs, ...early) };
}

/** When calls in flight count as hanging, if they show no progress before. */
const hangDueMs = (
  { busySinceMs, lastProgressAtMs, overdueAtMs }: HealthState,
  { probeIdleMs }: HealthSettings,
): number =>
  busySinceMs === null
    ? Infinity
    : Math.max(Math.max(busySinceMs, lastProgressAtMs ?? 0) + probeIdleMs, overdueAtMs ?? 0);

/**
 * When a probe is due, if no call shows progress before. A static host is probed once after calls ran on it, and while it is not healthy, but
 * not while it is unused.
 */
export function probeDueMs(state: HealthState, { rented, probeIdleMs }: HealthSettings): number {
  const { provedAtMs, lastProgressAtMs, probedAtMs, level } = state;
  const isUsed = lastProgressAtMs !== null && lastProgressAtMs > (probedAtMs ?? 0);
  if (!rented && !isUsed && level === 'healthy') return Infinity;
  return Math.max(provedAtMs, probedAtMs ?? 0, lastProgressAtMs ?? 0) + probeIdleMs;
}

/**
 * When the next sample is due after one that was due, asked for and answered at these times: after half the interval where something looked
 * wrong.
 */
export function nextSampleDueMs(
  times: { readonly dueMs: number; readonly askedAtMs: number; readonly answeredAtMs: number },
  isSuspect: boolean,
  { sampleIntervalMs }: HealthSettings,
): number {
  const stepMs = isSuspect ? sampleIntervalMs / 2 : sampleIntervalMs;
  // A sample may be early because of a probe, or late because the machine did not answer: never two at once.
  return Math.round(Math.max(Math.min(times.dueMs, times.askedAtMs) + stepMs, times.answeredAtMs + stepMs / 4));
}
