/**
 * When a machine that does not prove itself is reported, and how often.
 *
 * A fault that time does not mend is reported at once, and again after the machine was restarted. One that time may mend (a machine that
 * boots is not reachable) is reported when the time for the proof is over, and each time that much more has passed. The gateway goes on
 * trying either way: whether the machine is restarted, replaced or waited for is the instance workflow's decision.
 */
import type { ProofFailure } from '../../domain/fleet/instance-life/types.ts';

/** A failed try. */
export interface FailedProof {
  readonly failure: ProofFailure;
  readonly message: string;
  readonly certain: boolean;
}

export type TellFailure = (failure: ProofFailure, message: string) => Promise<void>;

/** Decides which failures of one proof are told. */
export class ProofReports {
  readonly #tell: TellFailure;
  readonly #timer: NodeJS.Timeout | undefined;
  #last: FailedProof | null = null;
  #told: ProofFailure | null = null;

  /** @param timeoutMs null = only certain failures are told. */
  constructor(timeoutMs: number | null, tell: TellFailure) {
    this.#tell = tell;
    if (timeoutMs === null) return;
    const seconds = Math.round(timeoutMs / 1000);
    this.#timer = setInterval(() => {
      const { failure, message } = this.#last ?? { failure: 'timeout' as const, message: 'nothing is known of it yet' };
      this.#told = failure;
      void tell(failure, `not proved within ${seconds} s: ${message}`);
    }, timeoutMs);
  }

  /** A try failed. */
  async failed(proof: FailedProof): Promise<void> {
    this.#last = proof;
    if (!proof.certain || this.#told === proof.failure) return;
    this.#told = proof.failure;
    await this.#tell(proof.failure, proof.message);
  }

  /** A step began that takes its time: until it fails, the proof is merely late. */
  underway(message: string): void {
    this.#last = { failure: 'timeout', message, certain: false };
  }

  /** The machine was restarted: the same failure is news again. */
  restarted(): void {
    this.#told = null;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
