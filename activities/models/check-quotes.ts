/** Checks the quotes of a result against the pages of its deck. */
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { findOnOtherSlide, mayStandElsewhere } from '../../domain/evidence/moved-quote.ts';
import { checkQuote, noSuchSlide, type QuoteCheck } from '../../domain/evidence/quote-check.ts';
import type { EvidenceItem } from '../../domain/models/result-schemas.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import type { PageLayout } from '../../domain/pages/page.ts';
import { coversPicture } from '../../domain/pages/pictured-words.ts';
import type { Transaction } from '../../platform/db.ts';
import type { CheckedQuote, JudgeQuote } from './result-scope.ts';

/** The result that has the quotes. */
interface QuotedResult {
  readonly deckId: string;
  /** `rules` for the built-in reader. */
  readonly engineKind: string;
}

/**
 * See `check` of {@link StoreScope}. A language model's quote that stands on exactly one slide, and not on the one that it names, is moved
 * there; the built-in reader takes its quotes from the slides themselves.
 */
export async function checkQuotes(
  tx: Transaction,
  { deckId, engineKind }: QuotedResult,
  quotes: readonly EvidenceItem[],
  judge: JudgeQuote = checkQuote,
): Promise<CheckedQuote[]> {
  const given = quotes.filter(({ quote }) => quote.trim() !== '');
  if (given.length === 0) return [];
  const isOfRules = engineKind === 'rules';
  const pageOf = await readPages(tx, deckId, new Set(given.map(({ slide }) => slide)));
  let whole: ReadonlyMap<number, PageLayout | null> | undefined;
  const checked: CheckedQuote[] = [];
  for (const { slide, quote, answering } of given) {
    // Only the built-in reader judges its own quotes; what a model says of its own is no judgement.
    const judgement =
      isOfRules && answering !== undefined
        ? ({ answering, answeringBy: 'reader' } as const)
        : { answering: null, answeringBy: null };
    const page = pageOf.get(slide);
    const named = page === undefined ? noSuchSlide(slide) : judge(quote, page);
    if (!isOfRules && mayStandElsewhere(quote, named)) {
      whole ??= await readPages(tx, deckId);
      const moved = findOnOtherSlide(slide, whole, (other) => judge(quote, other));
      if (moved !== null) {
        const shown = whole.get(moved.slide);
        checked.push({
          quote,
          slide: moved.slide,
          ...judged(judgement, moved.check, shown),
          citedSlide: slide,
          ...moved.check,
        });
        continue;
      }
    }
    checked.push({ quote, slide, ...judged(judgement, named, page), citedSlide: null, ...named });
  }
  return checked;
}

type Judgement = Pick<CheckedQuote, 'answering' | 'answeringBy'>;

/** What is written within a screenshot or a map states nothing of the company, whoever quotes it. */
function judged(judgement: Judgement, { verdict, boxes }: QuoteCheck, page: PageLayout | null | undefined): Judgement {
  const inPicture = verdict === 'verified' && page !== null && page !== undefined && coversPicture(page, boxes);
  return inPicture ? { answering: 'doubtful', answeringBy: 'reader' } : judgement;
}

/** Pages of a deck by number, all of them by default; null for one that could not be drawn, which was not read either. */
async function readPages(
  tx: Transaction,
  deckId: string,
  numbers?: ReadonlySet<number>,
): Promise<ReadonlyMap<number, PageLayout | null>> {
  const slides = await tx.slide.findMany({
    where: { deckId, renderKey: RENDER_KEY, ...(numbers === undefined ? {} : { number: { in: [...numbers] } }) },
    select: { number: true, text: true, layout: true, modelBlobKey: true },
  });
  return new Map(slides.map((slide) => [slide.number, slide.modelBlobKey === null ? null : pageOfSlide(slide)]));
}
