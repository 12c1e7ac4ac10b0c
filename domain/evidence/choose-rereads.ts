/**
 * Chooses the quotes of a review that are read again in the picture: those on which its summary rests, and a few others.
 */
import type { Box } from '../pages/page.ts';
import { ANSWERING, type Answering } from './answering.ts';

/** A quote of a review that is verified, or was until it was read again. */
export interface ShownQuote {
  readonly id: string;
  readonly slide: number;
  readonly quote: string;
  readonly boxes: readonly Box[] | null;
  readonly answering: Answering | null;
  /** True when the summary of the review may show it: company, ask, date and what it says of the business. */
  readonly inSummary: boolean;
}

/** Quotes with the same words in the same place: they are read once. */
export interface QuoteToReread extends Pick<ShownQuote, 'slide' | 'quote' | 'boxes'> {
  /** Of all rows that hold it. */
  readonly ids: readonly string[];
}

/** Quotes that are read again beside those of the summary. */
export const OTHERS_READ_AGAIN = 5;

const rankOf = ({ answering }: ShownQuote): number =>
  answering === null ? ANSWERING.length : ANSWERING.indexOf(answering);

/** A key that quotes with equal words in one place have in common. */
export const placeKey = ({ slide, quote, boxes }: Pick<ShownQuote, 'slide' | 'quote' | 'boxes'>): string =>
  JSON.stringify([slide, quote, boxes]);

/**
 * The quotes to read again, each once: all of the summary, then {@link OTHERS_READ_AGAIN} others, those first that answer their question.
 *
 * @param quotes In the order of the review
 */
export function chooseRereads(quotes: readonly ShownQuote[]): QuoteToReread[] {
  const places = [...Map.groupBy(quotes, placeKey).values()];
  const [summary, others] = [true, false].map((wanted) =>
    places.filter((same) => same.some(({ inSummary }) => inSummary) === wanted),
  );
  const bestRank = (same: readonly ShownQuote[]): number => Math.min(...same.map(rankOf));
  const chosen = [
    ...(summary ?? []),
    ...(others ?? []).toSorted((a, b) => bestRank(a) - bestRank(b)).slice(0, OTHERS_READ_AGAIN),
  ];
  return chosen.flatMap((same) => {
    const [first] = same;
    return first === undefined
      ? []
      : [{ slide: first.slide, quote: first.quote, boxes: first.boxes, ids: same.map(({ id }) => id) }];
  });
}
