/**
 * Deleting a deck: marked in the database at once, done by a workflow, so that nothing of it is forgotten whatever dies meanwhile. What was
 * marked and has no workflow (the process died in between, Temporal was away) is given one by a sweep.
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { DeckhandError } from '../../domain/errors.ts';
import type { Deck } from '../../generated/prisma/client.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import {
  DELETION_WORKFLOW,
  makeDeletionWorkflowId,
  type DeletionInput,
  type RemovedCounts,
} from '../../contracts/deletion.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { unreachable } from './analyses/workflow.ts';
import type { ApiDeps } from '../context.ts';
import type { DeletionDocument } from './schemas.ts';
import { noDeck } from './store.ts';

type DeletionDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log'>;

/** Longest wait for Temporal within one request. */
const CALL_DEADLINE_MS = 5000;
/** Decks per sweep. */
const SWEEP_BATCH = 50;

/**
 * Has a deck deleted. Asking again changes nothing.
 *
 * @throws DeckhandError `not_found`
 */
export async function requestDeletion(deps: DeletionDeps, tenantId: string, deckId: string): Promise<DeletionDocument> {
  const { db, log } = deps;
  const { count } = await db.deck.updateMany({
    where: { id: deckId, tenantId, deletingAt: null },
    data: { deletingAt: new Date() },
  });
  const deck = await db.deck.findFirst({ where: { id: deckId, tenantId } });
  if (deck === null) return findDeletion(deps, tenantId, deckId);
  if (count > 0) log.info({ deckId }, 'a deck is to be deleted');
  try {
    await startDeletion(deps, deck);
  } catch (error) {
    // The mark stands, and the sweep goes on from it.
    log.warn({ err: error, deckId }, 'a deletion could not be started yet');
  }
  return ongoing(deckId, deck.deletingAt);
}

/**
 * How far a deletion is.
 *
 * @throws DeckhandError `not_found` when this deck is not being deleted, and was not lately; `service_unavailable`
 */
export async function findDeletion(
  { db, temporal }: DeletionDeps,
  tenantId: string,
  deckId: string,
): Promise<DeletionDocument> {
  const deck = await db.deck.findFirst({ where: { id: deckId, tenantId } });
  if (deck !== null && deck.deletingAt === null) {
    throw new DeckhandError('not_found', `deck ${deckId} is not being deleted`, {
      userMessage: 'This deck is not being deleted.',
    });
  }
  const run = await describeDeletion(temporal, deckId);
  if (run === null) {
    if (deck === null) throw noDeck(deckId);
    return ongoing(deckId, deck.deletingAt);
  }
  if (run.tenantId !== tenantId) throw noDeck(deckId);
  // The row goes before what only Temporal's search shows, so the run knows when all of it is gone.
  if (deck !== null || run.open) return ongoing(deckId, deck?.deletingAt ?? run.startedAt);
  return {
    deckId,
    state: 'deleted',
    requestedAt: run.startedAt.toISOString(),
    finishedAt: run.endedAt?.toISOString() ?? null,
    removed: run.removed,
  };
}

const ongoing = (deckId: string, since: Date | null): DeletionDocument => ({
  deckId,
  state: 'deleting',
  requestedAt: (since ?? new Date()).toISOString(),
  finishedAt: null,
  removed: null,
});

interface DeletionRun {
  readonly tenantId: string | undefined;
  readonly open: boolean;
  readonly startedAt: Date;
  readonly endedAt: Date | undefined;
  /** Null while it goes on, and of one that somebody ended. */
  readonly removed: RemovedCounts | null;
}

/** The run that deletes a deck, as Temporal has it; null when there is none. */
async function describeDeletion(temporal: Client, deckId: string): Promise<DeletionRun | null> {
  const handle = temporal.workflow.getHandle<() => Promise<RemovedCounts>>(makeDeletionWorkflowId(deckId));
  try {
    return await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, async () => {
      const run = await handle.describe();
      return {
        tenantId: run.typedSearchAttributes.get(ATTRIBUTES.tenant),
        open: run.status.name === 'RUNNING',
        startedAt: run.startTime,
        endedAt: run.closeTime,
        removed: run.status.name === 'COMPLETED' ? await handle.result() : null,
      };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw unreachable(error);
  }
}

/** Starts the workflow that deletes a deck. Repeating it starts nothing twice. */
async function startDeletion({ temporal }: DeletionDeps, { id: deckId, tenantId }: Deck): Promise<void> {
  const args: [DeletionInput] = [{ tenantId, deckId }];
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start<(input: DeletionInput) => Promise<RemovedCounts>>(DELETION_WORKFLOW, {
        taskQueue: CONTROL_QUEUE,
        workflowId: makeDeletionWorkflowId(deckId),
        args,
        workflowIdConflictPolicy: 'USE_EXISTING',
        // One that somebody terminated is done anew: its deck is still marked.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        // Model calls of what nobody wants any more are stopped before anything else is done.
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

/** One sweep: starts deletions that are marked and have no workflow. */
export async function resumeDeletions(deps: DeletionDeps): Promise<void> {
  const decks = await deps.db.deck.findMany({
    where: { deletingAt: { not: null } },
    orderBy: { deletingAt: 'asc' },
    take: SWEEP_BATCH,
  });
  for (const deck of decks) await startDeletion(deps, deck);
}
