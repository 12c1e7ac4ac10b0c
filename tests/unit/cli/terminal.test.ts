/**
 * Text on a terminal: colours, width, and tables.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bar, clean, cut, paint, widthOf, wrap } from '../../../cli/terminal/style.ts';
import { styleOfStdout } from '../../../cli/terminal/style.ts';
import { table } from '../../../cli/terminal/table.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

it('no word steers a terminal or breaks a line, and none is longer than its column', () =>
  forAll([fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 40 })], (text, width) => {
    const shown = cut(clean(`${text}\u001B[2J\r\n${text}`), width);
    expect(shown).not.toMatch(/\p{Cc}/u);
    expect(widthOf(shown)).toBeLessThanOrEqual(width);
  }));

it('words that fit stay as they are', () => {
  expect(cut(clean('GPU 0 is hot'), 12)).toBe('GPU 0 is hot');
  expect(cut('GPU 0 is hot', 8)).toBe('GPU 0 i…');
});

const terminal = (hasColors: boolean) => ({ isTTY: true, columns: 60, hasColors: () => hasColors });

it('a terminal has its own width, and colours unless they are switched off', () => {
  expect(styleOfStdout(100, terminal(true))).toEqual({ colours: true, width: 60 });
  expect(styleOfStdout(100, terminal(false))).toEqual({ colours: false, width: 60 });
});

it('a pipe gets no colours, and whole lines unless a width is asked for', () => {
  const pipe = { isTTY: false, columns: 0, hasColors: () => true };
  expect(styleOfStdout(undefined, pipe)).toEqual({ colours: false, width: Number.POSITIVE_INFINITY });
  expect(styleOfStdout(100, pipe)).toEqual({ colours: false, width: 100 });
});

it('columns hold wide characters and colours, figures stand at the right, and no line ends in blanks', () => {
  const style = { colours: true, width: 80 };
  const rows = [
    ['日本', paint('1', 'red', style), 'x'],
    ['ab', '100', ''],
  ];
  expect(table(rows, { head: ['NAME', 'N', ''], right: [1], indent: ' ' })).toBe(
    [' NAME    N', ' 日本    \u001B[31m1\u001B[39m  x', ' ab    100'].join('\n'),
  );
  expect(table([])).toBe('');
});

it('a broken line keeps its colour, and a long word stays whole', () => {
  expect(wrap('one two  three', 7)).toEqual(['one two', 'three']);
  expect(wrap('unbreakable word', 4)).toEqual(['unbreakable', 'word']);
  const red = wrap(paint('one two', 'red', { colours: true, width: 80 }), 4);
  expect(red).toEqual(['\u001B[31mone\u001B[39m', '\u001B[31mtwo\u001B[39m']);
});

it('a bar is never longer than its cells', () =>
  expect([bar(0.5, 4), bar(3, 4), bar(-1, 4)]).toEqual(['██░░', '████', '░░░░']));
