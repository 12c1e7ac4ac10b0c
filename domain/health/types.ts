/**
 * Measurements of an instance's health, and its levels and faults.
 */

/** One GPU as its driver describes it. Null = the driver does not say. */
export interface GpuReading {
  /** Its place in the driver's order. */
  readonly index: number;
  readonly name: string;
  readonly utilRatio: number | null;
  readonly memoryUsedBytes: number | null;
  readonly memoryTotalBytes: number | null;
  readonly temperatureC: number | null;
  /** Degrees left to the temperature at which it slows itself down. */
  readonly slowdownMarginC: number | null;
  /** Active reasons for reduced clocks, in the driver's words without their prefix, such as `hw_thermal_slowdown`. */
  readonly throttleReasons: readonly string[];
  /** XID errors the kernel logged for it since the machine booted, each once, ascending. */
  readonly xids: readonly number[];
  /** Lines of the kernel log with an XID of an application on it since the machine booted, repetitions counted; absent = not counted. */
  readonly xidEvents?: number;
  /** Uncorrectable memory errors since the driver was loaded. */
  readonly eccUncorrected: number | null;
  /** Row remapping, or page retirement on GPUs older than Ampere: both wait for a reset. */
  readonly rowRemapPending: boolean | null;
  readonly rowRemapFailed: boolean | null;
}

/** A model in the memory of a model server. */
export interface LoadedModelReading {
  readonly name: string;
  readonly sizeBytes: number;
  /** Of it on the GPU; 0 = it runs on the CPU. */
  readonly vramBytes: number;
}

/** A model in memory of a server that may not say where it is: `vramBytes` is null then. */
export type MeasuredModel = Omit<LoadedModelReading, 'vramBytes'> & { readonly vramBytes: number | null };

/** Calls on the machine as its gateway counts them. Probes are not among them. */
export interface CallsReading {
  readonly inFlight: number;
  /** When the one that has run longest began; null = none is in flight, absent = not known. */
  readonly oldestCallAtMs?: number | null;
  /** Last time a call began or ended. */
  readonly lastCallAtMs: number | null;
  /** Last time a call in flight gave a token or loaded a model, or one ended with an answer. */
  readonly lastProgressAtMs: number | null;
  /** Until when it is expected that a call in flight says nothing, because it reads its prompt; null or absent = not known. */
  readonly overdueAtMs?: number | null;
  /** Calls in a row that ended because the model said nothing. */
  readonly stalledInARow: number;
  /** Calls in a row none of whose answers could be used, as far as that is no matter of one kind of answer; absent = not counted. */
  readonly unusableInARow?: number;
}

/** One look at a machine over its host queue. */
export interface HealthMeasurement {
  readonly atMs: number;
  /** Null = the driver could not be asked; `gpuMessage` says why. Empty = it shows no GPU. */
  readonly gpus: readonly GpuReading[] | null;
  readonly gpuMessage: string | null;
  /** True where no commands can be run on the machine: then missing GPU figures are no fault. */
  readonly withoutShell: boolean;
  readonly models: readonly MeasuredModel[];
  readonly calls: CallsReading;
  /** Of the disk models are on; null where it is not known. */
  readonly diskFreeBytes: number | null;
  readonly diskTotalBytes: number | null;
}

/** One test generation. `vramBytes` 0 = it ran on the CPU, null = the server does not say. `model`: the one that was asked; each has a runner of its own. */
export type ProbeReading =
  | {
      readonly kind: 'answered';
      readonly atMs: number;
      readonly durationMs: number;
      readonly vramBytes: number | null;
      readonly model?: string;
    }
  | {
      readonly kind: 'failed';
      readonly atMs: number;
      readonly durationMs: number;
      readonly message: string;
      readonly model?: string;
    }
  /** No slot was free, so that running calls show whether it works, or the server serves others. */
  | { readonly kind: 'busy'; readonly atMs: number };

/** Health of an instance. `unknown` = its samples have no answer; it gets no new calls and is never destroyed for it. */
export const HEALTH_LEVELS = ['healthy', 'degraded', 'unhealthy', 'unknown'] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];
/** Levels by severity: a higher rank is worse. */
export const LEVEL_RANK: Readonly<Record<HealthLevel, number>> = { healthy: 0, unknown: 1, degraded: 2, unhealthy: 3 };

/** The faults of an instance that serves. */
export const HEALTH_FAILURES = [
  /** The model server answers and its runner does not. */
  'runner_wedged',
  /** The runner answers, and nothing of it can be used. */
  'unusable_answers',
  /** Models run on the CPU. */
  'cpu_only',
  /** An error of the application on the GPU (XID 13, 31, 94): the model server is restarted. */
  'gpu_app_error',
  /** The GPU wants a reset (XID 62, 64, 74, 95, 109, 119, 120, 140, 48, uncorrectable memory errors): the machine is rebooted. */
  'gpu_reset_needed',
  /** The GPU has fallen off the bus (XID 79), or the driver shows none. */
  'gpu_lost',
  /** Memory rows could not be remapped: only another machine helps. */
  'gpu_memory_worn',
  'overheating',
  /** Slower than it was, or a row remap is pending. */
  'slow',
  'disk_full',
  'no_samples',
] as const;
export type HealthFailure = (typeof HEALTH_FAILURES)[number];
