/** Text of decks that nobody can see, read from their pages. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { invisibleText } from '../../../domain/pages/invisible.ts';
import { pageLayoutSchema } from '../../../domain/pages/page-schemas.ts';

/** Layouts loaded at once: their words take much memory. */
const LAYOUT_BATCH = 32;

/** Text that cannot be seen on the slides of a deck, by slide. */
type InvisibleTexts = ReadonlyMap<number, readonly string[]>;

/** Text that cannot be seen, by deck; decks without any are left out. Only layouts with hidden words are read. */
export async function readInvisible(
  db: Pick<PrismaClient, 'slide' | '$queryRaw'>,
  tenantId: string,
  deckIds: readonly string[],
): Promise<ReadonlyMap<string, InvisibleTexts>> {
  const slides = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "Slide"
    WHERE "tenantId" = ${tenantId} AND "deckId" = ANY(${deckIds}) AND "renderKey" = ${RENDER_KEY}
      AND jsonb_path_exists("layout", '$.hidden[0]')
    ORDER BY "deckId", "number"`;
  const found = new Map<string, Map<number, string[]>>();
  for (let from = 0; from < slides.length; from += LAYOUT_BATCH) {
    const ids = slides.slice(from, from + LAYOUT_BATCH).map(({ id }) => id);
    const rows = await db.slide.findMany({
      where: { id: { in: ids } },
      orderBy: [{ deckId: 'asc' }, { number: 'asc' }],
      select: { deckId: true, number: true, layout: true },
    });
    for (const { deckId, number, layout } of rows) {
      const texts = invisibleText(pageLayoutSchema.parse(layout));
      if (texts.length === 0) continue;
      found.set(deckId, (found.get(deckId) ?? new Map<number, string[]>()).set(number, texts));
    }
  }
  return found;
}
