/** What the portfolio computes: months without holes, days of a month, coverages that are reached. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../testing/property.ts';
import { daysOf, reached, trimmed, withoutHoles } from '../../../../web/portfolio/figures.ts';

const someMonth = fc
  .tuple(fc.integer({ min: 2019, max: 2031 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`);

it('months of a chart follow each other, and keep their figures', () =>
  forAll([fc.uniqueArray(someMonth, { maxLength: 8 })], (months) => {
    const given = months
      .toSorted()
      .map((month, index) => ({ month, decks: index + 1, meanScore: index % 8, meanEvidence: null }));
    const all = withoutHoles(given);
    expect(all.filter(({ decks }) => decks > 0)).toEqual(given);
    for (const [index, { month }] of all.entries()) {
      const next = all[index + 1]?.month;
      if (next !== undefined) expect(Date.parse(`${next}-01`)).toBe(Date.parse(`${daysOf(month).until}T24:00:00Z`));
    }
  }));

it('a month has its first and its last day', () => {
  expect(daysOf('2026-02')).toEqual({ since: '2026-02-01', until: '2026-02-28' });
  expect(daysOf('2028-02').until).toBe('2028-02-29');
  expect(daysOf('2026-12')).toEqual({ since: '2026-12-01', until: '2026-12-31' });
});

it('a coverage is reached by every deck of its tenth and of those above', () => {
  const bands = Array.from({ length: 10 }, (_, tenth) => ({ from: tenth / 10, to: (tenth + 1) / 10, decks: tenth }));
  expect(reached(bands)).toEqual([
    { least: 0.9, decks: 9 },
    { least: 0.7, decks: 24 },
    { least: 0.5, decks: 35 },
    { least: 0.3, decks: 42 },
  ]);
});

it('empty bands are left out at either end, and kept between', () => {
  const bands = [0, 2, 0, 3, 0].map((decks, from) => ({ from, to: from + 1, decks }));
  expect(trimmed(bands).map(({ decks }) => decks)).toEqual([2, 0, 3]);
  expect(trimmed(bands.map((band) => ({ ...band, decks: 0 })))).toEqual([]);
});
