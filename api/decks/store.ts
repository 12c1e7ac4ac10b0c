/** Decks in the database: found by tenant and id, stored once per tenant and content. */
import { randomUUID } from 'node:crypto';
import type { Deck, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { deckPdfKey } from '../../platform/blobs.ts';
import type { ApiDeps } from '../deps.ts';
import type { ReceivedFile } from './receive.ts';

/** Names of a deck beside its first that are kept. */
const MAX_OTHER_NAMES = 20;

/**
 * The deck of a tenant.
 *
 * @throws DeckhandError `not_found`, also for a deck of another tenant
 */
export async function findDeck(db: PrismaClient, tenantId: string, deckId: string): Promise<Deck> {
  const deck = await db.deck.findFirst({ where: { id: deckId, tenantId } });
  if (deck === null) throw noDeck(deckId);
  return deck;
}

/** The answer to an id that no deck has. */
export const noDeck = (deckId: string): DeckhandError =>
  new DeckhandError('not_found', `no deck ${deckId}`, { userMessage: 'There is no such deck.' });

/** The failure of a row; null where it did not fail. */
export const failureOf = ({
  failureCode: code,
  failureMessage,
}: {
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}): { code: string; message: string } | null => (code === null ? null : { code, message: failureMessage ?? code });

/** Keeps one more name of a deck, unless it is known or there are too many. */
async function noteName(db: PrismaClient, deck: Deck, fileName: string): Promise<Deck> {
  const isKnown = deck.fileName === fileName || deck.otherNames.includes(fileName);
  if (isKnown || deck.otherNames.length >= MAX_OTHER_NAMES) return deck;
  // Another upload under this name may have been faster, and the deck may be gone.
  await db.deck.updateMany({
    where: { id: deck.id, NOT: { otherNames: { has: fileName } } },
    data: { otherNames: { push: fileName } },
  });
  return (await db.deck.findUnique({ where: { id: deck.id } })) ?? deck;
}

/** The refusal of work on a deck that is being deleted. */
const beingDeleted = (deckId: string, hint: string): DeckhandError =>
  new DeckhandError('conflict', `deck ${deckId} is being deleted`, {
    userMessage: 'This deck is being deleted.',
    hint,
  });

/**
 * Locks a deck until the end of the transaction, so that a deletion that begins meanwhile sees what is written with it.
 *
 * @throws DeckhandError `not_found`; `conflict` when it is being deleted
 */
export async function holdDeck(tx: Prisma.TransactionClient, tenantId: string, deckId: string): Promise<void> {
  const [deck] = await tx.$queryRaw<{ deletingAt: Date | null }[]>`
    SELECT "deletingAt" FROM "Deck" WHERE "id" = ${deckId} AND "tenantId" = ${tenantId} FOR SHARE`;
  if (deck === undefined) throw noDeck(deckId);
  if (deck.deletingAt !== null) throw beingDeleted(deckId, 'Upload the PDF again once it is gone.');
}

/** Whose a deck is. */
interface Uploader {
  readonly tenantId: string;
  /** Name of the key that was shown; null where none was needed. */
  readonly uploadedBy: string | null;
}

/**
 * Stores an upload: the blob first, then the row, so that a row always has its bytes. The same PDF is the same deck; its first file name stays, and
 * others are kept beside it.
 *
 * @returns the deck, and whether it is new
 * @throws DeckhandError `conflict` while the same deck is being deleted
 */
export async function storeDeck(
  { db, blobs }: Pick<ApiDeps, 'db' | 'blobs'>,
  { tenantId, uploadedBy }: Uploader,
  file: ReceivedFile,
): Promise<{ deck: Deck; created: boolean }> {
  const key = deckPdfKey(tenantId, file.sha256);
  if (!(await blobs.has(key))) await blobs.put(key, { path: file.path });
  const id = randomUUID();
  const { fileName, sha256, sizeBytes } = file;
  // Two uploads of one file at the same time: one insert wins, both get its row.
  await db.deck.createMany({
    data: { id, tenantId, uploadedBy, sha256, fileName, sizeBytes, hazards: [] },
    skipDuplicates: true,
  });
  const deck = await db.deck.findUnique({ where: { tenantId_sha256: { tenantId, sha256 } } });
  if (deck === null || deck.deletingAt !== null) {
    throw beingDeleted(deck?.id ?? sha256, 'Upload it again in a moment.');
  }
  // A deletion of the same PDF may have taken the bytes just before this row could be written.
  if (deck.id === id && !(await blobs.has(key))) await blobs.put(key, { path: file.path });
  return { deck: deck.id === id ? deck : await noteName(db, deck, fileName), created: deck.id === id };
}
