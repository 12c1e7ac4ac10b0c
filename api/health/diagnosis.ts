/**
 * A diagnosis of an instance's GPU for somebody who waits for it.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { DeckhandError, isErrorCode } from '../../domain/errors.ts';
import { SERVING_BELIEVED_MS } from '../../domain/fleet/pool/serving.ts';
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { DIAGNOSIS_WORKFLOW, makeDiagnosisWorkflowId, type DiagnosisInput } from '../../contracts/diagnosis.ts';

/** A model may have to be loaded first. */
const LIMIT = '5m';

/**
 * Has the gateway that is attached to an instance look into it.
 *
 * @throws DeckhandError `not_found`; `conflict` when no gateway is attached to it; `host_not_ready` when its machine does not answer;
 *   `service_unavailable`
 */
export async function diagnoseInstance(db: PrismaClient, temporal: Client, instance: string): Promise<GpuDiagnosis> {
  const row = await db.fleetInstance.findUnique({ where: { name: instance }, include: { serving: true } });
  if (row === null) {
    throw new DeckhandError('not_found', `no instance ${instance}`, {
      userMessage: `There is no instance ${instance}.`,
      hint: '`./deckhand fleet` lists them. `local` is this machine.',
    });
  }
  const { serving } = row;
  if (serving === null || Date.now() - serving.seenAt.getTime() > SERVING_BELIEVED_MS) {
    throw new DeckhandError('conflict', `${instance} is ${row.phase} and no gateway is attached to it`, {
      userMessage: `${instance} is ${row.phase} and no gateway is attached to it, so nobody can look into it.`,
      hint: `Wake it first: \`./deckhand fleet wake ${instance}\`.`,
    });
  }
  try {
    return await temporal.workflow.execute<(input: DiagnosisInput) => Promise<GpuDiagnosis>>(DIAGNOSIS_WORKFLOW, {
      workflowId: makeDiagnosisWorkflowId(instance, randomUUID()),
      taskQueue: CONTROL_QUEUE,
      workflowExecutionTimeout: LIMIT,
      args: [{ instance }],
      staticSummary: `GPU of ${instance}`,
    });
  } catch (error) {
    throw failureOf(instance, error);
  }
}

/** Whatever is not known to come from the machine is handed back as it is. */
function failureOf(instance: string, error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError)) return error;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TimeoutFailure) {
      return new DeckhandError('service_unavailable', `diagnosis of ${instance}: ${cause.message}`, {
        userMessage: `No gateway answered the diagnosis of ${instance} in time.`,
        hint: 'Check with `./deckhand doctor` that control process and gateways run.',
        cause: error,
      });
    }
    if (cause instanceof ApplicationFailure && isErrorCode(cause.type)) {
      return new DeckhandError(cause.type, `diagnosis of ${instance}: ${cause.message}`, {
        userMessage: cause.message,
        hint: `See how it stands: \`./deckhand fleet show ${instance}\`.`,
        cause: error,
      });
    }
  }
  return error;
}
