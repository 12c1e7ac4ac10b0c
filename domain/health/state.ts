/**
 * What is remembered of an instance's health between two looks. Plain JSON: it crosses continue-as-new.
 */
import type { HealthFailure, HealthLevel } from './types.ts';

/** Times and circumstances an instance is judged by. */
export interface HealthSettings {
  /** Between two samples. */
  readonly sampleIntervalMs: number;
  /** A probe is due when no call has shown life for this long; calls in flight that show none for this long hang. */
  readonly probeIdleMs: number;
  readonly probeTimeoutMs: number;
  /** True for machines of ours: a model on the CPU is a fault. A server that runs already may have no GPU at all. */
  readonly rented: boolean;
}

/** Something that one look found wrong. */
export interface Finding {
  readonly failure: HealthFailure;
  readonly level: Extract<HealthLevel, 'degraded' | 'unhealthy'>;
  /** For people. */
  readonly reason: string;
  /** True where one look is enough: what it rests on happened more than once already. */
  readonly certain: boolean;
}

/** Where an instance stands. */
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

/** See the file's header. */
export interface HealthState extends Verdict {
  /** Since when it has been at this level for this reason. */
  readonly sinceMs: number;
  /** When it last passed its readiness check: earlier judgements no longer count. */
  readonly provedAtMs: number;
  /** The worst finding of each of the last samples that were answered, oldest first; null = a clean one. */
  readonly samples: readonly (Finding | null)[];
  /** Answered samples in a row, since it is what it is, that did not show it. */
  readonly cleanSamples: number;
  /** Samples in a row without an answer, and since when. */
  readonly missing: number;
  readonly missingSinceMs: number | null;
  /** Where it stood before it became unknown. */
  readonly beforeUnknown: Verdict | null;
  /** What the last probes of a model found, and how many of them in a row. */
  readonly probe: { readonly model: string; readonly finding: Finding; readonly times: number } | null;
  /** Probes that are due at once, so that every model in memory has its turn. */
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
  /** As the gateway counted at the last sample. */
  readonly inFlight: number;
  readonly lastProgressAtMs: number | null;
  /** Since when calls are in flight, as far as samples show it; null = none were. */
  readonly busySinceMs: number | null;
  /** Calls are in flight and no model is in memory: one is being loaded, which shows no progress. */
  readonly isLoading: boolean;
  /** Whether the GPU slowed itself down, in each of the last samples. */
  readonly slowdowns: readonly boolean[];
  /** XID errors as last seen, and those that were handled before it last passed its readiness check. */
  readonly xids: readonly XidCount[];
  readonly pastXids: readonly XidCount[];
  /** A model was seen in a GPU's memory. */
  readonly seenOnGpu: boolean;
  /** An operator was told that nothing is heard of it. */
  readonly isTold: boolean;
}

/** What is kept of an earlier state when an instance has passed its readiness check again. */
export interface ProvedAgain {
  readonly atMs: number;
  /** Null = nothing was judged before. */
  readonly before: HealthState | null;
  /** False = another machine under the same name. */
  readonly isSameMachine: boolean;
  /** Its kernel log begins anew. */
  readonly isRebooted: boolean;
}

const PROVED: Verdict = { level: 'healthy', failure: null, reason: 'passed its readiness check' };

/** The state of an instance that has just passed its readiness check. The check was a real generation, so the next probe is due after a whole idle time. */
export function provedState(
  { atMs, before, isSameMachine, isRebooted }: ProvedAgain,
  settings: HealthSettings,
): HealthState {
  const known = isSameMachine ? before : null;
  return {
    ...PROVED,
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
    isLoading: false,
    slowdowns: [],
    xids: isRebooted ? [] : (known?.xids ?? []),
    // What was in the log before the proof was dealt with by what led to the proof.
    pastXids: isRebooted ? [] : (known?.xids ?? []),
    seenOnGpu: known?.seenOnGpu ?? false,
    isTold: false,
  };
}
