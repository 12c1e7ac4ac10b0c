import { describe, expect, it } from 'vitest';
import { blockTexts, pageOf, type Drawn } from './support.ts';

/** Rows of cells with bars between them, at these left edges; an empty cell has no text. */
const grid = (rows: readonly string[], xs: readonly number[], pitch: number): Drawn[] =>
  rows.flatMap((row, i) =>
    row
      .split('|')
      .map((text, j): Drawn => ({ text, x: xs[j] ?? 0, y: 150 + i * pitch, bold: i === 0 }))
      .filter(({ text }) => text !== ''),
  );

const tableOf = (...drawn: Drawn[]) => pageOf(...drawn).blocks.filter((block) => block.kind === 'table').length;

describe('tables', () => {
  it('reads rows of figures under a row of headings, however close they stand', () => {
    const rows = [
      'In $|2024|2025|2026',
      'Revenue|$283,686|$1,451,549|$5,029,293',
      'Costs|98,517|216,985|576,404',
      'Net income|$185,169|$1,234,564|$4,452,889',
    ];
    const title = { text: 'By the numbers', x: 60, y: 40, size: 30 };
    const layout = pageOf(title, ...grid(rows, [60, 200, 300, 400], 15));
    expect(blockTexts(layout)).toEqual(['By the numbers', rows.join('\n')]);
  });

  it('reads words in rows that stand apart, with cells of several lines', () => {
    const rows = [
      'Competitor|What they sell|Offline',
      'Acme|Scanners that need\na network|No',
      'Bolt|Software for labs|Partly',
      'Crane|Paper forms|Yes',
    ];
    const expected = rows.join('\n').replace('need\na', 'need a');
    expect(blockTexts(pageOf(...grid(rows, [60, 200, 400], 40)))).toEqual([expected]);
  });

  it('keeps an empty cell in its column', () => {
    const rows = ['Plan|Small|Large', 'Price|€12|€40', 'Seats|5|50', 'Support||9'];
    expect(blockTexts(pageOf(...grid(rows, [60, 200, 300], 30)))).toEqual([rows.join('\n')]);
  });

  it('reads two tables side by side as two', () => {
    const rows = ['Users|2024|2025', 'Start|5,171|12,528', 'New|7,357|9,453', 'End|12,528|21,981'];
    const layout = pageOf(...grid(rows, [60, 160, 240], 20), ...grid(rows, [420, 520, 600], 20));
    expect(layout.blocks.map((block) => block.kind)).toEqual(['table', 'table']);
  });

  it('takes no columns of sentences for a table', () => {
    const left = 'We sell to hospitals\nthat wait for weeks\non their reports\nevery single year.';
    const right = 'Doctors read the text\non their phones and\nanswer within an hour\nor two at most.';
    expect(tableOf({ text: left, x: 60, y: 150 }, { text: right, x: 260, y: 150 })).toBe(0);
  });

  it('takes no cards with figures for a table', () => {
    const cards = ['43%', '89%', '12x'].flatMap((figure, i): Drawn[] => [
      { text: figure, x: 60 + 200 * i, y: 150, size: 28 },
      { text: 'of users stay', x: 60 + 200 * i, y: 185 },
      { text: figure, x: 60 + 200 * i, y: 260, size: 28 },
      { text: 'of users pay', x: 60 + 200 * i, y: 295 },
    ]);
    expect(tableOf(...cards)).toBe(0);
  });

  it('takes no lists side by side and no numbered list for a table', () => {
    const list = '• one thing\n• more of it\n• last thing';
    const lists = [60, 300, 540].map((x): Drawn => ({ text: list, x, y: 150 }));
    expect(tableOf(...lists)).toBe(0);
    expect(tableOf(...grid(['01|Problem', '02|Solution', '03|Market', '04|Team'], [60, 120], 40))).toBe(0);
  });

  it('takes no team for a table', () => {
    const team = ['Ada Berg', 'Ben Cho', 'Eva Funk'].flatMap((name, i): Drawn[] => [
      { text: name, x: 60 + 200 * i, y: 150, bold: true },
      { text: 'Founder', x: 60 + 200 * i, y: 166 },
      { text: 'Berlin', x: 60 + 200 * i, y: 182 },
    ]);
    expect(tableOf(...team)).toBe(0);
  });
});
