/**
 * Recognises the text of pages whose text layer does not say what is on them, in a render process. Recognition is started with the first
 * such page. What goes wrong with it is told with the page and ends nothing.
 */
import { countOf, type DoubtfulWords } from '../../../domain/pages/doubtful-words.ts';
import { mergeWords } from '../../../domain/pages/merge-words.ts';
import { needsOcr, type OcrNeed } from '../../../domain/pages/needs-ocr.ts';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { shareOf, type Recognition } from '../../../domain/pages/settle-words.ts';
import type { RecognitionLimits } from '../../../domain/decks/pdf.ts';
import type { Ocr, OcrLimits } from './ocr.ts';
import { onlyPlaces } from './only-places.ts';
import { isBlank } from './read-layout.ts';
import type { ReadPage } from './renderer.ts';
import { isUniform, pixelsOf, TINY_PX } from './visibility.ts';

/** Why a page is recognised. */
type Needed = Exclude<OcrNeed, 'none'>;

/** Recognises pages one after the other. */
export class PageRecogniser {
  readonly #limits: RecognitionLimits;
  readonly #open: (limits: OcrLimits) => Promise<Ocr>;
  #ocr: Ocr | undefined;
  #spentMs = 0;
  /** Why it cannot be started; it is not tried again. */
  #cannotStart: string | undefined;

  /** @param open Starts recognition */
  constructor(limits: RecognitionLimits, open: (limits: OcrLimits) => Promise<Ocr>) {
    this.#limits = limits;
    this.#open = open;
  }

  /**
   * What can be recognised on a page; never rejects.
   *
   * @param onProgress Called when recognition begins, and each second while it lasts
   * @param isFirstPage Its name may be set in letters that are too large to be read with the rest
   */
  async recognise(page: ReadPage, need: Needed, onProgress: () => void, isFirstPage = false): Promise<Recognition> {
    const { totalMs } = this.#limits;
    if (this.#spentMs >= totalMs)
      return fault(need, `the time for recognition in this part of the deck is over (${totalMs} ms)`);
    const startedMs = performance.now();
    try {
      return await this.#read(page, need, { onProgress, isCover: isFirstPage && need !== 'places' });
    } catch (error) {
      return fault(need, error instanceof Error ? error.message : String(error));
    } finally {
      this.#spentMs += performance.now() - startedMs;
    }
  }

  /** Ends recognition. */
  async close(): Promise<void> {
    await this.#ocr?.close();
    this.#ocr = undefined;
  }

  async #read(
    page: ReadPage,
    need: Needed,
    { onProgress, isCover }: { readonly onProgress: () => void; readonly isCover: boolean },
  ): Promise<Recognition> {
    const { pageCpuMs, totalMs } = this.#limits;
    const limits = { cpuMs: pageCpuMs, wallMs: totalMs - this.#spentMs, onProgress };
    onProgress();
    this.#ocr ??= await this.#opened(limits);
    const scale = page.raster.widthPx / page.widthPt;
    const picture = need === 'places' ? onlyPlaces(page.raster, placesOf(page.doubtful), scale) : page.raster;
    const { words, complete } = await this.#ocr.read(picture, { scale, limits, cover: isCover ? page.words : null });
    return {
      need,
      words: seenWords(words, page, scale),
      fault: complete ? null : 'recognition of the page took too long',
    };
  }

  async #opened(limits: OcrLimits): Promise<Ocr> {
    if (this.#cannotStart !== undefined) throw new Error(this.#cannotStart);
    try {
      return await this.#open(limits);
    } catch (error) {
      this.#cannotStart = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }
}

const fault = (need: Needed, reason: string): Recognition => ({ need, words: [], fault: reason });

/** Whether a page has to be recognised. */
export function needOf({ words, doubtful, raster, drawing }: ReadPage, number: number): OcrNeed {
  return needsOcr({
    letters: words.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0),
    readableShare: shareOf(words),
    doubtfulWords: countOf(doubtful),
    ...drawing,
    isFirstPage: number === 1,
    blank: words.length === 0 && isBlank(raster),
  });
}

const placesOf = ({ unmapped, unreadable }: DoubtfulWords): Box[] =>
  [...unmapped, ...unreadable.flat()].map(({ box }) => box);

/**
 * Words that a person sees as well. Recognition also finds what is almost as light as its ground and what is too small to be read, and a
 * word that the text layer hides there must not come back.
 */
function seenWords(words: readonly PageWord[], { raster, hidden }: ReadPage, scale: number): PageWord[] {
  const seen = words.filter(
    ({ box, sizePt }) => sizePt * scale >= TINY_PX && !isUniform(raster, pixelsOf(box, scale, raster)),
  );
  return mergeWords(hidden, seen).slice(hidden.length);
}
