/**
 * What is remembered of an instance's health between two looks. Plain JSON: it crosses continue-as-new.
 */
import type { HealthFailure, HealthLevel } from './types.ts';

/** Times and circumstances an instance is judged by. */
export interface HealthSettings {
  /** Between two samples. */
  readonly sampleIntervalMs: number;
  /** A probe is due when no call has shown life for this long. Calls in flight hang when they show none for this long and longer than expected. */
  readonly probeIdleMs: number;
  readonly probeTimeoutMs: number;
  /** True for machines of ours: a model on the CPU is a fault. A server that runs already may have no GPU at all. */
  readonly rented: boolean;
}

/** A fault that one observation found. */
export interface Finding {
  readonly failure: HealthFailure;
  readonly level: Extract<HealthLevel, 'degraded' | 'unhealthy'>;
  /** For people. */
  readonly reason: string;
  /** True where one observation is enough: it rests on several events. */
  readonly certain: boolean;
}

/** The health of an instance. */
export interface Verdict {
  readonly level: HealthLevel;
  /** Null = nothing is wrong, or nothing is known. */
  readonly failure: HealthFailure | null;
  readonly reason: string;
}

/** XID errors of one GPU. */
export interface XidCount {
  readonly index: number;
  readonly xids: readonly number[];
  /** Null = not counted. */
  readonly events: number | null;
}

export interface HealthState extends Verdict {
  /** Begin of the present level and fault. */
  readonly sinceMs: number;
  /** When it last passed its readiness check: earlier observations no longer count. */
  readonly provedAtMs: number;
  /** The worst finding of each of the last samples that were answered, oldest first; null = a clean one. */
  readonly samples: readonly (Finding | null)[];
  /** Answered samples in a row, since the present verdict, that did not show its fault. */
  readonly cleanSamples: number;
  /** Samples in a row without an answer, and since when. */
  readonly missing: number;
  readonly missingSinceMs: number | null;
  /** The verdict before it became unknown. */
  readonly beforeUnknown: Verdict | null;
  /** What the last probes of a model found, and how many in a row did. */
  readonly probe: { readonly model: string; readonly finding: Finding; readonly times: number } | null;
  /** Probes due at once, so that every model in memory is probed. */
  readonly probesLeft: number;
  readonly modelsInMemory: number;
  /** When the next sample is due at the latest. */
  readonly sampleDueMs: number;
  /** When the last sample was asked for, if it was answered. */
  readonly sampledAtMs: number | null;
  readonly probedAtMs: number | null;
  /** Duration of the last probe that was answered, and its usual one. */
  readonly probeMs: number | null;
  readonly baselineProbeMs: number | null;
  /** Usual durations on this machine, by model. */
  readonly baselines: Readonly<Record<string, number>>;
  /** The gateway's count at the last sample. */
  readonly inFlight: number;
  readonly lastProgressAtMs: number | null;
  /** Since when calls are in flight, as far as samples show it; null = none were. */
  readonly busySinceMs: number | null;
  /** Until when it is expected that the calls in flight say nothing; null = not known. */
  readonly overdueAtMs: number | null;
  /** Calls are in flight and no model is in memory: one is being loaded, which shows no progress. */
  readonly isLoading: boolean;
  /** Whether the GPU slowed itself down, in each of the last samples. */
  readonly slowdowns: readonly boolean[];
  /** XID errors as last seen, and those from before it last passed its readiness check. */
  readonly xids: readonly XidCount[];
  readonly pastXids: readonly XidCount[];
  /** A model was seen in a GPU's memory. */
  readonly seenOnGpu: boolean;
  /** An operator was told that it does not answer. */
  readonly isTold: boolean;
}

/** A passed readiness check, with what of the earlier state still applies. */
export interface CheckPassed {
  readonly atMs: number;
  /** Null = nothing was judged before. */
  readonly before: HealthState | null;
  /** False = another machine under the same name. */
  readonly isSameMachine: boolean;
  /** Its kernel log begins anew. */
  readonly isRebooted: boolean;
}

const PASSED: Verdict = { level: 'healthy', failure: null, reason: 'passed its readiness check' };

/** The state of an instance that has just passed its readiness check. The check was a real generation, so the next probe is due after a whole idle time. */
export function stateAfterCheck(
  { atMs, before, isSameMachine, isRebooted }: CheckPassed,
  settings: HealthSettings,
): HealthState {
  const known = isSameMachine ? before : null;
  return {
    ...PASSED,
    sinceMs: atMs,
    provedAtMs: atMs,
    samples: [],
    cleanSamples: 0,
    missing: 0,
    missingSinceMs: null,
    beforeUnknown: null,
    probe: null,
    probesLeft: 0,
    modelsInMemory: 0,
    sampleDueMs: atMs + settings.sampleIntervalMs,
    sampledAtMs: null,
    probedAtMs: null,
    probeMs: known?.probeMs ?? null,
    baselineProbeMs: known?.baselineProbeMs ?? null,
    baselines: known?.baselines ?? {},
    inFlight: 0,
    lastProgressAtMs: null,
    busySinceMs: null,
    overdueAtMs: null,
    isLoading: false,
    slowdowns: [],
    xids: isRebooted ? [] : (known?.xids ?? []),
    // Errors from before the check were handled before it.
    pastXids: isRebooted ? [] : (known?.xids ?? []),
    seenOnGpu: known?.seenOnGpu ?? false,
    isTold: false,
  };
}
