/**
 * Opens a document with the renderer of a given name. Imported by render processes only: it loads the libraries.
 */
import { openPdfToImg, preloadPdfToImg } from './pdf-to-img-renderer.ts';
import { openPdfium, preloadPdfium } from './pdfium-renderer.ts';
import type { Renderer, RendererName } from './renderer.ts';

/** Opens the PDF for drawing. */
export function openRenderer(name: RendererName, bytes: Uint8Array, maxPixels: number): Promise<Renderer> {
  return name === 'pdfium' ? openPdfium(bytes) : openPdfToImg(bytes, maxPixels);
}

/** Loads the renderer's modules before there is work. */
export function preloadRenderer(name: RendererName): Promise<void> {
  return name === 'pdfium' ? preloadPdfium() : preloadPdfToImg();
}
