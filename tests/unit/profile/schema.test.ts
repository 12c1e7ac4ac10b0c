/** The answer of the call that collects a profile: lists that a model gets wrong are repaired, or their topics are named. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { factsOfTopic, profileSchema, quotesOfProfile } from '../../../domain/profile/schema.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import { forAll } from '../../../testing/property.ts';

const EMPTY = Object.fromEntries(PROFILE_TOPICS.map((topic) => [topic, []]));
const answer = (lists: Readonly<Record<string, unknown>>): unknown => ({
  document: { slide: 1, quote: '', kind: 'pitch_deck' },
  ...EMPTY,
  absent: [],
  ...lists,
});
const PERSON = { slide: 9, quote: 'Ada Example, CEO', name: 'Ada Example', value: 'CEO' };

it('an answer that fits is taken as it is', () => {
  const read = profileSchema.parse(answer({ team: [PERSON] }));
  expect(read.team).toEqual([PERSON]);
  expect(read.unanswered).toEqual([]);
  expect(quotesOfProfile(read)).toEqual([expect.objectContaining({ slide: 9, quote: 'Ada Example, CEO' })]);
});

it('a list that is one object, numbers that are text, and texts that are too long are repaired', () => {
  const long = 'Ada Example leads the company and everything that belongs to it '.repeat(4);
  const read = profileSchema.parse(
    answer({
      team: { ...PERSON, slide: 'Slide 9' },
      offering: [{ slide: '3', quote: 'Rental bikes', value: long }],
      use_of_funds: [{ slide: 4, quote: 'Bikes 45 %', name: 'Bikes', value: 45 }],
    }),
  );
  expect(read.team).toEqual([PERSON]);
  expect(read.offering[0]?.slide).toBe(3);
  expect(read.offering[0]?.value.length).toBeLessThanOrEqual(160);
  expect(long.startsWith(read.offering[0]?.value ?? '–')).toBe(true);
  expect(read.use_of_funds[0]?.value).toBe('45');
});

it('more facts than a list takes are cut, and facts without slide or quote are left out', () => {
  const read = profileSchema.parse(
    answer({
      customers: Array.from({ length: 9 }, (_, at) => ({
        slide: 2,
        quote: `group ${at} of customers`,
        name: `g${at}`,
      })),
      team: [PERSON, { quote: 'Ada', name: 'Ada', value: '' }, { slide: 2, quote: '', name: 'Bo', value: '' }, 'Cy'],
    }),
  );
  expect(read.customers.map(({ name }) => name)).toEqual(['g0', 'g1', 'g2', 'g3', 'g4']);
  expect(read.team).toEqual([PERSON]);
  expect(read.unanswered).toEqual([]);
});

it('a topic whose list cannot be read is named, and the others stay', () => {
  const { market: _, ...without } = answer({ team: 'see slide 9', competition: [{ name: 'Nordrad' }] }) as Record<
    string,
    unknown
  >;
  const read = profileSchema.parse({ ...without, stage: [{ slide: 1, quote: 'Seed deck', value: 'Seed' }] });
  expect(read.unanswered).toEqual(['team', 'market', 'competition']);
  expect(read.stage).toHaveLength(1);
});

it('an answer without any topic is refused, so that the model is asked again', () => {
  for (const json of [null, 7, 'text', [], {}, { summary: 'A company' }])
    expect(profileSchema.safeParse(json).success).toBe(false);
});

it('a kind of document that is not known says nothing against the document', () => {
  const read = profileSchema.parse(answer({ document: { kind: 'brochure', slide: 2, quote: 'Buy now' } }));
  expect(read.document.kind).toBe('pitch_deck');
});

it('whatever a model answers is refused or comes out within the bounds of the schema, and stays as it is then', () =>
  forAll(
    [fc.dictionary(fc.constantFrom<string>(...PROFILE_TOPICS, 'absent', 'document'), fc.jsonValue({ maxDepth: 3 }))],
    (lists) => {
      const read = profileSchema.safeParse(answer(lists));
      if (!read.success) return;
      for (const topic of PROFILE_TOPICS)
        for (const { slide, quote } of factsOfTopic(read.data, topic)) {
          expect(slide).toBeGreaterThan(0);
          expect(quote).not.toBe('');
        }
      expect(profileSchema.parse(JSON.parse(JSON.stringify(read.data)))).toEqual(read.data);
    },
  ));
