/** The words of form fields and notes of a page as pdfjs tells them: lines of text in a rectangle. */
import type { Transform } from './page-space.ts';
import type { PdfPage } from './pdfjs.ts';

/** A line of text and where it is written. */
export interface WrittenLine {
  readonly text: string;
  readonly font: string;
  /** In the units of the file. */
  readonly width: number;
  readonly matrix: Transform;
}

/** As much of an annotation as is looked at, as pdfjs names it. */
interface Annotation {
  readonly subtype?: unknown;
  readonly annotationFlags?: unknown;
  readonly rect?: unknown;
  readonly password?: unknown;
  readonly fieldType?: unknown;
  readonly fieldValue?: unknown;
  /** Lines that its drawn form writes. */
  readonly textContent?: unknown;
  /** Where the first of them begins, from the lower left corner. */
  readonly textPosition?: unknown;
  readonly defaultAppearanceData?: { readonly fontSize?: unknown };
}

const WITH_WORDS = new Set<unknown>(['Widget', 'FreeText', 'Stamp']);
/** Invisible, hidden, not to be viewed. */
const UNSEEN_FLAGS = (1 << 0) | (1 << 1) | (1 << 5);
const USUAL_SIZE_PT = 12;
const INDENT_PT = 4;
/** Letters are this wide, in font sizes, as a rule; pdfjs does not tell. */
const LETTER_WIDTH = 0.5;
const LINE_HEIGHT = 1.2;

/** The lines of the fields and notes of a page that are to be viewed. Whether they are, the pixels tell. */
export async function linesOfAnnotations(page: PdfPage): Promise<WrittenLine[]> {
  const annotations: readonly Annotation[] = await page.getAnnotations();
  return annotations.flatMap(linesOf);
}

function linesOf(annotation: Annotation): WrittenLine[] {
  const { subtype, annotationFlags, password, textContent, fieldType, fieldValue } = annotation;
  const flags = typeof annotationFlags === 'number' ? annotationFlags : 0;
  const rect = numbersIn(annotation.rect);
  if (!WITH_WORDS.has(subtype) || (flags & UNSEEN_FLAGS) !== 0 || password === true || rect.length < 4) return [];
  const drawn = Array.isArray(textContent) ? textContent.filter((line) => typeof line === 'string') : [];
  const isText = fieldType === 'Tx' || fieldType === 'Ch';
  const lines = drawn.length > 0 || !isText || typeof fieldValue !== 'string' ? drawn : fieldValue.split(/\r\n?|\n/u);
  const [left = 0, bottom = 0, right = 0, top = 0] = rect;
  const { fontSize } = annotation.defaultAppearanceData ?? {};
  const size = typeof fontSize === 'number' && fontSize > 0 ? fontSize : Math.min(USUAL_SIZE_PT, 0.7 * (top - bottom));
  const middle = (top - bottom + (lines.length - 1) * LINE_HEIGHT * size) / 2 - 0.35 * size;
  const [x = INDENT_PT, y = middle] = numbersIn(annotation.textPosition);
  return lines.map((text, index) => ({
    text,
    font: 'annotation',
    width: Math.min(LETTER_WIDTH * size * text.length, right - left),
    matrix: [size, 0, 0, size, left + x, bottom + y - index * LINE_HEIGHT * size],
  }));
}

const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'number' && Number.isFinite(each)) : [];
