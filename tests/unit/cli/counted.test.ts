import { expect, it } from 'vitest';
import { counted } from '../../../domain/text/words.ts';
import { renderReview } from '../../../cli/decks/review-text.ts';
import { reportWith } from '../api/report-fixture.ts';

it('one is one, and everything else many', () => {
  expect([0, 1, 2].map((count) => counted(count, 'slide'))).toEqual(['0 slides', '1 slide', '2 slides']);
  expect(counted(2, 'history', 'histories')).toBe('2 histories');
});

it('a review of one page has one slide', () => {
  const { deck } = reportWith('x');
  expect(renderReview(reportWith('x', { deck: { ...deck, slides: 1 } }), { colours: false, width: 100 })).toContain(
    '\n1 slide · ',
  );
});
