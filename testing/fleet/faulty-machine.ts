/**
 * A machine whose health is given as data, on virtual time: what its driver, its model server and its gateway would say at any moment,
 * with a fault or without.
 */
import { failureOfXid } from '../../domain/health/xids.ts';
import type { CallsReading, GpuReading, HealthMeasurement, ProbeReading } from '../../domain/health/types.ts';

/** What goes wrong. `silent`: no look at it is answered, whatever runs on it. */
export type MachineFault =
  | { readonly kind: 'wedged'; readonly model?: string }
  | { readonly kind: 'cpu' }
  | { readonly kind: 'xid'; readonly xid: number }
  | { readonly kind: 'hot'; readonly marginC: number }
  | { readonly kind: 'slow'; readonly factor: number }
  | { readonly kind: 'remap_failed' }
  | { readonly kind: 'no_gpu' }
  | { readonly kind: 'disk_full' }
  | { readonly kind: 'silent' }
  /** It answers calls with nothing that can be used, and goes on answering probes. */
  | { readonly kind: 'garbage' };

/**
 * Work on it: none, calls one after the other in every slot, a single call that begins at a time, or prompts that are read one after the other,
 * in silence: a token comes after `readMs`, and the gateway expects it within `expectedMs`.
 */
export type Traffic =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly inFlight: number; readonly callMs: number }
  | { readonly kind: 'one_call'; readonly fromMs: number }
  | { readonly kind: 'reads'; readonly readMs: number; readonly expectedMs: number };

export interface FaultyMachineOptions {
  readonly traffic: Traffic;
  readonly slots?: number;
  readonly models?: readonly string[];
  /** Duration of a probe while all is well. */
  readonly probeMs?: number;
}

const GIB = 2 ** 30;
const PROBE_MS = 500;

export class FaultyMachine {
  readonly #options: FaultyMachineOptions;
  readonly #models: readonly string[];
  readonly #probed: string[] = [];
  fault: MachineFault | null = null;
  faultSinceMs = 0;
  /** XID errors in its kernel log, oldest first. */
  log: number[] = [];

  constructor(options: FaultyMachineOptions) {
    this.#options = options;
    this.#models = options.models ?? ['gemma3:12b'];
  }

  setFault(fault: MachineFault | null, atMs: number): void {
    this.fault = fault;
    this.faultSinceMs = atMs;
    if (fault?.kind === 'xid') this.log.push(fault.xid);
  }

  /** Its kernel log begins anew. */
  reboot(): void {
    this.log = [];
  }

  get isSilent(): boolean {
    return this.fault?.kind === 'silent';
  }

  measure(atMs: number): HealthMeasurement {
    const faulty = this.fault;
    return {
      atMs,
      gpus: faulty?.kind === 'no_gpu' ? [] : [this.#gpu()],
      gpuMessage: faulty?.kind === 'no_gpu' ? 'No devices were found' : null,
      withoutShell: false,
      models: this.#models.map((name) => ({
        name,
        sizeBytes: 8 * GIB,
        vramBytes: faulty?.kind === 'cpu' ? 0 : 8 * GIB,
      })),
      calls: this.#calls(atMs),
      diskFreeBytes: (faulty?.kind === 'disk_full' ? 1 : 20) * GIB,
      diskTotalBytes: 50 * GIB,
    };
  }

  /** A probe that is begun now; it answers after `durationMs` of the reading, or at once when it is busy. */
  probe(atMs: number, timeoutMs: number, wanted: string | null): ProbeReading {
    const { slots = 4, probeMs = PROBE_MS } = this.#options;
    if (this.#calls(atMs).inFlight >= slots) return { kind: 'busy', atMs };
    const model = wanted ?? this.#next();
    this.#probed.push(model);
    const faulty = this.fault;
    const isStuck =
      (faulty?.kind === 'wedged' && (faulty.model === undefined || faulty.model === model)) ||
      faulty?.kind === 'no_gpu' ||
      (faulty?.kind === 'xid' && faulty.xid === 79) ||
      // A trial takes its turn with the prompts.
      this.#options.traffic.kind === 'reads';
    const durationMs = isStuck
      ? timeoutMs
      : Math.min(timeoutMs, probeMs * (faulty?.kind === 'slow' ? faulty.factor : 1));
    const said = { atMs: atMs + durationMs, durationMs, model };
    if (isStuck) return { kind: 'failed', ...said, message: 'no answer' };
    return { kind: 'answered', ...said, vramBytes: faulty?.kind === 'cpu' ? 0 : 8 * GIB };
  }

  #next(): string {
    const last = (model: string): number => this.#probed.lastIndexOf(model);
    return this.#models.toSorted((a, b) => last(a) - last(b))[0] ?? '';
  }

  #gpu(): GpuReading {
    const faulty = this.fault;
    return {
      index: 0,
      name: 'NVIDIA H100',
      utilRatio: 0.5,
      memoryUsedBytes: 20 * GIB,
      memoryTotalBytes: 80 * GIB,
      temperatureC: faulty?.kind === 'hot' ? 87 - faulty.marginC : 60,
      slowdownMarginC: faulty?.kind === 'hot' ? faulty.marginC : 27,
      throttleReasons: [],
      xids: [...new Set(this.log)].toSorted((a, b) => a - b),
      xidEvents: this.log.filter((xid) => failureOfXid(xid) === 'gpu_app_error').length,
      // A contained memory error is counted like any other, until the next boot.
      eccUncorrected: this.log.filter((xid) => xid === 94).length,
      rowRemapPending: false,
      rowRemapFailed: faulty?.kind === 'remap_failed',
    };
  }

  /** Calls stop getting on when the runner is stuck, and hang from then on. */
  #calls(atMs: number): CallsReading {
    const { traffic } = this.#options;
    const faulty = this.fault;
    const stuckSinceMs = faulty?.kind === 'wedged' && faulty.model === undefined ? this.faultSinceMs : Infinity;
    const none = { inFlight: 0, oldestCallAtMs: null, stalledInARow: 0 };
    switch (traffic.kind) {
      case 'idle':
        return { ...none, lastCallAtMs: null, lastProgressAtMs: null };
      case 'busy': {
        const nowMs = Math.min(atMs, stuckSinceMs);
        const { inFlight, callMs } = traffic;
        const oldestCallAtMs = nowMs - (nowMs % callMs);
        const unusableInARow =
          faulty?.kind === 'garbage' ? inFlight * Math.floor((atMs - this.faultSinceMs) / callMs) : 0;
        const figures = { lastCallAtMs: oldestCallAtMs, lastProgressAtMs: nowMs, stalledInARow: 0, unusableInARow };
        return { inFlight, oldestCallAtMs, ...figures };
      }
      case 'one_call': {
        const { fromMs } = traffic;
        if (atMs < fromMs) return { ...none, lastCallAtMs: null, lastProgressAtMs: null };
        const got = Math.min(atMs, stuckSinceMs);
        const lastProgressAtMs = got > fromMs ? got : null;
        return { inFlight: 1, oldestCallAtMs: fromMs, lastCallAtMs: fromMs, lastProgressAtMs, stalledInARow: 0 };
      }
      case 'reads': {
        const { readMs, expectedMs } = traffic;
        const nowMs = Math.min(atMs, stuckSinceMs);
        const beganMs = nowMs - (nowMs % readMs);
        const began = { oldestCallAtMs: beganMs, lastCallAtMs: beganMs, lastProgressAtMs: beganMs };
        return { inFlight: 1, ...began, overdueAtMs: beganMs + expectedMs, stalledInARow: 0 };
      }
      default:
        return traffic satisfies never;
    }
  }
}
