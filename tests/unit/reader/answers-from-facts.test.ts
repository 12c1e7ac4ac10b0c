/** Answers from facts of the profile, rows and voices where no passage answers a question by its words. */
import { expect, it } from 'vitest';
import { answered, ask, deckOfMarks } from './ask.ts';

const COVER = '# Korbwerk\n\nCrates for bakeries';
const quotesOf = (slug: string, slide: string): string[] =>
  answered(slug, deckOfMarks([COVER, slide])).evidence.map(({ quote }) => quote);

it.each([
  ['fund_allocation', '# What the money buys\n\nHalf\n\nA third\n\nFlotte 40 %\n\nEntwicklung 60 %', 'Flotte 40 %'],
  [
    'annual_burn',
    '# Ausblick\n\n| T€ | 2026 | 2027 | 2028 |\n| Erlöse | 148 | 440 | 1.220 |\n| Ergebnis | −166 | −225 | 150 |',
    'Ergebnis: 2026 −166; 2027 −225; 2028 150',
  ],
  ['monthly_sales', '# What we have achieved\n\nRevenue 2025: €286,000', 'Revenue 2025: €286,000'],
])('%s is answered from the facts of the profile', (slug, slide, quote) =>
  expect(quotesOf(slug, slide)).toContain(quote),
);

it.each([
  [
    'churn_analysis',
    '# Proof, part one\n\n140 paying firms\n\n2.1 %\nlogo churn per quarter',
    '2.1 % logo churn per quarter',
  ],
  ['unit_economics', '# Rechnet sich das?\n\n84 % Rohmarge ohne Anwaltsanteil', '84 % Rohmarge ohne Anwaltsanteil'],
])('%s is answered by a figure with its words', (slug, slide, quote) => expect(quotesOf(slug, slide)).toContain(quote));

it('a figure of others answers nothing on the company', () =>
  expect(quotesOf('churn_analysis', '# Problem\n\nBakeries see 30 % churn among their drivers each year.')).toEqual(
    [],
  ));

it('a loss by year bears on the burn by month', () => {
  const slide = '# Outlook\n\n| £000 | 2026 | 2027 |\n| Operating result | −455 | 480 |';
  expect(answered('monthly_burn', deckOfMarks([COVER, slide]))).toMatchObject({
    covered: 'partly',
    evidence: [{ answering: 'some', quote: 'Operating result: 2026 −455; 2027 480' }],
  });
});

it('a table without years or without a loss says nothing of a burn', () => {
  expect(quotesOf('annual_burn', '# Model\n\n| Crate | Price | Cost |\n| Result | −3 € | 4 € |')).toEqual([]);
  expect(quotesOf('annual_burn', '# Model\n\n| T€ | 2026 | 2027 |\n| Result | 30 | 40 |')).toEqual([]);
});

it('a deck that seeks no money says so in the topic of the ask', () => {
  const { ask: facts, absent } = ask(
    'extract_profile',
    deckOfMarks([COVER, '# Thank you\n\nWe are not fundraising right now.']),
  );
  expect(facts).toEqual([]);
  expect(absent).toEqual([{ slide: 2, quote: 'We are not fundraising right now.', topic: 'ask' }]);
});
