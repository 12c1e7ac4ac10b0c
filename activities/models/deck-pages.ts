/**
 * Reads the text of a deck's pages. Every call of a deck needs it, so it is kept for a while.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { textOfPage, textOfPages, type DeckPages, type PageText } from '../../domain/pages/deck-pages.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import { Memo } from '../support/memo.ts';

/** A stored slide, as far as its text is concerned. */
export interface SlideWithText {
  readonly number: number;
  readonly text: string;
  readonly layout: unknown;
}

/** Text of one page by itself, with whatever other pages carry as well. */
export const textOfSlideRow = (slide: SlideWithText): PageText => textOfPage(slide.number, pageOfSlide(slide));

/** By the ids of the slides: their text does not change while the rows stay, and a page that is read again gets another row. */
const known = new Memo<DeckPages>({ limit: 16 });

/** Reads the pages of a deck; those that are known are not loaded again. */
export async function loadDeckPages(db: PrismaClient, deckId: string): Promise<DeckPages> {
  const where = { deckId, renderKey: RENDER_KEY };
  const rows = await db.slide.findMany({ where, select: { id: true }, orderBy: { number: 'asc' } });
  return known.get(rows.map(({ id }) => id).join(), async () => {
    const slides = await db.slide.findMany({
      where: { id: { in: rows.map(({ id }) => id) } },
      select: { number: true, text: true, layout: true },
      orderBy: { number: 'asc' },
    });
    return textOfPages(slides.map((slide) => ({ number: slide.number, layout: pageOfSlide(slide) })));
  });
}
