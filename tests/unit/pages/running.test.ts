import { describe, expect, it } from 'vitest';
import { pageMarkup } from '../../../domain/pages/page-text.ts';
import { findRunning } from '../../../domain/pages/running.ts';
import { pageOf } from './support.ts';

const footer = (page: number) => ({ text: `Acme GmbH © 2024 page ${page}`, x: 60, y: 520, size: 8 });

describe('running lines', () => {
  const pages = [1, 2, 3, 4].map((number) => ({
    number,
    layout: pageOf({ text: `Topic ${'abcd'[number]}`, x: 60, y: 150, size: 30 }, footer(number)),
  }));

  it('names a footer once with its pages and leaves it out of the text of each', () => {
    const running = findRunning(pages);
    expect(running.lines).toEqual([{ text: 'Acme GmbH © 2024 page 1', pages: [1, 2, 3, 4] }]);
    expect(pageMarkup(pages[1]?.layout ?? pageOf(), running.blocks.get(2))).toBe('# Topic c');
  });

  it.each([
    ['years', (number: number) => `Results of ${2022 + number}: €${number * 3}M`],
    ['phases', (number: number) => `Phase ${number} of the roadmap`],
  ])('keeps titles that differ in a number which does not count the pages: %s', (_, titleOf) => {
    const titled = [5, 6, 7, 8].map((number) => ({
      number,
      layout: pageOf({ text: titleOf(number - 4), x: 60, y: 20, size: 30 }, { text: 'Words', x: 60, y: 300 }),
    }));
    expect(findRunning(titled)).toEqual({ lines: [], blocks: new Map() });
  });

  it('leaves out a footer whose page numbers skip a hidden slide', () => {
    const numbered = [1, 2, 3, 4].map((number) => ({
      number,
      layout: pageOf(footer(number > 2 ? number + 1 : number)),
    }));
    expect([...findRunning(numbered).blocks.keys()]).toEqual([1, 2, 3, 4]);
  });

  it('leaves out a number alone that counts the pages, from wherever', () => {
    const numbered = [5, 6, 7].map((number) => ({
      number,
      layout: pageOf({ text: 'Words', x: 60, y: 300 }, { text: String(number + 30), x: 900, y: 520, size: 8 }),
    }));
    const { lines, blocks } = findRunning(numbered);
    expect(lines).toEqual([]);
    expect([...blocks.keys()]).toEqual([5, 6, 7]);
  });

  it('keeps a footer that stands on one page only', () => expect(findRunning(pages.slice(0, 1)).lines).toEqual([]));
});
