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

  it('keeps a footer that stands on one page only', () => {
    expect(findRunning(pages.slice(0, 1)).lines).toEqual([]);
  });
});
