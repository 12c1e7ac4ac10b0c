/** A review as a terminal shows it. */
import { expect, it } from 'vitest';
import { renderReview } from '../../../cli/decks/review-text.ts';
import { reportWith } from '../api/report-fixture.ts';

const PLAIN = { colours: false, width: 100 };

it('every word of it', () =>
  expect(renderReview(reportWith('Plain words'), PLAIN)).toMatchFileSnapshot('snapshots/review.txt'));

it('a review of which nothing is known yet says so without a hole', async () => {
  const nothing = reportWith('deck.pdf', {
    engine: null,
    company: null,
    offering: null,
    funding: { raw: null, amount: null, minAmount: null, currency: null },
    deckDate: { raw: null, iso: null },
    extractions: [],
    chapters: [],
    gaps: [],
  });
  const text = renderReview(nothing, PLAIN);
  expect(text).not.toMatch(/\bnull\b|undefined|NaN|\[object/u);
  await expect(text).toMatchFileSnapshot('snapshots/review-of-nothing.txt');
});

it('gaps beyond the first six are counted', () => {
  const [gap] = reportWith('lost').gaps;
  if (gap === undefined) throw new Error('the fixture has no gap');
  const text = renderReview(reportWith('lost', { gaps: Array.from({ length: 9 }, () => gap) }), PLAIN);
  expect(text).toMatch(/… and 3 more/u);
});

it('colours stand on a terminal only, and no control character of a deck gets through', () => {
  const evil = reportWith('evil \u001B[2J\u0007 deck');
  expect(renderReview(evil, PLAIN)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(renderReview(evil, { colours: true, width: 100 })).toContain('\u001B[32m');
  expect(renderReview(evil, { colours: true, width: 100 })).not.toContain('\u001B[2J');
});
