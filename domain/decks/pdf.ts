/**
 * Pure rules about PDF decks: what bytes look like a PDF, how large a page is drawn, in which windows pages are rendered, and the
 * limits that an untrusted file is held to.
 *
 * No I/O: the processes that enforce the limits live in `activities/convert/render/`.
 */

/** Width in pixels of the image that is kept and shown to people. */
export const ARTEFACT_WIDTH_PX = 1344;
/** Width in pixels of the image that vision models get; gemma3 looks at no more than this. */
export const MODEL_WIDTH_PX = 896;
/** JPEG quality of both images; with full chroma resolution, because slides are mostly text. */
export const JPEG_QUALITY = 88;

/** Longest page text kept, in UTF-16 units. A slide has a few thousand; anything beyond is an attack on memory, not content. */
export const MAX_PAGE_TEXT_LENGTH = 200_000;

/** Longest side of a rendered page in pixels; JPEG itself ends at 65 535. */
const MAX_SIDE_PX = 8192;
/** A page whose shorter side would get fewer pixels than this shows nothing that can be read. */
const MIN_SIDE_PX = 16;
/** The header `%PDF-` may be preceded by junk, but only within this many bytes (ISO 32000, implementation note 13). */
export const PDF_HEADER_SEARCH_BYTES = 1024;

/** So many pages of a window share one `documentTimeoutMs`. */
const PAGES_PER_DOCUMENT_TIMEOUT = 8;

/** What one untrusted deck may cost. */
export interface RenderLimits {
  /** Largest accepted file in bytes; checked before anything is parsed. */
  readonly maxBytes: number;
  /** Largest accepted number of pages. */
  readonly maxPages: number;
  /** Time for opening the document, for drawing each single page with one renderer, and of the processor for recognising it, in milliseconds. */
  readonly pageTimeoutMs: number;
  /** Time for a probe, and for each {@link PAGES_PER_DOCUMENT_TIMEOUT} pages of a window with all their second attempts, in milliseconds. */
  readonly documentTimeoutMs: number;
  /** Resident memory of one render process beside the copies of its file, in bytes; a process above it is killed. */
  readonly maxMemoryBytes: number;
  /** Largest image drawn of a page, in pixels; larger pages are drawn smaller. */
  readonly maxPixels: number;
}

export const DEFAULT_RENDER_LIMITS: RenderLimits = {
  maxBytes: 100 * 1024 * 1024,
  maxPages: 500,
  pageTimeoutMs: 20_000,
  documentTimeoutMs: 120_000,
  // Real decks take up to 360 MiB with PDFium and recognition.
  maxMemoryBytes: 464 * 1024 * 1024,
  maxPixels: 4 * 1024 * 1024,
};

/** Copies of a file in the process that reads it: measured; its pieces as received, the whole, and what the library holds and grows. */
const FILE_COPIES = 4;

/** Resident memory in bytes at which a render process is killed, for a file of so many bytes. */
export function memoryLimitBytes(limits: Pick<RenderLimits, 'maxMemoryBytes'>, fileBytes: number): number {
  return limits.maxMemoryBytes + FILE_COPIES * fileBytes;
}

/** Time for a window of so many pages, in milliseconds. */
export function windowTimeoutMs(limits: Pick<RenderLimits, 'documentTimeoutMs'>, pageCount: number): number {
  return limits.documentTimeoutMs * Math.ceil(pageCount / PAGES_PER_DOCUMENT_TIMEOUT);
}

/** What character recognition may cost, in milliseconds. */
export interface RecognitionLimits {
  /** Processor time for one page; a page takes one to four seconds. */
  readonly pageCpuMs: number;
  /** For all pages of a process together. */
  readonly totalMs: number;
}

/** Share of the time for a window that recognition may take; the rest is for drawing. */
const RECOGNITION_SHARE = 0.75;

/** Limits of recognition in a process that has so much time left. A page that exceeds them keeps its picture and its text layer. */
export function recognitionLimits(limits: Pick<RenderLimits, 'pageTimeoutMs'>, leftMs: number): RecognitionLimits {
  return { pageCpuMs: limits.pageTimeoutMs, totalMs: RECOGNITION_SHARE * Math.max(0, leftMs) };
}

/** Size of one page as it is looked at: rotated, cropped, and multiplied by its UserUnit. */
export interface PageSize {
  /** In points, 1/72 inch. */
  readonly widthPt: number;
  readonly heightPt: number;
}

/** How large a page is drawn. */
export interface RasterSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per point. */
  readonly scale: number;
}

/**
 * Size in pixels of a page's kept image: {@link ARTEFACT_WIDTH_PX} wide, smaller where its area or its longer side would pass the
 * limits. Null for a page that cannot be shown legibly within them (a sliver, or a page without a size).
 */
export function rasterSize(page: PageSize, maxPixels: number): RasterSize | null {
  const { widthPt, heightPt } = page;
  if (!Number.isFinite(widthPt) || !Number.isFinite(heightPt) || widthPt <= 0 || heightPt <= 0) return null;
  const wanted = Math.min(
    ARTEFACT_WIDTH_PX / widthPt,
    MAX_SIDE_PX / heightPt,
    Math.sqrt(maxPixels) / Math.sqrt(widthPt * heightPt),
  );
  // Renderers scale both sides alike, so the width in whole pixels decides the height, and rounding must not pass a limit.
  let widthPx = Math.floor(widthPt * wanted + 1e-6);
  const heightFor = (width: number): number => Math.round((heightPt * width) / widthPt);
  while (widthPx > 0 && (heightFor(widthPx) > MAX_SIDE_PX || widthPx * heightFor(widthPx) > maxPixels)) widthPx--;
  const heightPx = heightFor(widthPx);
  if (Math.min(widthPx, heightPx) < MIN_SIDE_PX) return null;
  return { widthPx, heightPx, scale: widthPx / widthPt };
}

/** Width in pixels of the model's image of a page whose kept image is this wide. */
export function modelWidthPx(artefactWidthPx: number): number {
  return Math.max(1, Math.round((artefactWidthPx * MODEL_WIDTH_PX) / ARTEFACT_WIDTH_PX));
}

/**
 * Shortest side in pixels of a picture for a model: some families end their server at less. It is the largest that readiness tries, so that a
 * model that takes any picture takes every page.
 */
export const SMALLEST_SIDE_PX = 128;
/** Longest picture for a model, as its longer side by its shorter one. */
const MAX_ASPECT_RATIO = 8;

/** The canvas on which the model's picture of a page stands, drawn as large as it is: wider or higher where a page is too narrow for a model. */
export function modelCanvas({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): {
  readonly widthPx: number;
  readonly heightPx: number;
} {
  const least = Math.max(SMALLEST_SIDE_PX, Math.ceil(Math.max(widthPx, heightPx) / MAX_ASPECT_RATIO));
  return { widthPx: Math.max(widthPx, least), heightPx: Math.max(heightPx, least) };
}

/** True when `%PDF-` is within the first {@link PDF_HEADER_SEARCH_BYTES} bytes. */
export function hasPdfHeader(firstBytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(firstBytes.subarray(0, PDF_HEADER_SEARCH_BYTES));
  return head.includes('%PDF-');
}

/** Pages per window: one process draws them, and starting it costs as much as drawing seven. */
const WINDOW_PAGES = 32;

/**
 * The windows in which a deck is rendered, each by a process of its own. Most decks are one window; within it pages are announced as
 * they come, so that a model can start on the first at once.
 *
 * @example planWindows(34) // [[1, 2, …, 32], [33, 34]]
 */
export function planWindows(pageCount: number): number[][] {
  const windows: number[][] = [];
  for (let first = 1; first <= pageCount; first += WINDOW_PAGES) {
    const length = Math.min(WINDOW_PAGES, pageCount - first + 1);
    windows.push(Array.from({ length }, (_, offset) => first + offset));
  }
  return windows;
}
