/**
 * Spoils quotes that are right, each in one way that makes it wrong.
 */
export interface Quote {
  readonly slide: number;
  readonly quote: string;
}

export interface SpoiledQuote extends Quote {
  readonly how: string;
}

interface Page {
  readonly number: number;
  readonly text: string;
}

const flat = (text: string): string => text.toLowerCase().replaceAll(/\s+/gu, ' ');

/** A digit changed, another slide named, the negation dropped, or cut under three words. */
const SPOILERS: readonly ((q: Quote, pages: readonly Page[]) => SpoiledQuote | null)[] = [
  ({ slide, quote }) => {
    const digit = /\d/u.exec(quote);
    if (digit === null) return null;
    const other = String((Number(digit[0]) + 1) % 10);
    return { slide, how: 'digit changed', quote: quote.slice(0, digit.index) + other + quote.slice(digit.index + 1) };
  },
  ({ slide, quote }, pages) => {
    const wrong = pages.find((p) => p.number !== slide && p.text.trim() !== '' && !flat(p.text).includes(flat(quote)));
    return wrong === undefined ? null : { slide: wrong.number, how: 'wrong slide', quote };
  },
  ({ slide, quote }) => {
    const without = quote.replace(/\b(?:not|no|never|without|kein\w*|nicht|ohne)\s+/iu, '');
    return without === quote ? null : { slide, how: 'negation dropped', quote: without };
  },
  ({ slide, quote }) => {
    // A name of one or two words is the whole of its line.
    const words = quote.split(/\s+/u);
    return words.length <= 2 ? null : { slide, how: 'under three words', quote: words.slice(0, 2).join(' ') };
  },
];

/** Lines of the pages that deny something, as quotes whose negation can be dropped. */
function denials(pages: readonly Page[]): Quote[] {
  return pages.flatMap((p) =>
    p.text
      .split('\n')
      .filter(
        (line) => /\b(?:not|no|never|without|kein\w*|nicht|ohne)\s/iu.test(line) && line.split(/\s+/u).length >= 5,
      )
      .map((quote) => ({ slide: p.number, quote })),
  );
}

/** At most `count` spoiled quotes, every way in turn over all quotes and over the pages' own lines. */
export function spoiledQuotes(quotes: readonly Quote[], pages: readonly Page[], count: number): SpoiledQuote[] {
  const lines = pages.flatMap((p) =>
    p.text
      .split('\n')
      .filter((l) => l.split(/\s+/u).length >= 4)
      .map((quote) => ({ slide: p.number, quote })),
  );
  const sources = [...quotes, ...denials(pages), ...lines];
  return sources.flatMap((q) => SPOILERS.map((spoil) => spoil(q, pages)).filter((s) => s !== null)).slice(0, count);
}
