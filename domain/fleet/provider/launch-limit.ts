/**
 * The launch limit: how many creates an offer may take. A block says when to try again; the launch limit says how often.
 *
 * While the offer has no capacity, one create per probe interval is allowed. Each success doubles that, each capacity failure sets it back to
 * one. The limit holds for all pools and instances together.
 */
import { QUIET_MS } from '../selection/offer-memory.ts';

/** One create on an offer. `open` = its outcome is not known yet; `other` = it failed for a reason that uses up none of the limit. */
export interface LaunchAttempt {
  readonly atMs: number;
  readonly outcome: 'open' | 'created' | 'capacity' | 'other';
}

/** The limits. */
export interface LaunchRules {
  /** Creates within an hour that may be open or end without capacity. */
  readonly perHour: number;
  /** While there is no capacity: time in which the allowance may be used once. */
  readonly probeIntervalMs: number;
}

/** What is left, and when there is more; `nextAtMs` is null while something is left. */
export interface LaunchesLeft {
  readonly left: number;
  readonly nextAtMs: number | null;
}

const HOUR_MS = 3_600_000;

/** Twelve probes an hour: with the default of 12 creates per hour at most 19 in any 90 minutes without capacity. */
export const PROBE_INTERVAL_MS = 300_000;

/**
 * Creates left for one offer.
 *
 * @param attempts creates of the last three hours, in any order
 * @param lastCapacityFailureAtMs from the offer's memory: also says so when a machine was created and failed for lack of capacity later
 */
export function launchesLeft(
  attempts: readonly LaunchAttempt[],
  lastCapacityFailureAtMs: number | null,
  nowMs: number,
  rules: LaunchRules,
): LaunchesLeft {
  const counted = attempts
    .filter((a) => a.outcome !== 'other' && a.atMs > nowMs - QUIET_MS)
    .toSorted((a, b) => a.atMs - b.atMs);
  const allowance = allowanceAfter(counted, lastCapacityFailureAtMs, nowMs, rules);
  const spent = counted.filter((a) => a.outcome !== 'created' && a.atMs > nowMs - HOUR_MS).map((a) => a.atMs);
  const hourly = limited(spent, rules.perHour, HOUR_MS);
  if (allowance >= rules.perHour) return hourly;
  const probes = counted.map((a) => a.atMs).filter((atMs) => atMs > nowMs - rules.probeIntervalMs);
  const probing = limited(probes, allowance, rules.probeIntervalMs);
  const left = Math.min(hourly.left, probing.left);
  return { left, nextAtMs: left > 0 ? null : Math.max(hourly.nextAtMs ?? 0, probing.nextAtMs ?? 0) };
}

/** Creates per probe interval after what happened. */
function allowanceAfter(
  attempts: readonly LaunchAttempt[],
  lastCapacityFailureAtMs: number | null,
  nowMs: number,
  rules: LaunchRules,
): number {
  const events: LaunchAttempt[] = [...attempts];
  if (lastCapacityFailureAtMs !== null && lastCapacityFailureAtMs > nowMs - QUIET_MS)
    events.push({ atMs: lastCapacityFailureAtMs, outcome: 'capacity' });
  let allowance = rules.perHour;
  for (const { outcome } of events.toSorted((a, b) => a.atMs - b.atMs)) {
    if (outcome === 'capacity') allowance = 1;
    else if (outcome === 'created') allowance = Math.min(rules.perHour, allowance * 2);
  }
  return allowance;
}

/** Uses left of a limit of `limit` uses per window. @param uses times within the window, oldest first */
function limited(uses: readonly number[], limit: number, windowMs: number): LaunchesLeft {
  if (uses.length < limit) return { left: limit - uses.length, nextAtMs: null };
  return { left: 0, nextAtMs: (uses[uses.length - limit] ?? 0) + windowMs };
}
