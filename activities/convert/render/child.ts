/**
 * The render process: loads its libraries, says that it is ready, does one job for its parent, and is then thrown away.
 *
 * Hostile files are parsed and drawn here and nowhere else. Limits of time and memory are kept by the parent, which kills this process;
 * whatever can be named from inside (damaged, encrypted, a page that throws) is reported as a message.
 */
import { readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { asDeckhandError, DeckhandError } from '../../../domain/errors.ts';
import { rasterSize } from '../../../domain/pdf.ts';
import { inspectDeck } from './inspect.ts';
import type { ChildMessage, Job } from './messages.ts';
import { openRenderer, preloadRenderer } from './open-renderer.ts';
import { writePageImages } from './page-images.ts';
import { preloadPdfjs, openPdf } from './pdfjs.ts';
import { RENDERER_NAMES } from './renderer.ts';
import { pageText } from './text-layer.ts';

new Worker(new URL('./watchdog.ts', import.meta.url)).unref();

function say(message: ChildMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Draws the pages of one window, one after the other; encoding one page overlaps with drawing the next. */
async function render(job: Job & { type: 'render' }): Promise<void> {
  const bytes = await readFile(job.pdfPath);
  const document = await openPdf(bytes);
  const renderer = await openRenderer(job.renderer, bytes, job.maxPixels);
  let encoding: Promise<void> = Promise.resolve();

  for (const number of job.pages) {
    await say({ type: 'page-started', number });
    try {
      const page = await document.getPage(number);
      const viewport = page.getViewport({ scale: 1 });
      const size = rasterSize({ widthPt: viewport.width, heightPt: viewport.height }, job.maxPixels);
      if (size === null) {
        throw new DeckhandError(
          'page_too_large',
          `page ${number} measures ${viewport.width}×${viewport.height} points`,
        );
      }
      const text = await pageText(page);
      const raster = await renderer.draw(number, size);
      page.cleanup();
      await encoding;
      encoding = (async () => {
        try {
          const modelSha256 = await writePageImages(raster, job.outDir, number);
          await say({
            type: 'page-done',
            number,
            widthPx: raster.widthPx,
            heightPx: raster.heightPx,
            text,
            modelSha256,
          });
        } catch (error) {
          await pageFailed(number, error);
        }
      })();
    } catch (error) {
      await pageFailed(number, error);
    }
  }
  await encoding;
}

function pageFailed(number: number, error: unknown): Promise<void> {
  const known = error instanceof DeckhandError ? error : undefined;
  return say({
    type: 'page-failed',
    number,
    code: known?.code ?? 'page_render_failed',
    message: error instanceof Error ? error.message : String(error),
  });
}

async function run(job: Job): Promise<void> {
  try {
    if (job.type === 'render') await render(job);
    else await say({ type: 'probed', probe: await inspectDeck(job) });
    await say({ type: 'finished' });
  } catch (error) {
    const { code, message, userMessage, hint } = asDeckhandError(error);
    await say({ type: 'failed', code, message, userMessage, hint });
  }
}

process.once('message', (job: Job) => {
  void run(job);
});
const preferred = RENDERER_NAMES.find((name) => name === process.argv[2]);
await Promise.all([preloadPdfjs(), preferred && preloadRenderer(preferred)]);
// This process will be killed, never exit, so what it compiled must be kept for the next one now.
flushCompileCache();
await say({ type: 'ready' });
