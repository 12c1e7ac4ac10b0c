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
import { layOut, pageOf, type Drawn } from '../pages/support.ts';
import { answered, deckOfMarks } from './ask.ts';

const layoutOf = ({ others, units }: DrawnPage) =>
  layOut([...others, ...units.flatMap(({ texts }) => texts)].flatMap(wordsOfText), {
    widthPt: PAGE_WIDTH,
    heightPt: PAGE_HEIGHT,
  });

describe('units of a drawn page', () => {
  it.each(DRAWN_KINDS)('units of the kind %s are quoted whole and alone', (kind) =>
    // Fixed pages: one in some thousands cannot be told from another arrangement.
    forAll([drawnPage(kind)], { runs: 150, deepRuns: 100, seed: 34, endOnFailure: true }, (page) => {
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
