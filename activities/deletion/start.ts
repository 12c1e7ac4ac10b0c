/**
 * Starts the workflow that deletes a deck: when the deletion is requested and, for decks that are marked and have no workflow (the process
 * ended in between, Temporal was away), in rounds.
 */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { Deck, PrismaClient } from '../../generated/prisma/client.ts';
import {
  DELETION_WORKFLOW,
  makeDeletionWorkflowId,
  type DeletionInput,
  type RemovedCounts,
} from '../../contracts/deletion.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';

/** Longest wait for Temporal. */
const CALL_DEADLINE_MS = 5000;
/** Decks per round. */
const BATCH = 50;

/** Starts the workflow that deletes a deck. Repeating it starts nothing twice. */
export async function startDeletion(
  temporal: Client,
  { id: deckId, tenantId }: Pick<Deck, 'id' | 'tenantId'>,
): Promise<void> {
  const args: [DeletionInput] = [{ tenantId, deckId }];
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start<(input: DeletionInput) => Promise<RemovedCounts>>(DELETION_WORKFLOW, {
        taskQueue: CONTROL_QUEUE,
        workflowId: makeDeletionWorkflowId(deckId),
        args,
        workflowIdConflictPolicy: 'USE_EXISTING',
        // A deletion that was terminated is repeated: its deck is still marked.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        // Model calls of a deleted deck are stopped before other work.
        priority: { priorityKey: 1, fairnessKey: tenantId },
        // The deck's id stays out, so that a search for the deck finds nothing.
        typedSearchAttributes: [{ key: ATTRIBUTES.tenant, value: tenantId }],
        staticSummary: `Deletion of deck ${deckId.slice(0, 8)}`,
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return;
    throw unreachable(error);
  }
}

/** One round: starts the deletions that are marked and have no workflow. */
export async function resumeDeletions(db: PrismaClient, temporal: Client): Promise<void> {
  const decks = await db.deck.findMany({
    where: { deletingAt: { not: null } },
    orderBy: { deletingAt: 'asc' },
    take: BATCH,
  });
  for (const deck of decks) await startDeletion(temporal, deck);
}
