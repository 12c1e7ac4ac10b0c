/**
 * Renders one window of pages in a process of its own.
 *
 * Whatever a page does to the process that draws it, only that page is lost: it gets the named error, and the rest of the window goes on
 * in a fresh process. A page that fails with one renderer is tried once more with the other.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asDeckhandError, type DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import { recognitionLimits, windowTimeoutMs, type RenderLimits } from '../../../domain/decks/pdf.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import type { ChildMessage } from './child-message.ts';
import type { Ending } from './render-process.ts';
import { otherRenderer, type RendererName } from './renderer.ts';
import { takeProcess } from './spares.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { writeError } from '../../../platform/blobs/errors.ts';

export { DEFAULT_RENDER_LIMITS } from '../../../domain/decks/pdf.ts';
export type { RenderLimits } from '../../../domain/decks/pdf.ts';
export type { RendererName } from './renderer.ts';
export { closeRenderer, prepareRenderer } from './spares.ts';

/** A page whose images lie on disk. */
export interface RenderedPage {
  readonly number: number;
  /** Size of the artefact; the model's image has two thirds of it. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly layout: PageLayout;
  /** JPEG for people, as a rule 1344 pixels wide. */
  readonly artefactPath: string;
  /** JPEG for models, as a rule 896 pixels wide. */
  readonly modelPath: string;
  /** SHA-256 of the model's image, in hex. */
  readonly modelSha256: string;
  /** Why character recognition, which the page needs, was not completed; null if it was, or was not needed. */
  readonly ocrFault: string | null;
  /** Which renderer drew it in the end. */
  readonly renderer: RendererName;
}

/** A page that cannot be drawn, and why. */
export interface FailedPage {
  readonly number: number;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface RenderOptions {
  readonly signal: AbortSignal;
  readonly limits: RenderLimits;
  /** The renderer that is tried first. */
  readonly renderer: RendererName;
  /** Called as soon as the files of a page are written. */
  readonly onPage?: (page: RenderedPage) => void;
}

/** One call of {@link renderWindow}. */
interface Window {
  readonly pdfPath: string;
  readonly outDir: string;
  readonly options: RenderOptions;
  readonly deadlineMs: number;
  readonly rendered: Map<number, RenderedPage>;
  /** Pages whose process was killed by somebody else, or for the memory of several pages; that is forgiven once. */
  readonly forgiven: Set<number>;
}

/**
 * Renders the given pages (numbered from 1) into `outDir` and reports every one of them, in the order given, as rendered or failed.
 *
 * @throws DeckhandError when the document as a whole cannot be opened (pdf_damaged, pdf_encrypted, pdf_no_pages), `storage_full` or
 *   `internal` when images cannot be written or no process can be started (retryable); the reason of the signal when that aborts, after
 *   the process is killed
 */
export async function renderWindow(
  pdfPath: string,
  pages: number[],
  outDir: string,
  options: RenderOptions,
): Promise<{ pages: (RenderedPage | FailedPage)[] }> {
  options.signal.throwIfAborted();
  await mkdir(outDir, { recursive: true });
  const window: Window = {
    pdfPath: path.resolve(pdfPath),
    outDir: path.resolve(outDir),
    options,
    deadlineMs: performance.now() + windowTimeoutMs(options.limits, pages.length),
    rendered: new Map(),
    forgiven: new Set(),
  };
  const first = await renderWith(options.renderer, pages, window);
  const { refusal } = first;
  const second = await renderWith(otherRenderer(options.renderer), [...first.failed.keys()], window);
  // Refused by both: the chosen renderer's reason is the one that is named.
  if (second.refusal !== undefined) throw refusal ?? second.refusal;
  return {
    pages: pages.map((number): RenderedPage | FailedPage => {
      const page = window.rendered.get(number);
      if (page !== undefined) return page;
      return bothFailed(number, first.failed.get(number), second.failed.get(number), options.renderer);
    }),
  };
}

/** The chosen renderer's failure is the one that is named; the other's is told with it. */
function bothFailed(
  number: number,
  first: FailedPage | undefined,
  second: FailedPage | undefined,
  renderer: RendererName,
): FailedPage {
  const code = first?.code ?? 'page_render_failed';
  return {
    number,
    code,
    message: `page ${number}: ${renderer}: ${first?.message ?? 'no result'}; ${otherRenderer(renderer)}: ${second?.message ?? 'no result'}`,
  };
}

/** What one renderer could not do. */
interface Failures {
  readonly failed: Map<number, FailedPage>;
  /** Set when it refuses the document as a whole; another renderer may open it. */
  readonly refusal?: DeckhandError;
}

/** Errors with which a renderer refuses a document that another one may be able to open. */
const REFUSALS: readonly ErrorCode[] = ['pdf_damaged', 'pdf_no_pages'];

/** Lost processes with no page under way that are replaced without blame, such as spares killed together with the process before them. */
const MOST_LOST_BEFORE_A_PAGE = 3;

/** Renders pages with one renderer, in as many processes as it takes, and returns those that failed. */
async function renderWith(renderer: RendererName, pages: number[], window: Window): Promise<Failures> {
  const failed = new Map<number, FailedPage>();
  const isOpen = (number: number): boolean => !window.rendered.has(number) && !failed.has(number);
  let lostBeforeAPage = 0;
  let open = pages;
  let next = open;
  while (open.length > 0) {
    const { ending, ...begun } = await runOnce(renderer, next, window, failed);
    open = open.filter(isOpen);
    if (ending.kind === 'failed' && REFUSALS.includes(ending.error.code)) {
      const { code, message } = ending.error;
      for (const number of open) failed.set(number, { number, code, message });
      return { failed, refusal: ending.error };
    }
    // Errors of the machine are not errors of a page, and no other renderer lifts a password.
    if (ending.kind === 'failed' && !ending.error.code.startsWith('page_')) throw ending.error;
    const underWay = open.filter((number) => number === begun.drawn || number === begun.recognised);
    if (ending.kind === 'lost' && underWay.length === 0 && lostBeforeAPage < MOST_LOST_BEFORE_A_PAGE) {
      lostBeforeAPage += 1;
      const left = next.filter(isOpen);
      next = left.length > 0 ? left : open;
      continue;
    }
    if (underWay.length > 1 && mayBeEither(ending)) {
      // Whether the page that was recognised is to blame shows when a process has nothing else to do.
      next = underWay.filter((number) => number === begun.recognised);
      continue;
    }
    for (const number of blamed(ending, open, next.filter(isOpen), underWay)) {
      // What other pages left in memory is not there in a new process.
      const isForgiven = ending.kind === 'lost' || (ending.kind === 'memory' && next[0] !== number);
      if (isForgiven && !window.forgiven.has(number)) window.forgiven.add(number);
      else failed.set(number, { number, ...fault(ending) });
    }
    open = open.filter(isOpen);
    next = open;
  }
  return { failed };
}

/** True for what a page can do to the process while it is drawn and while it is recognised. Recognition keeps the limits of time by itself. */
function mayBeEither({ kind }: Ending): boolean {
  return kind === 'memory' || kind === 'crashed' || kind === 'lost';
}

/**
 * The page that was drawn when the process ended, or else the one that was recognised; all that were left if time is up, and all of the
 * process if it had none under way.
 *
 * @param open Pages that are left
 * @param next Those of them that the process was given
 * @param underWay Those that it had begun: the one that is recognised comes before the one that is drawn
 */
function blamed(ending: Ending, open: number[], next: number[], underWay: number[]): number[] {
  if (ending.kind === 'deadline' || ending.kind === 'failed') return open;
  if (ending.kind === 'finished') return next;
  const current = underWay.at(-1);
  return current === undefined ? next : [current];
}

function fault(ending: Ending): { code: ErrorCode; message: string } {
  switch (ending.kind) {
    case 'timeout':
    case 'deadline':
      return { code: 'page_render_timeout', message: ending.message };
    case 'memory':
      return { code: 'page_render_memory', message: ending.message };
    case 'failed':
      return { code: 'page_render_failed', message: ending.error.message };
    case 'crashed':
    case 'lost':
      return { code: 'page_render_failed', message: ending.message };
    case 'finished':
      return { code: 'page_render_failed', message: 'the render process left this page out' };
  }
}

type DonePage = ChildMessage & { readonly type: 'page-done' };

/** One process, one go at the pages that are left. */
async function runOnce(
  renderer: RendererName,
  pages: number[],
  window: Window,
  failed: Map<number, FailedPage>,
): Promise<{ readonly ending: Ending; readonly drawn: number | undefined; readonly recognised: number | undefined }> {
  const { pdfPath, outDir, options, deadlineMs, rendered } = window;
  const { signal, limits, onPage } = options;
  let drawn: number | undefined;
  let recognised: number | undefined;
  const child = takeProcess(renderer);
  const writes: Promise<void>[] = [];
  const received = new Set<number>();
  let writeFault: DeckhandError | undefined;
  const keep = async ({ artefact, model, ...done }: DonePage): Promise<void> => {
    const { number, widthPx, heightPx, layout, ocrFault } = done;
    try {
      const files = await writePageImages(outDir, number, { artefact, model });
      const page = { number, widthPx, heightPx, layout, ocrFault, ...files, renderer };
      rendered.set(number, page);
      onPage?.(page);
    } catch (error) {
      writeFault = asDeckhandError(error);
      child.kill();
    }
  };
  const onMessage = (message: ChildMessage): void => {
    if (!('number' in message) || !pages.includes(message.number)) return;
    const { number } = message;
    if (message.type === 'page-started') drawn = number;
    else if (message.type === 'page-recognising') recognised = number;
    else if (message.type === 'page-failed')
      failed.set(number, { number, code: message.code, message: message.message });
    else if (!rendered.has(number) && !received.has(number)) {
      received.add(number);
      writes.push(keep(message));
    }
  };
  const recognition = recognitionLimits(limits, deadlineMs - performance.now());
  const job = { type: 'render', pages, renderer, maxPixels: limits.maxPixels, recognition } as const;
  let ending: Ending;
  try {
    ending = await child.run(job, { pdfPath, signal, limits, deadlineMs, onMessage });
  } finally {
    // Nothing is written any more when this is over: the caller removes the folder.
    await Promise.all(writes);
  }
  if (writeFault !== undefined) throw writeFault;
  return { ending, drawn, recognised };
}

/**
 * The files of a page. The names follow from the page number alone: a render process says nothing about paths.
 */

/** Paths of the image for people and of the image for models. */
function pageImagePaths(outDir: string, pageNumber: number): { artefactPath: string; modelPath: string } {
  const stem = path.join(outDir, `page-${String(pageNumber).padStart(4, '0')}`);
  return { artefactPath: `${stem}.jpg`, modelPath: `${stem}-model.jpg` };
}

/** Where the images of a page lie, and the SHA-256 of the model's, in hex. */
interface PageFiles {
  readonly artefactPath: string;
  readonly modelPath: string;
  readonly modelSha256: string;
}

/**
 * Writes both images of a page.
 *
 * @throws DeckhandError `storage_full` or `internal` when they cannot be written, which is no fault of the page
 */
async function writePageImages(
  outDir: string,
  pageNumber: number,
  { artefact, model }: { readonly artefact: Buffer; readonly model: Buffer },
): Promise<PageFiles> {
  const paths = pageImagePaths(outDir, pageNumber);
  try {
    await Promise.all([writeFile(paths.artefactPath, artefact), writeFile(paths.modelPath, model)]);
  } catch (error) {
    throw writeError(`the image of page ${pageNumber}`, error);
  }
  return { ...paths, modelSha256: sha256Hex(model) };
}
