/** Text that is drawn twice, for bold letters or with a shadow, is read once. */
import type { PageWord } from './page.ts';
import type { PageCharacter } from './words.ts';

/** Distance of a letter drawn twice in a row, in font sizes; the narrowest letters are twice as wide. */
const MAX_LETTER_SHIFT = 0.12;
/** Distance of a shadow, in font sizes. */
const MAX_WORD_SHIFT = 0.25;
const MAX_SIZE_RATIO = 1.15;
/** Letters drawn before that a letter can be a copy of: bold letters are drawn two or three times in a row. */
const LETTERS_BEFORE = 2;

/** The characters without those that repeat one of the characters just before them in its place. Order is kept. */
export function withoutRepeated<C extends PageCharacter>(characters: readonly C[]): C[] {
  let before: C[] = [];
  return characters.filter((character) => {
    if (character.text.trim() === '' || character.object === undefined) return true;
    const isCopy = before.some(
      (other) => other.object !== character.object && isSame(other, character, MAX_LETTER_SHIFT),
    );
    if (!isCopy) before = [...before, character].slice(-LETTERS_BEFORE);
    return !isCopy;
  });
}

/** The words, each once, and the others: copies of a word that is drawn after them in about its place. Order is kept. */
export function withoutCopies(words: readonly PageWord[]): {
  readonly words: readonly PageWord[];
  readonly copies: readonly PageWord[];
} {
  const copies = new Set<PageWord>();
  for (const same of Map.groupBy(words, ({ text }) => text).values()) {
    for (const [index, word] of same.entries())
      if (same.slice(index + 1).some((later) => isSame(word, later, MAX_WORD_SHIFT))) copies.add(word);
  }
  if (copies.size === 0) return { words, copies: [] };
  return { words: words.filter((word) => !copies.has(word)), copies: [...copies] };
}

type Placed = Pick<PageWord, 'text' | 'box' | 'sizePt' | 'turn'>;

function isSame(a: Placed, b: Placed, maxShift: number): boolean {
  if (a.text !== b.text || a.turn !== b.turn) return false;
  const [small, large] = [Math.min(a.sizePt, b.sizePt), Math.max(a.sizePt, b.sizePt)];
  const shift = Math.max(...a.box.map((side, index) => Math.abs(side - (b.box[index] ?? side))));
  return large <= MAX_SIZE_RATIO * small && shift <= maxShift * small;
}
