/**
 * Ends the open runs of a deck that is being deleted: asked to cancel first, so that model calls stop in order, made to later.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Histories } from './histories.ts';

/** A row this young may belong to a run that is being started right now. */
const STARTING_MS = 10_000;

/** @returns how many runs have not ended yet */
export async function endRuns(
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
