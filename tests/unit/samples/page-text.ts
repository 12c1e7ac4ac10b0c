/**
 * Reads the text layer of a PDF for the tests of the samples, with the library the product reads decks with.
 */
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What one page holds. */
export interface PageContent {
  /** Text in reading order, any white space as one blank. */
  readonly text: string;
  /** Number of pictures painted. */
  readonly images: number;
  /** Page size in points. */
  readonly width: number;
  readonly height: number;
}

/** One white space for any. */
export const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The pages of a PDF. */
export async function readPages(pdf: Uint8Array): Promise<PageContent[]> {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 });
  const document = await task.promise;
  try {
    const pages: PageContent[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const { fnArray } = await page.getOperatorList();
      const { width, height } = page.getViewport({ scale: 1 });
      pages.push({
        text: flat(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join('')),
        images: fnArray.filter((operator) => operator === OPS.paintImageXObject).length,
        width,
        height,
      });
    }
    return pages;
  } finally {
    await task.destroy();
  }
}
