/**
 * Opens a document with the renderer of a given name. Imported by render processes only: it loads the libraries.
 */
import { openPdfToImg } from './pdf-to-img-renderer.ts';
import { openPdfium } from './pdfium-renderer.ts';
import type { Renderer, RendererName } from './renderer.ts';

/** Opens the PDF for drawing. */
export function openRenderer(name: RendererName, bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  return name === 'pdfium' ? openPdfium(bytes) : openPdfToImg(bytes, maxPixels);
}
