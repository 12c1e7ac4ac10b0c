/** The pages of a PDF as a render process reads them. */
import { openRenderer } from '../activities/convert/render/open-renderer.ts';
import { readLayout } from '../activities/convert/render/read-layout.ts';
import type { ReadPage, RendererName } from '../activities/convert/render/renderer.ts';
import { DEFAULT_RENDER_LIMITS } from '../domain/decks/pdf.ts';
import type { PageLayout } from '../domain/pages/page.ts';

const { maxPixels } = DEFAULT_RENDER_LIMITS;

/** Reads all pages in this process. */
export async function readPages(pdf: Uint8Array, renderer: RendererName = 'pdfium'): Promise<ReadPage[]> {
  const document = await openRenderer(renderer, pdf, maxPixels);
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.pageCount; number++) pages.push(await document.read(number, maxPixels));
  return pages;
}

/** The layouts of the pages of a PDF. */
export async function layoutsOf(pdf: Uint8Array, renderer?: RendererName): Promise<PageLayout[]> {
  return (await readPages(pdf, renderer)).map((page) => readLayout(page));
}
