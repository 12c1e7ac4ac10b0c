/** Activities of the deletion of a deck, on queue `control`. Each can be repeated, also after it succeeded and its result was lost. */
import type { Client } from '@temporalio/client';
import type { BlobStore } from '../../platform/blobs.ts';
import { removeScratchOf } from '../../platform/scratch.ts';
import type { RemovedCounts } from '../../contracts/deletion.ts';
import { heartbeating } from '../support/heartbeat.ts';
import { Histories } from './histories.ts';
import { removeAnalyses, removeDeckFiles } from './remove.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

interface DeckId {
  readonly deckId: string;
}

export interface DeletionActivities {
  /** Marks the deck as being deleted: no new analysis can start. */
  markDeck(input: DeckId): Promise<void>;
  /** Cancels or terminates the runs over the deck. Returns how many have not ended yet. */
  endRuns(input: DeckId & { readonly terminate: boolean }): Promise<{ readonly open: number }>;
  /** Removes some of its analyses; `more` when there may be others. */
  removeAnalyses(input: DeckId): Promise<{ readonly removed: RemovedCounts; readonly more: boolean }>;
  /** Removes PDF, images, what a killed process left of them, and row. */
  removeDeckFiles(input: DeckId & { readonly tenantId: string }): Promise<RemovedCounts>;
  /**
   * Looks for runs with the deck's id: those that the server has not deleted yet, and those without a row.
   *
   * @param input.remove has them deleted, once more
   */
  findRuns(input: DeckId & { readonly remove: boolean }): Promise<{ readonly left: number }>;
}

/** Dependencies of the activities. */
export interface DeletionDeps {
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly temporal: Client;
  /** Data directory, where the command line keeps reviews as files and processes what they work on. */
  readonly home: string;
}

export function createDeletionActivities(deps: DeletionDeps): DeletionActivities {
  const { db, temporal } = deps;
  const histories = new Histories(temporal);
  return heartbeating<DeletionActivities>({
    markDeck: async ({ deckId }) => {
      await db.deck.updateMany({ where: { id: deckId, deletingAt: null }, data: { deletingAt: new Date() } });
    },
    endRuns: (input) => endRuns(db, histories, input),
    removeAnalyses: (input) => removeAnalyses(deps, histories, input),
    removeDeckFiles: async (input) => {
      // Every run over the deck has ended: these files are of a process that was killed, or that gives them up now.
      await removeScratchOf(deps.home, input.deckId);
      return removeDeckFiles(deps, input);
    },
    findRuns: async ({ deckId, remove }) => {
      const workflowIds = await histories.ofDeck(deckId);
      if (remove) for (const workflowId of workflowIds) await histories.remove(workflowId);
      return { left: workflowIds.length };
    },
  });
}

/**
 * Ends the open runs of a deck that is being deleted: asked to cancel first, so that model calls stop in order, made to later.
 */

/** A row this young may belong to a run that is being started right now. */
const STARTING_MS = 10_000;

/** @returns how many runs have not ended yet */
async function endRuns(
  db: PrismaClient,
  histories: Histories,
  input: { readonly deckId: string; readonly terminate: boolean },
): Promise<{ readonly open: number }> {
  const rows = await db.analysis.findMany({
    where: { deckId: input.deckId, status: { in: ['queued', 'running'] } },
    select: { workflowId: true, createdAt: true },
  });
  const stillOpen = await Promise.all(
    rows.map(async ({ workflowId, createdAt }) => {
      const open = await histories.isOpen(workflowId);
      if (open === null) return Date.now() - createdAt.getTime() < STARTING_MS;
      // Asking twice does no harm: the server keeps one request.
      if (open) await (input.terminate ? histories.terminate(workflowId) : histories.cancel(workflowId));
      return open;
    }),
  );
  return { open: stillOpen.filter(Boolean).length };
}
