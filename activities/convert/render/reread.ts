/** Reads quotes again in the picture of their page, in a render process. */
import sharp from 'sharp';
import { confirms, type QuoteReading } from '../../../domain/evidence/reread-judgement.ts';
import type { QuoteLine } from '../../../domain/evidence/quote-lines.ts';
import type { GreyPicture } from './flatten.ts';
import type { LineOcr, OcrLimits, OcrReading } from './ocr.ts';
import { PREPARATIONS } from './messages.ts';
import { isInPicture, prepareLine } from './quote-picture.ts';
import type { Raster } from './renderer.ts';

/** A picture of a page from its JPEG. */
export async function openPicture(jpeg: Uint8Array): Promise<Raster> {
  const { data, info } = await sharp(jpeg)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, rgb: data };
}

/** Readings of a quote. */
export interface Reread {
  /** One for each preparation that was tried; the last one confirms the quote, or all were tried. */
  readonly readings: readonly QuoteReading[];
  /** True when nothing is drawn where the quote stands. */
  readonly blank: boolean;
  /** Why it could not be read to the end; null when it was. */
  readonly fault: string | null;
}

/**
 * Reads the lines of a quote with one preparation after the other, until one confirms it. A preparation may show nothing of letters that
 * another one shows: letters as bright as their ground have no shade of their own.
 *
 * @param lines In the order of the quote
 */
export async function rereadQuote(
  ocr: LineOcr,
  picture: Raster,
  { quote, lines }: { readonly quote: string; readonly lines: readonly QuoteLine[] },
  limits: OcrLimits,
): Promise<Reread> {
  const readings: QuoteReading[] = [];
  if (!lines.every((line) => isInPicture(picture, line)))
    return { readings, blank: false, fault: 'its place is outside the picture of its slide' };
  for (const preparation of PREPARATIONS) {
    const prepared = await Promise.all(lines.map((line) => prepareLine(picture, line, preparation)));
    const drawn = prepared.filter((line): line is GreyPicture => line !== null);
    if (drawn.length === 0) continue;
    const parts: OcrReading[] = [];
    for (const line of drawn) {
      const part = await ocr.readLine(line, limits);
      if (part === null) return { readings, blank: false, fault: 'it took longer than allowed' };
      parts.push(part);
    }
    const reading = readingOf(parts);
    readings.push(reading);
    if (confirms(quote, reading)) break;
  }
  return { readings, blank: readings.length === 0, fault: null };
}

/** The lines of a quote as one reading; its confidence is the mean over the letters. */
function readingOf(parts: readonly OcrReading[]): QuoteReading {
  const words = parts.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const weighted = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  return { text: words.map(({ text }) => text).join(' '), confidence: letters === 0 ? 0 : weighted / letters };
}
