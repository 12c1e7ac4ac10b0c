/**
 * Words of a text layer that may not be what the page shows, because their font has no usable map from its shapes to characters.
 *
 * A font may lack the map for all of its glyphs, or for a few, and a page may mix it with others; so words are judged, and fonts by their words,
 * not pages.
 */
import type { PageWord } from './page.ts';
import { MIN_READABLE_SHARE, readableShare } from './readable.ts';
import type { JoinedWord, PageCharacter } from './words.ts';

/** Words that are no text of the page unless its picture shows the same. */
export interface DoubtfulWords {
  /** Words with glyphs whose character the file does not tell; of one glyph: a symbol, as a rule a list mark. */
  readonly unmapped: readonly PageWord[];
  /** Words of fonts whose words are no language, each font by itself. */
  readonly unreadable: readonly (readonly PageWord[])[];
}

export const NO_DOUBTFUL_WORDS: DoubtfulWords = { unmapped: [], unreadable: [] };

/** Of a font with more of its glyphs unmapped, the other glyphs are doubtful too. */
const MAX_UNMAPPED_SHARE = 0.3;
/** Letters of a font from which its words show whether they are language. */
const MIN_JUDGED_LETTERS = 24;
const MIN_JUDGED_WORDS = 4;
/** Few words hold a rare one as often as not ("deutschsprachig"), so a font has to be worse than a page to be no language. */
const MIN_READABLE_FONT_SHARE = 0.6;
/** Letters of symbol fonts, which many files map to code points for private use, within a word. */
const PRIVATE_WITHIN_WORD = /[\p{L}\p{N}]\p{Co}+|\p{Co}+[\p{L}\p{N}]{2}/u;

/** Number of words whose place is worth looking at: single glyphs are list marks and pictures. */
export const countOf = ({ unmapped, unreadable }: DoubtfulWords): number =>
  unmapped.filter((word) => !isSymbol(word)).length + unreadable.flat().length;

/** True for a word of one glyph. */
export const isSymbol = ({ text }: PageWord): boolean => Array.from(text).length === 1;

/** Tells the words of a text layer that can be seen from those that are doubtful. Order is kept. */
export function withoutDoubtful<C extends PageCharacter>(
  joined: readonly JoinedWord<C>[],
): { readonly words: PageWord[]; readonly doubtful: DoubtfulWords } {
  const badFonts = fontsWithoutMap(joined);
  const isUnmapped = ({ word, characters }: JoinedWord<C>): boolean =>
    PRIVATE_WITHIN_WORD.test(word.text) ||
    characters.some(({ unmapped, font }) => unmapped === true || (font !== undefined && badFonts.has(font)));
  const unmapped = new Set(joined.filter(isUnmapped));
  const mapped = unmapped.size === 0 ? joined : joined.filter((each) => !unmapped.has(each));
  const unreadable = unreadableFonts(mapped);
  const unread = new Set(unreadable.flat());
  const left = mapped.filter((each) => !unread.has(each));
  const wordsOf = (each: readonly JoinedWord<C>[]): PageWord[] => each.map(({ word }) => word);
  return { words: wordsOf(left), doubtful: { unmapped: wordsOf([...unmapped]), unreadable: unreadable.map(wordsOf) } };
}

type Font = NonNullable<PageCharacter['font']>;

function fontsWithoutMap(joined: readonly JoinedWord<PageCharacter>[]): Set<Font> {
  const glyphs = new Map<Font, { all: number; unmapped: number }>();
  for (const { characters } of joined)
    for (const { font, unmapped } of characters) {
      if (font === undefined) continue;
      const counted = glyphs.get(font) ?? { all: 0, unmapped: 0 };
      counted.all += 1;
      if (unmapped === true) counted.unmapped += 1;
      glyphs.set(font, counted);
    }
  return new Set(
    [...glyphs].flatMap(([font, { all, unmapped }]) => (unmapped > MAX_UNMAPPED_SHARE * all ? [font] : [])),
  );
}

/** The words of each font that are no language, on a page that is language otherwise: one that is not is recognised as a whole. */
function unreadableFonts<C extends PageCharacter>(joined: readonly JoinedWord<C>[]): JoinedWord<C>[][] {
  const share = readableShare(textOf(joined));
  if (share === 1 || share < MIN_READABLE_SHARE) return [];
  return [...Map.groupBy(joined, ({ characters }) => characters[0]?.font).entries()].flatMap(([font, own]) => {
    if (font === undefined || own.length < MIN_JUDGED_WORDS) return [];
    const text = textOf(own);
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    return letters >= MIN_JUDGED_LETTERS && readableShare(text) < MIN_READABLE_FONT_SHARE ? [own] : [];
  });
}

const textOf = (joined: readonly JoinedWord<PageCharacter>[]): string => joined.map(({ word }) => word.text).join(' ');
