/** Tables that are drawn with rules, fills or cells, and what is drawn alike and is no table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box, PageLayout } from '../../../domain/pages/page.ts';
import { checkedLayoutSchema } from '../../../domain/pages/checked-layout.ts';
import { dividingShapes, MAX_SHAPES } from '../../../domain/pages/shapes.ts';
import { layOutWithout } from '../../../domain/pages/layout.ts';
import { forAll } from '../../../testing/property.ts';
import { blockTexts, draw, layOut, PAGE, type Drawn } from './support.ts';

const [LEFT, TOP, COLUMN_PT, SIZE] = [60, 140, 200, 14];
const PAD = 10;

type Ruling = 'rules' | 'cells' | 'fills';

interface Table {
  readonly drawn: readonly Drawn[];
  readonly shapes: readonly Box[];
}

const linesOf = (text: string): number => text.split('\n').length;

/**
 * A table as programs draw one: rows as high as their highest cell, text in the middle of its row.
 * @param open True for rules between the rows alone, with none above the first and below the last
 */
function ruled(rows: readonly (readonly string[])[], ruling: Ruling, { top = TOP, open = false } = {}): Table {
  const columns = rows[0]?.length ?? 0;
  const right = LEFT + columns * COLUMN_PT;
  const drawn: Drawn[] = [];
  const shapes: Box[] = [];
  let y = top;
  for (const [at, row] of rows.entries()) {
    const heightPt = 2 * PAD + 1.2 * SIZE * Math.max(...row.map(linesOf));
    for (const [column, text] of row.entries()) {
      const x = LEFT + column * COLUMN_PT;
      const above = (heightPt - 1.2 * SIZE * linesOf(text)) / 2;
      if (text !== '') drawn.push({ text, x: x + PAD, y: y + above, size: SIZE });
      if (ruling === 'cells') shapes.push([x, y, x + COLUMN_PT, y + heightPt]);
    }
    if (ruling === 'fills') shapes.push([LEFT, y, right, y + heightPt]);
    if (ruling === 'rules' && (at > 0 || !open)) shapes.push([LEFT, y, right, y + 0.5]);
    y += heightPt;
  }
  if (ruling === 'rules' && !open) shapes.push([LEFT, y, right, y + 0.5]);
  return { drawn, shapes };
}

const read = ({ drawn, shapes }: Table): PageLayout => layOut(drawn.flatMap(draw), { shapes });
const shown = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')).join('|')).join('\n');

const PRICES = [
  ['Part', 'Price', 'Margin', 'Note'],
  ['Hand unit', '€4,900 once', '46%', 'or €139 a month,\n36 months'],
  ['Sterile cap', '€1.60 each', '81%', 'about 900 caps\na year and unit'],
  ['Link to the\npatient record', '€2,400 a year', '88%', 'per house'],
];

describe.each<Ruling>(['rules', 'cells', 'fills'])('a table drawn with %s', (ruling) => {
  it('the drawn table is one table, with the cells of several lines whole', () =>
    expect(blockTexts(read(ruled(PRICES, ruling)))).toEqual([shown(PRICES)]));

  it('the drawn table keeps its rows, whatever words its cells hold', () => {
    const cell = fc.array(fc.constantFrom('mill', 'oven', 'crates', '€12', 'no', '38%', 'about', 'Saturday'), {
      minLength: 1,
      maxLength: 4,
    });
    const rows = fc.integer({ min: 2, max: 4 }).chain((columns) =>
      fc.array(
        fc.array(
          cell.map((words) =>
            words.length > 2 ? `${words.slice(0, 2).join(' ')}\n${words.slice(2).join(' ')}` : words.join(' '),
          ),
          { minLength: columns, maxLength: columns },
        ),
        { minLength: 4, maxLength: 6 },
      ),
    );
    return forAll([rows], { runs: 60, deepRuns: 400 }, (table) => {
      expect(blockTexts(read(ruled(table, ruling, { top: 60 })))).toEqual([shown(table)]);
    });
  });
});

it('a table with rules between its rows alone has its headings and its last row', () =>
  expect(blockTexts(read(ruled(PRICES, 'rules', { open: true })))).toEqual([shown(PRICES)]));

it('text below a table is no row of it', () => {
  const table = ruled(PRICES.slice(0, 3), 'rules');
  const text =
    'A unit earns about €12,100 in five years, more than half of it with the cap, and it is paid\nby the house and not by the nurse.';
  const below: Drawn = { text, x: LEFT + PAD, y: TOP + 155, size: SIZE };
  expect(blockTexts(read({ ...table, drawn: [...table.drawn, below] }))).toEqual([shown(PRICES.slice(0, 3)), text]);
});

it('a title within the first rules of a table is a heading and no row', () => {
  const table = ruled(PRICES, 'rules');
  const title: Drawn = { text: 'What we charge', x: LEFT + 300, y: TOP - 26, size: SIZE, bold: true };
  const shapes: Box[] = [...table.shapes, [LEFT, TOP - 36, LEFT + 4 * COLUMN_PT, TOP - 35.5]];
  expect(blockTexts(read({ drawn: [title, ...table.drawn], shapes }))).toEqual(['What we charge', shown(PRICES)]);
});

it('two tables under each other that are divided in other places stay apart', () => {
  const people = [
    ['Name', 'Background', 'Outcome'],
    ['Ada Lorne', 'ten years of logistics', 'two exits'],
    ['Jon Brack', 'built a mill', 'one patent'],
  ];
  const upper = ruled(PRICES, 'cells', { top: 40 });
  const lower = ruled(people, 'cells', { top: 330 });
  const stretch = (x: number): number => LEFT + ((x - LEFT) * 4) / 3;
  const wide = {
    drawn: lower.drawn.map((text) => ({ ...text, x: stretch(text.x - PAD) + PAD })),
    shapes: lower.shapes.map(([left, top, right, bottom]): Box => [stretch(left), top, stretch(right), bottom]),
  };
  const page = read({ drawn: [...upper.drawn, ...wide.drawn], shapes: [...upper.shapes, ...wide.shapes] });
  expect(blockTexts(page)).toEqual([shown(PRICES), shown(people)]);
});

it('drawn ticks fill the cells they stand in, and headings of two lines are whole', () => {
  const rows = [
    ['', 'Pavanex', 'Home charging', 'Two-wheeler\nswap'],
    ['Made for 500 kg', '', '', ''],
    ['Refill in 3 minutes', '', '', ''],
    ['Cost per km', '₹1.35', '₹1.10 + loan', 'n/a'],
  ];
  const table = ruled(rows, 'rules', { open: true });
  const ticks = [1, 2].flatMap((row) =>
    [1, 2, 3].map((column): Box => {
      const [x, y] = [LEFT + column * COLUMN_PT + PAD, TOP + 50 + row * 37];
      return [x, y, x + 14, y + 14];
    }),
  );
  expect(blockTexts(read({ ...table, shapes: [...table.shapes, ...ticks] }))).toEqual([shown(rows)]);
});

it('numbers that count the rows are no cells', () => {
  const rows = [
    ['1', 'Inbox', 'Scans, letters, attachments'],
    ['2', 'Typing', 'Extraction by hand, checks'],
    ['3', 'Approvals', 'By mail, without a trail'],
  ];
  expect(blockTexts(read(ruled(rows, 'rules')))).toContain(shown(rows.map((row) => row.slice(1))));
});

it('cards with text that runs on are no table, whatever words stand under each other', () => {
  const said = [
    ['“The certificate stopped the arguing. The meter of', 'the trader and ours say the same.” Head of the village'],
    ['“We rejected 14% of our lots last year. From these', 'groups we reject two.” Buyer of a mill'],
    ['“Earlier we prayed and swept. Now we call Rafiq, and', 'he comes on the same day.” Sunita, farmer'],
  ];
  const drawn = said.flatMap(([upper = '', lower = ''], i) => [
    { text: upper, x: 480, y: 120 + i * 110, size: 20, centred: true },
    { text: lower, x: 480, y: 144 + i * 110, size: 20, centred: true },
  ]);
  const shapes = said.map((_, i): Box => [60, 100 + i * 110, 900, 190 + i * 110]);
  expect(read({ drawn, shapes }).blocks.map(({ kind }) => kind)).not.toContain('table');
});

it('figures over captions in drawn rows are cards', () => {
  const places = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => ({ row, column })));
  const drawn = places.flatMap(({ row, column }): Drawn[] => [
    { text: `${row + 3}${column + 1}%`, x: 90 + column * 280, y: 120 + row * 120, size: 32, bold: true },
    { text: 'of all customers', x: 90 + column * 280, y: 160 + row * 120, size: 13 },
  ]);
  const shapes = [0, 1, 2].map((row): Box => [60, 110 + row * 120, 900, 200 + row * 120]);
  expect(read({ drawn, shapes }).blocks.map(({ kind }) => kind)).not.toContain('table');
});

it('gridlines of a chart that cross its labels divide no rows', () => {
  const years = [2021, 2022, 2023, 2024];
  const drawn = [0, 1, 2, 3, 4].flatMap((line) =>
    years.map((year, i): Drawn => ({ text: `${line}${year}k`, x: 150 + i * 180, y: 154 + line * 60 })),
  );
  const shapes = Array.from({ length: 6 }, (_, i): Box => [100, 160 + i * 60, 860, 160.5 + i * 60]);
  expect(read({ drawn, shapes }).blocks.map(({ kind }) => kind)).not.toContain('table');
});

it('lines of a list between rules are no table, whatever stands beside one of them', () => {
  const drawn = ['Sensors in each hall', 'Reports in the morning', 'Spare parts by night', 'A hotline with people'].map(
    (text, i): Drawn => ({ text, x: 80, y: 130 + i * 50, size: 16 }),
  );
  const note: Drawn = { text: 'from May', x: 600, y: 130, size: 16 };
  const shapes = Array.from({ length: 5 }, (_, i): Box => [60, 115 + i * 50, 900, 115.5 + i * 50]);
  expect(read({ drawn: [...drawn, note], shapes }).blocks.map(({ kind }) => kind)).not.toContain('table');
});

it('a row of headings with one word alone is no title', () => {
  const rows = [
    ['', '2025'],
    ['Revenue', '€310k'],
    ['Costs', '€120k'],
    ['Result', '€190k'],
  ];
  expect(blockTexts(read(ruled(rows, 'rules')))).toEqual([shown(rows)]);
});

it('a large grid of cells whose rows begin at different places keeps its labels', () => {
  const rows = Array.from({ length: 26 }, (_, row) =>
    Array.from({ length: 16 }, (_, column) => (column === 0 ? `Line ${row}` : String(row * 16 + column))),
  );
  const drawn = rows.flatMap((row, y) =>
    row.map((text, x): Drawn => ({ text, x: 10 + x * 59 + (x === 0 ? (y % 3) * 4 : 0), y: 20 + y * 19, size: 8 })),
  );
  const shapes = rows.flatMap((row, y) => row.map((_, x): Box => [6 + x * 59, 14 + y * 19, 65 + x * 59, 33 + y * 19]));
  expect(blockTexts(read({ drawn, shapes }))).toEqual([shown(rows)]);
});

it('words that lie upon each other between rules are laid out, each once', () => {
  const heap = (y: number): Drawn[] =>
    Array.from({ length: 900 }, (_, i): Drawn => ({ text: 'a', x: 100 + i * 1e-4, y }));
  const shapes = [100, 130, 160].map((y): Box => [60, y, 900, y + 0.5]);
  const words = [...heap(110), ...heap(165)].flatMap(draw);
  expect(layOut(words, { shapes }).words).toHaveLength(words.length);
});

it('a page without some of its words keeps its drawn tables', () => {
  const page = read(ruled(PRICES, 'rules'));
  const note = page.words.findIndex(({ text }) => text === 'per');
  expect(blockTexts(layOutWithout(page, new Set([note])))).toEqual([shown(PRICES).replace('per house', 'house')]);
});

describe('the shapes that are kept of a page', () => {
  const pt = fc.double({ min: -100, max: 1000, noNaN: false });
  const box = fc.tuple(pt, pt, pt, pt);
  const lengthOf = ([left, top, right, bottom]: Box): number => Math.max(right - left, bottom - top);

  it('the kept shapes are the longest ones, as far as they lie on the page, whatever a file says', () =>
    forAll(
      [fc.array(box, { minLength: 1100, maxLength: 1300, size: 'max' })],
      { runs: 4, endOnFailure: true },
      (shapes) => {
        const kept = dividingShapes(shapes, PAGE);
        const left = new Set(kept.map(String));
        expect(kept.length).toBeLessThanOrEqual(MAX_SHAPES);
        const shortest = Math.min(...kept.map(lengthOf));
        const others = dividingShapes(
          shapes.filter((shape) => !left.has(String(dividingShapes([shape], PAGE)[0]))),
          PAGE,
        );
        expect(others.filter((shape) => lengthOf(shape) > shortest)).toEqual([]);
        const layout = layOut(draw({ text: 'Nordrad', x: 60, y: 60 }), { shapes });
        expect(checkedLayoutSchema.safeParse(layout).success).toBe(true);
      },
    ));
});
