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
    ['differentiation', 'Uses empty space: Korbwerk ✓; Parcel lorry ✗; Own van ✗'],
    ['current_solutions', 'Uses empty space: Korbwerk ✓; Parcel lorry ✗; Own van ✗'],
    ['competitive_landscape', 'Collects same day: Korbwerk ✓; Parcel lorry ✗; Own van ✓'],
    ['quantified_advantage', 'Waste per crate: Korbwerk 3 kg; Parcel lorry 9 kg; Own van 12 kg'],
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

/** A deck in which form and place tell what each slide is about; its headlines are informal or missing. */
const INFORMAL = [
  '# korbwerk\n\nseed / may 2026',
  'Everything else waits. The oven does not, and the crate it needs stands empty in a yard 40 km away.',
  '# korbwerk\n\nShops book the empty space at noon and drivers collect parcels on the route home.',
  '“We sold the second van within nine days.”\n\n“Finally crates that come home by themselves.”',
  '# the others\n\n## Parcelo\nlorries, bigger, no crates',
  '# the two of us\n\nmara lind\nroutes, ex Postwerk',
  '# Two lines\n\nQ3 2026 mill in Oslo\n\nQ1 2027 forty bakeries\n\n2028 second country',
  '# Who signs\n\nThe baker wants it, the owner signs. Veto: the insurer. Budget of the fleet, buyers decide in May.',
  '# €400k convertible\n\nsecond oven – 180k\n\nAngels committed 90k.',
  '# Side by side\n\n|  | before | korbwerk |\n| Minutes in the yard | 19 | 4 |\n| Crates lost | 38 | 6 |',
  '# List\n\n| Size | Price | Margin |\n| Small | 5.50 | 71% |\n| Large | 7.50 | 65% |',
];

describe('a deck whose headlines are informal', () => {
  const deck = deckOfMarks(INFORMAL);
  const slidesOf = (slug: string): number[] => [...new Set(answered(slug, deck).evidence.map(({ slide }) => slide))];

  it.each([
    ['target_problem', 2],
    ['solution_description', 3],
    ['customer_satisfaction', 4],
    ['competitive_landscape', 5],
    ['team_composition', 6],
    ['future_state', 7],
    ['decision_making', 8],
    ['fund_allocation', 9],
    ['quantified_advantage', 10],
    ['pricing_strategy', 11],
  ])('answers %s from slide %i', (slug, slide) => expect(slidesOf(slug)).toContain(slide));

  it('names the columns of a row', () =>
    expect(answered('quantified_advantage', deck).answer).toContain('before | korbwerk'));
});

describe('what only bears on a question', () => {
  const MODEL = ['# Korbwerk\n\nCrates for bakeries', '# Business model\n\nWe take a 10% commission on each delivery.'];

  it.each(['unit_economics', 'payer_identification'])('answers %s in part, with few points', (slug) => {
    const { covered, score, evidence } = answered(slug, deckOfMarks(MODEL));
    expect(evidence).toMatchObject([{ slide: 2, quote: 'We take a 10% commission on each delivery.' }]);
    expect(covered).toBe('partly');
    expect(score).toBeGreaterThanOrEqual(1);
    expect(score).toBeLessThanOrEqual(2);
  });

  it('is left out where something answers it', () => {
    const deck = deckOfMarks([...MODEL, '# Unit economics\n\nGross margin of 62% per crate, CAC €40']);
    expect(answered('unit_economics', deck).evidence).toMatchObject([
      { slide: 3, quote: 'Gross margin of 62% per crate, CAC €40' },
    ]);
  });
});

describe('words of customers, prices and plans', () => {
  it.each([
    ['paying_customers', '# Traction\n\n61\nbakers\n\n14\nmills under contract'],
    ['paying_customers', '# Zahlen und Erfolge\n\n9 Filialen im Einsatz seit Mai'],
    ['customer_satisfaction', '# Traction\n\n72% of bakers order again in a month'],
    ['churn_analysis', '# Traction\n\n72% of bakers order again in a month'],
    ['payer_identification', '# Business model\n\nThe mill pays €12 per tonne'],
    ['payer_vs_user', '# Business model\n\nThe school pays €2 per pupil and month'],
    ['pricing_strategy', '# Pricing\n\nNOK 40 per crate and month'],
    ['fund_allocation', '# The ask\n\n50% ovens, 30% staff and 20% flour'],
    ['future_state', '# The ask\n\nGoal: 300 bakeries in three valleys'],
    ['skill_gaps', '# Team\n\nNext hires: a miller and a driver'],
    ['skill_gaps', '# Team\n\nWe have no one who ever ran a mill'],
    ['urgent_hiring', '# Team\n\nStill open: head of the second mill'],
    ['financial_fluctuations', '# Traction\n\nSales drop by half in January'],
    ['financial_fluctuations', '# Zahlen\n\nDezember sehr stark wegen Weihnachten'],
    ['churn_analysis', '# Traction\n\nOnly 3 customers have cancelled'],
    ['sales_cycle', '# Sales\n\n97 days from first visit to signature'],
    ['monthly_burn', '# Numbers\n\nWe spend €45,000 more than we earn each month'],
    ['decision_making', '# Sales\n\nThe owner decides, the insurer has a veto'],
    ['quantified_advantage', '# Evidence\n\nWaiting fell by 34% in six months'],
    ['fund_allocation', '# The ask\n\n2 engineers for the oven'],
    ['organizational_maturity', '# Team\n\nA crew of 12, audited by two firms'],
  ])('answer %s: %s', (slug, slide) =>
    expect(quotesOf(slug, deckOfMarks(['# Korbwerk', slide]))).toContain(slide.split('\n\n')[1]?.replace('\n', ' ')),
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
    ['team_composition', '# Stroke Management\n\nNurses plan beds by hand, two engineers wait'],
    ['target_problem', '# Solution\n\nHow it addresses the problem: one call fills the crate'],
    ['fund_allocation', '# The round\n\nOn signing: €2M\n\nAfter the pilot: €3M'],
    ['customer_acquisition', '# Solution\n\nLive prices from 14 distributors'],
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
