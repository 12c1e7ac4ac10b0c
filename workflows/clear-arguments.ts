/**
 * Interceptor of every workflow: with encryption on, workflows, signals and updates with arguments in clear are refused. A client without a
 * key can then start or signal nothing that takes arguments, even if it reaches Temporal.
 *
 * The codec marks payloads that came in clear in their metadata (domain/temporal/clear-payload.ts). What a run refused once it refuses
 * again when it is replayed, whatever the settings are then: a patch marker in its history says so. Nothing else changes a history.
 */
import type { Headers, Payload } from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/encoding.js';
import {
  ApplicationFailure,
  log,
  patched,
  workflowInfo,
  type ActivateInput,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { CLEAR_MARK, refusesClear } from '../domain/temporal/clear-payload.ts';
import type { ErrorCode } from '../domain/errors.ts';

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];

const REFUSED: ErrorCode = 'payload_in_clear';

/** The arguments of a job and where its headers are; undefined for jobs that carry none from outside. */
function argumentsOf({ initializeWorkflow, signalWorkflow, doUpdate }: Job) {
  if (initializeWorkflow) return { carrier: initializeWorkflow, payloads: initializeWorkflow.arguments };
  if (signalWorkflow) return { carrier: signalWorkflow, payloads: signalWorkflow.input };
  if (doUpdate) return { carrier: doUpdate, payloads: doUpdate.input };
  return undefined;
}

/** Copies the mark of a payload into the headers, which the other interceptors see. A mark that a client set there is removed. */
function passMarkOn(job: Job): void {
  const found = argumentsOf(job);
  if (found === undefined) return;
  const { carrier, payloads } = found;
  const { [CLEAR_MARK]: _forged, ...headers } = carrier.headers ?? {};
  const mark = payloads?.map(({ metadata }) => metadata?.[CLEAR_MARK]).find((value) => value !== undefined);
  carrier.headers = mark === undefined ? headers : { ...headers, [CLEAR_MARK]: { data: mark } };
}

/** The mark in headers; undefined where nothing came in clear. */
function markIn(headers: Headers): string | undefined {
  const payload: Payload | undefined = headers[CLEAR_MARK];
  return payload === undefined ? undefined : decode(payload.data ?? encode(''));
}

const isRefused = (mark: string | undefined): boolean =>
  mark !== undefined && refusesClear(mark, workflowInfo().startTime.getTime());

const refusal = (what: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${what} came with arguments in clear, and encryption is on.`, REFUSED);

export const interceptors: WorkflowInterceptorsFactory = () => {
  let seenInClear = 0;

  /** As `isRefused`, of something that the run goes on after. */
  function isRefusedInHistory(mark: string | undefined): boolean {
    if (mark === undefined) return false;
    seenInClear += 1;
    return (workflowInfo().unsafe.isReplaying || isRefused(mark)) && patched(`refused-in-clear-${seenInClear}`);
  }

  return {
    internals: [
      {
        activate(input, next) {
          input.activation.jobs?.forEach(passMarkOn);
          next(input);
        },
      },
    ],
    inbound: [
      {
        execute(input, next) {
          if (!isRefused(markIn(input.headers))) return next(input);
          log.warn('refused to run: arguments in clear');
          return Promise.reject(refusal('The workflow'));
        },
        handleSignal(input, next) {
          if (!isRefusedInHistory(markIn(input.headers))) return next(input);
          log.warn('refused a signal: arguments in clear', { signalName: input.signalName });
          return Promise.resolve();
        },
        validateUpdate(input, next) {
          if (isRefused(markIn(input.headers))) throw refusal(`The update ${input.name}`);
          next(input);
        },
        handleUpdate(input, next) {
          if (!isRefusedInHistory(markIn(input.headers))) return next(input);
          return Promise.reject(refusal(`The update ${input.name}`));
        },
      },
    ],
  };
};
