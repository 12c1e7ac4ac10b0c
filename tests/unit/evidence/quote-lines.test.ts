/** Which lines of a quote are read again in the picture, and why others are not. */
import { expect, it } from 'vitest';
import { chooseRereads, OTHERS_READ_AGAIN, type ShownQuote } from '../../../domain/evidence/choose-rereads.ts';
import { quoteLines } from '../../../domain/evidence/quote-lines.ts';
import type { Box } from '../../../domain/pages/page.ts';
import { wordAt } from '../pages/support.ts';
import fc from 'fast-check';

const BOX: Box = [100, 100, 300, 130];
const page = (...words: ReturnType<typeof wordAt>[]) => ({ widthPt: 960, words });
const lines = (quote: string, boxes: readonly Box[] | null, words: ReturnType<typeof wordAt>[] = [], widthPx = 1920) =>
  quoteLines({ quote, boxes }, page(...words), widthPx);
const QUOTE = 'Six people work in Kassel';

it('a line is read where its box lies in the picture', () => {
  expect(lines(QUOTE, [BOX])).toEqual({ shown: QUOTE, lines: [{ box: [200, 200, 600, 260], turn: 0 }] });
});

it('a box with two lines of words is read line by line', () => {
  const words = [
    wordAt('Six', [100, 100, 140, 112]),
    wordAt('people', [150, 100, 200, 112]),
    wordAt('work', [100, 116, 140, 128]),
  ];
  expect(lines(QUOTE, [BOX], words, 960)).toEqual({
    shown: QUOTE,
    lines: [
      { box: [100, 100, 200, 112], turn: 0 },
      { box: [100, 116, 140, 128], turn: 0 },
    ],
  });
});

it('a mark of a footnote that a quote leaves out is expected in the picture', () => {
  const words = [wordAt('$42³', [150, 100, 200, 130])];
  expect(lines('Revenue of $42 per seat', [BOX], words)).toMatchObject({ shown: 'Revenue of $42³ per seat' });
});

it('a line that is turned is read along its turn', () => {
  const words = [wordAt('Kassel', [100, 100, 120, 180], { turn: 90 })];
  expect(lines('Kassel am Rhein', [[100, 100, 120, 180]], words)).toMatchObject({ lines: [{ turn: 90 }] });
});

it('a quote is not read again, with a reason, without a place, a picture, enough size or data for its script', () => {
  const reasonOf = (found: ReturnType<typeof quoteLines>) => ('reason' in found ? found.reason : null);
  expect(reasonOf(lines(QUOTE, null))).toContain('place');
  expect(reasonOf(quoteLines({ quote: QUOTE, boxes: [BOX] }, null, null))).toContain('no picture');
  expect(reasonOf(lines(QUOTE, [[100, 100, 300, 105]]))).toContain('less than 12 pixels');
  expect(reasonOf(lines('אנחנו מגייסים 2.5 מיליון', [BOX]))).toContain('script');
  expect(reasonOf(lines('Мы привлекаем 2 млн', [BOX]))).toContain('script');
});

const quotes = fc
  .array(
    fc.record({
      slide: fc.integer({ min: 1, max: 3 }),
      quote: fc.constantFrom('one two three', 'four five six', 'seven eight nine', 'ten eleven twelve'),
      boxes: fc.constant<Box[]>([BOX]),
      answering: fc.constantFrom('high' as const, 'some' as const, 'doubtful' as const, null),
      inSummary: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map((each, index): ShownQuote => ({ ...each, id: String(index) })));

it('every quote of the summary is chosen once, and at most five others, those first that answer their question', () => {
  fc.assert(
    fc.property(quotes, (all) => {
      const chosen = chooseRereads(all);
      const ids = chosen.flatMap((each) => each.ids);
      expect(new Set(ids).size).toBe(ids.length);
      const taken = new Set(ids);
      for (const { id, inSummary } of all) if (inSummary) expect(taken).toContain(id);
      const others = chosen.filter((each) => each.ids.every((id) => all[Number(id)]?.inSummary === false));
      expect(others.length).toBeLessThanOrEqual(OTHERS_READ_AGAIN);
      const isHigh = ({ ids: of }: { readonly ids: readonly string[] }) =>
        of.some((id) => all[Number(id)]?.answering === 'high');
      const left = all.filter(({ id }) => !taken.has(id));
      if (others.some((each) => !isHigh(each))) expect(left.some(({ answering }) => answering === 'high')).toBe(false);
    }),
  );
});
