/** Text that is drawn twice, for bold letters or with a shadow, is read once. */
import type { PageWord } from './page.ts';
import type { PageCharacter } from './words.ts';

/** Distance of a letter drawn twice in a row, in font sizes; most of the narrowest letters are twice as wide. */
const MAX_LETTER_SHIFT = 0.12;
/** The same in widths of the letter: condensed letters stand side by side within less than {@link MAX_LETTER_SHIFT}. */
const MAX_SHIFT_OF_WIDTH = 0.5;
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
      (other) =>
        other.object !== character.object &&
        isSame(other, character, MAX_LETTER_SHIFT) &&
        shiftOf(other, character) <= MAX_SHIFT_OF_WIDTH * widthOf(character),
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
    if (same.length === 1) continue;
    const later = new NearbyWords();
    for (const word of same.toReversed()) {
      if (later.near(word).some((other) => isSame(word, other, MAX_WORD_SHIFT))) copies.add(word);
      later.add(word);
    }
  }
  if (copies.size === 0) return { words, copies: [] };
  return { words: words.filter((word) => !copies.has(word)), copies: words.filter((word) => copies.has(word)) };
}

/** Words of about the same place and size in one list: a page may have many thousand equal words, too many to compare each with each. */
class NearbyWords {
  readonly #lists = new Map<number, PageWord[]>();

  /** Adds a word; beyond {@link MAX_NEARBY} in a place it is left out. */
  add(word: PageWord): void {
    const key = keyOf(word, sizeClass(word), 0, 0);
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [word]);
    else if (list.length < MAX_NEARBY) list.push(word);
  }

  /** The words that a word can be a copy of, and some more. */
  near(word: PageWord): PageWord[] {
    const size = sizeClass(word);
    return BESIDE.flatMap((step) =>
      BESIDE.flatMap((across) =>
        BESIDE.flatMap((down) => this.#lists.get(keyOf(word, size + step, across, down)) ?? []),
      ),
    );
  }
}

const BESIDE = [-1, 0, 1] as const;
/** Equal words in a place that are compared with another. */
const MAX_NEARBY = 32;

/** Sizes of one class, or of two neighbouring ones, may differ by {@link MAX_SIZE_RATIO}. */
const sizeClass = ({ sizePt }: PageWord): number =>
  Math.floor(Math.log(Math.max(sizePt, Number.MIN_VALUE)) / Math.log(MAX_SIZE_RATIO));

/** The list of a place, as wide as the largest shift of the class; places far apart may share one. */
function keyOf({ box: [left, top] }: PageWord, size: number, across: number, down: number): number {
  const cell = MAX_WORD_SHIFT * MAX_SIZE_RATIO ** (size + 2);
  return ((Math.floor(left / cell) + across) * 1_000_003 + Math.floor(top / cell) + down) * 1009 + size;
}

type Placed = Pick<PageWord, 'text' | 'box' | 'sizePt' | 'turn'>;

function isSame(a: Placed, b: Placed, maxShift: number): boolean {
  if (a.text !== b.text || a.turn !== b.turn) return false;
  const [small, large] = [Math.min(a.sizePt, b.sizePt), Math.max(a.sizePt, b.sizePt)];
  return large <= MAX_SIZE_RATIO * small && shiftOf(a, b) <= maxShift * small;
}

const shiftOf = (a: Placed, b: Placed): number =>
  Math.max(...a.box.map((side, index) => Math.abs(side - (b.box[index] ?? side))));

/** Extent along the line. */
const widthOf = ({ box: [left, top, right, bottom], turn }: Placed): number =>
  turn === 0 || turn === 180 ? right - left : bottom - top;
