/**
 * Which characters of a page cannot be seen, and why, for pages that PDFium has drawn.
 *
 * Most text is told by its colour. Text that something is drawn over, that is not opaque, or that does not show its colour is taken off the
 * page, the place is drawn again, and only what makes a difference counts as seen. Pieces that overlap are taken off one at a time.
 */
import type { Box, HiddenReason } from '../../../domain/pages/page.ts';
import { boxAround } from '../../../domain/pages/words.ts';
import { WITHOUT_FONT } from './page-space.ts';
import type { JudgedCharacter } from './page-words.ts';
import type { TextObject } from './pdfium-objects.ts';
import type { PdfiumPage } from './pdfium.ts';
import type { PdfiumCharacter } from './pdfium-text.ts';
import type { Raster } from './renderer.ts';
import { hasInk, hiddenByPlace, isUniform, makesDifference, pixelsOf, standsOut, type Piece } from './visibility.ts';

/** Overlapping layers of text that are looked at one by one; no slide has more, so what lies deeper is taken for hidden. */
const MAX_ROUNDS = 8;

type TextPiece = Piece<PdfiumCharacter> & { readonly object: number };

/** A drawn page and the objects that draw its text, by address. */
interface DrawnPage {
  readonly raster: Raster;
  readonly texts: ReadonlyMap<number, TextObject>;
}

/** Judges the characters of a page, in their order. */
export function judgeCharacters(
  page: PdfiumPage,
  characters: readonly PdfiumCharacter[],
  drawn: DrawnPage,
): JudgedCharacter[] {
  const verdicts = new Map<PdfiumCharacter, HiddenReason>();
  const { scale } = page.size;
  const open: TextPiece[] = [];
  for (const piece of toPieces(characters)) {
    const sizePx = Math.max(...piece.characters.map((character) => character.sizePt)) * scale;
    const hidden = hiddenByPlace(piece.ink, sizePx, page);
    if (hidden === null) open.push(piece);
    else for (const character of piece.characters) verdicts.set(character, hidden);
  }
  for (const [piece, hidden] of hiddenByPixels(page, open, drawn))
    for (const character of piece.characters) verdicts.set(character, hidden);
  return characters.map((character) => ({ character, hidden: verdicts.get(character) ?? null }));
}

function toPieces(characters: readonly PdfiumCharacter[]): TextPiece[] {
  const pieces: PdfiumCharacter[][] = [];
  let open: PdfiumCharacter[] | null = null;
  for (const character of characters) {
    if (character.text.trim() === '') open = null;
    else if (open?.[0]?.object === character.object) open.push(character);
    else pieces.push((open = [character]));
  }
  return pieces.map((of) => ({
    characters: of,
    object: of[0]?.object ?? 0,
    ink: boxAround(of.map((character) => character.ink)),
  }));
}

function hiddenByPixels(
  page: PdfiumPage,
  pieces: readonly TextPiece[],
  { raster, texts: objects }: DrawnPage,
): Map<TextPiece, HiddenReason> {
  const hidden = new Map<TextPiece, HiddenReason>();
  const stacked = overlapping(pieces);
  const place = (piece: TextPiece): Box => pixelsOf(piece.ink, page.size.scale, raster);
  const doubtful = pieces.filter((piece) => {
    const object = objects.get(piece.object);
    if (object?.paints === false) return true;
    const plain = object !== undefined && object.colour !== null && !stacked.has(piece) && !object.isUnder(piece.ink);
    return !(plain && hasInk(raster, place(piece), object.colour));
  });
  for (const piece of withoutEffect(page, doubtful, raster)) {
    // Where something is drawn, it may be this very text as a picture: outlines, gradients, scans.
    if (isUniform(raster, place(piece)) && !lacksFont(objects.get(piece.object), piece, raster, place(piece)))
      hidden.set(piece, reasonOf(objects.get(piece.object), piece));
  }
  return hidden;
}

function reasonOf(object: TextObject | undefined, piece: TextPiece): HiddenReason {
  if (object?.paints === false) return 'no_paint';
  if (object?.layered === true) return 'layer_off';
  return object?.isUnder(piece.ink) === true ? 'covered' : 'same_colour';
}

/** True for text that PDFium alone cannot draw, and whose colour would show. */
function lacksFont(object: TextObject | undefined, piece: TextPiece, raster: Raster, place: Box): boolean {
  if (object === undefined || object.embedded || object.colour === null || object.isUnder(piece.ink)) return false;
  const needsFont = piece.characters.some((character) => WITHOUT_FONT.test(character.text));
  return needsFont && standsOut(raster, place, object.colour);
}

/** Pieces that make no difference to the page. */
function withoutEffect(page: PdfiumPage, doubtful: readonly TextPiece[], raster: Raster): TextPiece[] {
  const without: TextPiece[] = [];
  let left = [...doubtful];
  for (let round = 0; left.length > 0 && round < MAX_ROUNDS; round++) {
    const { now, later } = takeApart(left);
    const boxes = now.map((piece) => pixelsOf(piece.ink, page.size.scale, raster));
    const [x1, y1, x2, y2] = boxAround(boxes);
    const setActive = (active: number): void => {
      for (const object of new Set(now.map((piece) => piece.object)))
        page.pdfium.FPDFPageObj_SetIsActive(object, active);
    };
    setActive(0);
    const drawn = page.draw({ left: x1, top: y1, widthPx: x2 - x1, heightPx: y2 - y1 });
    setActive(1);
    const makesNone = (box: Box): boolean => !makesDifference(raster, { raster: drawn, left: x1, top: y1 }, box);
    without.push(...now.filter((_, index) => makesNone(boxes[index] ?? [0, 0, 0, 0])));
    left = later;
  }
  return [...without, ...left];
}

/** Pieces whose objects can be taken off together, because none lies over another, and the others. */
function takeApart(pieces: readonly TextPiece[]): { now: TextPiece[]; later: TextPiece[] } {
  const byObject = Map.groupBy(pieces, (piece) => piece.object);
  const stacked = overlapping(pieces);
  const taken: TextPiece[] = [];
  const now: TextPiece[] = [];
  const later: TextPiece[] = [];
  for (const own of byObject.values()) {
    const lower = own.filter((piece) => stacked.has(piece));
    if (lower.some((piece) => taken.some((other) => overlap(other.ink, piece.ink)))) later.push(...own);
    else {
      now.push(...own);
      taken.push(...lower);
    }
  }
  return { now, later };
}

/** Pieces that share a place with a piece of another object. */
function overlapping(pieces: readonly TextPiece[]): Set<TextPiece> {
  const found = new Set<TextPiece>();
  let reach: TextPiece[] = [];
  for (const piece of pieces.toSorted((a, b) => a.ink[1] - b.ink[1])) {
    reach = reach.filter((other) => other.ink[3] > piece.ink[1]);
    for (const other of reach) {
      if (other.object !== piece.object && overlap(other.ink, piece.ink)) found.add(other).add(piece);
    }
    reach.push(piece);
  }
  return found;
}

/** True when two boxes share more than their edges. */
function overlap(a: Box, b: Box): boolean {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return false;
  const smaller = Math.min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]));
  return width * height > 0.1 * smaller;
}
