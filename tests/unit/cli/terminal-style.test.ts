/**
 * Colours and width of what is printed.
 */
import { expect, it } from 'vitest';
import { styleOfStdout } from '../../../cli/terminal-style.ts';

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
