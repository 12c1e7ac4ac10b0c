/**
 * When and how often a machine that fails its readiness check is reported.
 *
 * A permanent fault is reported at once, and again after the machine was restarted. A fault that waiting may solve (a machine that boots is
 * not reachable) is reported after each tenth of the time for the whole readiness check that it lasts; of a server that runs already, which
 * nothing is done to, also at once. A step that is merely long, such as
 * the pull of a model, is reported as `timeout` when the whole time is over. The gateway goes on trying either way: whether the machine is
 * restarted, replaced or waited for is the instance workflow's decision.
 */
import type { ReadinessFailure } from '../../domain/fleet/instance-life/memory.ts';

/** Most reports of a temporary fault within the time limit. */
const REPORTS_PER_CHECK = 10;

/** A failed readiness check. */
export interface FailedCheck {
  readonly failure: ReadinessFailure;
  readonly message: string;
  readonly certain: boolean;
}

export type TellFailure = (failure: ReadinessFailure, message: string) => Promise<void>;

/** Decides which failures of one readiness check are reported. */
export class ReadinessReports {
  readonly #tell: TellFailure;
  readonly #runsAlready: boolean;
  readonly #timers: readonly NodeJS.Timeout[];
  /** The fault of the last try; null while a step is under way that has not failed. */
  #fault: FailedCheck | null = null;
  #step = 'nothing is known of it yet';
  #told: ReadinessFailure | null = null;

  /**
   * @param timeoutMs for the whole readiness check; null = only certain failures are reported
   * @param runsAlready its server runs already and does not boot
   */
  constructor(timeoutMs: number | null, tell: TellFailure, runsAlready = false) {
    this.#tell = tell;
    this.#runsAlready = runsAlready;
    if (timeoutMs === null) {
      this.#timers = [];
      return;
    }
    this.#timers = [
      setInterval(() => {
        if (this.#fault?.certain === false) this.#say(this.#fault.failure, this.#fault.message);
      }, timeoutMs / REPORTS_PER_CHECK),
      setInterval(() => {
        if (this.#fault === null) this.#say('timeout', `not ready within ${timeoutMs / 1000} s: ${this.#step}`);
      }, timeoutMs),
    ];
  }

  /** A check failed. */
  failed(check: FailedCheck): void {
    this.#fault = check;
    if ((check.certain || this.#runsAlready) && this.#told !== check.failure) this.#say(check.failure, check.message);
  }

  /** A step is under way that takes its time and that only a machine reaches that is there. */
  underway(step: string): void {
    this.#fault = null;
    this.#step = step;
  }

  /** The machine was restarted: the same failure is reported again. */
  restarted(): void {
    this.#told = null;
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** The delivery is retried; the readiness check goes on meanwhile. */
  #say(failure: ReadinessFailure, message: string): void {
    this.#told = failure;
    void this.#tell(failure, message);
  }
}
