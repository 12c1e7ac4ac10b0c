/**
 * Words of others on their way to a terminal.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clean, cut } from '../../../cli/terminal-text.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { assertProperty } from '../../../testing/property.ts';

it('no word steers a terminal or breaks a line, and none is longer than its column', () => {
  assertProperty(
    fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const shown = cut(clean(`${text}\u001B[2J\r\n${text}`), width);
      expect(shown).not.toMatch(/\p{Cc}/u);
      expect(shown.length).toBeLessThanOrEqual(width);
    }),
  );
});

it('words that fit stay as they are', () => {
  expect(cut(clean('GPU 0 is hot'), 12)).toBe('GPU 0 is hot');
  expect(cut('GPU 0 is hot', 8)).toBe('GPU 0 i…');
});
