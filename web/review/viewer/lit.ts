/** Which boxes of a slide are lit for what is chosen. */
import type { Box } from '../../../domain/pages/page.ts';
import { findQuote, type SlideWord } from '../locate/find-quote.ts';
import type { Stop, StopQuote } from '../selection/stops.ts';

/** What is lit on a slide. */
export interface Lit {
  /** The quote that is shown, where it is of this slide. */
  readonly quote: StopQuote | null;
  readonly boxes: readonly Readonly<Box>[];
  /** Of further quotes of the same place on this slide. */
  readonly others: readonly Readonly<Box>[];
  /** `waiting`: the words of the slide are not known yet; `missing`: the quote is not among them; `parts`: it stands in several places. */
  readonly state: 'nothing' | 'lit' | 'parts' | 'waiting' | 'missing';
}

const NOTHING: Lit = { quote: null, boxes: [], others: [], state: 'nothing' };

/** Boxes of a quote; null where it is not on the slide, or not known yet. */
function placeOf(
  { quote, boxes }: StopQuote,
  words: readonly SlideWord[] | null,
): { readonly boxes: readonly Readonly<Box>[]; readonly whole: boolean } | null {
  if (boxes !== null && boxes.length > 0) return { boxes, whole: true };
  return quote === null || words === null ? null : findQuote(words, quote);
}

/**
 * What is lit.
 *
 * @param words of the slide; null while they are not known
 */
export function litOn(slide: number, stop: Stop | undefined, index: number, words: readonly SlideWord[] | null): Lit {
  const quote = stop?.quotes[index];
  if (stop === undefined || quote === undefined || quote.slide !== slide || quote.quote === null) return NOTHING;
  const others = stop.quotes
    .filter((other) => other !== quote && other.slide === slide)
    .flatMap((other) => placeOf(other, words)?.boxes ?? []);
  const place = placeOf(quote, words);
  if (place === null) return { quote, boxes: [], others, state: words === null ? 'waiting' : 'missing' };
  return { quote, boxes: place.boxes, others, state: place.whole ? 'lit' : 'parts' };
}
