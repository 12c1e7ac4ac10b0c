/** Digits that are drawn smaller and raised: marks of footnotes and exponents, which are no digits of the number before them. */
import type { Box, PageWord } from './page.ts';

/** Raised digits, as a class of a regular expression has them. */
export const RAISED_CLASS = '⁰¹²³⁴-⁹';

const RAISED = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/** Largest size of a raised digit, as a share of the letters beside it. */
const MAX_SIZE = 0.82;

/** A character, as far as it matters here. */
interface Sized extends Pick<PageWord, 'box' | 'sizePt' | 'turn'> {
  readonly text: string;
}

/** The texts of the characters of a word, with raised digits as such: `$42³`, where a plain text layer says `$423`. */
export function withRaisedDigits(characters: readonly Sized[]): string[] {
  let base: Sized | undefined;
  return characters.map((character) => {
    const { text, sizePt } = character;
    if (base !== undefined && /^\d$/u.test(text) && sizePt <= MAX_SIZE * base.sizePt && isAbove(character, base))
      return RAISED[Number(text)] ?? text;
    // A comma between two marks is as small as they are.
    if (base === undefined || sizePt > MAX_SIZE * base.sizePt) base = character;
    return text;
  });
}

/** On the same baseline the middle of smaller letters is lower. */
function isAbove(small: Sized, base: Sized): boolean {
  return middleOf(small.box, small.turn) < middleOf(base.box, base.turn);
}

/** Middle of a box across its line, growing downwards. */
function middleOf([left, top, right, bottom]: Box, turn: PageWord['turn']): number {
  switch (turn) {
    case 0:
      return (top + bottom) / 2;
    case 90:
      return -(left + right) / 2;
    case 180:
      return -(top + bottom) / 2;
    case 270:
      return (left + right) / 2;
  }
}
