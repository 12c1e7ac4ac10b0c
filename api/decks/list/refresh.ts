/**
 * Keeps the entries of the deck list up to date: every reader of entries has them made anew first, for the decks of which something changed.
 *
 * Triggers of the database note changed decks in `DeckChange`. A lock of the tenant is held while entries are made, until they are committed:
 * so entries become visible in the order of their versions, and a reader that waits for it finds what another process has just made.
 */
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { lockForTransaction } from '../../../platform/locks.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { readInvisible } from '../report/invisible.ts';
import { readListed } from './read-listed.ts';
import { markRuleKey, writeEntries } from './write-entries.ts';

/** Decks whose entries are made in one transaction. */
const BATCH = 100;

/**
 * Makes the entries of changed decks anew. What was committed before the call is in the entries after it. Costs one look where nothing
 * changed.
 */
export async function refreshEntries(db: PrismaClient, tenantId: string, settings: AnsweringSettings): Promise<void> {
  for (;;) {
    // Also true while another process makes the entries: what it takes away is gone when it has committed.
    const changed = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM "DeckChange" WHERE "tenantId" = ${tenantId} LIMIT 1`;
    if (changed.length === 0) return;
    const taken = await db.$transaction((tx) => refreshBatch(tx, tenantId, settings));
    // Fewer than a batch are all that there were; what has changed since then is for the next call.
    if (taken < BATCH) return;
  }
}

/** Makes the entries of changed decks of every tenant anew. */
export async function refreshAllEntries(db: PrismaClient, settings: AnsweringSettings): Promise<void> {
  const tenants = await db.$queryRaw<{ tenantId: string }[]>`SELECT DISTINCT "tenantId" FROM "DeckChange"`;
  for (const { tenantId } of tenants) await refreshEntries(db, tenantId, settings);
}

/** Notes decks whose entries were made by another rule of marks, or by a version before it, so that they are made anew. */
export async function noteOtherRules(db: PrismaClient, settings: AnsweringSettings): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "DeckChange" ("deckId", "tenantId")
    SELECT "deckId", "tenantId" FROM "DeckEntry" WHERE "markRule" IS DISTINCT FROM ${markRuleKey(settings)}`;
}

/** @returns how many decks had changed */
async function refreshBatch(tx: Transaction, tenantId: string, settings: AnsweringSettings): Promise<number> {
  await lockForTransaction(tx, `deck-entries/${tenantId}`);
  const changed = await tx.$queryRaw<{ deckId: string }[]>`
    WITH taken AS (
      DELETE FROM "DeckChange" WHERE "tenantId" = ${tenantId} AND "deckId" IN (
        SELECT DISTINCT "deckId" FROM "DeckChange" WHERE "tenantId" = ${tenantId} LIMIT ${BATCH}
      ) RETURNING "deckId"
    ) SELECT DISTINCT "deckId" FROM taken`;
  const ids = changed.map(({ deckId }) => deckId);
  // A deck that is being removed at this moment is waited for, and then is not there.
  const present = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Deck" WHERE "id" = ANY(${ids}) AND "tenantId" = ${tenantId} ORDER BY "id" FOR KEY SHARE`;
  const deckIds = present.map(({ id }) => id);
  if (deckIds.length > 0) {
    const pages = await pagesOf(tx, deckIds);
    const withNewPages = pages.filter(({ isNew }) => isNew).map(({ id }) => id);
    const invisible = await readInvisible(tx, tenantId, withNewPages);
    const known = new Set(
      pages.filter(({ isNew, hadInvisibleText }) => !isNew && hadInvisibleText).map(({ id }) => id),
    );
    const listed = await readListed(tx, tenantId, deckIds, {
      hasInvisibleText: (id) => invisible.has(id) || known.has(id),
      settings,
    });
    await writeEntries(tx, listed, { withNewPages, rule: settings });
  }
  return ids.length;
}

/** Clocks may differ by this much, and a page may have been drawn this long before it was stored. */
const PAGES_MARGIN = Prisma.sql`interval '10 minutes'`;

interface PagesOfDeck {
  readonly id: string;
  /** They may be newer than the deck's entry. */
  readonly isNew: boolean;
  readonly hadInvisibleText: boolean;
}

/** The pages of decks against their entries. Reading pages is what costs most of an entry, and they rarely change. */
const pagesOf = (tx: Transaction, deckIds: readonly string[]): Promise<PagesOfDeck[]> =>
  tx.$queryRaw<PagesOfDeck[]>`
    SELECT d."id", coalesce('invisible_text' = ANY(e."attention"), false) AS "hadInvisibleText", e."deckId" IS NULL OR EXISTS (
      SELECT 1 FROM "Slide" s
      WHERE s."deckId" = d."id" AND s."renderKey" = ${RENDER_KEY} AND s."createdAt" > e."updatedAt" - ${PAGES_MARGIN}
    ) AS "isNew"
    FROM "Deck" d LEFT JOIN "DeckEntry" e ON e."deckId" = d."id" WHERE d."id" = ANY(${deckIds})`;
