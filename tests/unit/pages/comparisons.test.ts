/** Tables that compare: names over columns, features before rows, and cells of all sorts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../testing/property.ts';
import { blockTexts, draw, layOut, pageOf, type Drawn } from './support.ts';

const LEFT = 60;
const SIZE = 14;

/** Draws rows of cells; a cell of several lines has its middle at the height of its row, as in tables of web pages, or begins there. */
function table(
  rows: readonly (readonly string[])[],
  { columnPt = 170, rowPt = 36, top = 140, centred = true } = {},
): Drawn[] {
  return rows.flatMap((row, at) =>
    row.flatMap((text, column): Drawn[] => {
      const above = centred ? (text.split('\n').length - 1) * 0.6 * SIZE : 0;
      return text === '' ? [] : [{ text, x: LEFT + column * columnPt, y: top + at * rowPt - above, size: SIZE }];
    }),
  );
}

const shown = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')).join('|')).join('\n');

const COMPARED = [
  ['', 'Tallyport', 'Legacy software', 'Outsourcing', 'In-house'],
  ['Work per entry', '6 min', '35 min', '47 min,\nat night', '20 min'],
  ['Reasons', 'cited rulings', 'none', 'none', 'internal notes'],
  ['Neutral', 'yes', 'yes', 'yes', 'no, competes'],
  ['Set-up time', '5 days', '4 months', '6 weeks', 'not for sale'],
  ['Cost per entry', '$9.50', '$22 with staff', '$11 to $14', 'unknown'],
];

it.each([true, false])('figures, words and cells of two lines are one table (lines about their row: %s)', (centred) =>
  expect(blockTexts(pageOf(...table(COMPARED, { centred })))).toEqual([shown(COMPARED)]),
);

it('rows of words and figures under headings are one table', () => {
  const rows = [
    ['Anbieter', 'Speicher', 'Abrechnung\nmit Mietern', 'Investition', 'Preis'],
    ['Kellerstrom', 'ja', 'ja', 'keine', '29 ct/kWh'],
    ['Dienstleister', 'selten', 'ja', '90.000 €', '33 ct/kWh'],
    ['Stadtwerk', 'nein', 'ja', 'keine', '34 ct/kWh'],
    ['Solarteur', 'auf Wunsch', 'nein', '75.000 €', 'entfällt'],
  ];
  expect(blockTexts(pageOf(...table(rows)))).toEqual([shown(rows)]);
});

it('a row of years begins a table, whatever stands over it in the same columns', () => {
  const plan = [
    ['Pilot', '2026', '2027', '2028'],
    ['Denmark', 'Sweden', 'Norway', 'Finland'],
  ];
  const years = [
    ['€ thousand', '2025', '2026', '2027'],
    ['Revenue', '338', '1,180', '3,250'],
    ['Costs', '1,420', '2,310', '3,540'],
    ['Result', '−1,082', '−1,130', '−290'],
  ];
  expect(blockTexts(pageOf(...table(plan, { top: 100 }), ...table(years, { top: 190 })))).toContain(shown(years));
});

it('short names in a grid are no table, also where one of two lines leaves a corner out', () => {
  const names = [
    ['Sponsored\ntransactions', 'Sign-in', 'Session keys'],
    ['Guards', 'Multisig', 'Batching'],
    ['Approvals', 'Recovery', 'Roles'],
    ['Sub accounts', 'Time-locked\ntransfers', 'Limits'],
  ];
  expect(pageOf(...table(names)).blocks.map(({ kind }) => kind)).not.toContain('table');
});

const label = fc.constantFrom(
  'Price',
  'Setup time',
  'Works offline',
  'Medical device',
  'Cost per part',
  'Data stay here',
);
const name = fc.constantFrom('Tallyport', 'Quayline', 'Legacy tools', 'In-house', 'Drone pilot', 'Papier');
const CELLS =
  'yes|no|ja|nein|✓|–|5 days|4 months|$9.50|90.000 €|29 ct/kWh|0,2 mm|none|unknown|not for sale|auf Wunsch|partly|internal notes|by hand,\nat night'.split(
    '|',
  );
const cell = fc.constantFrom(...CELLS);

it('a comparison whose rows stand apart is one table, each cell in its row and column, whatever the cells hold', () =>
  forAll(
    [
      fc.uniqueArray(name, { minLength: 3, maxLength: 4 }),
      fc.uniqueArray(label, { minLength: 3, maxLength: 6 }),
      fc.array(cell, { minLength: 24, maxLength: 24 }),
      fc.boolean(),
      fc.integer({ min: 42, max: 60 }),
    ],
    { runs: 1000 },
    (names, labels, cells, centred, rowPt) => {
      const rows = [
        ['', ...names],
        ...labels.map((text, at) => [text, ...names.map((_, column) => cells[at * names.length + column] ?? 'yes')]),
      ];
      const values = rows.slice(1).flatMap((row) => row.slice(1));
      fc.pre(values.filter((text) => /\d|^(?:yes|no|ja|nein|[✓–])$/u.test(text)).length >= 0.5 * values.length);
      const words = table(rows, { centred, rowPt }).flatMap(draw);
      expect(blockTexts(layOut(words))).toEqual([shown(rows)]);
    },
  ));
