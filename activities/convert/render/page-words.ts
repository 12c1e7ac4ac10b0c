/** Makes words of judged characters: those that can be seen and those that cannot never share a word. */
import { withoutCopies, withoutRepeated } from '../../../domain/pages/copies.ts';
import { withoutDoubtful } from '../../../domain/pages/doubtful-words.ts';
import type { Box, HiddenReason, HiddenWord, PageWord } from '../../../domain/pages/page.ts';
import { withinPageLimits } from '../../../domain/pages/settle-words.ts';
import { joinCharacters, type JoinedWord, type PageCharacter } from '../../../domain/pages/words.ts';
import type { ReadPage } from './renderer.ts';

/** A character and why it cannot be seen; null where it can. */
export interface JudgedCharacter {
  readonly character: PageCharacter;
  readonly hidden: HiddenReason | null;
}

/** The words of a page. */
export function toPageWords(
  judged: readonly JudgedCharacter[],
  page: { readonly widthPt: number; readonly heightPt: number },
): Pick<ReadPage, 'words' | 'hidden' | 'doubtful'> {
  const reasons = new Set(judged.flatMap(({ hidden }) => (hidden === null ? [] : [hidden])));
  const joined = (reason: HiddenReason | null): JoinedWord<PageCharacter>[] => {
    // Spaces separate words of either kind.
    const own = judged.filter(({ character, hidden }) => hidden === reason || character.text.trim() === '');
    return joinCharacters(withoutRepeated(own.map(({ character }) => character)));
  };
  const { words: read, doubtful } = withoutDoubtful(joined(null));
  const { words, copies } = withoutCopies(read);
  const hidden = [
    ...copies.map((word): HiddenWord => ({ ...word, hidden: 'covered' })),
    ...[...reasons].flatMap((reason) => joined(reason).map(({ word }): HiddenWord => ({ ...word, hidden: reason }))),
  ];
  const placed = (of: readonly PageWord[]): PageWord[] =>
    withinPageLimits(of).map((word) => ({ ...rounded(word), box: onPage(word.box, page) }));
  return {
    words: placed(words),
    doubtful: { unmapped: placed(doubtful.unmapped), unreadable: doubtful.unreadable.map(placed) },
    hidden: withinPageLimits(hidden).map((word) => ({ ...word, ...rounded(word) })),
  };
}

function rounded(word: PageWord): PageWord {
  const [left, top, right, bottom] = word.box;
  const box: Box = [toHundredth(left), toHundredth(top), toHundredth(right), toHundredth(bottom)];
  return { ...word, box, sizePt: toHundredth(word.sizePt) };
}

/** A hundredth of a point is less than a tenth of a pixel. */
const toHundredth = (value: number): number => Math.round(value * 100) / 100;

/** The part of a box that lies on the page. */
function onPage(
  [left, top, right, bottom]: Box,
  { widthPt, heightPt }: { readonly widthPt: number; readonly heightPt: number },
): Box {
  const within = (value: number, most: number): number => Math.min(Math.max(0, toHundredth(value)), most);
  return [within(left, widthPt), within(top, heightPt), within(right, widthPt), within(bottom, heightPt)];
}
