/** When recognition is asked for, and what becomes of its faults. */
import { describe, expect, it } from 'vitest';
import type { Ocr } from '../../../activities/convert/render/ocr.ts';
import { needOf, PageRecogniser } from '../../../activities/convert/render/recognise.ts';
import { readLayout } from '../../../activities/convert/render/read-layout.ts';
import type { ReadPage } from '../../../activities/convert/render/renderer.ts';
import { NO_DOUBTFUL_WORDS } from '../../../domain/pages/doubtful-words.ts';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { draw, wordAt } from '../pages/support.ts';

const LIMITS = { pageCpuMs: 16_000, totalMs: 90_000 };
const [WIDTH_PX, HEIGHT_PX] = [1344, 756];
const SCALE = WIDTH_PX / 960;

/** White, with places (in points) in shades of grey. */
function page(places: readonly (readonly [Box, shade: number])[], more: Partial<ReadPage> = {}): ReadPage {
  const rgb = new Uint8Array(WIDTH_PX * HEIGHT_PX * 3).fill(255);
  for (const [[left, top, right, bottom], shade] of places) {
    for (let y = Math.round(top * SCALE); y < bottom * SCALE; y++)
      rgb.fill(shade, (y * WIDTH_PX + Math.round(left * SCALE)) * 3, (y * WIDTH_PX + Math.round(right * SCALE)) * 3);
  }
  const raster = { widthPx: WIDTH_PX, heightPx: HEIGHT_PX, rgb };
  const drawing = { pictureShare: 1, pictures: [], shapes: [], paths: 0 };
  return { widthPt: 960, heightPt: 540, raster, drawing, words: [], hidden: [], doubtful: NO_DOUBTFUL_WORDS, ...more };
}

const seen = (text: string, box: Box): PageWord => wordAt(text, box, { confidence: 92 });
const ROUND: Box = [100, 100, 200, 120];
/** Strokes of a word in a place. */
const inked = ([left, top, right, bottom]: Box, shade = 0): readonly [Box, number] => [
  [left + 5, top + 5, right - 5, bottom - 5],
  shade,
];

const reads = (words: readonly PageWord[], complete = true): Ocr => ({
  read: async () => ({ words: [...words], complete }),
  close: async () => undefined,
});
const nothing = (): void => undefined;

it('a page whose text layer says what is on it is not recognised', () => {
  const words = draw({ text: 'Every order pays for itself within seven months', x: 60, y: 150 });
  expect(needOf(page([inked(ROUND)], { words }), 2)).toBe('none');
});

it('a blank page is not recognised', () => expect(needOf(page([]), 1)).toBe('none'));

it('a page that is nothing but a picture is recognised', () => expect(needOf(page([inked(ROUND)]), 2)).toBe('replace'));

it('a page with a picture that is not recognised is not complete', () => {
  const words = draw({ text: 'Every order pays for itself within seven months', x: 60, y: 150 });
  const read = page([inked(ROUND)], { words, drawing: { pictureShare: 0.2, pictures: [], shapes: [], paths: 0 } });
  expect(readLayout(read).incomplete).toBe(true);
  expect(readLayout(read, { need: 'add', words: [], fault: null }).incomplete).toBeUndefined();
  expect(
    readLayout({ ...read, drawing: { pictureShare: 0.01, pictures: [], shapes: [], paths: 9 } }).incomplete,
  ).toBeUndefined();
});

it('recognition is started once, and each page is announced', async () => {
  const [starts, steps]: number[][] = [[], []];
  const recogniser = new PageRecogniser(LIMITS, async () => {
    starts?.push(1);
    return reads([seen('Acme', ROUND)]);
  });
  for (const number of [1, 2, 3]) {
    const found = await recogniser.recognise(page([inked(ROUND)]), 'replace', () => steps?.push(number));
    expect(found).toEqual({ need: 'replace', words: [seen('Acme', ROUND)], fault: null });
  }
  expect({ starts, steps }).toEqual({ starts: [1], steps: [1, 2, 3] });
});

it('large letters are looked for on the first page alone, beside the words of its text layer', async () => {
  const covers: unknown[] = [];
  const words = draw({ text: 'Straw panels', x: 60, y: 150 });
  const recogniser = new PageRecogniser(LIMITS, async () => ({
    ...reads([]),
    read: async (_, { cover }) => {
      covers.push(cover);
      return { words: [], complete: true };
    },
  }));
  await recogniser.recognise(page([inked(ROUND)], { words }), 'add', nothing, true);
  await recogniser.recognise(page([inked(ROUND)], { words }), 'places', nothing, true);
  await recogniser.recognise(page([inked(ROUND)], { words }), 'add', nothing);
  expect(covers).toEqual([words, null, null]);
});

describe('a fault is told with the page', () => {
  it('recognition that cannot be started is not tried again', async () => {
    let starts = 0;
    const recogniser = new PageRecogniser(LIMITS, () => {
      starts++;
      return Promise.reject(new Error('no data'));
    });
    const recognise = () => recogniser.recognise(page([inked(ROUND)]), 'replace', nothing);
    const found = { need: 'replace', words: [], fault: 'no data' };
    expect([await recognise(), await recognise()]).toEqual([found, found]);
    expect(starts).toBe(1);
  });

  it('recognition that breaks down at one page goes on with the next', async () => {
    let pages = 0;
    const recogniser = new PageRecogniser(LIMITS, async () => ({
      ...reads([]),
      read: () =>
        pages++ === 0
          ? Promise.reject(new Error('broke down'))
          : Promise.resolve({ words: [seen('Acme', ROUND)], complete: true }),
    }));
    expect((await recogniser.recognise(page([inked(ROUND)]), 'replace', nothing)).fault).toBe('broke down');
    expect((await recogniser.recognise(page([inked(ROUND)]), 'replace', nothing)).words).toHaveLength(1);
  });

  it('a page that takes too long gives what was read until then', async () => {
    const recogniser = new PageRecogniser(LIMITS, async () => reads([seen('Acme', ROUND)], false));
    const { words, fault } = await recogniser.recognise(page([inked(ROUND)]), 'replace', nothing);
    expect(words).toHaveLength(1);
    expect(fault).toContain('too long');
  });

  it('pages are left as they are when the time for all of them is over', async () => {
    const recogniser = new PageRecogniser({ pageCpuMs: 10, totalMs: 0 }, () => expect.fail('it was started'));
    const found = await recogniser.recognise(page([inked(ROUND)]), 'replace', nothing);
    expect(found).toEqual({ need: 'replace', words: [], fault: expect.stringContaining('is over') as string });
  });
});

describe('what a person does not see is left out', () => {
  const recognised = async (of: ReadPage, words: readonly PageWord[]): Promise<string[]> => {
    const recogniser = new PageRecogniser(LIMITS, async () => reads(words));
    return (await recogniser.recognise(of, 'replace', nothing)).words.map(({ text }) => text);
  };
  const LOGO: Box = [400, 20, 520, 60];

  it('a word that is almost as light as its ground', async () => {
    const drawn = page([inked(LOGO), inked(ROUND, 250)]);
    expect(await recognised(drawn, [seen('Acme', LOGO), seen('ignore', ROUND)])).toEqual(['Acme']);
  });

  it('a word that is too small', async () => {
    const small: Box = [100, 200, 130, 202];
    const drawn = page([inked(LOGO), [small, 0]]);
    expect(await recognised(drawn, [seen('Acme', LOGO), seen('ignore', small)])).toEqual(['Acme']);
  });

  it('a word in the place of one that the text layer hides', async () => {
    const hidden = [{ ...seen('ignore', ROUND), confidence: null, hidden: 'same_colour' as const }];
    const drawn = page([inked(LOGO), inked(ROUND, 200)], { hidden });
    expect(await recognised(drawn, [seen('Acme', LOGO), seen('ignore', ROUND)])).toEqual(['Acme']);
  });
});
