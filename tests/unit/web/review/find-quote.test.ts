/** The search for the words of a quote on a slide. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../../testing/property.ts';
import { around, findQuote, isUpright, linesOf, type SlideWord } from '../../../../web/review/locate/find-quote.ts';

const HEIGHT = 20;

/** Words of lines, as a page has them: each line below the one before. */
const page = (...lines: readonly string[]): SlideWord[] =>
  lines.flatMap((line, row) =>
    line.split(' ').map((text, column) => ({
      text,
      box: [column * 60, row * 30, column * 60 + 50, row * 30 + HEIGHT] as const,
    })),
  );

const slide = page(
  '31 hospitals pay for',
  'the service, among them',
  'Klinikum Rechts der Ammer.',
  'Net burn: €135,000',
);

describe('the place of a quote', () => {
  it('is one box per line that the quote covers', () => {
    expect(findQuote(slide, 'hospitals pay for the service')).toEqual({
      boxes: [
        [60, 0, 230, 20],
        [0, 30, 110, 50],
      ],
      whole: true,
    });
  });

  it.each([
    ['case and punctuation', 'KLINIKUM rechts der Ammer'],
    ['hyphens and spaces', 'Net-burn €135,000'],
    ['quotation marks', '“Klinikum Rechts der Ammer”'],
    ['letters of another form', 'Ｋlinikum Rechts der Ammer'],
  ])('does not depend on %s', (_, quote) => {
    expect(findQuote(slide, quote)).toMatchObject({ whole: true });
  });

  it('begins and ends with whole words where they are there', () => {
    const twice = page('payments', 'pay monthly');
    expect(findQuote(twice, 'pay')?.boxes).toEqual([[0, 30, 50, 50]]);
  });

  it('a place is made of parts of words where no whole words are there', () => {
    expect(findQuote(slide, 'ospitals pa')?.boxes).toEqual([[60, 0, 170, 20]]);
  });

  it('a quote is found in the order of the slide, whatever the order of its parts', () => {
    const place = findQuote(slide, 'Klinikum Rechts der Ammer. 31 hospitals pay for');
    expect(place?.whole).toBe(false);
    expect(place?.boxes.map(([, top]) => top)).toEqual([0, 60]);
  });

  it('is in several parts where the words stand apart', () => {
    const apart = page('75% of companies', 'Something else entirely here', 'avoid hiring graduates');
    expect(findQuote(apart, '75% of companies avoid hiring graduates')).toEqual({
      boxes: [
        [0, 0, 170, 20],
        [0, 60, 170, 80],
      ],
      whole: false,
    });
  });

  it('is nowhere where most of the words are not on the slide', () => {
    expect(findQuote(slide, 'Nobody pays for any of this')).toBeNull();
    expect(findQuote(slide, ' – ')).toBeNull();
    expect(findQuote([], 'hospitals')).toBeNull();
  });

  it('is found for every run of words of a slide', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/u), { minLength: 1, maxLength: 30 });
    return forAll([words, fc.nat(29), fc.integer({ min: 1, max: 10 })], (all, from, length) => {
      const start = from % all.length;
      const found = findQuote(page(all.join(' ')), all.slice(start, start + length).join(' '));
      expect(found?.whole).toBe(true);
      expect(found?.boxes.length).toBeGreaterThan(0);
    });
  });
});

describe('lines of words', () => {
  it('break where the next word stands lower, or far away', () => {
    const far: SlideWord = { text: 'column', box: [700, 0, 760, 20] };
    expect(linesOf([...page('one two', 'three'), far]).map((line) => line.map(({ text }) => text))).toEqual([
      ['one', 'two'],
      ['three'],
      ['column'],
    ]);
    expect(linesOf([...page('left'), far])).toHaveLength(2);
  });

  it('go down the page where its words are turned', () => {
    const turned: SlideWord[] = [
      { text: 'Confidential', box: [10, 10, 24, 90] },
      { text: 'draft', box: [10, 95, 24, 130] },
    ];
    expect(turned.map(isUpright)).toEqual([true, true]);
    expect(linesOf(turned)).toHaveLength(1);
    expect(around(turned.map(({ box }) => box))).toEqual([10, 10, 24, 130]);
  });
});
