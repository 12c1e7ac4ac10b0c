/**
 * Character recognition in a render process: the words of a drawn page with their boxes, in English and German.
 *
 * Tesseract runs in a thread of its own, so that it can be stopped when a picture takes too long. It has its data from packages on disk,
 * keeps its files in memory, and ends with the process.
 */
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { DeckhandError } from '../../../domain/errors.ts';
import { addLarge, mergeReadings } from '../../../domain/pages/merge-words.ts';
import type { PageWord } from '../../../domain/pages/page.ts';
import { largeWords, toPageWords, wordsOrNoise, type RecognisedLine } from '../../../domain/pages/recognised-words.ts';
import { flattened, whiteAlone, type GreyPicture } from './flatten.ts';
import type { Raster } from './renderer.ts';

/**
 * A request to the thread: a page as it was drawn, and larger where that helps, dark on white, and small pictures of it for glyphs that are too
 * large to be read otherwise; or a single line, dark on white.
 */
export type OcrRequest =
  | {
      readonly of: 'page';
      readonly drawn: GreyPicture;
      readonly enlarged: GreyPicture;
      readonly small: readonly GreyPicture[];
    }
  | { readonly of: 'line'; readonly line: GreyPicture };

/** What the thread says: that it is ready for a picture; for each picture its readings, and why there are no more if it breaks down. */
export type OcrMessage =
  | { readonly type: 'ready' }
  | ({ readonly type: 'reading'; readonly isSmall: boolean } & OcrReading)
  | { readonly type: 'failed'; readonly message: string };

/** What was recognised in one of the pictures. */
export interface OcrReading {
  /** Size of the picture. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly lines: readonly RecognisedLine[];
  /** True when the picture was turned by 180 degrees before it was read; boxes are those of the turned picture. */
  readonly upsideDown: boolean;
}

/** What one picture may cost. */
export interface OcrLimits {
  /** Processor time of the thread. How long that lasts depends on what else the machine does, and the text of a page must not. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** Called each second while it lasts. */
  readonly onProgress: () => void;
}

/** The words of a page, and whether all of it was read in time. */
export interface OcrResult {
  readonly words: PageWord[];
  readonly complete: boolean;
}

/** Character recognition that is ready for use. */
export interface Ocr {
  /**
   * The words in a picture of a page that can be relied on. One picture at a time.
   *
   * @param raster The drawn page
   * @param options.scale Pixels per point
   * @param options.limits For the picture; the result is what has been read until then
   * @param options.cover Words of the text layer of a cover: a name in very large letters, or in white ones on a photograph, is looked for
   *   beside them, which takes a tenth of a second
   * @throws DeckhandError `internal` when recognition itself breaks down; the next picture starts it again
   */
  read(
    raster: Raster,
    options: { readonly scale: number; readonly limits: OcrLimits; readonly cover?: readonly PageWord[] | null },
  ): Promise<OcrResult>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** Recognition of single lines. */
export interface LineOcr {
  /**
   * Everything that is recognised in a picture of one line, dark on white, whether or not it can be relied on. One at a time.
   *
   * @returns null when a limit was reached
   * @throws DeckhandError `internal` when recognition itself breaks down; the next picture starts it again
   */
  readLine(line: GreyPicture, limits: OcrLimits): Promise<OcrReading | null>;
}

/** Starting takes a third of a second of processor time. */
const START_CPU_MS = 5000;
const PROGRESS_INTERVAL_MS = 1000;
/**
 * Width to which a picture is enlarged: of the figures on 24 pages 51 % are read at 1344 pixels, 72 % at 2000, and no more at 2400. Drawing the
 * page larger gives no more than enlarging its picture. Flattened, 91 % of the words of 27 pages with coloured boxes are read, else 84 %.
 */
const ENLARGED_WIDTH_PX = 2000;
/** Width at which letters over half of a cover are as high as those of a line; of 42 names drawn in white on covers 30 are read so, else 14. */
const SMALL_WIDTH_PX = 350;
/** A picture is not enlarged beyond so many pixels; time and memory grow with them. */
const MAX_ENLARGED_PIXELS = 3_000_000;

/**
 * Starts character recognition.
 *
 * @throws DeckhandError `internal` when it cannot be started
 */
export async function openOcr(limits: OcrLimits): Promise<Ocr & LineOcr> {
  let thread: Worker | undefined = await startThread(limits);
  const close = async (): Promise<void> => {
    await thread?.terminate();
    thread = undefined;
  };
  /** True when all of it was read within the limits. */
  const ask = async (
    request: OcrRequest,
    limits: OcrLimits,
    onReading: (reading: Reading) => void,
  ): Promise<boolean> => {
    thread ??= await startThread(limits);
    thread.postMessage(request);
    let complete = false;
    try {
      complete = (await messages(thread, limits, onReading)) === 'ready';
      return complete;
    } finally {
      // A thread cannot be stopped in the middle of a picture; the next picture gets another one.
      if (!complete) await close();
    }
  };
  return {
    close,
    read: async (raster, { scale, limits, cover = null }) => {
      const drawn = await greyPicture(raster, 1);
      const enlarged = await flattened(await greyPicture(raster, enlargement(raster)));
      const small = cover !== null ? await smallPictures(raster) : [];
      let words: PageWord[] = [];
      const complete = await ask({ of: 'page', drawn, enlarged, small }, limits, ({ lines, isSmall, ...read }) => {
        const picture = { ...read, scale: (scale * read.widthPx) / raster.widthPx };
        const found = toPageWords(lines, picture);
        words = isSmall ? addLarge(words, largeWords(found, picture), cover ?? []) : mergeReadings(words, found);
      });
      return { words: wordsOrNoise(words), complete };
    },
    readLine: async (line, limits) => {
      let found: OcrReading | null = null;
      const complete = await ask({ of: 'line', line }, limits, (reading) => (found = reading));
      return complete ? found : null;
    },
  };
}

async function startThread(limits: OcrLimits): Promise<Worker> {
  const thread = new Worker(new URL('./ocr-thread.ts', import.meta.url));
  // Like the process's other thread, it does not keep the process alive by itself.
  thread.unref();
  if ((await messages(thread, { ...limits, cpuMs: START_CPU_MS }, () => undefined)) === 'ready') return thread;
  await thread.terminate();
  throw new DeckhandError('internal', 'character recognition did not start within its time');
}

type Reading = OcrMessage & { readonly type: 'reading' };

/**
 * Listens until the thread is ready for the next picture, or until a limit is reached.
 *
 * @throws DeckhandError `internal` when the thread breaks down
 */
function messages(
  thread: Worker,
  { cpuMs, wallMs, onProgress }: OcrLimits,
  onReading: (reading: Reading) => void,
): Promise<'ready' | 'timeout'> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const cpuMsAtStart = cpuMsOf(thread);
    let isOver = false;
    const look = async (): Promise<void> => {
      if (performance.now() - startedMs > wallMs) return end(() => resolve('timeout'));
      const spentMs = (await cpuMsOf(thread)) - (await cpuMsAtStart);
      if (spentMs > cpuMs) end(() => resolve('timeout'));
      else if (!isOver) onProgress();
    };
    const watch = setInterval(() => void look(), Math.min(PROGRESS_INTERVAL_MS, cpuMs, wallMs));
    const fail = (reason: string): void =>
      end(() => reject(new DeckhandError('internal', `character recognition broke down: ${reason}`)));
    const onMessage = (message: OcrMessage): void => {
      switch (message.type) {
        case 'reading':
          return onReading(message);
        case 'ready':
          return end(() => resolve('ready'));
        case 'failed':
          return fail(message.message);
      }
    };
    const onError = (error: unknown): void => fail(String(error));
    const onExit = (code: number): void => fail(`the thread ended with code ${code}`);
    const end = (settle: () => void): void => {
      isOver = true;
      clearInterval(watch);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      settle();
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/** Processor time that a thread has used, in milliseconds; 0 for one that has ended, which its end says. */
async function cpuMsOf(thread: Worker): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}

/** Factor by which a picture is enlarged; at least 1. */
function enlargement({ widthPx, heightPx }: Raster): number {
  return Math.max(1, Math.min(ENLARGED_WIDTH_PX / widthPx, Math.sqrt(MAX_ENLARGED_PIXELS / (widthPx * heightPx))));
}

/** Small pictures of a cover, dark on white: what is near white, and whatever differs from its ground. */
async function smallPictures(raster: Raster): Promise<readonly GreyPicture[]> {
  const { widthPx, heightPx, grey } = whiteAlone(raster);
  const white = sharp(grey, { raw: { width: widthPx, height: heightPx, channels: 1 } });
  const { data, info } = await white
    .resize(SMALL_WIDTH_PX)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const drawn = await greyPicture(raster, SMALL_WIDTH_PX / widthPx);
  return [{ widthPx: info.width, heightPx: info.height, grey: data }, await flattened(drawn)];
}

async function greyPicture({ widthPx, heightPx, rgb }: Raster, factor: number): Promise<GreyPicture> {
  const { data, info } = await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .greyscale()
    .resize(Math.round(widthPx * factor))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, grey: data };
}
