/**
 * The thread that recognises text: Tesseract, compiled to WebAssembly, with its data for English and German from packages on disk.
 *
 * The module runs in memory: its files are a Map in the thread, and nothing it is given leads to a path or a network address.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { Box } from '../../../domain/pages/page.ts';
import { looksUpsideDown } from '../../../domain/pages/recognised-words.ts';
import type { GreyPicture } from './flatten.ts';
import { looksLikeRupee } from './rupee.ts';
import type { OcrMessage, OcrReading, OcrRequest } from './ocr.ts';

const require = createRequire(import.meta.url);
const CORE_BINARY = require.resolve('tesseract.js-core/tesseract-core-simd-lstm.wasm');
const LANGUAGES = {
  eng: require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
  deu: require.resolve('@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz'),
};

/** The neural network, which is all that the data has. */
const LSTM_ONLY = 1;
/** Positions of a picture, as cameras tell them. */
const [UPRIGHT, UPSIDE_DOWN] = [1, 3];
/** Recognition takes the sign of the rupee for one of these. */
const MISREAD_RUPEE = /^[\dTZX%?<=]$/u;
/** The file that the module reads a picture from. */
const PICTURE_FILE = '/input';

/** How a picture is taken apart: into columns and lines, into pieces of text wherever they stand, or not at all. */
const [IN_COLUMNS, SPARSE, ONE_LINE] = ['3', '11', '7'];

/** What is called of the module, which has no types. */
interface TesseractModule {
  readonly FS: { writeFile(name: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => TesseractApi;
}
interface TesseractApi {
  Init(dataPath: null, languages: string, engine: number): number;
  SetVariable(name: string, value: string): boolean;
  /** 0 when {@link PICTURE_FILE} could be read. */
  SetImageFile(orientation: number, angle: number): number;
  /** 0 on success. */
  Recognize(monitor: null): number;
  GetJSONText(): string;
}
type LoadModule = (options: {
  readonly wasmBinary: Uint8Array;
  readonly print: () => void;
  readonly printErr: () => void;
  readonly TesseractProgress: () => void;
}) => Promise<TesseractModule>;

const boxSchema = z
  .object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() })
  .transform(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1] as const);
const symbolSchema = z.object({ text: z.string(), bbox: boxSchema });
const wordSchema = z.object({
  text: z.string(),
  confidence: z.number(),
  bbox: boxSchema,
  symbols: z.array(symbolSchema),
});
const lineSchema = z.object({ rowAttributes: z.object({ rowHeight: z.number() }), words: z.array(wordSchema) });
const pageSchema = z.object({
  blocks: z.array(z.object({ paragraphs: z.array(z.object({ lines: z.array(lineSchema) })) })),
});

const nothing = (): void => undefined;

async function openTesseract(): Promise<{ readonly module: TesseractModule; readonly api: TesseractApi }> {
  // Gives the same on every processor; the build for "relaxed" instructions does not promise that.
  const load = require('tesseract.js-core/tesseract-core-simd-lstm.js') as LoadModule;
  const wasmBinary = await readFile(CORE_BINARY);
  const module = await load({ wasmBinary, print: nothing, printErr: nothing, TesseractProgress: nothing });
  for (const [language, file] of Object.entries(LANGUAGES))
    module.FS.writeFile(`${language}.traineddata`, gunzipSync(await readFile(file)));
  const api = new module.TessBaseAPI();
  if (api.Init(null, Object.keys(LANGUAGES).join('+'), LSTM_ONLY) !== 0)
    throw new Error('Tesseract refuses its language data');
  // Light text on a dark ground is found without it; guessing at every doubtful line twice costs time and reads less.
  api.SetVariable('tessedit_do_invert', '0');
  return { module, api };
}

const { module, api } = await openTesseract();

function recognise(picture: GreyPicture, segmentation: string, orientation: number): OcrReading {
  const { widthPx, heightPx, grey } = picture;
  const header = Buffer.from(`P5\n${widthPx} ${heightPx}\n255\n`);
  module.FS.writeFile(PICTURE_FILE, Buffer.concat([header, grey]));
  api.SetVariable('tessedit_pageseg_mode', segmentation);
  if (api.SetImageFile(orientation, 0) !== 0) throw new Error('Tesseract cannot read the picture');
  if (api.Recognize(null) !== 0) throw new Error('Tesseract cannot recognise the picture');
  const lines = pageSchema
    .parse(JSON.parse(api.GetJSONText()))
    .blocks.flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines))
    .map(({ words, rowAttributes }) => ({
      heightPx: rowAttributes.rowHeight,
      words: words.map((word) => ({
        text: orientation === UPRIGHT ? withRupee(word, picture) : word.text,
        confidence: word.confidence,
        box: [...word.bbox] as Box,
      })),
    }));
  return { widthPx, heightPx, lines, upsideDown: orientation === UPSIDE_DOWN };
}

/** A word with the sign of the rupee before its number where that was taken for a digit or a letter. */
function withRupee({ text, symbols }: z.infer<typeof wordSchema>, picture: GreyPicture): string {
  const at = symbols.findIndex((symbol) => /\d/u.test(symbol.text));
  // It is the first digit, or it is the letter before it.
  const sign = [at - 1, at].find((index) => {
    const symbol = symbols[index];
    return symbol !== undefined && MISREAD_RUPEE.test(symbol.text) && looksLikeRupee(picture, [...symbol.bbox]);
  });
  if (sign === undefined) return text;
  return symbols.map((symbol, index) => (index === sign ? '₹' : symbol.text)).join('');
}

function say(message: OcrMessage): void {
  parentPort?.postMessage(message);
}

/** Reads a page twice: text in columns is found by the first way, large figures that stand alone by the second only; then its small pictures. */
function readPage({ drawn, enlarged, small }: OcrRequest & { readonly of: 'page' }): void {
  const upright = recognise(enlarged, IN_COLUMNS, UPRIGHT);
  const turned = looksUpsideDown(upright.lines) ? recognise(enlarged, IN_COLUMNS, UPSIDE_DOWN) : upright;
  const first = looksUpsideDown(turned.lines) ? upright : turned;
  const orientation = first.upsideDown ? UPSIDE_DOWN : UPRIGHT;
  say({ type: 'reading', isSmall: false, ...first });
  say({ type: 'reading', isSmall: false, ...recognise(drawn, SPARSE, orientation) });
  for (const picture of small) say({ type: 'reading', isSmall: true, ...recognise(picture, SPARSE, orientation) });
}

parentPort?.on('message', (request: OcrRequest) => {
  try {
    if (request.of === 'page') readPage(request);
    else say({ type: 'reading', isSmall: false, ...recognise(request.line, ONE_LINE, UPRIGHT) });
    say({ type: 'ready' });
  } catch (error) {
    say({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
say({ type: 'ready' });
