/**
 * The faults that a sample can show: one rule per fault, those with the strongest remedy first.
 */
import type { Finding, HealthSettings, HealthState, XidCount } from './state.ts';
import type { GpuReading, HealthFailure, HealthMeasurement } from './types.ts';
import { failureOfXid, XID_CONTAINED } from './xids.ts';

/** Level of each fault. A degraded machine still works, more slowly or not for long; an unhealthy one does no work. */
export const FAILURE_LEVELS = {
  gpu_lost: 'unhealthy',
  gpu_memory_worn: 'unhealthy',
  gpu_reset_needed: 'unhealthy',
  gpu_app_error: 'unhealthy',
  cpu_only: 'unhealthy',
  runner_wedged: 'unhealthy',
  unusable_answers: 'unhealthy',
  overheating: 'degraded',
  slow: 'degraded',
  disk_full: 'degraded',
} as const satisfies Record<Exclude<HealthFailure, 'no_samples'>, Finding['level']>;

/** Overheating: a GPU is at most this many °C below the temperature at which it slows down. */
export const LEAST_MARGIN_C = 5;
/** Samples in which the GPU had slowed itself down, of the last {@link SLOWDOWNS_KEPT}, that make it overheated. */
const SLOWDOWNS = 6;
export const SLOWDOWNS_KEPT = 10;
const SLOWDOWN_REASONS: ReadonlySet<string> = new Set([
  'hw_slowdown',
  'hw_thermal_slowdown',
  'hw_power_brake_slowdown',
]);
/** Calls in a row that ended without output. One may be the call's own fault. */
const STALLED_CALLS = 2;
/** Calls in a row without a usable answer; each was asked several times. */
const UNUSABLE_CALLS = 3;
/** With less free disk than this Ollama neither pulls nor logs. */
const LEAST_DISK_RATIO = 0.05;
/** A load that takes longer counts as hanging. */
export const LONGEST_LOAD_MS = 300_000;
/** Messages of nvidia-smi when the GPU is lost, as opposed to a machine that could not be asked. */
const DRIVER_LOST = /gpu is lost|fallen off|no devices|unable to determine the device handle|couldn't communicate/iu;

/** Input of a rule. `state` is the one before the sample, with the sample's calls, slowdowns and XID errors. */
export interface RuleInput {
  readonly measurement: HealthMeasurement;
  readonly state: HealthState;
  readonly settings: HealthSettings;
}

interface Rule {
  readonly failure: keyof typeof FAILURE_LEVELS;
  /** The reason for people; null = the fault is not seen. */
  readonly find: (input: RuleInput) => string | null;
  readonly isCertain?: true;
}

const RULES: readonly Rule[] = [
  { failure: 'gpu_lost', find: lostGpu },
  { failure: 'gpu_lost', find: (input) => xidOf(input, 'gpu_lost') },
  {
    failure: 'gpu_memory_worn',
    find: ({ measurement }) =>
      anyGpu(measurement, (gpu) =>
        gpu.rowRemapFailed === true ? `memory rows of GPU ${gpu.index} could not be remapped` : null,
      ),
  },
  { failure: 'gpu_reset_needed', find: (input) => xidOf(input, 'gpu_reset_needed') },
  {
    failure: 'gpu_reset_needed',
    find: ({ measurement }) =>
      anyGpu(measurement, ({ index, eccUncorrected, xids }) =>
        eccUncorrected !== null && eccUncorrected > 0 && !xids.includes(XID_CONTAINED)
          ? `GPU ${index} has ${eccUncorrected} uncorrectable memory errors`
          : null,
      ),
  },
  { failure: 'cpu_only', find: onCpu },
  { failure: 'gpu_app_error', find: (input) => xidOf(input, 'gpu_app_error') },
  {
    failure: 'runner_wedged',
    isCertain: true,
    find: ({ measurement: { calls } }) =>
      calls.stalledInARow >= STALLED_CALLS ? `${calls.stalledInARow} calls in a row ended without output` : null,
  },
  { failure: 'runner_wedged', find: hangingCalls },
  {
    failure: 'unusable_answers',
    isCertain: true,
    find: ({ measurement: { calls } }) =>
      calls.unusableInARow !== undefined && calls.unusableInARow >= UNUSABLE_CALLS
        ? `${calls.unusableInARow} calls in a row had no usable answer`
        : null,
  },
  {
    failure: 'overheating',
    find: ({ measurement }) =>
      anyGpu(measurement, ({ index, slowdownMarginC, temperatureC }) =>
        slowdownMarginC !== null && slowdownMarginC <= LEAST_MARGIN_C
          ? `GPU ${index} is ${slowdownMarginC} °C below the temperature at which it slows down${temperatureC === null ? '' : ` (${temperatureC} °C)`}`
          : null,
      ),
  },
  {
    failure: 'overheating',
    find: ({ state: { slowdowns } }) => {
      const count = slowdowns.filter(Boolean).length;
      return count >= SLOWDOWNS ? `the GPU had slowed itself down in ${count} of ${slowdowns.length} samples` : null;
    },
  },
  {
    failure: 'slow',
    find: ({ measurement }) =>
      anyGpu(measurement, (gpu) =>
        gpu.rowRemapPending === true ? `memory rows of GPU ${gpu.index} wait to be remapped` : null,
      ),
  },
  {
    failure: 'disk_full',
    find: ({ measurement: { diskFreeBytes, diskTotalBytes } }) =>
      diskFreeBytes !== null && diskTotalBytes !== null && diskFreeBytes < diskTotalBytes * LEAST_DISK_RATIO
        ? `only ${Math.round((100 * diskFreeBytes) / diskTotalBytes)} % of its disk is free`
        : null,
  },
];

/** The worst fault that a sample shows; null = none. */
export function worstFinding(input: RuleInput): Finding | null {
  for (const { failure, find, isCertain } of RULES) {
    const reason = find(input);
    if (reason !== null) return { failure, level: FAILURE_LEVELS[failure], reason, certain: isCertain === true };
  }
  return null;
}

/** True when a GPU of the sample has slowed itself down. */
export const isSlowedDown = ({ gpus }: HealthMeasurement): boolean =>
  (gpus ?? []).some((gpu) => gpu.throttleReasons.some((reason) => SLOWDOWN_REASONS.has(reason)));

/** True where a model on the CPU is a fault: on rented machines, and on servers that were seen to use a GPU. */
export const expectsGpu = (state: HealthState, settings: HealthSettings): boolean => settings.rented || state.seenOnGpu;

function lostGpu({ measurement, state, settings }: RuleInput): string | null {
  const { gpus, gpuMessage, withoutShell } = measurement;
  if (withoutShell || !expectsGpu(state, settings)) return null;
  if (gpus !== null) return gpus.length === 0 ? 'the driver shows no GPU' : null;
  return gpuMessage !== null && DRIVER_LOST.test(gpuMessage) ? `the driver has lost the GPU: ${gpuMessage}` : null;
}

function onCpu({ measurement, state, settings }: RuleInput): string | null {
  if (!expectsGpu(state, settings)) return null;
  const model = measurement.models.find(({ sizeBytes, vramBytes }) => sizeBytes > 0 && vramBytes === 0);
  return model === undefined ? null : `${model.name} runs on the CPU: nothing of it is in the GPU's memory`;
}

/** A call may produce no token for a while: it reads its prompt. How long that takes follows from its tokens and the machine's speed. */
function hangingCalls({ measurement, state, settings }: RuleInput): string | null {
  const silentMs = silenceMs(measurement, state.busySinceMs);
  if (state.isLoading || silentMs === null || silentMs < settings.probeIdleMs) return null;
  if (isReading(state, measurement.atMs)) return null;
  const { inFlight } = measurement.calls;
  return `${inFlight} ${inFlight === 1 ? 'call' : 'calls'} in flight without progress for ${Math.round(silentMs / 1000)} s`;
}

/** For how long the calls in flight have shown no progress; null = none is in flight. */
function silenceMs({ atMs, calls }: HealthMeasurement, busySinceMs: number | null): number | null {
  if (calls.inFlight === 0 || busySinceMs === null) return null;
  return atMs - Math.max(busySinceMs, calls.lastProgressAtMs ?? 0);
}

/** True while calls are in flight that are not expected to have said anything yet. */
export const isReading = ({ inFlight, overdueAtMs }: HealthState, atMs: number): boolean =>
  inFlight > 0 && overdueAtMs !== null && atMs < overdueAtMs;

/** True while calls are in flight and no model is in memory: one is being loaded, which has a time limit of its own. */
export function isLoading(measurement: HealthMeasurement, busySinceMs: number | null): boolean {
  if (measurement.models.length > 0) return false;
  const silentMs = silenceMs(measurement, busySinceMs);
  return silentMs !== null && silentMs < LONGEST_LOAD_MS;
}

/** An XID error of this failure. An application's error does not count again after its remedy; the others go away only with a reboot. */
function xidOf({ measurement, state }: RuleInput, failure: HealthFailure): string | null {
  return anyGpu(measurement, (gpu) => {
    const xid = gpu.xids.find(
      (one) => failureOfXid(one) === failure && (failure !== 'gpu_app_error' || isNewXid(gpu, one, state.pastXids)),
    );
    return xid === undefined ? null : `the driver reported XID ${xid} for GPU ${gpu.index}`;
  });
}

function isNewXid({ index, xidEvents }: GpuReading, xid: number, past: readonly XidCount[]): boolean {
  const before = past.find((one) => one.index === index);
  if (before === undefined || !before.xids.includes(xid)) return true;
  return xidEvents !== undefined && before.events !== null && xidEvents > before.events;
}

function anyGpu({ gpus }: HealthMeasurement, find: (gpu: GpuReading) => string | null): string | null {
  for (const gpu of gpus ?? []) {
    const reason = find(gpu);
    if (reason !== null) return reason;
  }
  return null;
}
