/** Input, progress and result of one readiness check of a machine. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import type { ReadinessFailure } from '../../domain/fleet/instance-life/memory.ts';
import type { ModelHost } from '../models/host/model-host.ts';
import type { MachineShell } from './machine.ts';

/** Progress of a readiness check. */
export type ReadinessStage =
  | { readonly state: 'connecting' | 'proving'; readonly message: string }
  | { readonly state: 'pulling'; readonly message: string; readonly percent: number };

/** Result of one readiness check. */
export type ReadinessResult =
  | { readonly ready: true; readonly facts: ReadinessFacts }
  | {
      readonly ready: false;
      readonly failure: ReadinessFailure;
      readonly message: string;
      /** False where waiting may help, for example while the machine boots. */
      readonly certain: boolean;
    };

export interface ReadinessOptions {
  readonly db: PrismaClient;
  readonly host: ModelHost;
  readonly shell: MachineShell | null;
  readonly profile: string;
  readonly classes: readonly string[];
  /** Pull missing models and require a generation on the GPU; see `ServeInput.rented`. */
  readonly rented: boolean;
  /** Require one answer of each model that fits a schema; for servers about which nothing else can be checked. */
  readonly provesAnswers: boolean;
  /** Calls that it is given at a time. */
  readonly slots: number;
  readonly signal: AbortSignal;
  readonly onStage: (stage: ReadinessStage) => void;
}

const sentences = ({ message, hint = '' }: DeckhandError): string => `${message} ${hint}`.trim();

/** Turns a fault of the machine into a result; other errors are thrown. */
export function failed(
  signal: AbortSignal,
  error: unknown,
  failure: ReadinessFailure,
  certain: boolean,
  advice?: string,
): Extract<ReadinessResult, { ready: false }> {
  signal.throwIfAborted();
  if (!(error instanceof DeckhandError)) throw error;
  // Nothing is wrong with the machine: somebody has to allow it.
  if (error.code === 'data_would_leave') return { ready: false, failure, message: sentences(error), certain: true };
  const message = advice === undefined ? error.message : `${error.message}; ${advice}`;
  return { ready: false, failure, message, certain };
}
