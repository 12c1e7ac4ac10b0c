/** Which rows of `Slide` are pages as this version draws and reads them. */
import type { Prisma } from '../../generated/prisma/client.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { PAGE_TEXT_VERSION } from '../../domain/pages/page.ts';

/** A page whose text could not be recognised that time. */
const OCR_FAILED = { layout: { path: ['ocr'], equals: 'failed' } } satisfies Prisma.SlideWhereInput;

/** Condition on a slide: it is drawn, and its text was read by this version. Other pages are read again before they are used. */
export const PAGE_IS_READ = {
  renderKey: RENDER_KEY,
  modelBlobKey: { not: null },
  layout: { path: ['version'], equals: PAGE_TEXT_VERSION },
  NOT: OCR_FAILED,
} satisfies Prisma.SlideWhereInput;

/** Conditions of which a slide meets one whose text was read by another version, or not completely. */
export const PAGE_IS_OLDER = [{ NOT: { layout: PAGE_IS_READ.layout } }, OCR_FAILED] satisfies Prisma.SlideWhereInput[];
