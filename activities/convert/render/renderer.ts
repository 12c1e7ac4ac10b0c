/**
 * The interface of PDF renderers, and their names.
 *
 * A renderer draws pages of one open document into raw pixels; it runs inside a render process only, never in a worker. Sizes, text and
 * JPEG files do not depend on the renderer. This file loads no renderer, so the parent may import it.
 */
import type { RasterSize } from '../../../domain/decks/pdf.ts';

export const RENDERER_NAMES = ['pdf-to-img', 'pdfium'] as const;
/** Which library draws the pages. */
export type RendererName = (typeof RENDERER_NAMES)[number];

/** The renderer that gets a second try at a page. */
export function otherRenderer(name: RendererName): RendererName {
  return name === 'pdfium' ? 'pdf-to-img' : 'pdfium';
}

/** A drawn page: rows of opaque pixels, 4 bytes each (red, green, blue, alpha). */
export interface Raster {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

/** A document opened for drawing. */
export interface Renderer {
  readonly name: RendererName;
  /** Draws one page (numbered from 1) right way up, cropped, on white. */
  draw(pageNumber: number, size: RasterSize): Promise<Raster>;
}
