/**
 * The characters of a page as pdfjs finds them, for pages that PDFium cannot read. pdfjs knows where a piece of text begins and ends, but
 * not its characters: they share its width evenly.
 */
import type { Box } from '../../../domain/pages/page.ts';
import type { PageCharacter } from '../../../domain/pages/words.ts';
import { linesOfAnnotations, type WrittenLine } from './pdfjs-annotations.ts';
import {
  isNoCharacter,
  keptCharacter,
  MAX_PAGE_CHARACTERS,
  seenPoint,
  turnOf,
  UNKNOWN_CHARACTER,
  type Transform,
} from './page-space.ts';
import type { PdfPage } from './pdfjs.ts';

/** Above and below the baseline, in font sizes, where the font does not say. */
const ASCENT = 0.8;
const DESCENT = -0.2;

/** Reads the characters of a page, in the order of the file. */
export async function readPdfjsCharacters(page: PdfPage): Promise<PageCharacter[]> {
  const viewport = page.getViewport({ scale: 1 }).transform as unknown as Transform;
  const content = await page.getTextContent();
  const characters: PageCharacter[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const style = content.styles[item.fontName];
    const piece = {
      font: item.fontName,
      text: item.str,
      width: item.width,
      matrix: item.transform as unknown as Transform,
    };
    characters.push(...charactersOf(piece, viewport, style?.ascent || ASCENT, style?.descent || DESCENT));
    if (characters.length > MAX_PAGE_CHARACTERS) break;
  }
  for (const line of await linesOfAnnotations(page)) characters.push(...charactersOf(line, viewport, ASCENT, DESCENT));
  return characters.slice(0, MAX_PAGE_CHARACTERS);
}

function charactersOf(piece: WrittenLine, viewport: Transform, ascent: number, descent: number): PageCharacter[] {
  const [a, b, c, d, e, f] = piece.matrix;
  const length = Math.hypot(a, b) || 1;
  const texts = Array.from(piece.text);
  const step = piece.width / Math.max(1, texts.length);
  const [stepX, stepY] = [(a / length) * step, (b / length) * step];
  const corner = (index: number, height: number): readonly [number, number] =>
    seenPoint(viewport, e + stepX * index + c * height, f + stepY * index + d * height);
  const line = {
    sizePt: Math.hypot(c, d) * Math.hypot(viewport[0], viewport[1]),
    turn: turnOf(viewport, a, b),
    bold: false,
    font: piece.font,
  };
  return texts.flatMap((found, index): PageCharacter[] => {
    const unmapped = isNoCharacter(found);
    const text = unmapped ? UNKNOWN_CHARACTER : keptCharacter(found);
    if (text === null) return [];
    const corners = [
      corner(index, descent),
      corner(index + 1, descent),
      corner(index, ascent),
      corner(index + 1, ascent),
    ];
    return [{ text, unmapped, box: around(corners), ...line }];
  });
}

function around(corners: readonly (readonly [number, number])[]): Box {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
