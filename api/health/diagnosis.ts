/**
 * The diagnosis of an instance's GPU, while the request waits.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { DeckhandError } from '../../domain/errors.ts';
import { SERVING_BELIEVED_MS } from '../../domain/fleet/pool/serving.ts';
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { noInstance } from '../fleet/no-instance.ts';
import { workflowFailure } from '../http/workflow-failure.ts';
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
  if (row === null) throw noInstance(instance, ' `local` is this machine.');
  const { serving } = row;
  if (serving === null || Date.now() - serving.seenAt.getTime() > SERVING_BELIEVED_MS) {
    throw new DeckhandError('conflict', `${instance} is ${row.phase} and no gateway is attached to it`, {
      userMessage: `${instance} is ${row.phase} and no gateway is attached to it, so it cannot be examined.`,
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
    throw workflowFailure(error, {
      what: `diagnosis of ${instance}`,
      lateMessage: `No gateway answered the diagnosis of ${instance} in time.`,
      lateHint: 'Check with `./deckhand doctor` that control process and gateways run.',
      hint: `See its state: \`./deckhand fleet show ${instance}\`.`,
    });
  }
}
