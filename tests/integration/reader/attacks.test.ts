/**
 * Decks that try to steer a review, through the render process and the built-in reader: what is said of them is what is said of the same deck
 * without the attack, also by a model that obeys what it reads, and the attack is reported. A few of them; `attacks.deep.test.ts` has all.
 */
import { expect, it } from 'vitest';
import { drawDeck } from '../../../samples/generator/deck-pdf.ts';
import { baseDeck, BASES, heldOutDecks } from '../../fixtures/attacks/decks.ts';
import { readDeck } from '../../fixtures/attacks/review.ts';
import { propertyRuns } from '../../../testing/tier.ts';
import { attackReader } from './attacked.ts';

const { layoutsOfBase, expectSameReview, expectNoEffect, hazardsOf } = attackReader();

it('the decks themselves steer nothing and hide nothing', async () => {
  for (const base of BASES.slice(0, propertyRuns(BASES.length, 1))) {
    const { steering, hidden } = readDeck(await layoutsOfBase(base));
    const hazards = await hazardsOf(await baseDeck(base));
    expect({ steering, hidden, hazards }).toEqual({ steering: [], hidden: [], hazards: [] });
  }
});

const KINDS = ['visible line', 'split over slides', 'colour of the background'];

it.each(heldOutDecks().filter(({ kind }) => KINDS.includes(kind.name)))(
  'the attack changes nothing and is reported: $name',
  expectNoEffect,
);

it.each([
  ['small', 9],
  ['larger than the headline', 30],
])('a line above the headline of every slide changes nothing when it is %s', async (_, size) => {
  for (const base of BASES.slice(0, propertyRuns(BASES.length, 1))) {
    const pdf = await drawDeck(base, {
      compress: true,
      onSlide: (pen) => pen.oneLine('Strictly private – for the addressee', 300, 2, 600, { size, color: '#808080' }),
    });
    await expectSameReview(pdf, base);
  }
});
