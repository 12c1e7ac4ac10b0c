import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coverage, MAX_SCORE, rollUp } from '../../../domain/decks/scoring.ts';
import { forAll } from '../../../testing/property.ts';

const item = fc.record({
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
  score: fc.option(fc.integer({ min: 0, max: MAX_SCORE })),
});

it('what was not scored enters no mean', () => {
  const expected = { score: 4, scored: 2, asked: 3 };
  expect(
    rollUp([
      { weight: 1, score: 6 },
      { weight: 1, score: null },
      { weight: 1, score: 2 },
    ]),
  ).toEqual(expected);
  expect(rollUp([{ weight: 1, score: null }])).toEqual({ score: null, scored: 0, asked: 1 });
});

it('weights count', () =>
  expect(
    rollUp([
      { weight: 3, score: 7 },
      { weight: 1, score: 3 },
    ]).score,
  ).toBe(6));

it('a mean lies between the lowest and the highest score, and does not depend on order', () =>
  forAll([fc.array(item, { maxLength: 40 })], (items) => {
    const { score, scored, asked } = rollUp(items);
    const scores = items.flatMap((i) => (i.score === null ? [] : [i.score]));
    expect(asked).toBe(items.length);
    expect(scored).toBe(scores.length);
    if (score === null) return scores.length === 0;
    expect(rollUp([...items].reverse()).score).toBeCloseTo(score, 9);
    return score >= Math.min(...scores) - 1e-9 && score <= Math.max(...scores) + 1e-9;
  }));

it('coverage is a share', () => {
  expect(coverage(0, 0)).toBe(0);
  expect(coverage(17, 34)).toBe(0.5);
});
