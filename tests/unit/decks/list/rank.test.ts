/** The rank of decks. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Ranked, rankOf } from '../../../../domain/decks/list/rank.ts';
import { DOCUMENT_KINDS } from '../../../../domain/profile/topics.ts';
import { forAll } from '../../../../testing/property.ts';

const anyDeck = fc.record({
  documentKind: fc.option(fc.constantFrom(...DOCUMENT_KINDS)),
  engineKind: fc.option(fc.constantFrom('rules', 'language model')),
  score: fc.option(fc.double({ min: 0, max: 7, noNaN: true })),
  evidence: fc.option(
    fc.tuple(fc.nat(34), fc.integer({ min: 1, max: 34 })).map(([found, asked]) => ({ found, asked })),
  ),
  topicsFound: fc.option(fc.nat(9)),
});

it('no document that is no pitch deck ranks before a pitch deck, whatever the rest', () =>
  forAll([anyDeck, anyDeck], (deck, other) => {
    const pitch = rankOf({ ...deck, documentKind: deck.documentKind === null ? null : 'pitch_deck' });
    const kind = other.documentKind ?? 'form';
    if (kind !== 'pitch_deck') expect(pitch).toBeGreaterThan(rankOf({ ...other, documentKind: kind }));
    expect(pitch).toBeLessThanOrEqual(3);
  }));

it('among reviews by rules a deck with more evidence, or with more facts, ranks higher; its score decides nothing', () => {
  const deck: Ranked = {
    documentKind: 'pitch_deck',
    engineKind: 'rules',
    score: 1,
    evidence: { found: 10, asked: 34 },
    topicsFound: 5,
  };
  expect(rankOf({ ...deck, score: 7 })).toBe(rankOf(deck));
  expect(rankOf({ ...deck, evidence: { found: 11, asked: 34 } })).toBeGreaterThan(rankOf(deck));
  expect(rankOf({ ...deck, topicsFound: 6 })).toBeGreaterThan(rankOf(deck));
  expect(rankOf({ ...deck, topicsFound: null })).toBeCloseTo(2 + 10 / 34);
  // Of reviews from before it was judged whether quotes answer.
  expect(rankOf({ ...deck, evidence: null, score: 3.5 })).toBe(2.5);
});

it('a review by a language model ranks by its score, and by its evidence where nothing was scored', () => {
  const deck = { documentKind: null, engineKind: 'language model', evidence: { found: 17, asked: 34 }, topicsFound: 9 };
  expect(rankOf({ ...deck, score: 3.5 })).toBe(2.5);
  expect(rankOf({ ...deck, score: null })).toBe(2.75);
});
