/** Whether two texts of a review say the same, however they are set. Without a library at run time, because pages import it. */

/** A figure with its sign, currency and unit, a word, or a sign of its own. */
const TOKEN =
  /[-+−<>≤≥]?[€$£¥₹]?\p{N}+(?:[.,'’]\p{N}+)*(?:\s?[%‰]|\p{L}{1,3}(?!\p{L}))?|\p{L}[\p{L}\p{M}\p{N}]*|[€$£¥₹%‰]/gu;

const tokensOf = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(TOKEN) ?? [];

const figuresOf = (text: string): string[] =>
  tokensOf(text)
    .filter((token) => /\p{N}/u.test(token) && !/^\p{L}/u.test(token))
    .map((figure) => figure.replaceAll(/\s/gu, ''))
    .toSorted();

/** True where the words and figures are the same in the same order; case, spaces and punctuation do not count. */
export const sameWords = (a: string, b: string): boolean => a === b || tokensOf(a).join(' ') === tokensOf(b).join(' ');

/** True where both name the same figures, in whatever order. */
export const sameFigures = (a: string, b: string): boolean => figuresOf(a).join(' ') === figuresOf(b).join(' ');
