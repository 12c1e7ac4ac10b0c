/** What prompts carry of a page is read back as it was written. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMarkup } from '../../../domain/pages/markup.ts';
import { pageMarkup } from '../../../domain/pages/page-text.ts';
import { forAll } from '../../../testing/property.ts';
import { pageOf } from './support.ts';

const LINE = fc
  .array(fc.constantFrom('#', '##', '-', '|', '\\', '•', 'Umsatz', '€3', 'in', '2026', 'we', 'a|b', '1.', 'pay.'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => words.join(' '));
const BOX = fc.record({
  text: fc.array(LINE, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n')),
  x: fc.integer({ min: 0, max: 800 }),
  y: fc.integer({ min: 0, max: 480 }),
  size: fc.constantFrom(9, 14, 14, 30),
});

it('the blocks that are read back have the words of the page in their order', () =>
  forAll([fc.array(BOX, { minLength: 1, maxLength: 6 })], (boxes) => {
    const layout = pageOf(...boxes);
    const words = layout.blocks.flatMap(({ lines }) => lines.flat(2).map((index) => layout.words[index]?.text ?? ''));
    const read = readMarkup(pageMarkup(layout)).flatMap(({ lines }) => lines.flatMap(({ text }) => text.split(/\s+/u)));
    // The marks of list items are not read back, and a bar in a cell is another bar.
    const shown = (list: readonly string[]): string =>
      list
        .filter((word) => !/^[-•|¦]?$/u.test(word))
        .join(' ')
        .replaceAll('|', '¦');
    expect(shown(read)).toBe(shown(words));
  }));

it('a line of the deck that begins like a mark is text', () => {
  const markup = pageMarkup(pageOf({ text: '# 1 in Europe', x: 60, y: 400, size: 12 }));
  expect(markup).toBe(String.raw`\# 1 in Europe`);
  expect(readMarkup(markup)).toEqual([{ kind: 'text', lines: [{ text: '# 1 in Europe', item: false }] }]);
});
