/** Arrivals of decks over weeks, made up from a seed. */
import type { Arrival } from '../../domain/fleet/prewarm/forecast.ts';
import { machineSeconds, type ReplayInput } from '../../domain/fleet/prewarm/replay.ts';
import { seededRandom } from '../../samples/generator/random.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
/** Monday, 0:00 UTC. */
export const MONDAY = Date.UTC(2026, 7, 3);

const atMinutes = (times: readonly number[]): Arrival[] =>
  times.toSorted((a, b) => a - b).map((time) => ({ atMs: Math.floor(time / MINUTE) * MINUTE, decks: 1, slides: 20 }));

/** Most working days a deck between 9:00 and 9:12 and one between 14:15 and 14:30 UTC, and three a week at any time. */
export function weeklyRhythm(weeks: number, seed: number): Arrival[] {
  const random = seededRandom(seed);
  const days = Array.from({ length: weeks * 5 }, (_, i) => MONDAY + Math.floor(i / 5) * WEEK + (i % 5) * DAY);
  const regular = days.flatMap((day) => [
    ...(random() < 0.9 ? [day + 9 * HOUR + random() * 12 * MINUTE] : []),
    ...(random() < 0.8 ? [day + 14 * HOUR + (15 + random() * 15) * MINUTE] : []),
  ]);
  const noise = Array.from({ length: weeks * 3 }, () => MONDAY + random() * weeks * WEEK);
  return atMinutes([...regular, ...noise]);
}

/** So many decks a week, at any time. */
export function uniformArrivals(weeks: number, seed: number, perWeek: number): Arrival[] {
  const random = seededRandom(seed);
  return atMinutes(Array.from({ length: weeks * perWeek }, () => MONDAY + random() * weeks * WEEK));
}

/** A replay of arrivals from {@link MONDAY} on, on a machine of $0.60 an hour that boots in three minutes. */
export const replayOf = (
  arrivals: readonly Arrival[],
  weeks: number,
  more: Partial<ReplayInput> = {},
): ReplayInput => ({
  arrivals,
  fromMs: MONDAY,
  untilMs: MONDAY + weeks * WEEK,
  timezone: 'UTC',
  prices: [{ fromMs: MONDAY, usdPerHour: 0.6 }],
  terms: { bootSec: 180, sleepsAfterSec: 300, blockSec: 0, waitingUsdPerMinute: 0.1 },
  ...machineSeconds(['gpu-visual'], 4),
  ...more,
});
