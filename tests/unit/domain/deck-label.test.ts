import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deckLabel } from '../../../domain/decks/deck-label.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['pulsara.pdf', null, 'pulsara.pdf'],
  ['pulsara.pdf', 12, 'pulsara.pdf · 12 pages'],
  ['one.pdf', 1, 'one.pdf · 1 page'],
])('the label of a deck of %s with %s pages is %s', (fileName, pageCount, label) =>
  expect(deckLabel(fileName, pageCount)).toBe(label),
);

it('the label of a deck keeps beginning and end of a long name, and fits a summary whatever it is made of', async () => {
  expect(deckLabel(`Pulsara${'-'.repeat(300)}final-v7.pdf`, 3)).toMatch(/^Pulsara-+…-+final-v7\.pdf · 3 pages$/u);
  await forAll([fc.string({ unit: 'grapheme', maxLength: 400 })], (name) => {
    const label = deckLabel(name, 500);
    expect(Buffer.byteLength(label)).toBeLessThanOrEqual(140 + Buffer.byteLength(' · 500 pages'));
    expect(label.isWellFormed()).toBe(true);
  });
});
