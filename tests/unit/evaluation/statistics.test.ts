import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanDistance, quadraticKappa, shareOf, type GradePair } from '../../../domain/evaluation/statistics.ts';
import { forAll } from '../../../testing/property.ts';

const share = fc
  .integer({ min: 1, max: 2000 })
  .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
const grade = fc.integer({ min: 0, max: 7 });
const pairs = fc.array(fc.tuple(grade, grade), { minLength: 1, maxLength: 60 });

/** Grades of two graders, a digit for each question. */
const graded = (a: string, b: string): GradePair[] =>
  Array.from(a, (digit, at): GradePair => [Number(digit), Number(b[at])]);

/** Kappa from tables of counts, as textbooks define it. */
function kappaByTable(grades: readonly GradePair[]): number | null {
  const n = grades.length;
  const count = (of: (pair: GradePair) => boolean): number => grades.filter(of).length;
  let observed = 0;
  let expected = 0;
  for (let i = 0; i <= 7; i += 1) {
    for (let j = 0; j <= 7; j += 1) {
      const weight = (i - j) ** 2 / 7 ** 2;
      observed += (weight * count(([a, b]) => a === i && b === j)) / n;
      expected += (weight * count(([a]) => a === i) * count(([, b]) => b === j)) / (n * n);
    }
  }
  return expected === 0 ? null : 1 - observed / expected;
}

describe('the interval of a share', () => {
  it('is the Wilson interval of worked examples', () => {
    // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const examples = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const;
    for (const [right, of, low, high] of examples) {
      const found = shareOf(right, of);
      expect(found.low).toBeCloseTo(low, 4);
      expect(found.high).toBeCloseTo(high, 4);
    }
  });

  it('holds the share, stays within 0 and 1, and mirrors the share of the rest', () =>
    forAll([share], { runs: 3000 }, ([right, of]) => {
      const { low, high } = shareOf(right, of);
      const rest = shareOf(of - right, of);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(right / of);
      expect(high).toBeGreaterThanOrEqual(right / of);
      expect(high).toBeLessThanOrEqual(1);
      expect(rest.low).toBeCloseTo(1 - (high ?? 0), 9);
    }));

  it('gets narrower with more decks of the same share', () =>
    forAll([share, fc.integer({ min: 2, max: 9 })], ([right, of], times) => {
      const width = ({ low, high }: ReturnType<typeof shareOf>): number => (high ?? 0) - (low ?? 0);
      expect(width(shareOf(right * times, of * times))).toBeLessThan(width(shareOf(right, of)));
    }));

  it('has no bounds where nothing was counted', () =>
    expect(shareOf(0, 0)).toEqual({ right: 0, of: 0, low: null, high: null }));
});

describe('the agreement of two graders', () => {
  it('is 1 for the same grades, −1 for opposite ones, 0 for one that always gives the mean', () => {
    expect(quadraticKappa(graded('037', '037'))).toBe(1);
    expect(quadraticKappa(graded('123', '321'))).toBe(-1);
    expect(quadraticKappa(graded('123', '222'))).toBeCloseTo(0, 12);
  });

  it('is that of a worked example: 8 of 10 the same, two one apart', () =>
    // Means 2.0 and 2.2, variances 2.0 and 1.96: 1 − 0.2 / (2.0 + 1.96 + 0.04).
    expect(quadraticKappa(graded('0123401234', '0123411244'))).toBeCloseTo(0.95, 12));

  it('is what the tables of counts give', () =>
    forAll([pairs], { runs: 1000 }, (grades) => {
      const [found, wanted] = [quadraticKappa(grades), kappaByTable(grades)];
      if (wanted === null || found === null) expect(found).toBe(wanted);
      else expect(found).toBeCloseTo(wanted, 9);
    }));

  it('does not depend on who is first, and is at most 1', () =>
    forAll([pairs], (grades) => {
      const swapped = grades.map(([a, b]): GradePair => [b, a]);
      expect(quadraticKappa(grades) ?? 1).toBeCloseTo(quadraticKappa(swapped) ?? 1, 9);
      expect(quadraticKappa(grades) ?? 1).toBeLessThanOrEqual(1);
    }));

  it('is not known where both give one grade throughout, or none', () => {
    expect(quadraticKappa(graded('44', '44'))).toBeNull();
    expect(quadraticKappa([])).toBeNull();
  });
});

it('the mean distance is that of the grades', () => {
  expect(meanDistance(graded('147', '346'))).toBe(1);
  expect(meanDistance([])).toBeNull();
});
