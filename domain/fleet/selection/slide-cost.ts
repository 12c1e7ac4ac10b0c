/**
 * What a slide costs on a machine: seconds of machine time for one slide × price. Seconds are learned from stored calls where there are some;
 * until then a prior per GPU.
 */
import { MODEL_TASKS } from '../../models/model-tasks.ts';
import { identifyGpu, type CatalogueType } from './tiers.ts';

/** Slides of a document where a cap is given per document. */
export const DOCUMENT_SLIDES = 30;

/** Seconds of one slide on the reference GPU: the calls that look at a slide, as demand counts them. */
const REFERENCE_SECONDS = Object.values(MODEL_TASKS)
  .filter((task) => task.gpuClass === 'gpu-visual')
  .reduce((sum, task) => sum + task.expectedSeconds, 0);

/**
 * Memory bandwidth of one GPU, GB/s, from NVIDIA's data sheets (SXM where there is a choice). Generating a token reads all weights once, so
 * speed grows with bandwidth; that makes it a prior for ranking, nothing more.
 */
const BANDWIDTH_GB_PER_SEC: Readonly<Record<string, number>> = {
  b300: 8000,
  b200: 8000,
  h200: 4800,
  h100: 3350,
  'a100-80': 2039,
  'a100-40': 1555,
  'rtx-pro-6000': 1597,
  'rtx-6000-ada': 960,
  l40s: 864,
  a6000: 768,
  'rtx-4090': 1008,
  a10: 600,
  l4: 300,
  v100: 900,
  t4: 320,
  GB300: 8000,
};

/** The reference GPU is an A6000. */
const REFERENCE_BANDWIDTH_GB_PER_SEC = 768;

/** Seconds of machine time per slide by GPU; keys are those of {@link speedKey}. */
export type SecondsPerSlide = Readonly<Record<string, number>>;

/** Under which key the speed of a type is known: its tier, or its GPU where it has none. */
export function speedKey(type: CatalogueType): string {
  const { tier, family } = identifyGpu(type);
  return tier ?? family;
}

/**
 * Seconds per slide of every known GPU. Learned figures are used as they are; priors of the others are scaled by the median ratio of learned
 * figures to their priors, so that the two can be compared.
 */
export function secondsPerSlideTable(learned: SecondsPerSlide): SecondsPerSlide {
  const priors = Object.entries(BANDWIDTH_GB_PER_SEC).map(
    ([key, bandwidth]) => [key, (REFERENCE_SECONDS * REFERENCE_BANDWIDTH_GB_PER_SEC) / bandwidth] as const,
  );
  const factors = priors
    .flatMap(([key, prior]) => (learned[key] === undefined ? [] : [learned[key] / prior]))
    .toSorted((a, b) => a - b);
  const factor = factors[Math.floor(factors.length / 2)] ?? 1;
  return { ...Object.fromEntries(priors.map(([key, prior]) => [key, prior * factor])), ...learned };
}

/**
 * Seconds of machine time per slide; null when nothing is known of the GPU. Further GPUs of a machine do not count: a model that fits into
 * one is served from one.
 */
export const secondsPerSlide = (type: CatalogueType, table: SecondsPerSlide): number | null =>
  table[speedKey(type)] ?? null;

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

/**
 * Seconds per slide by GPU, for those with enough calls: time in which a machine worked on slides, divided by the slides it described. Calls
 * that ran side by side count once, so parallel slots show as speed.
 */
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
