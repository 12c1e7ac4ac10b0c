/** Slides whose headlines name no subject get one by their place and form; words of other things answer nothing. */
import { describe, expect, it } from 'vitest';
import { answered, deckOfMarks } from './ask.ts';

const quotesOf = (slug: string, deck: string): readonly string[] => answered(slug, deck).evidence.map((e) => e.quote);

/** A deck in statements: no headline names a subject. */
const STATEMENTS = [
  '# Korbwerk\n\nSeed deck',
  '# Nine of ten crates go back empty\n\nA bakery sends 400 crates a day and gets them back with nothing in them, too late for the next bake.',
  '# Korbwerk fills the way back\n\nShops book the empty space at noon. Drivers collect parcels on the same route home in the evening.',
  '# The ones behind it\n\nMara Lind\nRoutes, ex Postwerk, nine years\n\nOle Brandt\nSoftware, ex Kistenhaus',
  '# Side by side\n\n|  | Korbwerk | Parcel lorry | Own van |\n| Collects same day | ✓ | ✗ | ✓ |\n| Uses empty space | ✓ | ✗ | ✗ |\n| Waste per crate | 3 kg | 9 kg | 12 kg |',
];

describe('a deck whose headlines are statements', () => {
  const deck = deckOfMarks(STATEMENTS);

  it('begins with the problem', () =>
    expect(answered('target_problem', deck).evidence.map(({ slide }) => slide)).toContain(2));

  it('goes on with what it offers', () =>
    expect(quotesOf('solution_description', deck)).toContain('Shops book the empty space at noon.'));

  it('introduces people by what they did before', () =>
    expect(quotesOf('team_experience', deck)).toContain('Mara Lind Routes, ex Postwerk, nine years'));

  it.each([
    ['differentiation', 'Uses empty space ✓ ✗ ✗'],
    ['current_solutions', 'Uses empty space ✓ ✗ ✗'],
    ['competitive_landscape', 'Collects same day ✓ ✗ ✓'],
    ['quantified_advantage', 'Waste per crate 3 kg 9 kg 12 kg'],
  ])('answers %s with a row of the comparison', (slug, quote) => expect(quotesOf(slug, deck)).toContain(quote));

  it.each([
    [
      'of one hardship in figures',
      '# Half of all crates wait for a lorry\n\nEach of the 400 crates a day costs a baker twelve minutes in the yard.',
    ],
    [
      'of a country',
      '# Every US bakery loses crates\n\nIn the US one crate of nine is lost on its way back from the shop to the mill.',
    ],
  ])('begins with the problem %s, whatever a later market is called', (_, slide) => {
    const market =
      '# Nine thousand mills, one broken trade\n\nMills in the north buy crates for 90 million euros every year.';
    const told = deckOfMarks([STATEMENTS[0] ?? '', slide, STATEMENTS[2] ?? '', STATEMENTS[3] ?? '', market]);
    expect(answered('target_problem', told).evidence.map((item) => item.slide)).toContain(2);
  });

  it('begins with no problem where its first slide sums up', () => {
    const summed = deckOfMarks([
      STATEMENTS[0] ?? '',
      '# Summary\n\nTwelve mills wait for crates that come back late, and nine of forty bakeries lost some of them.',
    ]);
    expect(answered('target_problem', summed).evidence).toEqual([]);
  });

  it('has no problem by its place where another slide is about it', () => {
    const named = deckOfMarks([
      STATEMENTS[0] ?? '',
      '# Bread in numbers\n\nTwelve mills, forty bakeries and not one empty shelf in the whole valley since spring.',
      '# The problem\n\nBakers wait hours for crates that come back empty.',
    ]);
    expect(answered('target_problem', named).evidence.map(({ slide }) => slide)).toEqual([3]);
  });
});

describe('words of customers, prices and plans', () => {
  it.each([
    ['paying_customers', '# Traction\n\n61\nbakers\n\n14\nmills under contract', '61 bakers'],
    ['paying_customers', '# Zahlen und Erfolge\n\n9 Filialen im Einsatz seit Mai', '9 Filialen im Einsatz seit Mai'],
    [
      'customer_satisfaction',
      '# Traction\n\n72% of bakers order again in a month',
      '72% of bakers order again in a month',
    ],
    ['churn_analysis', '# Traction\n\n72% of bakers order again in a month', '72% of bakers order again in a month'],
    ['payer_identification', '# Business model\n\nThe mill pays €12 per tonne', 'The mill pays €12 per tonne'],
    [
      'payer_vs_user',
      '# Business model\n\nThe school pays €2 per pupil and month',
      'The school pays €2 per pupil and month',
    ],
    ['pricing_strategy', '# Pricing\n\nNOK 40 per crate and month', 'NOK 40 per crate and month'],
    ['fund_allocation', '# The ask\n\n50% ovens, 30% staff and 20% flour', '50% ovens, 30% staff and 20% flour'],
    ['future_state', '# The ask\n\nGoal: 300 bakeries in three valleys', 'Goal: 300 bakeries in three valleys'],
    ['skill_gaps', '# Team\n\nNext hires: a miller and a driver', 'Next hires: a miller and a driver'],
    ['organizational_maturity', '# Team\n\nA crew of 12, audited by two firms', 'A crew of 12, audited by two firms'],
  ])('answer %s: %s', (slug, slide, quote) =>
    expect(quotesOf(slug, deckOfMarks(['# Korbwerk', slide]))).toContain(quote),
  );

  it.each([
    ['monthly_burn', '# The ask\n\n18 months of runway after the round'],
    ['annual_burn', '# Business model\n\nBreak-even at 4,000 paying bakeries in the second year'],
    ['customer_satisfaction', '# Ovenland\n\nPlatform: PC, rating: USK 12, engine of our own'],
    [
      'fund_allocation',
      '# Tokens\n\n| Allocation | % | Vesting |\n| Team | 18 | 4 y |\n| Treasury | 20 | 2 y |\n| Sales | 9 | none |',
    ],
    ['pilot_customers', '# Traction\n\nFrom pilot to bakery in one summer'],
    ['payer_identification', '# Korbwerk\n\nCover for bakers who are paid by the day'],
    ['future_state', '# Protection\n\nExclusive supply of the flour until 2031'],
  ])('do not answer %s where they mean something else: %s', (slug, slide) =>
    expect(quotesOf(slug, deckOfMarks(['# Korbwerk', slide]))).toEqual([]),
  );
});

describe('the place of a quote', () => {
  it('says a label once, without its numbering', () => {
    const deck = deckOfMarks([
      '# Korbwerk',
      'PROBLEM\n\n# 02 · Problem\n\nBakers wait hours for crates that come back empty.',
    ]);
    expect(answered('target_problem', deck).answer).toMatch(/^Slide 2 \([^;)]*\): /u);
  });
});
