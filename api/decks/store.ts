/** Decks in the database: found by tenant and id, stored once per tenant and content. */
import { randomUUID } from 'node:crypto';
import type { Deck, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { deckPdfKey } from '../../platform/blobs.ts';
import type { ApiDeps } from '../context.ts';
import type { ReceivedFile } from './receive.ts';

/**
 * The deck of a tenant.
 *
 * @throws DeckhandError `not_found`, also for a deck of another tenant
 */
export async function findDeck(db: PrismaClient, tenantId: string, deckId: string): Promise<Deck> {
  const deck = await db.deck.findFirst({ where: { id: deckId, tenantId } });
  if (deck === null)
    throw new DeckhandError('not_found', `no deck ${deckId}`, { userMessage: 'There is no such deck.' });
  return deck;
}

/**
 * Stores an upload: the blob first, then the row, so that a row always has its bytes. The same PDF is the same deck; its first file name stays.
 *
 * @returns the deck, and whether it is new
 */
export async function storeDeck(
  { db, blobs }: Pick<ApiDeps, 'db' | 'blobs'>,
  tenantId: string,
  file: ReceivedFile,
): Promise<{ deck: Deck; created: boolean }> {
  const key = deckPdfKey(tenantId, file.sha256);
  if (!(await blobs.has(key))) await blobs.put(key, { path: file.path });
  const id = randomUUID();
  const { fileName, sha256, sizeBytes } = file;
  // Two uploads of one file at the same time: one insert wins, both get its row.
  await db.deck.createMany({ data: { id, tenantId, sha256, fileName, sizeBytes, hazards: [] }, skipDuplicates: true });
  const deck = await db.deck.findUniqueOrThrow({ where: { tenantId_sha256: { tenantId, sha256 } } });
  return { deck, created: deck.id === id };
}
