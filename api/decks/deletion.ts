/**
 * Deletion of a deck: it is marked in the database at once and deleted by a workflow, so that no part of it is left when a process ends
 * meanwhile.
 */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { DeckhandError } from '../../domain/errors.ts';
import { startDeletion } from '../../activities/deletion/start.ts';
import { makeDeletionWorkflowId, type RemovedCounts } from '../../contracts/deletion.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';
import { noteChangedLevels } from '../calibration/judged-lines.ts';
import type { ApiDeps } from '../deps.ts';
import type { DeletionDocument } from './schemas.ts';
import { noDeck } from './store.ts';

type DeletionDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log'>;

/** What a request to delete needs beside. */
type RequestDeps = DeletionDeps & { readonly config: Pick<ApiDeps['config'], 'answering'> };

/** Longest wait for Temporal within one request. */
const CALL_DEADLINE_MS = 5000;

/**
 * Has a deck deleted. Asking again changes nothing.
 *
 * @throws DeckhandError `not_found`
 */
export async function requestDeletion(deps: RequestDeps, tenantId: string, deckId: string): Promise<DeletionDocument> {
  const { db, log, config } = deps;
  // Judgements on a deck that is to be deleted no longer hold for other lines.
  const { count } = await db.$transaction((tx) =>
    noteChangedLevels(tx, tenantId, config.answering, () =>
      tx.deck.updateMany({ where: { id: deckId, tenantId, deletingAt: null }, data: { deletingAt: new Date() } }),
    ),
  );
  const deck = await db.deck.findFirst({ where: { id: deckId, tenantId } });
  if (deck === null) return findDeletion(deps, tenantId, deckId);
  if (count > 0) log.info({ deckId }, 'a deck is to be deleted');
  try {
    await startDeletion(deps.temporal, deck);
  } catch (error) {
    // The mark stays; the next round of resumeDeletions starts it.
    log.warn({ err: error, deckId }, 'a deletion could not be started yet');
  }
  return ongoing(deckId, deck.deletingAt);
}

/**
 * Progress of a deletion.
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
  // The row is removed before the entries in Temporal's search, so the run decides when all is gone.
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
  /** Null while it runs, and when it was terminated. */
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
