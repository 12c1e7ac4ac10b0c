/** The reader's own check says how sure it is that a quote answers its question. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answering } from '../../../domain/evidence/answering.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';
import { answerOf, ask, deckOf, deckOfMarks } from './ask.ts';

/** The level of the quote that holds these words; undefined where it is not quoted. */
const levelOf = (slug: string, words: string, ...slides: readonly string[]): Answering | undefined =>
  answerOf(slug, deckOfMarks(['# Korbwerk\n\nCrates for bakeries', ...slides])).evidence.find(({ quote }) =>
    quote.includes(words),
  )?.answering;

describe('a quote is sure to answer its question', () => {
  it.each([
    ['target_problem', 'lose one crate in five', '# The problem\n\nBakeries lose one crate in five each month.'],
    ['team_composition', 'leads the workshop', '# Team\n\nAnna Beispiel, CTO, leads the workshop with four engineers.'],
    ['pricing_strategy', '€4 per crate', '# Pricing\n\nA bakery pays €4 per crate and month.'],
    ['paying_customers', 'paying customers', '# Customers\n\nWe have 400 paying customers in Austria.'],
    ['paying_customers', 'zahlende Kunden', '# Kunden\n\nWir haben 400 zahlende Kunden in Österreich.'],
    ['fund_allocation', '60 % sales', '# Use of funds\n\n60 % sales, 40 % product development'],
  ])('%s: a statement under the subject of the question', (slug, words, slide) =>
    expect(levelOf(slug, words, slide)).toBe('high'),
  );
});

describe('a quote is not sure to answer its question', () => {
  it('a price is no answer to the earnings per customer, though it bears on it', () =>
    expect(
      levelOf('unit_economics', '10% commission', '# Model\n\nWe take a 10% commission on each delivery.'),
    ).not.toBe('high'));

  it.each([
    ['paying_customers', 'paying customers', '# Customers\n\nWe will have 400 paying customers by 2028.'],
    ['paying_customers', 'zahlende Kunden', '# Kunden\n\nBis Ende 2028 gewinnen wir 400 zahlende Kunden.'],
    ['monthly_sales', 'MRR', '# Traction\n\nTarget: €40k MRR in 2028'],
  ])('%s: a plan is no answer to how things stand', (slug, words, slide) =>
    expect(levelOf(slug, words, slide)).not.toBe('high'),
  );

  it.each([
    ['paying_customers', 'raised', '# Traction\n\n$1.7 million raised from angels and a state fund'],
    ['fund_allocation', 'raised', '# Use of funds\n\nWe have raised €400,000 so far.\n\n60 % sales, 40 % product'],
    ['funding_requirements', 'eingeworben', '# Kapitalbedarf\n\nWir suchen 2 Mio. €.\n\nBisher 400.000 € eingeworben'],
  ])('%s: money that came earlier is no answer', (slug, words, slide) =>
    expect(levelOf(slug, words, slide)).not.toBe('high'),
  );

  it.each([
    [
      'target_problem',
      'Staff',
      '# The problem\n\n| £000 | 2025 | 2026 |\n| Staff | –760 | –1,390 |\n| Other | –180 | –290 |',
    ],
    [
      'differentiation',
      'SOM',
      '# What sets us apart\n\n| Market | Who | Value |\n| TAM | All of Europe | €9bn |\n| SOM | Hospitals in the south | €42m |',
    ],
    ['team_experience', 'Founded', '# Team\n\nFounded 2024 in Bristol and Philadelphia.'],
  ])('%s is not surely answered by what stands there beside it: %s', (slug, words, slide) =>
    expect(levelOf(slug, words, slide)).not.toBe('high'),
  );

  it.each([
    'My grandmother came with a broken wrist.',
    'In 2024 she harvested 52 quintals.',
    'Meine Großmutter kam mit einem gebrochenen Handgelenk.',
  ])('the story of one person is no sure answer to what the problem is: %s', (story) => {
    expect(levelOf('target_problem', story, `# The problem\n\n${story}`)).toBe('some');
    expect(levelOf('target_problem', 'Patients', '# The problem\n\nPatients wait eleven weeks for a scan.')).toBe(
      'high',
    );
  });

  it.each(['Patienten können ohne Diagnose nie sicher sein.', 'Jeder Betrieb verliert seine Daten nach einem Brand.'])(
    'a statement on all is no story of one person: %s',
    (statement) => expect(levelOf('target_problem', statement, `# Das Problem\n\n${statement}`)).toBe('high'),
  );

  it('a row of cells of words without headings is no sure answer', () =>
    expect(
      levelOf(
        'team_experience',
        'Midwife',
        '# Team\n\n| Ada Berg | Ben Cho | Carla Dahl |\n| Midwife for years | Fellow in Linz | Surgeon |',
      ),
    ).not.toBe('high'));

  it('an amount under the name of a plan is no sure answer', () =>
    expect(levelOf('pricing_strategy', '29 €', '# Preise\n\n## Basis\n\n29 € / Monat')).not.toBe('high'));

  it('the heading of a chart is no answer to a question for a number', () =>
    expect(
      levelOf('paying_customers', 'at quarter end', '# Traction\n\nPaying practices of ours at quarter end'),
    ).not.toBe('high'));

  it('a question on a slide answers nothing', () =>
    expect(
      levelOf('target_problem', 'lose their crates', '# The problem\n\nWhy do bakeries lose their crates?'),
    ).not.toBe('high'));
});

it('a doubtful quote is left out beside one that is better', () => {
  const deck = deckOfMarks([
    '# Korbwerk\n\nCrates for bakeries',
    '# The problem\n\nBakeries lose one crate in five each month.\n\nWhat does a lost crate cost?',
  ]);
  const { evidence } = answerOf('target_problem', deck);
  expect(evidence.map(({ quote }) => quote)).toEqual(['Bakeries lose one crate in five each month.']);
});

it('every quote of an answer is judged, and doubtful ones stand only among themselves', () => {
  const line = fc.constantFrom(
    'Bakeries lose one crate in five each month.',
    'We will have 400 paying customers by 2028.',
    'Price: €4 per crate',
    'Our CTO built crates for 20 years.',
    'Who pays for it?',
    '€1.2M revenue in 2025',
    'Competitors rent crates for €9.',
    'Partners and resellers in Austria',
  );
  const title = fc.constantFrom(
    'Problem',
    'Pricing',
    'Team',
    'Market',
    'Traction',
    'Competition',
    'The future',
    '2028',
  );
  const slide = fc.tuple(title, fc.array(line, { minLength: 1, maxLength: 4 })).map((parts) => parts.flat().join('\n'));
  const slug = fc.constantFrom(
    ...SEVEN_CHAPTER_REVIEW.chapters.flatMap(({ questions }) => questions.map((q) => q.slug)),
  );
  fc.assert(
    fc.property(slug, fc.array(slide, { minLength: 1, maxLength: 5 }), (question, slides) => {
      const levels = answerOf(question, deckOf('Korbwerk', ...slides)).evidence.map(({ answering }) => answering);
      expect(levels).not.toContain(undefined);
      if (levels.includes('doubtful')) expect(new Set(levels)).toEqual(new Set(['doubtful']));
    }),
    { numRuns: 60 },
  );
});

it('an ask and a date that are found are answers, because they are taken only from words that state them', () => {
  const deck = deckOf('Korbwerk\nMarch 2026', 'The ask\nWe are raising €2.5M to build a second workshop.');
  for (const task of ['extract_funding', 'extract_deck_date'] as const)
    expect(ask(task, deck).evidence.map(({ answering }) => answering)).toEqual(['high']);
});
