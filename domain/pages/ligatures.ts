/**
 * Letters that one glyph draws.
 *
 * PDFium gives each letter of a ligature a box of its own width at the start of the glyph, so that a gap seems to follow it: "fi rst".
 */
import type { Box, PageWord } from './page.ts';

type Letter = Pick<PageWord, 'text' | 'box' | 'sizePt' | 'turn'>;

const LIGATURE = /^(?:f[filjbhkt]|ff[il]|t[tih]|s[tp]|c[thk])$/u;
const MOST_LETTERS = 3;
/** Most that a letter adds to the width of a glyph, in font sizes. */
const WIDEST_LETTER = 0.6;

/** The same characters; those of a ligature share one box, which ends where the next character of the line begins. */
export function joinLigatures<C extends Letter>(characters: readonly C[]): C[] {
  const joined = [...characters];
  for (let from = 0; from < characters.length; from++) {
    const letters = ligatureAt(characters, from);
    const [first] = letters;
    if (first === undefined) continue;
    const box = extent(letters, characters[from + letters.length]);
    for (const [offset, letter] of letters.entries()) joined[from + offset] = { ...letter, box };
    from += letters.length - 1;
  }
  return joined;
}

/** The letters of the ligature that begins here; none where there is no ligature. */
function ligatureAt<C extends Letter>(characters: readonly C[], from: number): C[] {
  const [first, ...others] = characters.slice(from, from + MOST_LETTERS);
  // Lines that are turned are left as they are.
  if (first === undefined || first.turn !== 0 || !/^[fcst]$/u.test(first.text)) return [];
  const end = others.findIndex(({ box, turn }) => turn !== 0 || box[0] !== first.box[0] || box[3] !== first.box[3]);
  const letters = [first, ...others.slice(0, end < 0 ? others.length : end)];
  return LIGATURE.test(letters.map(({ text }) => text).join('')) ? letters : [];
}

function extent(letters: readonly Letter[], next: Letter | undefined): Box {
  const [left, top, , bottom] = letters[0]?.box ?? [0, 0, 0, 0];
  const widest = Math.max(...letters.map(({ box }) => box[2]));
  const size = letters[0]?.sizePt ?? 0;
  if (next === undefined || next.turn !== 0 || next.text.trim() === '' || next.box[3] !== bottom)
    return [left, top, widest, bottom];
  const isNear = next.box[0] > left && next.box[0] - left <= WIDEST_LETTER * size * letters.length;
  return [left, top, isNear ? next.box[0] : widest, bottom];
}
