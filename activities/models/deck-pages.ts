/** Reads the text of a deck's pages. Every call of a deck needs it, so it is kept for a while. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { namesInTitle } from '../../domain/decks/document-title.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { textOfPage, textOfPages, type DeckPages, type PageText } from '../../domain/pages/deck-pages.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import type { NumberedPage } from '../../domain/pages/running.ts';
import { Memo } from '../../platform/memo.ts';

/** A stored slide, as far as its text is concerned. */
export interface SlideWithText {
  readonly number: number;
  readonly text: string;
  readonly layout: unknown;
}

/** Text of one page by itself, with whatever other pages carry as well. */
export const textOfSlideRow = (slide: SlideWithText): PageText => textOfPage(slide.number, pageOfSlide(slide));

/** By the ids of the slides: their text does not change while the rows stay, and a page that is read again gets another row. */
const known = new Memo<TitledPages>({ limit: 16 });

/** The pages of a deck, and what its file's title says of them. */
export interface TitledPages extends DeckPages {
  /** Words of the title that the pages say as well; empty without any. */
  readonly title: string;
}

/** Pages loaded at once: as they are stored, they take as much memory again as their words. */
const BATCH = 32;

/** Reads the pages of a deck; those that are known are not loaded again. */
export async function loadDeckPages(db: PrismaClient, deckId: string): Promise<TitledPages> {
  const where = { deckId, renderKey: RENDER_KEY };
  const rows = await db.slide.findMany({ where, select: { id: true }, orderBy: { number: 'asc' } });
  const ids = rows.map(({ id }) => id);
  return known.get(ids.join(), async () => {
    const pages: NumberedPage[] = [];
    for (let from = 0; from < ids.length; from += BATCH) {
      const slides = await db.slide.findMany({
        where: { id: { in: ids.slice(from, from + BATCH) } },
        select: { number: true, text: true, layout: true },
        orderBy: { number: 'asc' },
      });
      pages.push(...slides.map((slide) => ({ number: slide.number, layout: pageOfSlide(slide) })));
    }
    const text = textOfPages(pages);
    const deck = await db.deck.findUnique({ where: { id: deckId }, select: { title: true } });
    const said = [...text.pages.map(({ markup }) => markup), ...text.running.map((line) => line.text)].join('\n');
    return { ...text, title: namesInTitle(deck?.title ?? null, said) };
  });
}
