/** Reasons why a run waits while models have its calls: a slot, a model that loads, a prompt that is read. From the heartbeats of its calls. */
import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/codec-helpers.js';
import type { Payload } from '@temporalio/common';
import { durationWords } from '../../../domain/text/words.ts';
import type { CallPhase } from '../../models/client/generate.ts';

/** A call that a worker has. */
export interface RunningCall {
  /** Name of its activity. */
  readonly name: string;
  readonly phase: CallPhase['phase'];
  readonly startedAtMs: number;
}

/** The prompts that have to be read, as far as they are known. */
export interface Reading {
  /** Tokens of the prompt of an activity, estimated. */
  readonly promptTokensOf: (name: string) => number | null;
  /** Null = not measured. */
  readonly readTokensPerSec: number | null;
}

/** Shorter phases are the ordinary way of a call. */
const WAITING_AFTER_MS = 3000;

const PHASES = ['waiting', 'loading', 'prompting', 'generating'] as const satisfies readonly CallPhase['phase'][];

/** The phase that a call last said, from the payloads of its heartbeat; null when it has said none. */
export async function phaseOf(
  { options }: Pick<Client, 'options'>,
  heartbeat: { readonly payloads?: Payload[] | null } | null | undefined,
): Promise<CallPhase['phase'] | null> {
  const [details] = await decodeArrayFromPayloads(options.loadedDataConverter, heartbeat?.payloads);
  if (typeof details !== 'object' || details === null || !('phase' in details)) return null;
  return PHASES.find((phase) => phase === details.phase) ?? null;
}

/**
 * The thing that these calls wait for, as it reads behind "waiting for"; null while one of them writes its answer, or has only just begun.
 *
 * Of calls in several phases the one that is furthest is named.
 */
export function runningReason(calls: readonly RunningCall[], nowMs: number, reading: Reading | null): string | null {
  const [furthest] = calls.toSorted((a, b) => PHASES.indexOf(b.phase) - PHASES.indexOf(a.phase));
  if (furthest === undefined || nowMs - furthest.startedAtMs < WAITING_AFTER_MS) return null;
  switch (furthest.phase) {
    case 'generating':
      return null;
    case 'prompting':
      return `a model that reads a prompt${lengthOf(furthest, reading)}`;
    case 'loading':
      return 'a model that is loaded';
    case 'waiting':
      return 'a free slot of the model server';
  }
}

function lengthOf({ name }: RunningCall, reading: Reading | null): string {
  const tokens = reading?.promptTokensOf(name) ?? null;
  if (reading === null || tokens === null) return '';
  const { readTokensPerSec } = reading;
  const lasting =
    readTokensPerSec === null ? '' : `, ${durationWords((tokens / readTokensPerSec) * 1000)} at its speed`;
  return ` of about ${tokens.toLocaleString('en-US', { maximumSignificantDigits: 2 })} tokens${lasting}`;
}
