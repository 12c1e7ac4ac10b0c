/** Topics of the profile on slides whose headline names no subject. */
import { expect, it } from 'vitest';
import type { ProfileTopic } from '../../../domain/profile/topics.ts';
import { factsOfTopic } from '../../../domain/profile/schema.ts';
import { ask, deckOfMarks } from './ask.ts';

const COVER = '# Korbwerk\n\nNever send an empty crate again';
const SOLUTION = '# Solution\n\nKorbwerk fills empty crates of bakeries with parcels on the way back.';
const factsOf = (topic: ProfileTopic, ...slides: readonly string[]): string[] =>
  factsOfTopic(ask('extract_profile', deckOfMarks([COVER, ...slides])), topic).map(
    ({ name, value, quote }) => `${name} ${value}`.trim() || quote,
  );

it.each([
  [
    'cards',
    '# Who it is for, and what they pay\n\n## Corner shops\n\n€40 a month\n\n## Depots\n\n€90 a month',
    ['Corner shops', 'Depots'],
  ],
  [
    'the first column of a table',
    '# Wessen Hof wir füllen\n\n| Wer | Wie viele | Was drückt |\n| Backstuben ab 20 Leuten | 96 | leere Kisten |\n| Lagerhöfe | 31 | wenig Platz |',
    ['Backstuben ab 20 Leuten', 'Lagerhöfe'],
  ],
])('a headline that asks who heads customers in %s', (_, slide, customers) =>
  expect(factsOf('customers', SOLUTION, slide)).toEqual(customers),
);

it('a headline that asks for competitors or for the people behind it heads no customers', () => {
  const slides = [
    '# Who else is on the road\n\n## Parcelo\n\n## Boxer',
    '# Wer wir sind\n\n## Mara Lind\n\n## Ole Brandt',
  ];
  expect(factsOf('customers', ...slides)).toEqual([]);
});

it('a table headed by what the money is for has uses with their amounts', () => {
  const slide =
    '# How the round is made up\n\nWe are raising €1.5M.\n\n| What for | Amount |\n| Second press | €900k |\n| Staff | €600k |\n| Total | €1.5M |';
  expect(factsOf('use_of_funds', slide)).toEqual(['Second press €900k', 'Staff €600k']);
});

it('sizes of which one is a part of another are those of the market', () => {
  const slide =
    '# How many bakeries there are\n\nGermany: €4.1B of deliveries\n\nNorth: €360M\n\nOur goal by 2029: €28M';
  expect(factsOf('market', slide)).toContain('Germany: of deliveries €4.1B');
});

it('a tagline on the cover is followed by what the slide on the solution says', () => {
  const deck = deckOfMarks([
    '# Korbwerk\n\nSee what crates do.',
    '# Problem\n\nNine of ten crates go back empty and cost a bakery nine hours a week.',
    '# A crate that finds its own load\n\nThree sensors sit in the lid.\n\nParcels are matched with empty crates at noon.',
  ]);
  const { offering } = ask('extract_profile', deck);
  expect(offering.map(({ slide }) => slide)).toEqual([1, 3]);
});
