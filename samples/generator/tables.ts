/**
 * Tables with a head above rows.
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
