/** The facts that the reader finds for a profile, by topic. */
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

describe('market size', () => {
  it.each([
    [
      'cards of three lines',
      ['# Market\n\nTAM\n€12.4B\nall stations\n\nSAM\n€1.9B\nvillages\n\nSOM\n€85M\nin five years'],
    ],
    ['one line each', ['# Market\n\nTAM €12.4B\n\nSAM €1.9B (villages of the TAM)\n\nSOM €85M']],
    [
      'rows of a table',
      [
        '# Market\n\n| TAM | all stations in Europe | €12.4B |\n| SAM | villages | €1.9B |\n| SOM | five years | €85M |',
      ],
    ],
    [
      'sizes apart from their labels',
      ['# Market\n\n€85M\n\n€12.4B\n\n€1.9B\n\nTAM: all stations\n\nSAM: villages\n\nSOM: five years'],
    ],
  ])('the market size is found by level in %s', (_, slides) =>
    expect(found('market', slides).map((fact) => fact.replace(/ \(.*\)/u, ''))).toEqual([
      'TAM: €12.4B',
      'SAM: €1.9B',
      'SOM: €85M',
    ]),
  );

  it('the market size is found in German labels', () =>
    expect(
      found(
        'market',
        ['# Markt\n\n- Adressierbarer Markt: CHF 410 Mio. pro Jahr\n- Zielmarkt bis 2030: CHF 36 Mio.'],
        'de',
      ),
    ).toEqual(['SAM: CHF 410 Mio.', 'SOM (bis 2030): CHF 36 Mio.']));

  it('the market size has the largest segments of a table of sizes', () =>
    expect(
      found('market', [
        '# Market\n\n| Segment | Firms | Size |\n| Brokers | 310 | £23m |\n| Importers | 4,900 | £103m |\n| Agents | 640 | £24m |',
      ]),
    ).toEqual(['Importers: £103m', 'Agents: £24m', 'Brokers: £23m']));

  it('the market size takes a caption for the name of its figure', () =>
    expect(
      found('market', ['# Market\n\n## 640 Mio. € Geräte in Europa\n\n## 88 Mio. € Kliniken in der Schweiz']),
    ).toEqual(['Geräte in Europa: 640 Mio. €', 'Kliniken in der Schweiz: 88 Mio. €']));

  it('the market size is no revenue, no price and no money that was raised', () =>
    expect(
      found('market', [
        '# Market\n\nOur revenue is €4.2M this year.\n\nWe raised €1.1M in 2024.\n\nA licence costs €2M per unit.',
      ]),
    ).toEqual([]));
});

describe('use of funds', () => {
  it.each([
    [
      'a table beside other shares',
      '# Team & Ask\n\n| Use of Funds | Allocation |\n| Engineering | 50% |\n| Sales | 30% |\n| Operations | 20% |\n\n| Metric | Target |\n| Accuracy | 90% |',
    ],
    [
      'cards with explanations',
      '# Use of Funds\n\nEngineering\n50%\nBuild it\n\nSales\n30%\nTwo reps\n\nOperations\n20%\nOffice',
    ],
    ['a sentence', '# The ask\n\nWe are raising €1M: 50% goes into Engineering, 30% into Sales, 20% into Operations.'],
  ])('the use of funds has shares with their names in %s', (_, slide) =>
    expect(found('use_of_funds', [slide])).toEqual(['Engineering: 50%', 'Sales: 30%', 'Operations: 20%']),
  );

  it('the use of funds has the purposes of a sentence', () =>
    expect(
      found('use_of_funds', ['# The ask\n\nWe will use the funds to hire five engineers and open the Vienna office.']),
    ).toEqual(['hire five engineers', 'open the Vienna office']));

  it.each([
    ['entries', '# Use of funds\n\nBikes 45%\nSales 30%\nSoftware 15%\nAdministration 10%'],
    ['shares over captions', '# Use of funds\n\n45%\nBikes\n\n30%\nSales\n\n15%\nSoftware\n\n10%\nAdministration'],
    ['rows', '# The round\n\n| Bikes | 45% |\n| Sales | 30% |\n| Software | 15% |\n| Administration | 10% |'],
    ['one sentence', '# We raise €2M\n\nUse of funds: 45% Bikes, 30% Sales, 15% Software, 10% Administration.'],
  ])('the use of funds is whole, with its shares, from %s', (_, slide) =>
    expect(found('use_of_funds', [slide])).toEqual([
      'Bikes: 45%',
      'Sales: 30%',
      'Software: 15%',
      'Administration: 10%',
    ]),
  );

  it('the use of funds has amounts without their total', () =>
    expect(
      found(
        'use_of_funds',
        ['# Wofür wir das Geld brauchen\n\n| Räder | 620.000 € |\n| Vertrieb | 350.000 € |\n| Summe | 970.000 € |'],
        'de',
      ),
    ).toEqual(['Räder: 620.000 €', 'Vertrieb: 350.000 €']));

  it('the use of funds is no share of customers, and no sum that makes no whole', () => {
    expect(found('use_of_funds', ['# We raise €2M\n\n80% people from Asia\n\n20% people from Europe'])).toEqual([]);
    expect(found('use_of_funds', ['# We raise €2M\n\nChurn 3%\n\nGrowth 40%'])).toEqual([]);
  });
});

describe('traction', () => {
  it('traction has figures over captions and items, the weightiest first, and no axis of a chart', () =>
    expect(
      found('traction', [
        '# Traction\n\n31\npaying hospitals\n\n€418,000\nrevenue in 2025\n\nQ1 2025\n\nQ2 2025\n\n- NPS 71\n- Waiting list of 12 hospitals',
      ]),
    ).toEqual(
      expect.arrayContaining([
        '31 paying hospitals',
        '€418,000 revenue in 2025',
        'NPS 71',
        'Waiting list of 12 hospitals',
      ]),
    ));

  it('traction has plans behind what is reached', () => {
    const facts = found('traction', [
      '# Traction\n\n- 40 clinics by 2027 (target)\n- 12 clinics pay today',
      '# Problem\n\nNothing',
    ]);
    expect(facts[0]).toBe('12 clinics pay today');
  });

  it('traction is no money that was raised', () =>
    expect(found('traction', ['# Traction\n\n- €600,000 raised from angels\n- Pre-seed round of €1.1M'])).toEqual([]));

  it('traction is no share of the money that is sought', () => {
    const facts = found('traction', [
      '# Traction\n\n- 31 hospitals pay today\n- Monthly sales reached €92,000 in February',
      '# The ask: €4.2M to scale what already works\n\nWe are raising €4.2M in a Series A round.\n\n- 40% sales in UK and France\n- 60% trial',
    ]);
    expect(facts).toContain('31 hospitals pay today');
    expect(facts.filter((fact) => fact.includes('40%'))).toEqual([]);
  });
});

describe('target customers', () => {
  it.each([
    ['a label', '# Model\n\nTarget customers: rail companies in Europe', 'rail companies in Europe'],
    ['a list below a label', '# The customer\n\n- Rail companies in Europe', 'Rail companies in Europe'],
    ['a sentence on sales', '# Business model\n\nWe sell to municipalities with a station.', 'municipalities'],
    [
      'a sentence on the product',
      '# Solution\n\nThe app helps commuters and rail companies with the last mile.',
      'commuters and rail companies',
    ],
  ])('target customers are found behind %s', (_, slide, group) =>
    expect(found('customers', [slide])).toEqual(
      expect.arrayContaining([expect.stringContaining(group.split(' with')[0] ?? '')]),
    ),
  );

  it('target customers are found in German', () =>
    expect(
      found(
        'customers',
        ['# Lösung\n\nDie App hilft Pflegekräften auf Station.', '# Zielgruppe\n\n- Krankenhäuser ab 200 Betten'],
        'de',
      )[0],
    ).toBe('Krankenhäuser ab 200 Betten'));

  it('target customers are none of competitors and investors', () =>
    expect(found('customers', ['# Competition\n\nCompetitors help companies with spreadsheets.'])).toEqual([]));
});

describe('terms of the round and stage', () => {
  it.each([
    ['Our MVP is live since March 2026.', 'MVP is live since March 2026'],
    ['We are currently in Phase II with 60 patients.', 'in Phase II'],
    ['Das Produkt ist seit 2024 am Markt.', 'seit 2024 am Markt'],
  ])('a stage says in a sentence how far the product is: %s', (text, state) =>
    expect(found('stage', [`# Status\n\n${text}`])).toEqual([state]),
  );

  const ROUND =
    '# Seed round: we raise €2M\n\nConvertible loan at a pre-money valuation of €7M.\n\n18 months of runway';

  it('an ask has the amount first, then the terms', () =>
    expect(found('ask', [ROUND])).toEqual([
      'amount: €2M',
      'round: Seed round',
      'instrument: Convertible loan',
      'valuation: €7M',
    ]));

  it('an ask names its terms in the language of the review', () =>
    expect(found('ask', ['# Wir suchen 1,4 Mio. €\n\nWandeldarlehen, Seed-Runde'], 'de')).toEqual([
      'amount: 1,4 Mio. €',
      'Runde: Seed-Runde',
      'Form: Wandeldarlehen',
    ]));

  it('an ask has no terms where no money is sought', () =>
    expect(found('ask', ['# Terms\n\nConvertible loan of another company'])).toEqual([]));

  it('a stage says how far round and product are', () =>
    expect(found('stage', ['# Product\n\nWorking prototype since May', ROUND])).toEqual([
      'Seed round',
      'Working prototype',
    ]));

  it('a stage is no round that is over and no plan', () =>
    expect(found('stage', ['# Ask\n\n€1.1M pre-seed (2024)', '# Roadmap\n\nMVP planned for June'])).toEqual([]));
});

it('a template has no facts', () =>
  expect(
    ask(
      'extract_profile',
      deckOfMarks(['# [Company name]\n\n[Insert tagline here]', '# Team\n\n[Name], [Role]', '# Market\n\n[TAM]']),
    ).team,
  ).toEqual([]));
