/**
 * The layout of a page as it comes out of the process that parses hostile files: believed only after every claim is checked.
 */
import { MAX_PAGE_TEXT_LENGTH } from '../decks/pdf.ts';
import { MAX_PAGE_WORDS, PAGE_TEXT_VERSION, type PageLayout } from './page.ts';
import { lengthOf } from './merge-words.ts';
import { pageLayoutSchema } from './page-schemas.ts';
import { MAX_SHAPES } from './shapes.ts';

/** A layout of this version, within the limits: boxes lie on the page, and the blocks hold every word once. */
export const checkedLayoutSchema = pageLayoutSchema.superRefine((layout, context) => {
  const fault = faultOf(layout);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
});

/** What is wrong with a layout; null for a sound one. */
function faultOf(layout: PageLayout): string | null {
  const { version, widthPt, heightPt, words, blocks, hidden, shapes = [] } = layout;
  if (version !== PAGE_TEXT_VERSION) return `version ${version}`;
  if (!(widthPt > 0 && heightPt > 0)) return 'a page without a size';
  const isOnPage = ([left, top, right, bottom]: readonly number[]): boolean =>
    isOrdered([0, left, right, widthPt]) && isOrdered([0, top, bottom, heightPt]);
  if (!words.every((word) => isOnPage(word.box))) return 'a word that is not on the page';
  if (words.length > MAX_PAGE_WORDS || lengthOf(words) > MAX_PAGE_TEXT_LENGTH) return 'more text than a page may have';
  if (hidden.length > MAX_PAGE_WORDS || lengthOf(hidden) > 2 * MAX_PAGE_TEXT_LENGTH)
    return 'more hidden text than is kept';
  if (shapes.length > MAX_SHAPES) return 'more shapes than are kept';
  if (!shapes.every(isOnPage)) return 'a shape that is not on the page';
  const inBlocks = blocks.flatMap((block) => block.lines.flat(2));
  const isWhole = inBlocks.length === words.length && new Set(inBlocks).size === words.length;
  return isWhole && inBlocks.every((index) => index < words.length) ? null : 'blocks that do not hold every word once';
}

function isOrdered(values: readonly (number | undefined)[]): boolean {
  return values.every((value, index) => index === 0 || (values[index - 1] ?? Number.NaN) <= (value ?? Number.NaN));
}
