/** Checks the quotes of a result against the pages of its deck. */
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { findOnOtherSlide, mayStandElsewhere } from '../../domain/evidence/moved-quote.ts';
import { checkQuote, noSuchSlide, type QuoteCheck } from '../../domain/evidence/quote-check.ts';
import type { EvidenceItem } from '../../domain/models/result-schemas.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import type { PageLayout } from '../../domain/pages/page.ts';
import { coversPicture } from '../../domain/pages/pictured-words.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { CheckedQuote, JudgeQuote } from './result-scope.ts';

/** Quotes of one result. */
interface QuotedResult {
  readonly quotes: readonly EvidenceItem[];
  /** The built-in reader takes its quotes from the slides themselves and judges them; a language model may name another slide. */
  readonly isByReader: boolean;
}

/** Pages of a deck by number; null for one that could not be drawn, which was not read either. */
type Pages = ReadonlyMap<number, PageLayout | null>;

/** The pages on which quotes are checked. */
export interface QuotePages {
  /** Pages that the quotes name, and those of {@link elsewhere}. */
  readonly pageOf: Pages;
  /** By quote that its slide does not have: the pages that have it. */
  readonly elsewhere: ReadonlyMap<string, Pages>;
}

/** Slides loaded at once where a quote is looked for on all of them: as they are stored, they take much memory. */
const BATCH = 32;

/**
 * Loads the pages for the quotes of results. Not for a transaction where it can be helped: a quote that its slide does not have is looked for on
 * every page.
 */
export async function loadQuotePages(
  db: Pick<PrismaClient, 'slide'>,
  deckId: string,
  results: readonly QuotedResult[],
): Promise<QuotePages> {
  const given = results.flatMap(({ quotes, isByReader }) =>
    quotes.flatMap(({ slide, quote }) => (isEmpty(quote) ? [] : [{ slide, quote, isByReader }])),
  );
  const elsewhere = new Map<string, Map<number, PageLayout | null>>();
  if (given.length === 0) return { pageOf: new Map(), elsewhere };
  const pageOf = new Map(await readPages(db, deckId, [...new Set(given.map(({ slide }) => slide))]));
  for (const { slide, quote, isByReader } of given)
    if (!isByReader && !elsewhere.has(quote) && mayStandElsewhere(quote, checkOn(pageOf, slide, quote, checkQuote)))
      elsewhere.set(quote, new Map());
  if (elsewhere.size === 0) return { pageOf, elsewhere };
  const where = { deckId, renderKey: RENDER_KEY };
  const slides = await db.slide.findMany({ where, select: { number: true }, orderBy: { number: 'asc' } });
  const numbers = slides.map(({ number }) => number);
  for (let from = 0; from < numbers.length; from += BATCH)
    for (const [number, page] of await readPages(db, deckId, numbers.slice(from, from + BATCH)))
      for (const [quote, pages] of elsewhere)
        if (checkQuote(quote, page).verdict === 'verified') {
          pages.set(number, page);
          pageOf.set(number, page);
        }
  return { pageOf, elsewhere };
}

/**
 * See `check` of {@link StoreScope}. A language model's quote that stands on exactly one slide, and not on the one that it names, is moved
 * there.
 *
 * @param judge Verifies no quote that does not stand on the page
 */
export function checkQuotes(
  { pageOf, elsewhere }: QuotePages,
  { quotes, isByReader }: QuotedResult,
  judge: JudgeQuote = checkQuote,
): CheckedQuote[] {
  return quotes
    .filter(({ quote }) => !isEmpty(quote))
    .map(({ slide, quote, answering }): CheckedQuote => {
      // Only the built-in reader judges its own quotes; what a model says of its own is no judgement.
      const judgement =
        isByReader && answering !== undefined
          ? ({ answering, answeringBy: 'reader' } as const)
          : { answering: null, answeringBy: null };
      const named = checkOn(pageOf, slide, quote, judge);
      const others = isByReader || !mayStandElsewhere(quote, named) ? undefined : elsewhere.get(quote);
      const moved = others === undefined ? null : findOnOtherSlide(slide, others, (page) => judge(quote, page));
      const { absent: _, ...check } = moved?.check ?? named;
      const place = moved === null ? { slide, citedSlide: null } : { slide: moved.slide, citedSlide: slide };
      return { quote, ...place, ...judged(judgement, check, pageOf.get(place.slide)), ...check };
    });
}

type Judgement = Pick<CheckedQuote, 'answering' | 'answeringBy'>;

/** What is written within a screenshot or a map states nothing of the company, whoever quotes it. */
function judged(
  judgement: Judgement,
  { verdict, boxes }: Pick<QuoteCheck, 'verdict' | 'boxes'>,
  page: PageLayout | null | undefined,
): Judgement {
  const inPicture = verdict === 'verified' && page !== null && page !== undefined && coversPicture(page, boxes);
  return inPicture ? { answering: 'doubtful', answeringBy: 'reader' } : judgement;
}

const isEmpty = (quote: string): boolean => quote.trim() === '';

function checkOn(pageOf: Pages, slide: number, quote: string, judge: JudgeQuote): ReturnType<JudgeQuote> {
  const page = pageOf.get(slide);
  return page === undefined ? noSuchSlide(slide) : judge(quote, page);
}

async function readPages(
  db: Pick<PrismaClient, 'slide'>,
  deckId: string,
  numbers: readonly number[],
): Promise<(readonly [number, PageLayout | null])[]> {
  const slides = await db.slide.findMany({
    where: { deckId, renderKey: RENDER_KEY, number: { in: [...numbers] } },
    select: { number: true, text: true, layout: true, modelBlobKey: true },
  });
  return slides.map((slide) => [slide.number, slide.modelBlobKey === null ? null : pageOfSlide(slide)]);
}
