import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportFact } from '../../../domain/decks/report.ts';
import { judgeTopics, type JudgedTopic } from '../../../domain/evaluation/judge-topics.ts';
import { matchOneToOne } from '../../../domain/evaluation/one-to-one.ts';
import { sameName, sameStatement } from '../../../domain/evaluation/same-words.ts';
import { factFigures, topicFigures } from '../../../domain/evaluation/topic-figures.ts';
import { isTyped, labelledFacts, type TopicsLabel } from '../../../domain/evaluation/topic-labels.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../../../domain/profile/topics.ts';
import { forAll } from '../../../testing/property.ts';
import { factWith, perfectReview, quoteAt, reviewWith } from './topic-fixture.ts';

function judged(topics: TopicsLabel, topic: ProfileTopic, facts: readonly Partial<ReportFact>[]): JudgedTopic {
  const [only] = judgeTopics({ [topic]: topics[topic] }, reviewWith({ [topic]: facts.map(factWith) })) ?? [];
  if (only === undefined) throw new Error('the topic was not judged');
  return only;
}
const outcomesOf = (topics: TopicsLabel, topic: ProfileTopic, facts: readonly Partial<ReportFact>[]): string[] =>
  judged(topics, topic, facts).facts.map(({ outcome }) => outcome);

describe('names', () => {
  it('agree by their words and close spelling', () => {
    for (const [a, b] of [
      ['Dr. Ada Example', 'Ada Example'],
      ['Nathan Blecharcyk', 'Nathan Blecharczyk'],
      ['Ride Cell', 'RideCell'],
      ['Excel', 'Excel spreadsheets'],
      ['Load board', 'Load boards'],
    ] as const) {
      expect(sameName(a, b), `${a}, ${b}`).toBeGreaterThan(0);
    }
    for (const [a, b] of [
      ['Ada Example', 'Ben Example'],
      ['Google Maps', 'Google Drive'],
      ['A', 'Ada Example'],
      ['Ada', ''],
    ] as const) {
      expect(sameName(a, b), `${a}, ${b}`).toBe(0);
    }
  });
});

describe('statements', () => {
  it('agree by the content words that they share', () => {
    expect(sameStatement('Hospitals with 200 to 500 beds', 'hospital')).toBeGreaterThan(0);
    expect(sameStatement('31 paying hospitals', 'Signed framework contract with a purchasing group')).toBe(0);
    expect(sameStatement('Krankenhäuser und Kliniken', 'Kliniken')).toBeGreaterThan(0);
    expect(sameStatement('Raising for the market', 'the for')).toBe(0);
  });

  it('about another round do not agree', () => {
    expect(sameStatement('Series A', 'Series B')).toBe(0);
    expect(sameStatement('Pre-Seed round', 'Seed')).toBe(0);
    expect(sameStatement('Pre-Seed round', 'pre seed')).toBeGreaterThan(0);
  });
});

describe('a fact', () => {
  it('of money agrees with its label in amount and currency, and in its share', () => {
    const use_of_funds = [{ name: 'Hiring', share: 45, amount: null, currency: null }];
    expect(outcomesOf({ use_of_funds }, 'use_of_funds', [{ name: 'Hiring', percent: 45 }])).toEqual(['right']);
    expect(outcomesOf({ use_of_funds }, 'use_of_funds', [{ name: 'Hiring', percent: 40 }])).toEqual(['wrong']);
    expect(outcomesOf({ use_of_funds }, 'use_of_funds', [{ name: 'Hiring' }])).toEqual(['partly']);
    const ask = [{ text: 'Raising €2M seed', amount: 2_000_000, currency: 'EUR' }];
    const given = (amount: number, currency: string | null) => [{ name: 'amount', value: 'x', amount, currency }];
    expect(outcomesOf({ ask }, 'ask', given(2_000_000, 'EUR'))).toEqual(['right']);
    expect(outcomesOf({ ask }, 'ask', given(2_000_000, null))).toEqual(['right']);
    expect(outcomesOf({ ask }, 'ask', given(2_000_000, 'USD'))).toEqual(['wrong', 'missed']);
    expect(outcomesOf({ ask }, 'ask', given(3_000_000, 'EUR'))).toEqual(['wrong', 'missed']);
  });

  it('of the market is told apart by its kind, and a rate by its figure', () => {
    const market = [
      { name: 'TAM', text: 'TAM €12.4B', amount: 12_400_000_000, currency: 'EUR' },
      { name: 'Growth', text: 'The market grows 11% a year', amount: null },
    ];
    const tam = { name: 'TAM', value: '€12.4B', amount: 12_400_000_000, currency: 'EUR' };
    expect(outcomesOf({ market }, 'market', [tam, { name: 'CAGR', value: '11 %', percent: 11 }])).toEqual([
      'right',
      'right',
    ]);
    expect(outcomesOf({ market }, 'market', [{ ...tam, name: 'SAM' }])).toEqual(['wrong', 'missed', 'missed']);
    expect(outcomesOf({ market }, 'market', [{ ...tam, name: 'Wound care' }])).toEqual(['right', 'missed']);
  });

  it('of the team has the labelled role, else it is half right', () => {
    const team = [{ name: 'Ada Example', role: 'CEO, co-founder' }];
    expect(outcomesOf({ team }, 'team', [{ name: 'Ada Example', value: 'Co-Founder & CEO' }])).toEqual(['right']);
    expect(outcomesOf({ team }, 'team', [{ name: 'Ada Example', value: 'Nurse' }])).toEqual(['partly']);
    expect(outcomesOf({ team }, 'team', [{ name: 'Ada Example' }])).toEqual(['partly']);
  });

  it('that no label has is wrong where it is a typed value, and in no label where it is told in words', () => {
    const competition = [{ name: 'Nordrad' }];
    expect(outcomesOf({ competition }, 'competition', [{ name: 'Nordrad' }, { name: 'Südrad' }])).toEqual([
      'right',
      'wrong',
    ]);
    const customers = [{ text: 'Hospitals' }];
    expect(outcomesOf({ customers }, 'customers', [{ name: 'Hospitals' }, { name: 'Schools' }])).toEqual([
      'right',
      'unlabelled',
    ]);
  });

  it('of traction agrees by a figure and a word, unless the figure is a year', () => {
    const traction = [{ text: '31 hospitals pay for the service since 2025' }];
    const given = (name: string) => outcomesOf({ traction }, 'traction', [{ name }]);
    expect(given('Growing every quarter: 31 paying hospitals')).toEqual(['right']);
    expect(given('First visits to hospitals made in 2025')).toEqual(['unlabelled', 'missed']);
  });

  it('agrees in another wording that its label allows', () => {
    const competition = [{ name: 'Holter ECG', also: ['24-hour Holter'] }];
    expect(outcomesOf({ competition }, 'competition', [{ name: '24-hour Holter' }])).toEqual(['right']);
    const stage = [{ text: 'Product live', also: ['In sale since May'] }];
    expect(outcomesOf({ stage }, 'stage', [{ value: 'in sale since May' }])).toEqual(['right']);
  });

  it('that says a labelled one again counts for nothing', () => {
    const competition = [{ name: 'Nordrad' }];
    const { facts } = judged({ competition }, 'competition', [{ name: 'Nordrad' }, { name: 'Nordrad GmbH' }]);
    expect(facts.map(({ outcome }) => outcome)).toEqual(['right', 'repeated']);
    expect(factFigures(facts)).toMatchObject({ found: { right: 1, of: 1 }, right: { right: 1, of: 1 } });
  });

  it('of traction that is a plan is wrong as reached, and no review has to give it', () => {
    const traction = [{ text: 'First pilot with Kreisklinik Auental', plan: true }, { text: '31 paying hospitals' }];
    const pilot = { name: 'First pilot with Kreisklinik Auental' };
    const paying = { name: '31 paying hospitals' };
    expect(outcomesOf({ traction }, 'traction', [paying])).toEqual(['right']);
    expect(outcomesOf({ traction }, 'traction', [paying, { ...pilot, isPlan: true }])).toEqual(['right', 'right']);
    expect(outcomesOf({ traction }, 'traction', [paying, pilot])).toEqual(['right', 'wrong']);
    expect(outcomesOf({ traction }, 'traction', [{ ...paying, isPlan: true }])).toEqual(['partly']);
    expect(outcomesOf({ traction }, 'traction', [paying, { name: 'Ten schools', isPlan: true }])).toEqual([
      'right',
      'plan',
    ]);
    expect(outcomesOf({ traction }, 'traction', [{ name: '40 paying hospitals' }])).toEqual(['wrong']);
  });
});

describe('a topic', () => {
  const ofTopic = (topics: TopicsLabel, topic: ProfileTopic, facts: readonly Partial<ReportFact>[]): string =>
    judged(topics, topic, facts).outcome;

  it('is right, partly right, wrong or missed where the deck says it', () => {
    const team = [{ name: 'Ada Example' }, { name: 'Ben Muster' }];
    expect(ofTopic({ team }, 'team', [{ name: 'Ada Example' }, { name: 'Ben Muster' }])).toBe('right');
    // A list is to be whole.
    expect(ofTopic({ team }, 'team', [{ name: 'Ada Example' }])).toBe('partly');
    expect(ofTopic({ team }, 'team', [{ name: 'Ada Example' }, { name: 'Ben Muster' }, { name: 'Third Person' }])).toBe(
      'partly',
    );
    expect(ofTopic({ team }, 'team', [{ name: 'Third Person' }])).toBe('wrong');
    expect(ofTopic({ team }, 'team', [])).toBe('missed');
    const customers = [{ text: 'Hospitals' }, { text: 'Nursing homes' }];
    expect(ofTopic({ customers }, 'customers', [{ name: 'Hospitals' }])).toBe('right');
    // Only a person can say whether other words say the same.
    expect(ofTopic({ customers }, 'customers', [{ name: 'Kliniken' }])).toBe('not_graded');
  });

  it('of the ask is right with the sum, and half right with terms alone', () => {
    const ask = [{ text: 'Raising €2M', amount: 2_000_000, currency: 'EUR' }, { text: 'Runway of 18 months' }];
    const runway = { name: 'runway', value: '18 months' };
    expect(ofTopic({ ask }, 'ask', [runway])).toBe('partly');
    expect(ofTopic({ ask }, 'ask', [{ name: 'amount', value: '€2M', amount: 2_000_000, currency: 'EUR' }])).toBe(
      'right',
    );
  });

  it('is rightly none or invented where the deck does not say it', () => {
    expect(ofTopic({ competition: [] }, 'competition', [])).toBe('rightly_none');
    expect(ofTopic({ competition: [] }, 'competition', [{ name: 'Nordrad' }])).toBe('invented');
    const plans = { traction: [{ text: 'First pilot with Kreisklinik Auental', plan: true }] };
    expect(ofTopic(plans, 'traction', [])).toBe('rightly_none');
    expect(ofTopic(plans, 'traction', [{ name: 'First pilot with Kreisklinik Auental' }])).toBe('invented');
  });

  it('that the deck says there is none of is judged as none, and whether the review says so', () => {
    const absent = [{ slide: 4, box: [0.1, 0.1, 0.5, 0.2] as [number, number, number, number] }];
    const label = { competition: { absent }, team: [] };
    const stated = judgeTopics(label, reviewWith({}, ['competition', 'team'])) ?? [];
    expect(stated).toMatchObject([
      { topic: 'team', outcome: 'invented' },
      { topic: 'competition', outcome: 'rightly_none', absent: { wanted: true, found: true } },
    ]);
    const silent = judgeTopics(label, reviewWith({})) ?? [];
    const figures = topicFigures([...stated, ...silent]).find(({ topic }) => topic === 'competition');
    expect(figures).toMatchObject({ rightlyNone: { right: 2, of: 2 }, statedAbsent: { right: 1, of: 2 } });
    const named = judgeTopics({ competition: [{ name: 'Nordrad' }] }, reviewWith({}, ['competition']));
    expect(named).toMatchObject([{ outcome: 'wrong' }]);
  });

  it('without a label is not judged, nor one of a review without a profile; one of a deck that could not be read is missed', () => {
    expect(judgeTopics({}, reviewWith({ team: [factWith({ name: 'Ada Example' })] }))).toEqual([]);
    const review = reviewWith({});
    const notAsked = { ...review, profile: { ...review.profile, status: 'not_asked' as const } };
    expect(judgeTopics({ team: [] }, notAsked)).toBeNull();
    expect(judgeTopics({ team: [{ name: 'Ada Example' }] }, null)).toMatchObject([{ outcome: 'missed' }]);
  });
});

const word = fc.stringMatching(/^[a-z]{4,9}$/u);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' '));
const edge = fc.integer({ min: 0, max: 9 });
const places = fc
  .array(fc.record({ slide: fc.integer({ min: 1, max: 20 }), left: edge, top: edge }), { maxLength: 2 })
  .map((all) =>
    all.map(({ slide, left, top }) => ({
      slide,
      box: [left / 10, top / 10, (left + 1) / 10, (top + 1) / 10] as [number, number, number, number],
    })),
  );
const amount = fc.option(fc.integer({ min: 1, max: 9_000_000 }));
const currency = fc.constantFrom('EUR', 'USD', null);
const list = <T>(fact: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(fact, { maxLength: 4 });
const topicsLabel: fc.Arbitrary<TopicsLabel> = fc.record({
  offering: list(fc.record({ text: words, places })),
  customers: list(fc.record({ text: words, places })),
  ask: list(fc.record({ text: words, amount, currency, places })),
  use_of_funds: list(
    fc.record({ name: words, share: fc.option(fc.integer({ min: 1, max: 100 })), amount, currency, places }),
  ),
  traction: list(fc.record({ text: words, plan: fc.boolean(), places })),
  team: list(fc.record({ name: words, role: fc.oneof(words, fc.constant('')), places })),
  market: list(fc.record({ name: words, text: words, amount, currency, places })),
  competition: list(fc.record({ name: words, places })),
  stage: list(fc.record({ text: words, places })),
});

describe('the judgement of topics', () => {
  it('of a review that says what the labels say is right throughout, with its places', () =>
    forAll([topicsLabel], (topics) => {
      const all = judgeTopics(topics, perfectReview(topics)) ?? [];
      for (const { topic, outcome, facts } of all) {
        const isStated = labelledFacts(topics, topic).some(({ plan }) => plan !== true);
        expect(outcome, topic).toBe(isStated ? 'right' : 'rightly_none');
        expect(facts.filter(({ outcome: ofFact }) => ofFact !== 'right')).toEqual([]);
        const { found, right, attribution } = factFigures(facts);
        expect([found.right, right.right]).toEqual([found.of, right.of]);
        expect(attribution.box.right).toBeLessThanOrEqual(attribution.page.right);
      }
    }));

  it('pairs each label and each fact at most once', () =>
    forAll([topicsLabel, topicsLabel], (topics, others) => {
      const all = judgeTopics(topics, perfectReview(others)) ?? [];
      for (const { topic, facts } of all) {
        expect(facts.filter(({ found }) => found !== null)).toHaveLength(labelledFacts(others, topic).length);
        const labelled = facts.filter(({ wanted }) => wanted !== null);
        expect(labelled.length).toBeLessThanOrEqual(labelledFacts(topics, topic).length);
        const reached = labelledFacts(topics, topic).filter(({ plan }) => plan !== true);
        expect(labelled.length).toBeGreaterThanOrEqual(reached.length);
      }
    }));

  it('has no higher precision with a wrong fact more, and finds no more', () =>
    forAll([topicsLabel, fc.constantFrom(...PROFILE_TOPICS)], (topics, topic) => {
      const right = perfectReview(topics);
      const facts = right.profile.topics.find((each) => each.topic === topic)?.facts ?? [];
      // No word of it is in any label.
      const wrong = factWith({ name: 'QQQQQQQQQQQQ ZZZZZZZZZZZZ' });
      const figuresWith = (given: readonly ReportFact[]) =>
        factFigures((judgeTopics({ [topic]: topics[topic] }, reviewWith({ [topic]: given })) ?? [])[0]?.facts ?? []);
      const [before, after] = [figuresWith(facts), figuresWith([wrong, ...facts])];
      expect(after.found).toEqual(before.found);
      expect(after.right.right).toBe(before.right.right);
      expect(after.right.of).toBe(before.right.of + 1);
    }));
});

it('pairs are one to one, and as many as there can be', () =>
  forAll(
    [
      fc.array(fc.record({ wanted: fc.nat(5), found: fc.nat(5), score: fc.integer({ min: 1, max: 9 }) }), {
        maxLength: 18,
      }),
    ],
    (candidates) => {
      const pairs = matchOneToOne(candidates);
      expect(new Set(pairs.values()).size).toBe(pairs.size);
      for (const [found, wanted] of pairs) {
        expect(candidates.some((each) => each.found === found && each.wanted === wanted)).toBe(true);
      }
      const most = (left: readonly number[], taken: readonly number[]): number => {
        const [found, ...others] = left;
        if (found === undefined) return 0;
        const free = candidates.filter((each) => each.found === found && !taken.includes(each.wanted));
        return Math.max(most(others, taken), ...free.map(({ wanted }) => 1 + most(others, [...taken, wanted])));
      };
      expect(pairs.size).toBe(most([...new Set(candidates.map(({ found }) => found))], []));
    },
  ));

it('topics of typed values are those with names, sums and shares', () =>
  expect(PROFILE_TOPICS.filter(isTyped)).toEqual(['ask', 'use_of_funds', 'team', 'market', 'competition']));

it('a right fact that is quoted elsewhere is right and not attributed', () => {
  const label = {
    team: [
      { name: 'Ada Example', places: [{ slide: 4, box: [0.1, 0.1, 0.3, 0.2] as [number, number, number, number] }] },
    ],
  };
  const quoted = (slide: number, left: number) =>
    judgeTopics(
      label,
      reviewWith({
        team: [factWith({ name: 'Ada Example', evidence: [quoteAt(slide, [left, 0.1, left + 0.1, 0.15])] })],
      }),
    )?.[0]?.facts;
  expect(quoted(4, 0.15)).toMatchObject([{ outcome: 'right', attribution: { page: true, box: true } }]);
  expect(quoted(4, 0.6)).toMatchObject([{ outcome: 'right', attribution: { page: true, box: false } }]);
  expect(quoted(5, 0.15)).toMatchObject([{ outcome: 'right', attribution: { page: false, box: false } }]);
});
