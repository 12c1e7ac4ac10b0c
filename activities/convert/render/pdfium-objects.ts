/**
 * What PDFium knows of the objects of a page: of those that draw text, their colour, whether they paint at all, and what is drawn over them;
 * of the others, how much they draw.
 */
import type { Box } from '../../../domain/pages/page.ts';
import type { PdfiumFunctions, PdfiumPage } from './pdfium.ts';
import { combined, seenBox, type Transform } from './page-space.ts';
import { seenTransform } from './pdfium-text.ts';
import type { Drawing } from './renderer.ts';
import { touch, type Colour } from './visibility.ts';

/** An object that draws text. */
export interface TextObject {
  /** False for text without paint: render mode 3, or nothing but transparent colours. */
  readonly paints: boolean;
  /** The one opaque colour it is filled with; null for any other paint. */
  readonly colour: Colour | null;
  /** True when it belongs to a layer, which may be switched off. */
  readonly layered: boolean;
  /** True when the font comes with the file. */
  readonly embedded: boolean;
  /** True when something that is no text is drawn over this place later, or might be. */
  isUnder(place: Box): boolean;
}

/** The objects of a page. */
export interface PageObjects {
  /** By address. Objects that are not found are judged by drawing. */
  readonly texts: ReadonlyMap<number, TextObject>;
  readonly drawing: Drawing;
}

const TYPE_TEXT = 1;
const TYPE_PATH = 2;
const TYPE_PICTURE = 3;
const TYPE_FORM = 5;
const MODE_INVISIBLE = 3;
const MODE_CLIP = 7;
const MODE_FILL = new Set([0, 4]);
const MODE_STROKE = new Set([1, 2, 5, 6]);
/** Objects beyond this are not looked at: text among them is judged by drawing. */
const MAX_OBJECTS = 100_000;
const MAX_DEPTH = 12;
/** A rectangle with round corners has nine segments; a map has hundreds. */
const MAX_SEGMENTS = 14;
/** Shapes that are told of a page; the layout keeps the longest of them. */
const MAX_TOLD_SHAPES = 5000;
const SCRATCH_BYTES = 64;
const NAME_BYTES = 16;

interface Walk {
  readonly pdfium: PdfiumFunctions;
  readonly scratch: number;
  readonly widthPt: number;
  readonly heightPt: number;
  /** Places of everything that is drawn and is no text, in the order of drawing. */
  readonly painted: Box[];
  readonly texts: Map<number, TextObject>;
  /** Places of pictures. */
  readonly pictures: Box[];
  /** Places of shapes of few segments. */
  readonly shapes: Box[];
  /** Square points that pictures cover, counted as often as they are covered. */
  pictureArea: number;
  /** Shapes that are drawn. */
  paths: number;
  left: number;
}

/** Looks at the objects of a page. */
export function pageObjects({ pdfium, page, widthPt, heightPt }: PdfiumPage): PageObjects {
  const scratch = pdfium.malloc(SCRATCH_BYTES);
  try {
    const walk: Walk = {
      pdfium,
      scratch,
      widthPt,
      heightPt,
      painted: [],
      texts: new Map(),
      pictures: [],
      shapes: [],
      pictureArea: 0,
      paths: 0,
      left: MAX_OBJECTS,
    };
    const transform = seenTransform(pdfium, page, scratch);
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let index = 0; index < count; index++)
      visit(walk, pdfium.FPDFPage_GetObject(page, index), transform, false, MAX_DEPTH);
    const pictureShare = Math.min(1, walk.pictureArea / (widthPt * heightPt));
    return {
      texts: walk.texts,
      drawing: { pictureShare, pictures: walk.pictures, shapes: walk.shapes, paths: walk.paths },
    };
  } finally {
    pdfium.free(scratch);
  }
}

function visit(walk: Walk, object: number, transform: Transform, layered: boolean, depth: number): void {
  const { pdfium, painted, texts } = walk;
  if (object === 0 || depth === 0 || walk.left-- <= 0) return;
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === TYPE_TEXT) {
    texts.set(object, textObject(walk, object, layered || isLayered(walk, object)));
  } else if (type === TYPE_FORM) {
    const inner = combined(transform, matrixOf(walk, object));
    const innerLayered = layered || isLayered(walk, object);
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count; index++)
      visit(walk, pdfium.FPDFFormObj_GetObject(object, index), inner, innerLayered, depth - 1);
  } else if (type !== TYPE_PATH || isDrawn(walk, object)) {
    const bounds = boundsOf(walk, object);
    const place = bounds === null ? null : seenBox(transform, bounds);
    if (place !== null) painted.push(place);
    if (
      type === TYPE_PATH &&
      place !== null &&
      walk.shapes.length < MAX_TOLD_SHAPES &&
      pdfium.FPDFPath_CountSegments(object) <= MAX_SEGMENTS
    )
      walk.shapes.push(place);
    if (type !== TYPE_PICTURE) walk.paths += 1;
    else if (place !== null) {
      walk.pictures.push(place);
      walk.pictureArea += areaOnPage(walk, place);
    }
  }
}

function areaOnPage({ widthPt, heightPt }: Walk, [left, top, right, bottom]: Box): number {
  const width = Math.min(right, widthPt) - Math.max(left, 0);
  const height = Math.min(bottom, heightPt) - Math.max(top, 0);
  return Math.max(0, width) * Math.max(0, height);
}

function textObject(walk: Walk, object: number, layered: boolean): TextObject {
  const { pdfium, painted } = walk;
  const mode = pdfium.FPDFTextObj_GetTextRenderMode(object);
  const fill = colourOf(walk, object, 'FPDFPageObj_GetFillColor');
  const stroke = MODE_STROKE.has(mode) ? colourOf(walk, object, 'FPDFPageObj_GetStrokeColor') : null;
  const alpha = Math.max(MODE_FILL.has(mode) || mode === 2 || mode === 6 ? fill.alpha : 0, stroke?.alpha ?? 0);
  const first = painted.length;
  const font = pdfium.FPDFTextObj_GetFont(object);
  return {
    // Text that only clips shows as what is drawn after it.
    paints: mode === MODE_CLIP || (mode !== MODE_INVISIBLE && alpha > 0),
    colour: MODE_FILL.has(mode) && fill.alpha === 255 ? fill.colour : null,
    layered,
    embedded: font !== 0 && pdfium.FPDFFont_GetIsEmbedded(font) === 1,
    isUnder: (place) => walk.left <= 0 || painted.slice(first).some((box) => touch(box, place)),
  };
}

function colourOf(
  { pdfium, scratch }: Walk,
  object: number,
  ask: 'FPDFPageObj_GetFillColor' | 'FPDFPageObj_GetStrokeColor',
): { readonly colour: Colour | null; readonly alpha: number } {
  if (pdfium[ask](object, scratch, scratch + 4, scratch + 8, scratch + 12) !== 1) return { colour: null, alpha: 255 };
  const [red = 0, green = 0, blue = 0, alpha = 0] = new Uint32Array(pdfium.memory.buffer, scratch, 4);
  return { colour: [red, green, blue], alpha };
}

/** Paths also serve as mere outlines for clipping. */
function isDrawn({ pdfium, scratch }: Walk, path: number): boolean {
  if (pdfium.FPDFPath_GetDrawMode(path, scratch, scratch + 4) !== 1) return true;
  const [fill = 0, stroke = 0] = new Int32Array(pdfium.memory.buffer, scratch, 2);
  return fill !== 0 || stroke !== 0;
}

function isLayered({ pdfium, scratch }: Walk, object: number): boolean {
  const count = pdfium.FPDFPageObj_CountMarks(object);
  for (let index = 0; index < count; index++) {
    const mark = pdfium.FPDFPageObj_GetMark(object, index);
    if (pdfium.FPDFPageObjMark_GetName(mark, scratch, NAME_BYTES, scratch + NAME_BYTES) !== 1) continue;
    const [bytes = 0] = new Uint32Array(pdfium.memory.buffer, scratch + NAME_BYTES, 1);
    const name = Buffer.from(pdfium.memory.buffer, scratch, Math.min(bytes, NAME_BYTES)).toString('utf16le');
    if (name === 'OC\0') return true;
  }
  return false;
}

function boundsOf({ pdfium, scratch }: Walk, object: number): Box | null {
  if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) !== 1) return null;
  const [left = 0, bottom = 0, right = 0, top = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  return [left, bottom, right, top];
}

function matrixOf({ pdfium, scratch }: Walk, form: number): Transform {
  if (pdfium.FPDFPageObj_GetMatrix(form, scratch) !== 1) return [1, 0, 0, 1, 0, 0];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = new Float32Array(pdfium.memory.buffer, scratch, 6);
  return [a, b, c, d, e, f];
}
