/** The characters of a page as PDFium finds them, with their places on the page as it is seen. */
import type { Box } from '../../../domain/pages/page.ts';
import type { PageCharacter } from '../../../domain/pages/words.ts';
import {
  isNoCharacter,
  keptCharacter,
  MAX_PAGE_CHARACTERS,
  seenBox,
  turnOf,
  UNKNOWN_CHARACTER,
  type Transform,
} from './page-space.ts';
import type { PdfiumFunctions } from './pdfium.ts';

/** A character and the object of the page that draws it. */
export interface PdfiumCharacter extends PageCharacter {
  /** Where the glyph itself is drawn; the box where PDFium knows of no outline. */
  readonly ink: Box;
  /** Address of the text object; 0 for a space that PDFium has made up. */
  readonly object: number;
}

/** The transform of a page: cropped, turned, y downwards. Its UserUnit, which PDFium does not tell, is taken for 1. */
export function seenTransform(pdfium: PdfiumFunctions, page: number, scratch: number): Transform {
  pdfium.FPDF_GetPageBoundingBox(page, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  switch (pdfium.FPDFPage_GetRotation(page)) {
    case 1:
      return [0, 1, 1, 0, -bottom, -left];
    case 2:
      return [-1, 0, 0, 1, right, -bottom];
    case 3:
      return [0, -1, -1, 0, top, right];
    default:
      return [1, 0, 0, -1, -left, top];
  }
}

/** Bytes of scratch memory that {@link readCharacters} needs. */
const SCRATCH_BYTES = 512;
/** Longest font name looked at. */
const FONT_NAME_BYTES = 256;
const FORCE_BOLD = 1 << 18;
const BOLD_WEIGHT = 600;

/** A space that PDFium makes up where it finds a gap. */
const GUESSED_SPACE: PdfiumCharacter = {
  text: '',
  box: [0, 0, 0, 0],
  sizePt: 0,
  turn: 0,
  bold: false,
  object: 0,
  ink: [0, 0, 0, 0],
};

/** Reads all characters of a page, in the order in which PDFium puts them. */
export function readCharacters(pdfium: PdfiumFunctions, page: number): PdfiumCharacter[] {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const scratch = pdfium.malloc(SCRATCH_BYTES);
  try {
    const transform = seenTransform(pdfium, page, scratch);
    const count = Math.min(pdfium.FPDFText_CountChars(text), MAX_PAGE_CHARACTERS);
    const fontOf = fontsOf(pdfium, text, scratch);
    const characters: PdfiumCharacter[] = [];
    for (let index = 0; index < count; index++) {
      const character = readCharacter(pdfium, text, index, transform, scratch, fontOf);
      const previous = characters.at(-1);
      // Characters beyond the first plane come in two halves.
      if (character !== null && previous !== undefined && isPair(previous.text, character.text))
        characters[characters.length - 1] = { ...previous, text: previous.text + character.text };
      else if (character !== null) characters.push(character);
    }
    return characters;
  } finally {
    pdfium.free(scratch);
    pdfium.FPDFText_ClosePage(text);
  }
}

function readCharacter(
  pdfium: PdfiumFunctions,
  text: number,
  index: number,
  transform: Transform,
  scratch: number,
  fontOf: (object: number, index: number) => Font,
): PdfiumCharacter | null {
  if (pdfium.FPDFText_IsGenerated(text, index) === 1) return GUESSED_SPACE;
  const character = toCharacter(pdfium.FPDFText_GetUnicode(text, index));
  const drawn = inkBox(pdfium, text, index, transform, scratch);
  const isHyphen = pdfium.FPDFText_IsHyphen(text, index) === 1;
  const unmapped =
    !isHyphen && drawn !== null && (pdfium.FPDFText_HasUnicodeMapError(text, index) === 1 || isNoCharacter(character));
  const found = isHyphen ? '-' : unmapped ? UNKNOWN_CHARACTER : keptCharacter(character);
  if (found === null) return null;
  const object = pdfium.FPDFText_GetTextObject(text, index);
  pdfium.FPDFText_GetMatrix(text, index, scratch);
  const [a = 1, b = 0, c = 0, d = 1] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  pdfium.FPDFText_GetLooseCharBox(text, index, scratch);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer, scratch, 4);
  const sizePt = Math.hypot(c, d) * pdfium.FPDFText_GetFontSize(text, index);
  const box = seenBox(transform, [left, bottom, right, top]);
  const font = object === 0 ? PLAIN_FONT : fontOf(object, index);
  return {
    text: font.ofEuros && found === 'e' ? '€' : found,
    box,
    ink: drawn ?? box,
    sizePt: Number.isFinite(sizePt) ? sizePt : 0,
    turn: turnOf(transform, a, b),
    bold: font.bold,
    font: font.handle,
    unmapped,
    object,
  };
}

function toCharacter(codePoint: number): string {
  return codePoint > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(codePoint);
}

function isPair(high: string, low: string): boolean {
  return /^[\uD800-\uDBFF]$/.test(high) && /^[\uDC00-\uDFFF]$/.test(low);
}

function inkBox(
  pdfium: PdfiumFunctions,
  text: number,
  index: number,
  transform: Transform,
  scratch: number,
): Box | null {
  if (pdfium.FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24) !== 1) return null;
  const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(pdfium.memory.buffer, scratch, 4);
  return right > left && top > bottom ? seenBox(transform, [left, bottom, right, top]) : null;
}

/** What a font says of its characters. */
interface Font {
  readonly handle: number;
  readonly bold: boolean;
  /** True for a font of euro signs, which TeX sets as the letter e. */
  readonly ofEuros: boolean;
}

const PLAIN_FONT: Font = { handle: 0, bold: false, ofEuros: false };

/** True for the fonts of the package eurosym: feymr10, feybr10, and so on. */
export const isOfEuros = (fontName: string): boolean => /(?:^|[+-])fey[bm][lor]\d*$/i.test(fontName);

/** Tells of each text object about its font; fonts are asked once. */
function fontsOf(pdfium: PdfiumFunctions, text: number, scratch: number): (object: number, index: number) => Font {
  const known = new Map<number, Font>();
  return (object, index) => {
    const handle = pdfium.FPDFTextObj_GetFont(object);
    const seen = known.get(handle);
    if (seen !== undefined) return seen;
    const nameAt = scratch + 4;
    const length = pdfium.FPDFText_GetFontInfo(text, index, nameAt, FONT_NAME_BYTES, scratch);
    const memory = pdfium.memory.buffer;
    const name = Buffer.from(memory, nameAt, Math.min(length, FONT_NAME_BYTES))
      .toString('latin1')
      .replace(/\0.*$/s, '');
    const [flags = 0] = new Int32Array(memory, scratch, 1);
    const bold =
      /bold|black|heavy/i.test(name) ||
      (length > 0 && (flags & FORCE_BOLD) !== 0) ||
      pdfium.FPDFText_GetFontWeight(text, index) >= BOLD_WEIGHT;
    const font = { handle, bold, ofEuros: isOfEuros(name) };
    known.set(handle, font);
    return font;
  };
}
