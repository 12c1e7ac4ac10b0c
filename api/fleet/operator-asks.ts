/**
 * Requests of an operator to an instance: checked against its phase, then sent to its pool, which carries them out.
 */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { isFinal, phaseOf, phasesThat, type InstancePhase } from '../../domain/fleet/phases.ts';
import { makePoolWorkflowId, OPERATOR_SIGNAL } from '../../contracts/pool.ts';
import { type OperatorAsk, type OperatorRequest } from '../../domain/fleet/pool/pool-state.ts';
import { noInstance } from './no-instance.ts';

const CALL_DEADLINE_MS = 5000;

/** Phases in which a request makes sense. */
const PHASES_FOR: Readonly<Record<OperatorRequest, readonly InstancePhase[]>> = {
  cordon: ['ready', 'cordoned', 'booting', 'waking'],
  uncordon: ['cordoned', 'ready'],
  drain: ['ready', 'cordoned', 'booting', 'waking'],
  wake: ['suspended', 'suspending', 'cordoned', 'waking', 'ready'],
  suspend: ['booting', 'ready', 'cordoned', 'waking', 'suspending', 'suspended'],
  destroy: phasesThat((phase) => !isFinal(phase)),
};

/** Servers that are not rented by Deckhand cannot be stopped by it. */
const FOR_STATIC: readonly OperatorRequest[] = ['cordon', 'uncordon', 'drain'];

/**
 * Hands a request to the pool.
 *
 * @throws DeckhandError `not_found`; `conflict` when the instance is in no state for it; `service_unavailable`
 */
export async function askInstance(
  db: PrismaClient,
  temporal: Client,
  { instance, request, by }: OperatorAsk,
): Promise<void> {
  const row = await db.fleetInstance.findUnique({ where: { name: instance } });
  if (row === null) throw noInstance(instance);
  const phase = phaseOf(row.phase);
  if (row.provider === 'static' && !FOR_STATIC.includes(request)) {
    throw new DeckhandError('conflict', `${request} of static ${instance}`, {
      userMessage: `${instance} is a server that runs already; it can be cordoned and uncordoned, not ${pastOf(request)}.`,
    });
  }
  if (!PHASES_FOR[request].includes(phase)) {
    throw new DeckhandError('conflict', `${request} of ${instance} in phase ${phase}`, {
      userMessage: `${instance} is ${phase} and cannot be ${pastOf(request)}.`,
    });
  }
  await signalPool(temporal, row.pool, { instance, request, by });
}

async function signalPool(temporal: Client, pool: string, ask: OperatorAsk): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.getHandle(makePoolWorkflowId(pool)).signal<[OperatorAsk]>(OPERATOR_SIGNAL, ask),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      throw new DeckhandError('service_unavailable', `pool ${pool} does not run`, {
        userMessage: `The pool ${pool} does not run, so it cannot carry this out.`,
        hint: 'It starts with the control process, when the fleet file names it.',
        cause: error,
      });
    }
    throw new DeckhandError('service_unavailable', `Temporal: ${String(error)}`, {
      userMessage: 'Temporal did not accept the request.',
      hint: 'Check it with `./deckhand doctor` and try again.',
      cause: error,
    });
  }
}

function pastOf(request: OperatorRequest): string {
  switch (request) {
    case 'cordon':
      return 'cordoned';
    case 'uncordon':
      return 'uncordoned';
    case 'drain':
      return 'drained';
    case 'wake':
      return 'woken';
    case 'suspend':
      return 'suspended';
    case 'destroy':
      return 'destroyed';
    default:
      return request satisfies never;
  }
}
