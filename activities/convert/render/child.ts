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
import type { OcrNeed } from '../../../domain/pages/needs-ocr.ts';
import type { Recognition } from '../../../domain/pages/settle-words.ts';
import type { SentMessage } from './child-message.ts';
import { PDF_FD, type Job } from './messages.ts';
import { RENDERER_NAMES } from './renderer.ts';
import type { ReadPage } from './renderer.ts';

new Worker(new URL('./watchdog.ts', import.meta.url)).unref();

function say(message: SentMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}

/**
 * Reads and draws the pages of one window, one after the other. A page is encoded while the next one is drawn. A page whose text has to be
 * recognised takes as long as forty others, so those behind it are drawn meanwhile, up to the next that needs recognition: at most three
 * pages are in memory.
 */
async function render(job: Job & { type: 'render' }, bytes: Buffer): Promise<void> {
  const { openRenderer } = await import('./open-renderer.ts');
  const { needOf, PageRecogniser } = await import('./recognise.ts');
  const renderer = await openRenderer(job.renderer, bytes, job.maxPixels);
  const recogniser = new PageRecogniser(job.recognition, async (limits) => (await import('./ocr.ts')).openOcr(limits));
  let encoding: Promise<MachineFault | null> = Promise.resolve(null);
  let recognising: Promise<MachineFault | null> = Promise.resolve(null);
  let drawing = false;
  for (const number of job.pages) {
    await say({ type: 'page-started', number });
    let page: ReadPage | undefined;
    let need: OcrNeed = 'none';
    let fault: MachineFault | null = null;
    try {
      drawing = true;
      page = await renderer.read(number, job.maxPixels);
      need = needOf(page, number);
    } catch (error) {
      fault = await pageFailed(number, error);
    } finally {
      drawing = false;
    }
    fault = (await (need === 'none' ? encoding : recognising)) ?? fault;
    if (fault !== null) throw fault;
    if (page === undefined) continue;
    // Each message gives more time, which a page that is being drawn must not get. A parent that cannot be told is gone: the rejection ends
    // this process.
    const tell = (): void => void (drawing || say({ type: 'page-recognising', number }));
    if (need === 'none') encoding = finish(page, number);
    else
      recognising = recogniser.recognise(page, need, tell, number === 1).then((found) => finish(page, number, found));
  }
  const faults = [await encoding, await recognising];
  await recogniser.close();
  for (const fault of faults) if (fault !== null) throw fault;
}

/** An error of the machine, not of the page: it ends the job. */
type MachineFault = DeckhandError;

/** Lays out, encodes and reports a page; never rejects, because it is not awaited while other pages are drawn. */
async function finish(page: ReadPage, number: number, recognition?: Recognition): Promise<MachineFault | null> {
  try {
    const { encodePageImages } = await import('./page-images.ts');
    const { readLayout } = await import('./read-layout.ts');
    const encoded = encodePageImages(page.raster);
    const layout = readLayout(page, recognition);
    const { artefact, model } = await encoded;
    const { widthPx, heightPx } = page.raster;
    const images = { artefact: artefact.toString('base64'), model: model.toString('base64') };
    await say({
      type: 'page-done',
      number,
      widthPx,
      heightPx,
      layout,
      ocrFault: recognition?.fault ?? null,
      ...images,
    });
    return null;
  } catch (error) {
    return pageFailed(number, error);
  }
}

/** Reports a page that cannot be drawn; a fault of the machine is not reported but returned. */
async function pageFailed(number: number, error: unknown): Promise<MachineFault | null> {
  if (error instanceof DeckhandError && !ERROR_KINDS[error.code].permanent) return error;
  const code = error instanceof DeckhandError ? error.code : 'page_render_failed';
  await say({ type: 'page-failed', number, code, message: error instanceof Error ? error.message : String(error) });
  return null;
}

/** Reads quotes again, one after the other; each picture is opened when its first quote comes. */
async function reread(job: Job & { type: 'reread' }, bytes: Buffer): Promise<void> {
  const { openOcr } = await import('./ocr.ts');
  const { openPicture, rereadQuote } = await import('./reread.ts');
  const { pageCpuMs: cpuMs, totalMs: wallMs } = job.recognition;
  const ocr = await openOcr({ cpuMs, wallMs, onProgress: () => undefined });
  let opened: { readonly picture: number; readonly pixels: Awaited<ReturnType<typeof openPicture>> } | undefined;
  for (const [index, { quote, picture, lines }] of job.quotes.entries()) {
    const tell = (): Promise<void> => say({ type: 'quote-started', index });
    await tell();
    try {
      if (opened?.picture !== picture) {
        const from = job.pictures.slice(0, picture).reduce((sum, length) => sum + length, 0);
        opened = { picture, pixels: await openPicture(bytes.subarray(from, from + (job.pictures[picture] ?? 0))) };
      }
      const limits = { cpuMs, wallMs, onProgress: () => void tell() };
      const { readings, blank, fault } = await rereadQuote(ocr, opened.pixels, { quote, lines }, limits);
      await say({ type: 'quote-read', index, readings: [...readings], blank, fault });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      await say({ type: 'quote-read', index, readings: [], blank: false, fault });
    }
  }
  await ocr.close();
}

async function run(job: Job): Promise<void> {
  try {
    const bytes = await buffer(new Socket({ fd: PDF_FD, readable: true, writable: false }));
    switch (job.type) {
      case 'render':
        await render(job, bytes);
        break;
      case 'reread':
        await reread(job, bytes);
        break;
      case 'probe': {
        const { inspectDeck } = await import('./inspect.ts');
        for await (const inspection of inspectDeck(bytes, job)) await say({ type: 'inspected', inspection });
      }
    }
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
// Each purpose loads its own library and no other.
if (preferred === undefined) {
  await import('./inspect.ts');
  const { preloadPdfjs } = await import('./pdfjs.ts');
  await preloadPdfjs();
} else {
  const { loadPdfium } = await import('./pdfium.ts');
  // Compiled by another thread while this one loads the encoder.
  const compiled = preferred === 'pdfium' ? loadPdfium() : undefined;
  // Recognition is loaded here too, though few pages need it, because what is loaded later is compiled anew by each process.
  const [{ warmUp }] = await Promise.all([
    import('./open-renderer.ts'),
    import('./recognise.ts'),
    import('./ocr.ts'),
    import('./reread.ts'),
    compiled,
  ]);
  await warmUp(preferred);
}
// This process will be killed, never exit, so what it compiled must be kept for the next one now.
flushCompileCache();
await say({ type: 'ready' });
