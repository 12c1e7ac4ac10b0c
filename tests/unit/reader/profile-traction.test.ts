/** Achievements that the reader finds under free headings, in tables and in cards. */
import { describe, expect, it } from 'vitest';
import { factsOfTopic } from '../../../domain/profile/schema.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { ask, deckOfMarks } from './ask.ts';

const BEFORE = [
  '# Velhain\n\nVelhain rents bikes at village stations\n\n© Velhain GmbH',
  '# Problem\n\nVillages have no bikes and people wait for buses every day of the week',
  '# Solution\n\nVelhain rents bikes at stations in villages',
];

const traction = (slide: string, language: Language = 'en'): string[] =>
  factsOfTopic(ask('extract_profile', deckOfMarks([...BEFORE, slide]), language), 'traction').map(
    ({ name, quote }) => name || quote,
  );

describe('traction', () => {
  it.each([
    ['Where we are today', '14 stations in 9 villages', 'en'],
    ['What we have proven', '71% of riders rent again', 'en'],
    ['We are growing fast', '42 paying municipalities', 'en'],
    ['Was wir erreicht haben', '2.300 Nutzer im Monat', 'de'],
    ['Was bisher geschah', '14 Stationen am Netz', 'de'],
  ] as const)('is found under the heading "%s"', (heading, item, language) =>
    expect(traction(`# ${heading}\n\n- ${item}`, language)).toEqual([item]),
  );

  it('traction has cooperations and prizes without figures on its slide', () =>
    expect(traction('# Awards and press\n\n- Winner, Mobility Prize\n- Paid pilot with Stadtwerke Ulm')).toEqual([
      'Winner, Mobility Prize',
      'Paid pilot with Stadtwerke Ulm',
    ]));

  it('traction has the last period of a table that is over', () =>
    expect(
      traction(
        '# Traction\n\n| | 2024 | 2025 | 2026 (plan) |\n| Riders | 1,900 | 5,200 | 14,000 |\n| Costs | 3 | 4 | 5 |',
      ),
    ).toEqual(['Riders 5,200 (2025)']));

  it('traction has the last row of a table by year', () =>
    expect(
      traction('# Where we are\n\n| Year | Farms | Hectares |\n| 2024 | 84 | 2,900 |\n| 2025 | 171 | 6,500 |'),
    ).toEqual(['2025: Farms 171; Hectares 6,500']));

  it('traction has the customers of a table with the year of each', () =>
    expect(
      traction(
        '# Our customers\n\n| Customer | Since | Volume |\n| Ulm county | 2023 | 40 bikes |\n| Biberach county | 2024 | 25 bikes |',
      ),
    ).toEqual(['Ulm county 2023 40 bikes', 'Biberach county 2024 25 bikes']));

  it('traction has figures of a slide on the company in short', () =>
    expect(traction('# Velhain at a glance\n\n2,340\nactive riders\n\n€2M\nseeking')).toEqual(['2,340 active riders']));

  it.each([
    ['steps of a process', '# How it works today\n\n1 Book a bike\n\n2 Ride 10 km\n\n3 Return it to the station'],
    ['a forecast', '# Three-year plan\n\n- 40 paying counties\n- 2,300 riders'],
    ['words of a customer', '# So far\n\n“We rented 40 bikes and our customers love them.”'],
  ])('traction does not take %s for one', (_, slide) => expect(traction(slide)).toEqual([]));
});
