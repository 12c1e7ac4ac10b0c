/**
 * Removes the deck itself: its images and its PDF, and the row with them.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { deckImagesPrefix, deckPdfKey, type BlobStore } from '../../platform/blobs.ts';
import { forgetDeckInReports } from '../costs/report/forget-deck.ts';
import { NOTHING_REMOVED, type RemovedCounts } from '../../contracts/deletion.ts';

/**
 * @returns what was removed; nothing when the row is gone already
 */
export async function removeDeckFiles(
  { db, blobs }: { readonly db: PrismaClient; readonly blobs: BlobStore },
  { tenantId, deckId }: { readonly tenantId: string; readonly deckId: string },
): Promise<RemovedCounts> {
  const slides = await db.slide.count({ where: { deckId } });
  await blobs.deletePrefix(deckImagesPrefix(tenantId, deckId));
  const wasThere = await db.$transaction(async (tx) => {
    const deck = await tx.deck.findUnique({ where: { id: deckId }, select: { sha256: true } });
    if (deck === null) return false;
    // The same PDF may be uploaded again at any moment, under the same key. From here on its row waits for the end of this transaction, and
    // whoever writes it looks for the bytes after that: so they go now, and never once the row is gone.
    await forgetDeckInReports(tx, deckId);
    // Another try of this very step may have been faster.
    const { count } = await tx.deck.deleteMany({ where: { id: deckId } });
    if (count === 0) return false;
    await blobs.delete(deckPdfKey(tenantId, deck.sha256));
    return true;
  });
  // What a page drawn at the last moment left: no row of it can come any more.
  await blobs.deletePrefix(deckImagesPrefix(tenantId, deckId));
  return wasThere ? { ...NOTHING_REMOVED, slides } : NOTHING_REMOVED;
}
