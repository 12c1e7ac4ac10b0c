/** One unit is one quote: cards, rows of tables, entries of legends, people and items of lists are neither joined nor cut. */
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import {
  DRAWN_KINDS,
  drawnPage,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  wordsOfText,
  type DrawnPage,
} from '../../../testing/drawn-units.ts';
import { faultyUnits, passagesOfPage } from '../../../testing/joined-units.ts';
import { forAll } from '../../../testing/property.ts';
import { draw, layOut, pageOf, widthOf, wordAt, type Drawn } from '../pages/support.ts';
import { passagesOf } from '../../../reader/passages.ts';
import { readPrompt } from '../../../reader/prompt.ts';
import { deckBlock } from '../../../domain/models/prompt-assembly.ts';
import { answered, deckOfMarks } from './ask.ts';

const layoutOf = ({ others, units }: DrawnPage) =>
  layOut([...others, ...units.flatMap(({ texts }) => texts)].flatMap(wordsOfText), {
    widthPt: PAGE_WIDTH,
    heightPt: PAGE_HEIGHT,
  });

describe('units of a drawn page', () => {
  it.each(DRAWN_KINDS)('units of the kind %s are quoted whole and alone', (kind) =>
    // Fixed pages: one in some thousands cannot be told from another arrangement.
    forAll([drawnPage(kind)], { runs: 150, deepRuns: 130, seed: 34, endOnFailure: true }, (page) => {
      expect(faultyUnits(page, layoutOf(page))).toEqual([]);
    }),
  );

  it('units are verified as they are quoted', () =>
    forAll([drawnPage(...DRAWN_KINDS)], { runs: 150, seed: 34, endOnFailure: true }, (page) => {
      const layout = layoutOf(page);
      for (const { quote } of passagesOfPage(layout))
        expect([quote, checkQuote(quote, layout).verdict]).toEqual([quote, 'verified']);
    }));
});

const quotes = (...drawn: readonly Drawn[]) => passagesOfPage(pageOf(...drawn)).map(({ quote }) => quote);

it('a card of a market is one quote: label, amount and caption', () => {
  const cards = [
    ['TAM', '€12.4B', 'all stations in Europe'],
    ['SAM', '€1.9B', 'villages in two valleys'],
    ['SOM', '€85M', 'within five years'],
  ].flatMap(([label = '', amount = '', caption = ''], i) => {
    const x = 80 + i * 280;
    return [
      { text: label, x, y: 150, size: 18, bold: true },
      { text: amount, x, y: 180, size: 32, bold: true },
      { text: caption, x, y: 224, size: 14 },
    ];
  });
  const page = pageOf({ text: 'Market', x: 60, y: 40, size: 36 }, ...cards);
  expect(passagesOfPage(page).map(({ quote }) => quote)).toEqual([
    'TAM €12.4B all stations in Europe',
    'SAM €1.9B villages in two valleys',
    'SOM €85M within five years',
  ]);
  expect(checkQuote('TAM €12.4B', page).verdict).toBe('verified');
  expect(checkQuote('SAM €12.4B', page).verdict).not.toBe('verified');
});

it('a row of a table is quoted with its headings, also where cells are words in small letters', () => {
  const rows = [
    '|Price a month|Bikes|Unlock by ticket',
    'Velhain|€19|2,400|yes',
    'Radmeister|€35|900|no',
    'Nordrad|€29|1,100|no',
  ];
  const cells = rows.flatMap((row, i) =>
    row
      .split('|')
      .map((text, j) => ({ text, x: [60, 270, 480, 690][j] ?? 0, y: 140 + 44 * i, size: 18, bold: i === 0 }))
      .filter(({ text }) => text !== ''),
  );
  expect(quotes({ text: 'Competition', x: 60, y: 42, size: 32 }, ...cells)).toEqual([
    'Velhain: Price a month €19; Bikes 2,400; Unlock by ticket yes',
    'Radmeister: Price a month €35; Bikes 900; Unlock by ticket no',
    'Nordrad: Price a month €29; Bikes 1,100; Unlock by ticket no',
  ]);
});

it('the entries of a legend answer what the funds are for', () => {
  const table = '# Use of funds\n\n| Bikes | 45% |\n| Sales | 30% |\n| Software | 15% |\n| Administration | 10% |';
  const deck = deckOfMarks(['# Velhain\n\nRental bikes for villages', table, '# The round\n\nWe are raising EUR 2M.']);
  const found = answered('fund_allocation', deck).evidence.map(({ quote }) => quote);
  expect(found.toSorted()).toEqual(['Administration 10%', 'Bikes 45%', 'Sales 30%', 'Software 15%']);
});

it('people beside each other are cards, and no rows of a table', () => {
  const people = [
    ['Philippa Ade-Ross', 'CEO', 'Midwife for sixteen years'],
    ['Gareth Llewelyn', 'Chief scientist', 'Time series, Turing fellow'],
    ['Hanna Szabo', 'CTO', 'Speaks HL7 at home'],
  ];
  const drawn = people.flatMap(([name = '', role = '', line = ''], i): Drawn[] => [
    { text: name, x: 160 + i * 280, y: 220, size: 17, bold: true, centred: true },
    { text: role, x: 160 + i * 280, y: 264, size: 14, centred: true },
    { text: line, x: 160 + i * 280, y: 292, size: 14, centred: true },
  ]);
  expect(quotes({ text: 'The team', x: 60, y: 40, size: 28 }, ...drawn)).toEqual(people.map((card) => card.join(' ')));
});

const quotedOf = (slide: string): string[] =>
  passagesOf(readPrompt([{ role: 'user', content: deckOfMarks([slide]) }]).slides).map(({ quote }) => quote);

it.each([
  ['an amount without what it is the price of', '# Pricing\n\nWe charge for each cap.\n\n€1.60 per unit', '€1.60'],
  [
    'the label of a row whose cells are drawn',
    '# Competition\n\n| | Pavanex | Fleet |\n| Works in the heat |  |  |\n| Cost | €1 | €2 |',
    'heat',
  ],
  [
    'a row of values without headings',
    '# Plan\n\n| Revenue | 338 | 720 | 1,600 |\n| Costs | 545 | 1,010 | 1,690 |\n| Result | 12 | 20 | 90 |',
    '338',
  ],
  [
    'a sentence that goes on in another block',
    '# Solution\n\nIt stands in the ward. Packages go in at the top, the right\n\none falls out below.',
    'Packages',
  ],
  ['a bracket that is not closed', '# Proof\n\nIn a study children gained 4.6 months (n', 'study'],
])('%s is not quoted', (_, slide, part) => expect(quotedOf(slide).filter((quote) => quote.includes(part))).toEqual([]));

it('what somebody says is quoted whole, with the one who says it', () =>
  expect(
    quotedOf('# Voices\n\n“We rejected 14% of our lots. From these groups we reject two.” Buyer of a mill'),
  ).toEqual(['“We rejected 14% of our lots. From these groups we reject two.” Buyer of a mill']));

it('a sentence ends before the number of its footnote is followed by another', () =>
  expect(
    quotedOf('# Cells\n\nWe buy them for €48 a kWh; new ones cost three times as much.1 They are charged at night.'),
  ).toEqual(['We buy them for €48 a kWh; new ones cost three times as much.1', 'They are charged at night.']));

it('lines with a label each are quoted alone', () =>
  expect(
    quotedOf('# Company\n\nStage: bootstrap and Govt. Fund (Pre-Seed)\nUse of funds: product, hiring, marketing'),
  ).toEqual(['Stage: bootstrap and Govt. Fund (Pre-Seed)', 'Use of funds: product, hiring, marketing']));

it('a word with the number of a footnote moves no line of its paragraph', () => {
  const [x, size, pitchPt] = [60, 17, 22];
  const lines = [
    'Sepsis starts slowly, and every value is in the box.',
    'We found in the inquests',
    'of 22 cases that nobody had drawn the line.',
  ];
  const words = lines.flatMap((text, i) => draw({ text, x, y: 140 + i * pitchPt, size }));
  const [left, top] = [x + widthOf(`${lines[1]} `, size), 140 + pitchPt];
  const raised = wordAt('read1,', [left, top - 0.4 * size, left + widthOf('read1,', size), top + size], {
    sizePt: size,
  });
  expect(layOut([...words, raised]).blocks).toHaveLength(1);
});

it('labels with what is filled in beside them are rows, however few', () => {
  const rows = [
    ['Round size', 'USD 6.5 million'],
    ['Instrument', 'Preferred equity, seed'],
    ['Already raised', '$2.1M pre-seed'],
  ];
  const cells = rows.flatMap((row, i) =>
    row.map((text, j): Drawn => ({ text, x: 44 + j * 260, y: 110 + i * 55, size: 16 })),
  );
  expect(quotes({ text: 'The round', x: 44, y: 35, size: 26 }, ...cells)).toEqual(rows.map((row) => row.join(' ')));
});

it('a figure with a word of its number has its label and its caption', () => {
  const cards = [
    ['Series A', '$12 million', 'priced equity'],
    ['Raised to date', '$3.4M', 'two rounds'],
    ['Runway', '26 mo.', 'to break-even'],
  ].flatMap(([label = '', figure = '', caption = ''], i): Drawn[] => [
    { text: label, x: 64 + i * 296, y: 118, size: 11 },
    { text: figure, x: 64 + i * 296, y: 134, size: 34 },
    { text: caption, x: 64 + i * 296, y: 180, size: 13 },
  ]);
  expect(quotes({ text: 'The round', x: 44, y: 30, size: 40 }, ...cards)).toEqual([
    'Series A $12 million priced equity',
    'Raised to date $3.4M two rounds',
    'Runway 26 mo. to break-even',
  ]);
});

it('a figure whose letters reach into the line of its caption is one card with it', () => {
  const cards = [
    ['COST', '164 €', 'a hectare'],
    ['WASTE', '41 %', 'hits what is healthy'],
    ['RULE', '−50 %', 'of the Union by 2030'],
  ].flatMap(([label = '', figure = '', caption = ''], i) => [
    { text: label, x: 80 + i * 260, y: 156, size: 9, bold: true },
    { text: figure, x: 80 + i * 260, y: 166, size: 38, bold: true },
    { text: caption, x: 80 + i * 260, y: 199, size: 11 },
  ]);
  expect(quotes({ text: 'Problem', x: 80, y: 60, size: 44 }, ...cards)).toEqual([
    'COST 164 € a hectare',
    'WASTE 41 % hits what is healthy',
    'RULE −50 % of the Union by 2030',
  ]);
});

it.each([
  ['Frühjahr 2027', '2. Hj. 2027', '2028', 'Ende 2029'],
  ['Q1 2027', 'Summer 2027', '2028', 'Early 2029'],
])('an entry of a time line is quoted with its time: %s', (...times) => {
  const events = [
    'One hundred cupboards in Dresden',
    'Series 1, made by a partner',
    'Three hundred, Vienna',
    'Break-even',
  ];
  const drawn = times.flatMap((time, i): Drawn[] => [
    { text: time, x: 95, y: 124 + i * 88, size: 18, bold: true },
    { text: events[i] ?? '', x: 320, y: 124 + i * 88, size: 17 },
  ]);
  expect(quotes({ text: 'Road map', x: 40, y: 18, size: 24 }, ...drawn)).toEqual(
    times.map((time, i) => `${time} ${events[i]}`),
  );
});

it('times over what happens then are cards', () => {
  const drawn = ['Q1 2027', 'Fall 2027', '2028'].flatMap((time, i): Drawn[] => [
    { text: time, x: 80 + i * 280, y: 180, size: 15, bold: true },
    { text: `Stations in ${i + 3} valleys`, x: 80 + i * 280, y: 204, size: 13 },
  ]);
  expect(quotes({ text: 'Road map', x: 40, y: 18, size: 24 }, ...drawn)).toEqual([
    'Q1 2027 Stations in 3 valleys',
    'Fall 2027 Stations in 4 valleys',
    '2028 Stations in 5 valleys',
  ]);
});

it.each([
  'Der Umsatz unserer Kunden nimmt weiter zu',
  'Wir setzen Sensoren in jeder Halle ein',
  'This is the market that we live on',
  'Ein Gerät kostet im Laden nur 30 €',
])('a statement without a full stop is quoted: %s', (statement) =>
  expect(quotedOf(`# Product\n\nWe deliver within one day.\n- ${statement}\n- It works at night.`)).toContain(
    statement,
  ),
);

it('a price under the name of a plan is quoted', () =>
  expect(quotedOf('# Preise\n\n## Basis\n\n29 € / Monat\n\n## Profi\n\n79 € / Monat')).toEqual([
    '29 € / Monat',
    '79 € / Monat',
  ]));

it.each(['Wir haben ca.10 Mitarbeiter in Linz.', 'See fig.3 Revenue grows in each quarter.'])(
  'a number right behind an abbreviation ends no sentence: %s',
  (text) => expect(quotedOf(`# Company\n\n${text}`)).toEqual([text]),
);

it.each([
  ['Das Problem', 'Die Lösung'],
  ['Faster Delivery', 'Lower Costs'],
])('headings of two words over statements are no names of people: %s', (...headings) => {
  const drawn = headings.flatMap((text, i): Drawn[] => [
    { text, x: 80 + i * 420, y: 150, size: 20, bold: true },
    {
      text: 'It takes a doctor three hours a day,\nand nobody pays for any of them.',
      x: 80 + i * 420,
      y: 190,
      size: 14,
    },
  ]);
  expect(quotes({ text: 'Overview', x: 60, y: 40, size: 34 }, ...drawn)).toEqual([
    'It takes a doctor three hours a day, and nobody pays for any of them.',
    'It takes a doctor three hours a day, and nobody pays for any of them.',
  ]);
});

it('a table under headings of two words is a table and no team', () => {
  const rows = [
    ['Customer Benefit', 'Product Feature', 'Target Group'],
    ['Saves much time', 'Search by voice', 'Doctors in clinics'],
    ['Fewer wrong pills', 'Alarm at night', 'Nurses at home'],
    ['Less paper work', 'Forms on phones', 'Heads of wards'],
  ];
  const cells = rows.flatMap((row, i) =>
    row.map((text, j): Drawn => ({ text, x: 80 + j * 280, y: 140 + i * 60, size: 16, bold: i === 0 })),
  );
  expect(pageOf({ text: 'Product', x: 60, y: 40, size: 34 }, ...cells).blocks.map(({ kind }) => kind)).toEqual([
    'title',
    'table',
  ]);
});

it('a text that wraps beside a list of figures is no column of it', () => {
  const text =
    'Kasse. Im Vertrag erhalten wir eine feste\nPauschale je abgeschlossenem Fall. Der\nVersand und die Betreuung sind enthalten.\nKlinik. Ambulanzen mieten die Geräte für\nEuro im Monat und rechnen selbst ab.';
  const figures = [
    ['Pauschale', '189 €'],
    ['Versand', '–21 €'],
    ['Abschreibung', '–17 €'],
    ['Betreuung', '–14 €'],
    ['Beitrag', '137 €'],
  ].flatMap(([label = '', figure = ''], i): Drawn[] => [
    { text: label, x: 503, y: 120 + i * 21.6, size: 18 },
    { text: figure, x: 851, y: 120 + i * 21.6, size: 18 },
  ]);
  const page = pageOf({ text: 'Erlöse', x: 57, y: 50, size: 30 }, { text, x: 57, y: 120, size: 18 }, ...figures);
  const tables = page.blocks.filter(({ kind }) => kind === 'table').flatMap(({ lines }) => lines);
  expect(tables.flat(2).map((index) => page.words[index]?.text)).not.toContain('Kasse.');
});

describe('units of a slide in words', () => {
  const quotesOf = (slide: string, slug: string): string[] =>
    answered(slug, deckOfMarks(['# Korbwerk\n\nCrates for bakeries', slide])).evidence.map(({ quote }) => quote);

  it.each([
    [
      '# Our solution\n\nSee the origin of the product\nKnow the farmer\nBetter quality product',
      'See the origin of the product',
    ],
    [
      '# Our solution\n\nA tap unit 60 cm wide, fits a newsagent\nShopper brings any bottle, pays by weight\nWater is mixed with concentrate on site',
      'Shopper brings any bottle, pays by weight',
    ],
  ])('items without marks are quoted apart: %j', (slide, item) => {
    const quotes = quotesOf(slide, 'solution_description');
    expect(quotes).toContain(item);
    for (const quote of quotes)
      expect(slide.split('\n').filter((line) => line !== '' && quote.includes(line)).length).toBeLessThan(2);
  });

  it('a person of three lines, and a German sentence over three lines, are one quote', () => {
    const person = 'Dr Ines Talaat, CEO\nPhysicist of the tide, twelve patents\nFormer head of product at a laboratory';
    expect(quotesOf(`# Team\n\n${person}`, 'team_composition')).toEqual([person.replaceAll('\n', ' ')]);
    const german = 'Müller verlieren neun Stunden\nArbeit, weil jedes Silo eine\nTabelle hat';
    expect(quotesOf(`# Das Problem\n\n${german}`, 'target_problem')).toEqual([german.replaceAll('\n', ' ')]);
  });

  it('a row with an empty cell is quoted from a text layer, and not from a picture', () => {
    const table =
      '# Competition\n\n| Provider | Price | Works offline | Trial |\n| Siloplan | €900 |  | yes |\n| Grainbase | €1,200 |  | no |';
    const cut = 'Grainbase: Price €1,200; Trial no';
    expect(quotesOf(table, 'competitive_landscape')).toContain(cut);
    const pages = ['# Korbwerk\n\nCrates for bakeries', table].map((markup, i) => ({
      number: i + 1,
      markup,
      description: null,
      recognised: true,
    }));
    const quotes = answered('competitive_landscape', deckBlock(pages)).evidence.map(({ quote }) => quote);
    expect(quotes).not.toContain(cut);
  });

  it('a table of competitors is quoted with the headings of its columns', () => {
    const table =
      '# Competition\n\n| COMPETITOR | APPROACH | WEAKNESS |\n| Siloplan | A calendar in the cloud | Works online alone |\n| Grainbase | Forms on paper | Nobody reads them |';
    expect(quotesOf(table, 'competitive_landscape')).toContain(
      'Grainbase: APPROACH Forms on paper; WEAKNESS Nobody reads them',
    );
  });

  it('more cells without headings than fit in a quote are not quoted', () => {
    const cell = 'Reads every scale of the mill and plans the gates of each silo for the next four weeks';
    const table = `# Our solution\n\n| Plan | ${cell} | ${cell} once more | ${cell} again |`;
    expect(quotesOf(table, 'solution_description').filter((quote) => quote.startsWith('Plan'))).toEqual([]);
  });

  it('a statement with a label does not take a short line below it', () => {
    const slide =
      '# Team\n\nOur company in a few lines\nCo-founder: Arne Lohe leads the works in Esbjerg since 2019\nShareholding structure\n\n- 60 % founders';
    expect(quotesOf(slide, 'team_composition').filter((quote) => quote.includes('Shareholding'))).toEqual([]);
  });

  it('a statement answers the question that its own label names, and no other', () => {
    const slide = '# Company overview\n\nUse of funds: hiring, marketing, operations, legal and compliance';
    const [, text] = slide.split('\n\n');
    expect(quotesOf(slide, 'fund_allocation')).toContain(text);
    expect(quotesOf(slide, 'organizational_maturity')).not.toContain(text);
  });
});
