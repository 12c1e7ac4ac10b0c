/**
 * The health level of an instance: one pure function of the state before and of one observation.
 *
 * The level gets worse when two of the last three samples agree. A finding that rests on several events counts at once; a probe that found
 * something is repeated at once and counts when both did, after one more sample that may show the cause. The level gets better after five
 * samples without the fault. Missing samples are no fault: after three the instance is `unknown`, and the first answer restores the level
 * it had.
 */
import { assertNever } from '../errors.ts';
import { nextSampleDueMs } from './looks.ts';
import {
  expectsGpu,
  FAILURE_LEVELS,
  isLoading,
  isReading,
  isSlowedDown,
  LONGEST_LOAD_MS,
  SLOWDOWNS_KEPT,
  worstFinding,
} from './rules.ts';
import type { Finding, HealthSettings, HealthState, Verdict, XidCount } from './state.ts';
import { LEVEL_RANK, type GpuReading, type HealthLevel, type HealthMeasurement, type ProbeReading } from './types.ts';

/** One observation. `atMs` is when the answer arrived, by the clock of the health loop. */
export type HealthObservation =
  | {
      readonly kind: 'measured';
      readonly atMs: number;
      readonly askedAtMs: number;
      readonly measurement: HealthMeasurement;
    }
  | { readonly kind: 'probed'; readonly atMs: number; readonly reading: ProbeReading }
  /** A sample or probe without an answer. `gatewaySeenAtMs`: last sign of its gateway by other means; null = not known. */
  | {
      readonly kind: 'missing';
      readonly atMs: number;
      readonly askedAtMs: number;
      readonly message: string;
      readonly gatewaySeenAtMs: number | null;
    };

/** What follows from a judgement. The pool decides what is done (quarantine.ts); an operator is told once per silence. */
export type HealthAction = 'quarantine' | 'repair' | 'release' | 'tell_operator';

/** The verdict on an instance with its new state. */
export interface Judgement extends Verdict {
  readonly state: HealthState;
  /** The level or the fault has changed. */
  readonly isChanged: boolean;
  readonly actions: readonly HealthAction[];
}

/** The last samples that can make the level worse, and how many of them must agree. */
const WINDOW = 3;
const AGREEING = 2;
/** Samples without the fault that make the level better. */
const CLEAN_SAMPLES = 5;
/** Samples in a row without an answer that make an instance unknown. */
const MISSING_SAMPLES = 3;
/** An operator is told when an instance is unknown, and its gateway silent, for longer than this. */
const TELL_AFTER_MS = 20 * 60_000;
/** A probe is slow beyond this many times its usual duration, and by at least this much: short ones vary. */
const SLOW_FACTOR = 3;
const SLOW_BY_MS = 1000;
/** Weight of the newest probe in the usual duration. */
const BASELINE_WEIGHT = 0.2;

const HEALTHY: Verdict = { level: 'healthy', failure: null, reason: 'nothing is wrong' };

/** See the file's header. Total: accepts any observation at any time. */
export function judge(before: HealthState, observation: HealthObservation, settings: HealthSettings): Judgement {
  const state = applyObservation(before, observation, settings);
  const isChanged = state.level !== before.level || state.failure !== before.failure;
  const tellsOperator = isSilentTooLong(state, observation);
  const { level, failure, reason } = state;
  return {
    level,
    failure,
    reason,
    isChanged,
    actions: [...(isChanged ? [actionOf(level)] : []), ...(tellsOperator ? (['tell_operator'] as const) : [])],
    state: tellsOperator ? { ...state, isTold: true } : state,
  };
}

function applyObservation(state: HealthState, observation: HealthObservation, settings: HealthSettings): HealthState {
  switch (observation.kind) {
    case 'measured':
      return measured(state, observation, settings);
    case 'probed':
      return probed(state, observation.reading, observation.atMs, settings);
    case 'missing':
      return missed(state, observation, settings);
    default:
      return assertNever(observation);
  }
}

const actionOf = (level: HealthLevel): HealthAction =>
  level === 'healthy' ? 'release' : level === 'unhealthy' ? 'repair' : 'quarantine';

type Measured = Extract<HealthObservation, { kind: 'measured' }>;

function measured(
  before: HealthState,
  { atMs, askedAtMs, measurement }: Measured,
  settings: HealthSettings,
): HealthState {
  const heard = withReadings(before, measurement, atMs);
  const finding = worstFinding({ measurement, state: heard, settings });
  const samples = [...heard.samples, finding].slice(-CLEAN_SAMPLES);
  const known = before.level === 'unknown' ? withVerdict(heard, heard.beforeUnknown ?? HEALTHY, atMs) : heard;
  const isClean = finding === null || LEVEL_RANK[finding.level] < LEVEL_RANK[known.level];
  const cleanSamples = isClean ? known.cleanSamples + 1 : 0;
  const answered = { samples, cleanSamples, missing: 0, missingSinceMs: null, beforeUnknown: null, isTold: false };
  const judged = settle({ ...known, ...answered }, atMs);
  const isSuspect =
    finding !== null && (LEVEL_RANK[finding.level] > LEVEL_RANK[judged.level] || finding.failure !== judged.failure);
  const times = { dueMs: before.sampleDueMs, askedAtMs, answeredAtMs: atMs };
  return { ...judged, sampledAtMs: askedAtMs, sampleDueMs: nextSampleDueMs(times, isSuspect, settings) };
}

/** The state with a sample's calls, slowdowns and XID errors: rules compare them over several samples. */
function withReadings(state: HealthState, measurement: HealthMeasurement, atMs: number): HealthState {
  const { calls, models, gpus } = measurement;
  const { inFlight, lastProgressAtMs } = calls;
  // Without a known start, calls in flight began with the last event.
  const began =
    calls.oldestCallAtMs ?? (state.inFlight > 0 ? state.busySinceMs : calls.lastCallAtMs) ?? measurement.atMs;
  const busySinceMs = inFlight === 0 ? null : began;
  return {
    ...state,
    inFlight,
    // The gateway's clock may be ahead.
    lastProgressAtMs: lastProgressAtMs === null ? state.lastProgressAtMs : Math.min(lastProgressAtMs, atMs),
    busySinceMs,
    overdueAtMs: inFlight === 0 ? null : (calls.overdueAtMs ?? null),
    isLoading: isLoading(measurement, busySinceMs),
    modelsInMemory: models.length,
    slowdowns: gpus === null ? state.slowdowns : [...state.slowdowns, isSlowedDown(measurement)].slice(-SLOWDOWNS_KEPT),
    xids: gpus === null || gpus.length === 0 ? state.xids : gpus.map(xidsOf),
    pastXids:
      state.sampledAtMs === null ? state.pastXids.map((past) => withLateEvents(past, gpus ?? [])) : state.pastXids,
    seenOnGpu: state.seenOnGpu || models.some((model) => (model.vramBytes ?? 0) > 0),
  };
}

/**
 * An application's error is often logged several times, and once more when its process ends. What the first sample after a remedy adds to the
 * count belongs to the handled error and does not cause the next remedy.
 */
function withLateEvents(past: XidCount, gpus: readonly GpuReading[]): XidCount {
  const gpu = gpus.find(({ index }) => index === past.index);
  if (gpu === undefined || past.events === null || past.events === 0) return past;
  const xids = [...new Set([...past.xids, ...gpu.xids])];
  return { ...past, xids, events: Math.max(past.events, gpu.xidEvents ?? past.events) };
}

const xidsOf = ({ index, xids, xidEvents }: GpuReading): XidCount => ({ index, xids, events: xidEvents ?? null });

function probed(state: HealthState, reading: ProbeReading, atMs: number, settings: HealthSettings): HealthState {
  // Every slot was taken, or a model is being loaded or reads prompts: calls are running and show whether it works.
  const isExcused = (failed: ProbeReading & { kind: 'failed' }): boolean =>
    state.isLoading || isReading(state, atMs - failed.durationMs);
  if (reading.kind === 'busy' || (reading.kind === 'failed' && isExcused(reading))) {
    return { ...state, probedAtMs: atMs, probesLeft: 0, probe: state.probe?.times === 1 ? null : state.probe };
  }
  const model = reading.model ?? '';
  const finding = probeFinding(state, reading, model, settings);
  const isSame = state.probe?.model === model;
  const clean = isSame ? null : state.probe;
  const answered = reading.kind === 'answered' ? reading : null;
  const baselines =
    finding === null && answered !== null ? withBaseline(state, model, answered.durationMs) : state.baselines;
  // A load that used up its whole time limit is not repeated: it counts twice.
  const weight = reading.kind === 'failed' && reading.durationMs >= LONGEST_LOAD_MS ? AGREEING : 1;
  const times = (isSame ? (state.probe?.times ?? 0) : 0) + weight;
  const probe = finding === null ? clean : { model, finding, times };
  const next: HealthState = {
    ...state,
    probedAtMs: atMs,
    probe,
    probesLeft:
      finding !== null ? 0 : state.probesLeft > 0 ? state.probesLeft - 1 : Math.max(0, state.modelsInMemory - 1),
    probeMs: answered?.durationMs ?? state.probeMs,
    baselineProbeMs: baselines[model] ?? state.baselineProbeMs,
    baselines,
    seenOnGpu: state.seenOnGpu || (answered !== null && (answered.vramBytes ?? 0) > 0),
  };
  // A sample may explain what two probes found: it is taken at once, and decides.
  return probe !== null && probe.times >= AGREEING && (state.probe?.times ?? 0) < AGREEING
    ? { ...next, sampleDueMs: atMs }
    : settle(next, atMs);
}

function probeFinding(
  state: HealthState,
  reading: Exclude<ProbeReading, { kind: 'busy' }>,
  model: string,
  settings: HealthSettings,
): Finding | null {
  const found = (failure: keyof typeof FAILURE_LEVELS, reason: string): Finding => ({
    failure,
    level: FAILURE_LEVELS[failure],
    reason,
    certain: false,
  });
  if (reading.kind === 'failed') return found('runner_wedged', `a test generation failed: ${reading.message}`);
  if (reading.vramBytes === 0 && expectsGpu(state, settings))
    return found('cpu_only', 'a test generation ran on its CPU');
  const usualMs = state.baselines[model];
  const isSlow =
    usualMs !== undefined &&
    state.inFlight === 0 &&
    reading.durationMs > usualMs * SLOW_FACTOR &&
    reading.durationMs > usualMs + SLOW_BY_MS;
  return isSlow
    ? found('slow', `a generation took ${reading.durationMs} ms, usual are ${Math.round(usualMs)} ms`)
    : null;
}

/** The usual duration follows probes that ran without calls beside them. */
function withBaseline(
  { baselines, inFlight }: HealthState,
  model: string,
  durationMs: number,
): HealthState['baselines'] {
  if (inFlight > 0) return baselines;
  const usualMs = baselines[model];
  return {
    ...baselines,
    [model]: usualMs === undefined ? durationMs : usualMs + BASELINE_WEIGHT * (durationMs - usualMs),
  };
}

type Missing = Extract<HealthObservation, { kind: 'missing' }>;

function missed(state: HealthState, { atMs, askedAtMs, message }: Missing, settings: HealthSettings): HealthState {
  const missing = state.missing + 1;
  const times = { dueMs: state.sampleDueMs, askedAtMs, answeredAtMs: atMs };
  const silent: HealthState = {
    ...state,
    missing,
    missingSinceMs: state.missingSinceMs ?? askedAtMs,
    sampleDueMs: nextSampleDueMs(times, missing < MISSING_SAMPLES, settings),
  };
  // Missing samples do not undo a confirmed finding.
  if (state.probe !== null && state.probe.times >= AGREEING) return settle(silent, atMs);
  if (missing < MISSING_SAMPLES || state.level === 'unknown' || state.level === 'unhealthy') return silent;
  const { level, failure, reason } = state;
  const unknown: Verdict = {
    level: 'unknown',
    failure: 'no_samples',
    reason: `${missing} samples in a row had no answer: ${message}`,
  };
  return { ...withVerdict(silent, unknown, atMs), beforeUnknown: { level, failure, reason } };
}

function isSilentTooLong({ level, sinceMs, isTold }: HealthState, observation: HealthObservation): boolean {
  if (observation.kind !== 'missing' || level !== 'unknown' || isTold) return false;
  const { atMs, gatewaySeenAtMs } = observation;
  return atMs - sinceMs > TELL_AFTER_MS && atMs - (gatewaySeenAtMs ?? 0) > TELL_AFTER_MS;
}

/** The level that follows from the samples and the probe. */
function settle(state: HealthState, atMs: number): HealthState {
  const { samples, level, failure } = state;
  const confirmed = state.probe !== null && state.probe.times >= AGREEING ? state.probe.finding : null;
  const worst =
    agreedFindings(samples, confirmed).toSorted((a, b) => LEVEL_RANK[b.level] - LEVEL_RANK[a.level])[0] ?? null;
  if (worst !== null && LEVEL_RANK[worst.level] > LEVEL_RANK[level]) return withVerdict(state, verdictOf(worst), atMs);
  if (level === 'healthy') return state;
  const isStillSeen = confirmed?.failure === failure || samples.slice(-WINDOW).some((one) => one?.failure === failure);
  // The same level for another fault: its remedy may differ.
  if (worst?.level === level && worst.failure !== failure && !isStillSeen)
    return withVerdict(state, verdictOf(worst), atMs);
  if (confirmed !== null && LEVEL_RANK[confirmed.level] >= LEVEL_RANK[level]) return { ...state, cleanSamples: 0 };
  if (state.cleanSamples < CLEAN_SAMPLES) return state;
  const left = [...samples, confirmed].findLast((one) => one !== null) ?? null;
  return withVerdict(state, left === null ? HEALTHY : verdictOf(left), atMs);
}

/** Findings that enough observations agree on, newest first; those of samples before that of the probe, because they show the cause. */
function agreedFindings(samples: HealthState['samples'], confirmed: Finding | null): Finding[] {
  const found = samples.slice(-WINDOW).filter((one) => one !== null);
  const looks = confirmed === null ? found : [...found, confirmed];
  const agreed = found.filter(
    (one) =>
      one.certain || looks.filter((other) => LEVEL_RANK[other.level] >= LEVEL_RANK[one.level]).length >= AGREEING,
  );
  return confirmed === null ? agreed.toReversed() : [...agreed.toReversed(), confirmed];
}

const verdictOf = ({ level, failure, reason }: Finding): Verdict => ({ level, failure, reason });

/** `sinceMs` names the episode: it changes with the level and with the fault, not with the words. */
const withVerdict = (state: HealthState, verdict: Verdict, atMs: number): HealthState => ({
  ...state,
  ...verdict,
  sinceMs: atMs,
  cleanSamples: 0,
});
