/** From the coordinates of a file to those of a page as it is seen, and from the characters of a font to those of a text. */
import type { Box, PageWord } from '../../../domain/pages/page.ts';

/** x' = a·x + c·y + e, y' = b·x + d·y + f; of a page as seen, y runs downwards. */
export type Transform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Characters of a page beyond this are not read: a page of that many is an attack on memory, not a slide. */
export const MAX_PAGE_CHARACTERS = 200_000;

/** A point of the file on the page. */
export function seenPoint([a, b, c, d, e, f]: Transform, x: number, y: number): readonly [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** The box on the page of a box of the file: left, bottom, right, top. */
export function seenBox(transform: Transform, [left, bottom, right, top]: Box): Box {
  const [x1, y1] = seenPoint(transform, left, bottom);
  const [x2, y2] = seenPoint(transform, right, top);
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}

/** First the inner transform, then the outer one. */
export function combined(outer: Transform, inner: Transform): Transform {
  const [a, b, c, d] = outer;
  const [u, v, w, x, y, z] = inner;
  return [a * u + c * v, b * u + d * v, a * w + c * x, b * w + d * x, ...seenPoint(outer, y, z)];
}

/** The nearest of four directions in which a line runs that goes by (x, y) in the file. */
export function turnOf([a, b, c, d]: Transform, x: number, y: number): PageWord['turn'] {
  const quarters = Math.round(Math.atan2(b * x + d * y, a * x + c * y) / (Math.PI / 2));
  const turns = [0, 90, 180, 270] as const;
  return turns[((quarters % 4) + 4) % 4] ?? 0;
}

/** Stands for a glyph whose character the file does not tell. */
export const UNKNOWN_CHARACTER = '\uFFFD';

/** True for what a font without a usable map gives in place of a character: controls, and code points that stand for nothing. */
export const isNoCharacter = (character: string): boolean =>
  /^[\p{Cc}\p{Cn}\uFFFD]$/u.test(character) && !/[\t\n\r]/u.test(character);

/** A character as it is kept: a space for white space; null for what is no character (controls, marks of direction, joiners that draw nothing). */
export function keptCharacter(character: string): string | null {
  if (character === '\0') return UNKNOWN_CHARACTER;
  if (/[\t\n\r\p{Z}]/u.test(character)) return ' ';
  return /[\p{Cc}\p{Cf}\p{Cn}]/u.test(character) && !/[\u200C\u200D]/u.test(character) ? null : character;
}

/** Scripts that neither library has fonts for where the file has none. */
export const WITHOUT_FONT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
