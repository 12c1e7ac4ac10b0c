/**
 * Tables: with a head above rows, and of companies beside one another.
 */
import type { Layout, Sized } from './block-layout.ts';
import type { Pen, TextStyle } from './pen.ts';

/** Widths by length of content; no column narrower than its longest word. */
function columnWidths(pen: Pen, block: Sized<'table'>, width: number, size: number): number[] {
  const columns = block.head.map((_, column) => {
    const cells = [block.head, ...block.rows].map((row) => row[column] ?? '');
    const words = cells.flatMap((cell) => cell.split(' ')).map((word) => pen.widthOf(word, { size, bold: true }));
    return { weight: Math.min(28, Math.max(7, ...cells.map((cell) => cell.length))), least: Math.max(...words) + 20 };
  });
  const free = Math.max(0, width - columns.reduce((sum, column) => sum + column.least, 0));
  const total = columns.reduce((sum, column) => sum + column.weight, 0);
  return columns.map((column) => column.least + (free * column.weight) / total);
}

/** A table with a head. */
export const table: Layout<'table'> = (pen, block, box, scale, paint) => {
  const columns = block.head.length;
  const size = 13.5 * scale;
  const widths = columnWidths(pen, block, box.width, size);
  let y = box.y;
  [block.head, ...block.rows].forEach((row, index) => {
    const style: TextStyle = { size, bold: index === 0, color: index === 0 ? '#ffffff' : pen.theme.ink };
    const styleAt = (column: number): TextStyle => (column === 0 ? { ...style, bold: true } : style);
    const heights = widths.map((width, column) => pen.heightOf(row[column] ?? '', width - 18, styleAt(column)));
    const height = Math.max(...heights) + 12 * scale;
    if (paint) {
      const shade = index === 0 ? pen.theme.accent : index % 2 === 0 ? pen.theme.panel : pen.theme.background;
      pen.fill({ x: box.x, y, width: box.width, height }, shade);
      let x = box.x;
      for (let column = 0; column < columns; column += 1) {
        const width = widths[column] ?? 0;
        pen.text(row[column] ?? '', x + 9, y + 7 * scale, width - 18, styleAt(column));
        if (column > 0) pen.entry(row[column] ?? '', { x, y, width, height });
        x += width;
      }
      pen.line(box.x, y + height, box.x + box.width, y + height, pen.theme.muted, 0.4);
    }
    if (paint && index > 0) pen.entry(row[0] ?? '', { x: box.x, y, width: box.width, height });
    y += height;
  });
  return y - box.y;
};

/** Signs that are drawn where the font has no letters for them. */
const SIGNS = ['✓', '✗'] as const;
type Sign = (typeof SIGNS)[number];

const isSign = (text: string): text is Sign => SIGNS.some((sign) => sign === text);

function drawSign(pen: Pen, sign: Sign, x: number, y: number, size: number): void {
  const color = sign === '✓' ? pen.theme.accent : pen.theme.muted;
  if (sign === '✓') {
    pen.line(x, y + size * 0.55, x + size * 0.3, y + size * 0.9, color, 2);
    pen.line(x + size * 0.3, y + size * 0.9, x + size * 0.85, y + size * 0.15, color, 2);
    return;
  }
  pen.line(x, y + size * 0.2, x + size * 0.7, y + size * 0.9, color, 2);
  pen.line(x, y + size * 0.9, x + size * 0.7, y + size * 0.2, color, 2);
}

/** Fonts that have letters for the signs. */
const hasSigns = (pen: Pen): boolean => pen.theme.font === 'dejavu' || pen.theme.font === 'dejavu-condensed';

/** Companies with what each has and costs, the own one set off by its colour. */
export const comparison: Layout<'comparison'> = (pen, block, box, scale, paint) => {
  const isAcross = block.companiesIn === 'columns';
  const { corner, criteria, companies } = block;
  const rows = isAcross
    ? [
        [corner, ...companies.map(({ name }) => name)],
        ...criteria.map((criterion, index) => [criterion, ...companies.map(({ cells }) => cells[index] ?? '')]),
      ]
    : [[corner, ...criteria], ...companies.map(({ name, cells }) => [name, ...cells])];
  const size = 13.5 * scale;
  const [head = [], ...body] = rows;
  const widths = columnWidths(pen, { type: 'table', head, rows: body }, box.width, size);
  if (widths.reduce((sum, width) => sum + width, 0) > box.width + 1) return Infinity;
  const own = companies.findIndex(({ isOwn }) => isOwn) + 1;
  const lefts = widths.map((_, column) => box.x + widths.slice(0, column).reduce((sum, width) => sum + width, 0));
  let y = box.y;
  const tops = rows.map((row, index) => {
    const top = y;
    const styleAt = (column: number): TextStyle => {
      const isOwn = own > 0 && own === (isAcross ? column : index);
      return { size, bold: index === 0 || column === 0 || isOwn, color: isOwn ? pen.theme.accent : pen.theme.ink };
    };
    const heights = row.map((cell, column) =>
      isSign(cell) ? size * 1.2 : pen.heightOf(cell, (widths[column] ?? 0) - 18, styleAt(column)),
    );
    const height = Math.max(...heights) + 16 * scale;
    if (paint) {
      if (index % 2 === 1) pen.fill({ x: box.x, y, width: box.width, height }, pen.theme.panel);
      row.forEach((cell, column) => {
        const x = (lefts[column] ?? 0) + 9;
        if (isSign(cell) && !hasSigns(pen)) drawSign(pen, cell, x + 4, y + 8 * scale, size);
        else pen.text(cell, x, y + 8 * scale, (widths[column] ?? 0) - 18, styleAt(column));
      });
      pen.line(box.x, y + height, box.x + box.width, y + height, pen.theme.muted, index === 0 ? 1.4 : 0.4);
    }
    y += height;
    return top;
  });
  if (paint) {
    companies.forEach(({ name }, index) => {
      const [top, next] = [tops[index + 1] ?? box.y, tops[index + 2] ?? y];
      const place = isAcross
        ? { x: lefts[index + 1] ?? box.x, y: box.y, width: widths[index + 1] ?? 0, height: y - box.y }
        : { x: box.x, y: top, width: box.width, height: next - top };
      pen.entry(name, place);
    });
  }
  return y - box.y;
};
