/** The people and the competitors that the reader finds for a profile. */
import { describe, expect, it } from 'vitest';
import { factsOfTopic } from '../../../domain/profile/schema.ts';
import type { ProfileTopic } from '../../../domain/profile/topics.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { ask, deckOfMarks } from './ask.ts';

const COVER = '# Velhain\n\nVelhain rents bikes at village stations\n\n© Velhain GmbH';

/** Names and values of a topic, each as one text. */
const found = (topic: ProfileTopic, slides: readonly string[], language: Language = 'en'): string[] =>
  factsOfTopic(ask('extract_profile', deckOfMarks([COVER, ...slides]), language), topic).map(
    ({ name, value, quote }) => [name, value].filter((text) => text !== '').join(': ') || `“${quote}”`,
  );

describe('team', () => {
  it.each([
    ['cards', '# Team\n\nAda Example\nCEO\nRan a rail company\n\nDr. Bo van Sample\nCTO\nBuilt locks'],
    ['lines with a comma', '# Team\n\nAda Example, CEO\n\nDr. Bo van Sample, CTO'],
    ['rows', '# Team\n\n| Ada Example | CEO | Ran a rail company |\n| Dr. Bo van Sample | CTO | Built locks |'],
    [
      'names that are headings',
      '# Team\n\n## Ada Example CEO\n\nRan a rail company.\n\n## Dr. Bo van Sample CTO\n\nBuilt locks.',
    ],
    ['brackets', '# Team\n\n- Ada Example (CEO)\n- Dr. Bo van Sample (CTO)'],
    ['one line', '# Team\n\nAda Example (CEO) and Dr. Bo van Sample (CTO)'],
    ['one block', '# Team\n\nAda Example\nCEO\nDr. Bo van Sample\nCTO'],
    ['first cells', '# Team\n\n| Ada Example, CEO | 12 years in rail |\n| Dr. Bo van Sample, CTO | locks |'],
    ['roles above names', '# Team\n\nCEO\nAda Example\nRan a rail company\n\nCTO\nDr. Bo van Sample\nBuilt locks'],
    ['columns of a table', '# Team\n\n| Ada Example | Dr. Bo van Sample |\n| CEO | CTO |\n| rail | locks |'],
    ['names over roles', '# Team\n\nAda Example\n\nDr. Bo van Sample\n\nCEO\n\nCTO'],
    [
      'lines that go on',
      '# Team\n\nAda Example, CEO, ran a rail company.\n\nDr. Bo van Sample, CTO, built locks for DB.',
    ],
    [
      'sentences',
      '# Team\n\nOur CEO Ada Example ran a rail company. Our CTO, Dr. Bo van Sample, built locks for ten years.',
    ],
  ])('the team has people with their roles from %s', (_, slide) =>
    expect(found('team', [slide])).toEqual(['Ada Example: CEO', 'Dr. Bo van Sample: CTO']),
  );

  it('the team marks advisors, below a heading and in a line of names', () => {
    const team = '# Team\n\nAda Example\nCEO\n\nBo Sample\nCTO\n\n';
    expect(found('team', [`${team}## Advisors\n\nCy Muster\nProfessor of traffic`])).toContain(
      'Cy Muster: Professor of traffic (Advisors)',
    );
    expect(found('team', [`${team}Beirat: Prof. Cy Muster (TU Berlin), Dee Probe`], 'de').slice(2)).toEqual([
      'Prof. Cy Muster: Beirat',
      'Dee Probe: Beirat',
    ]);
  });

  it('the team takes a group for the role of names without one', () =>
    expect(found('team', ['# Team\n\n## Founders\n\n- Ada Lindqvist\n- Bo Karvonen'])).toEqual([
      'Ada Lindqvist: Founders',
      'Bo Karvonen: Founders',
    ]));

  it('the team ends a role where the person’s earlier work begins', () =>
    expect(
      found(
        'team',
        ['# Team\n\nBo Sample\nAnlagen baute drei Molkereien\n\nCy Muster\nHead of Animal\nScience\nVet'],
        'de',
      ),
    ).toEqual(['Bo Sample: Anlagen', 'Cy Muster: Head of Animal Science']));

  it('the team leaves degrees out of a name, and reads names in capitals', () =>
    expect(found('team', ['# Team\n\nAda Example, PhD\nHead of Research\n\nBO SAMPLE\nCHIEF OF STAFF'])).toEqual([
      'Ada Example: Head of Research',
      'BO SAMPLE: CHIEF OF STAFF',
    ]));

  it('the team takes no headline, no product and no place for a person', () =>
    expect(found('team', ['# Team\n\nTotal Sales\n\nNew York\n\nCustomer Success\n\nHarvard University'])).toEqual([]));

  it('the team takes nobody who speaks for a customer', () =>
    expect(found('team', ['# Testimonials\n\nAda Example, CEO, Nordrad\n\nBo Sample, COO, Radmeister'])).toEqual([]));

  it('the team takes people on other slides only with a role that is sure', () => {
    expect(found('team', ['# Thank you\n\nAda Example, founder and CEO\n\nada@velhain.example'])).toEqual([
      'Ada Example: founder and CEO',
    ]);
    expect(found('team', ['# Integrations\n\nBlue Harbour, Finance\n\nGreen Meadow, Product'])).toEqual([]);
  });
});

describe('competition', () => {
  const TABLE =
    '# Competition\n\n| | Velhain | Radmeister | Nordrad |\n| Price a month | €19 | €35 | €29 |\n| Bikes | 2,400 | 900 | 1,100 |';

  it('the competition has the other columns of a table in which the company is one', () =>
    expect(found('competition', [TABLE])).toEqual(['Radmeister', 'Nordrad']));

  it('the competition has the other rows of a table in which the company is one, quoted with their headings', () => {
    const slide =
      '# Competition\n\n| | Price a month | Bikes |\n| Velhain | €19 | 2,400 |\n| Radmeister | €35 | 900 |\n| Nordrad | €29 | 1,100 |';
    const facts = ask('extract_profile', deckOfMarks([COVER, slide])).competition;
    expect(facts.map(({ name, quote }) => [name, quote])).toEqual([
      ['Radmeister', 'Radmeister: Price a month €35; Bikes 900'],
      ['Nordrad', 'Nordrad: Price a month €29; Bikes 1,100'],
    ]);
  });

  it('the competition has the items of a list of competitors, and names in a sentence', () => {
    expect(found('competition', ['# Market\n\n## Competitors\n\n- Radmeister – costs more\n- Nordrad'])).toEqual([
      'Radmeister',
      'Nordrad',
    ]);
    expect(found('competition', ['# Solution\n\nUnlike Radmeister and Nordrad, we unlock by ticket.'])).toEqual([
      'Radmeister',
      'Nordrad',
    ]);
  });

  it('the competition names neither the company nor criteria and marks', () =>
    expect(
      found(
        'competition',
        ['# Wettbewerb\n\n| | Wir | Kletterer |\n| Preis | 9.500 € | 38.000 € |\n| Dauer | ✓ | ✗ |'],
        'de',
      ),
    ).toEqual(['Kletterer']));

  it.each([
    [
      'the rows of a table headed by competitors',
      '# Competition\n\n| Competitor | Weakness |\n| Nordrad | cities only |\n| Radmeister | costs more |',
    ],
    [
      'a table whose rows have no labels',
      '# Competition\n\n| Nordrad | Radmeister | Velhain |\n| yes | no | yes |\n| no | no | yes |\n| no | yes | yes |',
    ],
    [
      'one line over a table',
      '# Competition\n\n## Velhain Nordrad Radmeister\n\n| Tickets | ✓ | – | – |\n| Villages | ✓ | ✓ | – |',
    ],
    [
      'labels beside the company in a picture',
      '# Competition\n\nHigh price\n\nVillage\n\nVelhain\n\nNordrad\n\nRadmeister',
    ],
    [
      'cards',
      '# Competition\n\n## Nordrad\n\nCity bikes with stations; no villages.\n\n## Radmeister\n\nLong-term hire; no tickets at all.',
    ],
    ['sentences', '# Competition\n\nNordrad operates in cities only.\n\nRadmeister is expensive.'],
    [
      'lines apart from our own advantages',
      '# Competition\n\nNordrad\n\nRadmeister\n\n## Our moat\n\n- Patented lock\n- Village contracts',
    ],
    ['lines with a dash', '# Competition\n\nNordrad – city bikes, 2,000 stations\n\nRadmeister – long-term hire'],
    ['one line', '# Competition\n\nNordrad · Radmeister · Velhain'],
    [
      'lists below direct and indirect',
      '# Competition\n\nDirect competitors\nNordrad\n\nIndirect competitors\nRadmeister',
    ],
    [
      'items with what they do',
      '# Competition\n\n- Nordrad sell to cities\n- Radmeister sells to hotels\n- Others plan a fleet\n- Reachable by 2029',
    ],
    ['a title', '# Velhain vs. Nordrad and Radmeister\n\nHalf the price and twice the range.'],
  ])('the competition is named in %s', (_, slide) =>
    expect(found('competition', [slide])).toEqual(['Nordrad', 'Radmeister']),
  );

  it('the competition has the product of the company for the company itself', () =>
    expect(
      found('competition', [
        '# VH-101 in use\n\nA lock',
        '# How VH-101 works\n\nA lock',
        '# Trials of VH-101\n\nA lock',
        '# Competition\n\n| | VH-101 | Chain locks | Apps |\n| Price | low | high | low |\n| Safe | yes | no | no |',
      ]),
    ).toEqual(['Chain locks', 'Apps']));

  it('the competition names alternatives of today where no competitor is named', () =>
    expect(found('competition', ['# Problem\n\nToday, planners rely on Excel and phone calls.'])).toEqual([
      'Excel',
      'phone calls',
    ]));

  it('the competition is no comparison with a place and no advantage of the company', () => {
    expect(found('competition', ['# Market\n\nCompared to Germany, Austria is small.'])).toEqual([]);
    expect(found('competition', ['# Competition\n\n- We are faster\n- Patented lock\n- Low price'])).toEqual([]);
  });
});
