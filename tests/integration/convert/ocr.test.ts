/** Text recognised in drawn pages, by Tesseract itself. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confined } from '../../../activities/convert/render/confinement.ts';
import { openOcr, type Ocr } from '../../../activities/convert/render/ocr.ts';
import type { Raster } from '../../../activities/convert/render/renderer.ts';
import type { PageWord } from '../../../domain/pages/page.ts';
import { readPages } from '../../../testing/read-pdf.ts';

const [WIDTH_PT, HEIGHT_PT] = [960, 540];
const SCALE = 1344 / WIDTH_PT;
const FONT = path.join(
  path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf/DejaVuSans.ttf',
);

const LIMITS = { cpuMs: 60_000, wallMs: 600_000, onProgress: () => undefined };

let ocr: Ocr;
beforeAll(async () => {
  ocr = await openOcr(LIMITS);
});
afterAll(() => ocr.close());

interface Drawn {
  readonly text: string;
  readonly x: number;
  /** Upper edge of the line. */
  readonly y: number;
  readonly sizePt: number;
}

/** A page as a render process draws it. */
async function drawPage(lines: readonly Drawn[], colours = { ground: '#ffffff', text: '#222222' }): Promise<Raster> {
  const deck = new PDFDocument({ size: [WIDTH_PT, HEIGHT_PT], margin: 0 });
  const bytes = buffer(deck);
  deck.rect(0, 0, WIDTH_PT, HEIGHT_PT).fill(colours.ground).font(FONT).fillColor(colours.text);
  for (const { text, x, y, sizePt } of lines) deck.fontSize(sizePt).text(text, x, y, { lineBreak: false });
  deck.end();
  const [page] = await readPages(await bytes);
  if (page === undefined) throw new Error('the page was not drawn');
  return page.raster;
}

async function turned(raster: Raster, degrees: number): Promise<Raster> {
  const { data, info } = await sharp(raster.rgb, {
    raw: { width: raster.widthPx, height: raster.heightPx, channels: 3 },
  })
    .rotate(degrees)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, rgb: data };
}

const read = async (raster: Raster): Promise<PageWord[]> =>
  (await ocr.read(raster, { scale: SCALE, limits: LIMITS })).words;
const textOf = (words: readonly PageWord[]): string => words.map(({ text }) => text).join(' ');

const TITLE = { text: 'Sensors for hospitals', x: 60, y: 40, sizePt: 40 };
const ENGLISH = { text: 'Every order pays for itself within seven months.', x: 60, y: 150, sizePt: 18 };
const GERMAN = { text: 'Größere Kliniken sparen jährlich 45 % der Kosten.', x: 60, y: 190, sizePt: 18 };
const SLIDE = [TITLE, ENGLISH, GERMAN];

it('English and German words are read, in the order of the lines', async () => {
  const words = await read(await drawPage(SLIDE));
  expect(textOf(words)).toBe(`${TITLE.text} ${ENGLISH.text} ${GERMAN.text}`);
  for (const { confidence, bold, turn } of words) {
    expect(confidence).toBeGreaterThanOrEqual(70);
    expect({ bold, turn }).toEqual({ bold: false, turn: 0 });
  }
});

it('a word has the place and the size in points that it was drawn with', async () => {
  const words = await read(await drawPage(SLIDE));
  for (const { text, x, y, sizePt } of SLIDE) {
    const [first = '', last = ''] = [text.split(' ')[0], text.split(' ').at(-1)];
    const start = words.find((word) => word.text === first);
    const end = words.find((word) => word.text === last);
    expect(Math.abs((start?.box[0] ?? 0) - x)).toBeLessThan(0.2 * sizePt);
    expect(start?.box[1]).toBeGreaterThan(y - 0.1 * sizePt);
    expect(start?.box[3]).toBeLessThan(y + 1.3 * sizePt);
    expect(end?.box[2]).toBeLessThan(WIDTH_PT);
    expect(start?.sizePt).toBeGreaterThan(0.8 * sizePt);
    expect(start?.sizePt).toBeLessThan(1.2 * sizePt);
  }
});

it('light text on a dark ground is read', async () => {
  const words = await read(await drawPage(SLIDE, { ground: '#102a43', text: '#f0f4f8' }));
  expect(textOf(words)).toBe(`${TITLE.text} ${ENGLISH.text} ${GERMAN.text}`);
});

it('large figures that stand alone are read', async () => {
  const figures = [
    { text: '$500K', x: 60, y: 260, sizePt: 110 },
    { text: '89%', x: 620, y: 300, sizePt: 90 },
  ];
  const words = await read(await drawPage([...SLIDE, ...figures]));
  for (const { text, sizePt } of figures) {
    const figure = words.find((word) => word.text === text);
    expect(figure?.sizePt, text).toBeGreaterThan(0.75 * sizePt);
  }
});

it.each([90, 180, 270] as const)('a page turned by %d degrees is read', async (degrees) => {
  const words = await read(await turned(await drawPage(SLIDE), degrees));
  expect(textOf(words)).toContain(ENGLISH.text);
  expect(new Set(words.map(({ turn }) => turn))).toEqual(new Set([degrees]));
});

describe('a picture without text has no words', () => {
  /** All of one shade at each pixel. */
  const picture = (byteAt: (index: number) => number): Raster => ({
    widthPx: 1344,
    heightPx: 756,
    rgb: Uint8Array.from({ length: 1344 * 756 * 3 }, (_, index) => byteAt(Math.floor(index / 3))),
  });

  it('one colour', async () => expect(await read(picture(() => 255))).toEqual([]));

  it('a gradient', async () => expect(await read(picture((index) => (index / (1344 * 756)) * 255))).toEqual([]));

  it('coarse noise', async () => {
    const [squares = []] = fc.sample(fc.array(fc.nat({ max: 255 }), { minLength: 5000, maxLength: 5000 }), {
      numRuns: 1,
      seed: 7,
    });
    const square = (index: number): number => Math.floor((index % 1344) / 16) + 84 * Math.floor(index / 1344 / 16);
    expect(await read(picture((index) => squares[square(index)] ?? 0))).toEqual([]);
  });
});

it('a name in large white letters on a photograph is read on a cover, and its other words stay', async () => {
  // Discs in soft shades, as large as the letters.
  const colour = { ground: '#3a4a66', text: '#ffffff' };
  const tagline = { text: 'Sound that finds leaks', x: 60, y: 470, sizePt: 16 };
  const raster = await drawPage([{ text: 'Velhain', x: 180, y: 150, sizePt: 170 }, tagline], colour);
  for (let y = 0; y < raster.heightPx; y++)
    for (let x = 0; x < raster.widthPx; x++) {
      const at = (y * raster.widthPx + x) * 3;
      const shade = 30 * Math.sin(x / 40) * Math.cos(y / 30);
      if ((raster.rgb[at] ?? 0) < 200)
        for (const part of [0, 1, 2]) raster.rgb[at + part] = (raster.rgb[at + part] ?? 0) + shade;
    }
  const { words } = await ocr.read(raster, { scale: SCALE, limits: LIMITS, cover: [] });
  expect(words.map(({ text }) => text)).toContain('Velhain');
  expect(textOf(words)).toContain(tagline.text);
});

it('a picture of a few pixels is no reason to break down', async () => {
  expect(await read({ widthPx: 16, heightPx: 16, rgb: new Uint8Array(16 * 16 * 3).fill(255) })).toEqual([]);
});

it('a picture that takes too long gives what was read until then, and the next one is read afresh', async () => {
  const raster = await drawPage(SLIDE);
  expect(await ocr.read(raster, { scale: SCALE, limits: { ...LIMITS, cpuMs: 1 } })).toEqual({
    words: [],
    complete: false,
  });
  const { words, complete } = await ocr.read(raster, { scale: SCALE, limits: LIMITS });
  expect(complete).toBe(true);
  expect(textOf(words)).toContain(ENGLISH.text);
});

it('recognition works in a process that may neither write nor read anything but code', async () => {
  const { widthPx, heightPx, rgb } = await drawPage([TITLE]);
  const module = JSON.stringify(path.resolve(import.meta.dirname, '../../../activities/convert/render/ocr.ts'));
  const program = `
    import { buffer } from 'node:stream/consumers';
    import { openOcr } from ${module};
    const rgb = await buffer(process.stdin);
    const limits = { cpuMs: 60000, wallMs: 600000, onProgress: () => undefined };
    const ocr = await openOcr(limits);
    const raster = { widthPx: ${widthPx}, heightPx: ${heightPx}, rgb };
    const { words } = await ocr.read(raster, { scale: ${SCALE}, limits });
    console.log(words.map(({ text }) => text).join(' '));
    await ocr.close();`;
  const { execPath, execArgv } = confined();
  const { stdout, stderr } = spawnSync(execPath, [...execArgv, '-e', program], {
    encoding: 'utf8',
    env: {},
    input: rgb,
  });
  expect({ said: stdout.trim(), stderr }).toEqual({ said: TITLE.text, stderr: '' });
});
