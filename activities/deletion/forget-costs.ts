/**
 * Takes a deck out of the books: what it cost stays, with its tenant and what kind of work it was, and nothing says any more which deck, slide
 * or call that was.
 */
import type { Prisma } from '../../generated/prisma/client.ts';
import { forgetAttempts } from '../costs/ledger/forgotten-attempts.ts';

/**
 * Of one analysis. Its deck must be marked for deletion before: then whatever the ledger settles from here on comes without the deck's ids.
 */
export async function forgetCosts(tx: Prisma.TransactionClient, analysisId: string): Promise<void> {
  const nothing = { deckId: null, analysisId: null, callId: null, slideNumber: null };
  await tx.ledgerEntry.updateMany({ where: { analysisId }, data: nothing });
  await forgetAttempts(tx, analysisId);
}
