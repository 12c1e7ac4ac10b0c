/** File names for the deck ids of a cost report; only of decks of the reader's own tenant. */
import type { CostReport } from '../../domain/costs/report/document.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** Looks a deck's name up; null for one of another tenant, or that is gone. */
export type DeckNames = ReadonlyMap<string, string>;

/** Decks that a report names. */
export const deckIdsOf = ({ documents }: Pick<CostReport, 'documents'>): string[] =>
  documents.dearest.flatMap(({ deckId }) => (deckId === null ? [] : [deckId]));

/** Name of a document: its file name where it is known, else its id. */
export const documentName = (deckId: string | null, names: DeckNames): string =>
  deckId === null ? 'deleted since' : (names.get(deckId) ?? deckId);

/** File names of decks. @param tenantId only of this tenant's; null = of any */
export async function readDeckNames(
  db: PrismaClient,
  tenantId: string | null,
  deckIds: readonly string[],
): Promise<DeckNames> {
  if (deckIds.length === 0) return new Map();
  const rows = await db.deck.findMany({
    where: { id: { in: [...deckIds] }, ...(tenantId === null ? {} : { tenantId }) },
    select: { id: true, fileName: true },
  });
  return new Map(rows.map(({ id, fileName }) => [id, fileName]));
}
