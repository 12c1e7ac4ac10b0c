/** A review as a terminal shows it. */
import { expect, it } from 'vitest';
import { renderReview } from '../../../cli/decks/review-text.ts';
import { factFrom, profileOf, quoteFrom } from '../../../testing/profile.ts';
import { checkedReport, reportWith } from '../api/report-fixture.ts';

const PLAIN = { colours: false, width: 100 };

/** A profile with lists, plans, and topics without facts. */
const PROFILE = profileOf(
  {
    use_of_funds: [
      factFrom(5, 'Product 60 %, Sales 40 %', { name: 'Product', value: '60 %', percent: 60 }),
      factFrom(5, 'Product 60 %, Sales 40 %', { name: 'Sales', value: '40 %', percent: 40 }),
    ],
    team: [
      factFrom(2, 'Ada Lovelace, CEO', { name: 'Ada Lovelace', value: 'CEO' }),
      factFrom(3, 'Alan Turing, CTO', { name: 'Alan Turing', value: 'CTO' }),
    ],
    traction: [
      factFrom(4, 'Target: 40 clinics', { name: '40 clinics', isPlan: true }),
      factFrom(4, '31 hospitals pay', { name: '31 paying hospitals' }),
    ],
    competition: { status: 'stated_absent', evidence: [quoteFrom(6, 'Nobody else does this today.')] },
    stage: { status: 'unparseable' },
  },
  { document: { kind: 'lean_canvas', evidence: [quoteFrom(1, 'Lean Canvas')] } },
);

it('every word of it', () =>
  expect(renderReview(reportWith('Plain words'), PLAIN)).toMatchFileSnapshot('snapshots/review.txt'));

it('every word of a review of rules whose quotes were judged', () =>
  expect(renderReview({ ...checkedReport('Plain words', 'en'), profile: PROFILE }, PLAIN)).toMatchFileSnapshot(
    'snapshots/review-of-rules.txt',
  ));

it('a document that is no pitch deck is said to be none before its name', () => {
  const [first] = renderReview(reportWith('x', { profile: PROFILE }), PLAIN)
    .trim()
    .split('\n');
  expect(first).toBe('This is not a pitch deck but a lean canvas: “Lean Canvas” (slide 1).');
});

it('people, uses of funds and competitors are lists, and what is only planned is told apart', () => {
  const text = renderReview(reportWith('x', { profile: PROFILE }), PLAIN);
  expect(text).toMatch(/Product 60 % · Sales 40 % \(slide 5, verified/u);
  expect(text).toMatch(/Team +Ada Lovelace \(CEO\) \(slide 2.*\n +Alan Turing \(CTO\) \(slide 3/u);
  expect(text).toMatch(/Traction +31 paying hospitals \(slide 4.*\n +Planned, not reached yet: 40 clinics/u);
});

it('the score of a language model leads, and is not said to be by rules', () => {
  const text = renderReview(withModel('x'), PLAIN);
  expect(text).toMatch(/complete, with gaps · answered by llama/u);
  expect(text).toMatch(/Overall 4\.3 of 7/u);
  expect(text).not.toMatch(/rules|Evidence found/u);
});

/** A report that a language model made. */
const withModel = (text: string) =>
  reportWith(text, { engine: { name: 'ollama', kind: 'ollama', label: 'llama', version: null } });

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
  const evil = withModel('evil \u001B[2J\u0007 deck');
  expect(renderReview(evil, PLAIN)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(renderReview(evil, { colours: true, width: 100 })).toContain('\u001B[32m');
  expect(renderReview(evil, { colours: true, width: 100 })).not.toContain('\u001B[2J');
});
