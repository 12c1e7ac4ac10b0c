/**
 * The render process: loads its libraries, says that it is ready, does one job for its parent, and is then thrown away.
 *
 * Hostile files are parsed and drawn here and nowhere else. Limits of time and memory are kept by the parent, which kills this process;
 * whatever can be named from inside (damaged, encrypted, a page that throws) is reported as a message.
 */
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { asDeckhandError, DeckhandError, ERROR_KINDS } from '../../../domain/errors.ts';
import { rasterSize } from '../../../domain/decks/pdf.ts';
import { inspectDeck } from './inspect.ts';
import { PDF_FD } from './messages.ts';
import type { Job, SentMessage } from './messages.ts';
import { openPdf, preloadPdfjs } from './pdfjs.ts';
import type { PdfDocument } from './pdfjs.ts';
import { RENDERER_NAMES } from './renderer.ts';
import type { Raster, Renderer } from './renderer.ts';
import { pageText } from './text-layer.ts';

new Worker(new URL('./watchdog.ts', import.meta.url)).unref();

function say(message: SentMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Draws the pages of one window, one after the other; encoding one page overlaps with drawing the next. */
async function render(job: Job & { type: 'render' }, bytes: Buffer): Promise<void> {
  const document = await openPdf(bytes);
  const renderer = await openForDrawing(job, bytes);
  let encoding: Promise<MachineFault | null> = Promise.resolve(null);
  for (const number of job.pages) {
    await say({ type: 'page-started', number });
    let drawn: DrawnPage | undefined;
    let fault: MachineFault | null = null;
    try {
      drawn = await draw(document, renderer, number, job.maxPixels);
    } catch (error) {
      fault = await pageFailed(number, error);
    }
    fault = (await encoding) ?? fault;
    if (fault !== null) throw fault;
    if (drawn !== undefined) encoding = encode(drawn, number);
  }
  const fault = await encoding;
  if (fault !== null) throw fault;
}

/** A page between drawing and encoding. */
interface DrawnPage {
  readonly text: string;
  readonly raster: Raster;
}

/** An error of the machine, not of the page: it ends the job. */
type MachineFault = DeckhandError;

async function draw(document: PdfDocument, renderer: Renderer, number: number, maxPixels: number): Promise<DrawnPage> {
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  const size = rasterSize({ widthPt: width, heightPt: height }, maxPixels);
  if (size === null) throw new DeckhandError('page_too_large', `a page of ${width}×${height} points cannot be shown`);
  const text = await pageText(page);
  const raster = await renderer.draw(number, size);
  page.cleanup();
  return { text, raster };
}

/** Encodes and reports a page; never rejects, because it is not awaited while the next page is drawn. */
async function encode({ text, raster }: DrawnPage, number: number): Promise<MachineFault | null> {
  try {
    const { encodePageImages } = await import('./page-images.ts');
    const { artefact, model } = await encodePageImages(raster);
    const { widthPx, heightPx } = raster;
    const images = { artefact: artefact.toString('base64'), model: model.toString('base64') };
    await say({ type: 'page-done', number, widthPx, heightPx, text, ...images });
    return null;
  } catch (error) {
    return pageFailed(number, error);
  }
}

/** A renderer that cannot open what pdfjs could open has failed like one that cannot draw: the other one gets its try. */
async function openForDrawing(job: Job & { type: 'render' }, bytes: Buffer): Promise<Renderer> {
  try {
    const { openRenderer } = await import('./open-renderer.ts');
    return await openRenderer(job.renderer, bytes, job.maxPixels);
  } catch (error) {
    throw new DeckhandError('page_render_failed', `cannot open the document: ${String(error)}`, { cause: error });
  }
}

/** Reports a page that cannot be drawn; a fault of the machine is not reported but returned. */
async function pageFailed(number: number, error: unknown): Promise<MachineFault | null> {
  if (error instanceof DeckhandError && !ERROR_KINDS[error.code].permanent) return error;
  const code = error instanceof DeckhandError ? error.code : 'page_render_failed';
  await say({ type: 'page-failed', number, code, message: error instanceof Error ? error.message : String(error) });
  return null;
}

async function run(job: Job): Promise<void> {
  try {
    const bytes = await buffer(new Socket({ fd: PDF_FD, readable: true, writable: false }));
    if (job.type === 'render') await render(job, bytes);
    else await say({ type: 'probed', probe: await inspectDeck(bytes, job) });
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
await preloadPdfjs();
// The libraries that draw and encode are loaded only if needed: a PDF check uses neither.
if (preferred !== undefined) {
  const { warmUp } = await import('./open-renderer.ts');
  await warmUp(preferred);
}
// This process will be killed, never exit, so what it compiled must be kept for the next one now.
flushCompileCache();
await say({ type: 'ready' });
