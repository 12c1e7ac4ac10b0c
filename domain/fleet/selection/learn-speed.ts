/**
 * Learns seconds per slide from calls that were made: time in which a machine worked on slides, divided by the slides it described. Calls
 * that ran side by side count once, so parallel slots show as speed.
 */

/** One visual call on one machine. */
export interface TimedCall {
  /** GPU it ran on, as `speedKey` names it. */
  readonly speedKey: string;
  readonly host: string;
  readonly endMs: number;
  readonly durationMs: number;
  /** The call that each slide has once. */
  readonly countsSlide: boolean;
}

/** Fewer slides say nothing. */
const MIN_SLIDES = 10;

/** Seconds per slide by GPU, for those with enough calls. */
export function learnSecondsPerSlide(calls: readonly TimedCall[]): Record<string, number> {
  const learned: Record<string, number> = {};
  for (const [key, ofGpu] of Map.groupBy(calls, (call) => call.speedKey)) {
    const slides = ofGpu.filter((call) => call.countsSlide).length;
    if (slides < MIN_SLIDES) continue;
    const busyMs = [...Map.groupBy(ofGpu, (call) => call.host).values()].reduce((sum, c) => sum + unionMs(c), 0);
    if (busyMs > 0) learned[key] = busyMs / 1000 / slides;
  }
  return learned;
}

/** Length of the union of the calls' intervals, ms. */
function unionMs(calls: readonly TimedCall[]): number {
  const intervals = calls
    .map(({ endMs, durationMs }) => ({ startMs: endMs - durationMs, endMs }))
    .toSorted((a, b) => a.startMs - b.startMs);
  let total = 0;
  let coveredUntilMs = -Infinity;
  for (const { startMs, endMs } of intervals) {
    total += Math.max(0, endMs - Math.max(startMs, coveredUntilMs));
    coveredUntilMs = Math.max(coveredUntilMs, endMs);
  }
  return total;
}
