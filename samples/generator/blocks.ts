/**
 * Blocks of words: paragraphs, lists, figures, cards, people, timelines, quotes and tables, and the stacking of blocks in a column.
 *
 * A block either has a natural height or, as a chart, takes what is left. A column that is too full is set again in smaller type; one that
 * does not fit at half size is a mistake in the content and throws.
 */
import { drawChart } from './charts.ts';
import type { Box, Pen, TextStyle } from './pen.ts';
import type { Block } from './spec.ts';

const BODY_SIZE = 17;
const GAP = 18;

type Sized<T extends Block['type']> = Extract<Block, { type: T }>;

/** Draws a text block, or only measures it when `paint` is false. Returns the height. */
type Layout<T extends Block['type']> = (pen: Pen, block: Sized<T>, box: Box, scale: number, paint: boolean) => number;

function put(pen: Pen, paint: boolean, text: string, x: number, y: number, width: number, style: TextStyle): number {
  return paint ? pen.text(text, x, y, width, style) : pen.heightOf(text, width, style);
}

const bullets: Layout<'bullets'> = (pen, block, box, scale, paint) => {
  const size = BODY_SIZE * scale;
  let y = box.y;
  for (const item of block.items) {
    if (paint) pen.disc(box.x + 4, y + size * 0.58, size * 0.17, pen.theme.accent);
    y += put(pen, paint, item, box.x + size * 1.1, y, box.width - size * 1.1, { size }) + size * 0.55;
  }
  return y - box.y - size * 0.55;
};

const stats: Layout<'stats'> = (pen, block, box, scale, paint) => {
  const width = (box.width - (block.items.length - 1) * 16) / block.items.length;
  const label: TextStyle = { size: 13.5 * scale, color: pen.theme.muted };
  const labelHeight = Math.max(...block.items.map((item) => pen.heightOf(item.label, width - 28, label)));
  const height = 62 * scale + labelHeight + 16;
  block.items.forEach((item, index) => {
    if (!paint) return;
    const x = box.x + index * (width + 16);
    pen.fill({ x, y: box.y, width, height }, pen.theme.panel, 6);
    pen.fill({ x, y: box.y, width: 4, height }, pen.theme.accent);
    const color = index % 2 === 0 ? pen.theme.accent : pen.theme.second;
    pen.oneLine(item.value, x + 16, box.y + 16, width - 28, { size: 33 * scale, bold: true, color });
    pen.text(item.label, x + 16, box.y + 60 * scale, width - 28, label);
  });
  return height;
};

const cards: Layout<'cards'> = (pen, block, box, scale, paint) => {
  const perRow = block.items.length <= 3 ? block.items.length : Math.ceil(block.items.length / 2);
  const width = (box.width - (perRow - 1) * 16) / perRow;
  const title: TextStyle = { size: 16 * scale, bold: true, color: pen.theme.accent };
  const body: TextStyle = { size: 14 * scale };
  let y = box.y;
  for (let start = 0; start < block.items.length; start += perRow) {
    const row = block.items.slice(start, start + perRow);
    const measured = row.map(
      (item) => pen.heightOf(item.title, width - 32, title) + pen.heightOf(item.text, width - 32, body) + 8,
    );
    const height = Math.max(...measured) + 32;
    row.forEach((item, index) => {
      if (!paint) return;
      const x = box.x + index * (width + 16);
      pen.fill({ x, y, width, height }, pen.theme.panel, 8);
      const used = pen.text(item.title, x + 16, y + 16, width - 32, title);
      pen.text(item.text, x + 16, y + 24 + used, width - 32, body);
    });
    y += height + 16;
  }
  return y - box.y - 16;
};

/** In a narrower column people stand below one another. */
const WIDTH_OF_TWO_PEOPLE = 320;

const people: Layout<'people'> = (pen, block, box, scale, paint) => {
  const perRow = block.items.length > 3 && box.width >= WIDTH_OF_TWO_PEOPLE ? 2 : 1;
  const width = (box.width - (perRow - 1) * 28) / perRow;
  const radius = 27 * scale;
  const inner = width - radius * 2 - 16;
  const name: TextStyle = { size: 16 * scale, bold: true };
  const role: TextStyle = { size: 13.5 * scale, color: pen.theme.accent, bold: true };
  const text: TextStyle = { size: 13.5 * scale };
  let y = box.y;
  for (let start = 0; start < block.items.length; start += perRow) {
    const row = block.items.slice(start, start + perRow);
    const heights = row.map((item, index) => {
      const x = box.x + index * (width + 28);
      const left = x + radius * 2 + 16;
      if (paint) {
        const initials = item.name.replace(/^(Dr\.|Prof\.|PD|med\.| )+/, '').split(' ');
        const letters = `${initials.at(0)?.charAt(0) ?? ''}${initials.at(-1)?.charAt(0) ?? ''}`;
        pen.disc(x + radius, y + radius, radius, index % 2 === 0 ? pen.theme.accent : pen.theme.second);
        // Initials are painted as part of a portrait placeholder; drawn after the words they would read as noise between two people.
        pen.oneLine(letters, x, y + radius - 9 * scale, radius * 2, {
          size: 17 * scale,
          bold: true,
          color: '#ffffff',
          align: 'center',
        });
      }
      let used = put(pen, paint, item.name, left, y, inner, name);
      used += put(pen, paint, item.role, left, y + used, inner, role);
      return used + put(pen, paint, item.text, left, y + used + 2, inner, text) + 2;
    });
    y += Math.max(radius * 2, ...heights) + 18 * scale;
  }
  return y - box.y - 18 * scale;
};

const timeline: Layout<'timeline'> = (pen, block, box, scale, paint) => {
  const width = box.width / block.items.length;
  const when: TextStyle = { size: 15 * scale, bold: true, color: pen.theme.accent };
  const what: TextStyle = { size: 13.5 * scale };
  if (paint) pen.line(box.x + 6, box.y + 8, box.x + box.width - 12, box.y + 8, pen.theme.muted, 2);
  const heights = block.items.map((item, index) => {
    const x = box.x + index * width;
    if (paint) {
      pen.disc(x + 8, box.y + 8, 8, pen.theme.accent);
      pen.disc(x + 8, box.y + 8, 4, pen.theme.background);
    }
    const used = put(pen, paint, item.when, x, box.y + 26, width - 14, when);
    return used + put(pen, paint, item.what, x, box.y + 30 + used, width - 14, what) + 30;
  });
  return Math.max(...heights);
};

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

const table: Layout<'table'> = (pen, block, box, scale, paint) => {
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
        x += width;
      }
      pen.line(box.x, y + height, box.x + box.width, y + height, pen.theme.muted, 0.4);
    }
    y += height;
  });
  return y - box.y;
};

const quote: Layout<'quote'> = (pen, block, box, scale, paint) => {
  const inner = box.width - 40;
  const words = pen.language === 'de' ? `„${block.text}“` : `“${block.text}”`;
  let used = put(pen, paint, words, box.x + 24, box.y + 14, inner, {
    size: 17 * scale,
    color: pen.theme.ink,
  });
  used += put(pen, paint, block.by, box.x + 24, box.y + 22 + used, inner, { size: 13 * scale, color: pen.theme.muted });
  if (paint) pen.fill({ x: box.x, y: box.y + 8, width: 5, height: used + 22 }, pen.theme.second);
  return used + 36;
};

const callout: Layout<'callout'> = (pen, block, box, scale, paint) => {
  const style: TextStyle = { size: 18 * scale, bold: true, color: '#ffffff' };
  const height = pen.heightOf(block.text, box.width - 40, style) + 28;
  if (paint) {
    pen.fill({ ...box, height }, pen.theme.accent, 8);
    pen.text(block.text, box.x + 20, box.y + 14, box.width - 40, style);
  }
  return height;
};

/** Height of a block that has one of its own, drawn when `paint`; undefined for a chart. */
function layOut(pen: Pen, block: Block, box: Box, scale: number, paint: boolean): number | undefined {
  switch (block.type) {
    case 'paragraph':
      return put(pen, paint, block.text, box.x, box.y, box.width, { size: BODY_SIZE * scale });
    case 'heading':
      return put(pen, paint, block.text, box.x, box.y, box.width, {
        size: 18 * scale,
        bold: true,
        color: pen.theme.second,
      });
    case 'note':
      return put(pen, paint, block.text, box.x, box.y, box.width, { size: 11.5 * scale, color: pen.theme.muted });
    case 'bullets':
      return bullets(pen, block, box, scale, paint);
    case 'stats':
      return stats(pen, block, box, scale, paint);
    case 'cards':
      return cards(pen, block, box, scale, paint);
    case 'people':
      return people(pen, block, box, scale, paint);
    case 'timeline':
      return timeline(pen, block, box, scale, paint);
    case 'quote':
      return quote(pen, block, box, scale, paint);
    case 'callout':
      return callout(pen, block, box, scale, paint);
    case 'table':
      return table(pen, block, box, scale, paint);
    case 'bars':
    case 'lines':
    case 'donut':
      return undefined;
  }
}

/** Draws blocks below one another; charts share the height that is left. */
export function drawColumn(pen: Pen, blocks: readonly Block[], box: Box): void {
  for (let scale = 1.48; scale > 0.5; scale -= 0.04) {
    const heights = blocks.map((block) => layOut(pen, block, box, scale, false));
    const charts = heights.filter((height) => height === undefined).length;
    const fixed = heights.reduce<number>((sum, height) => sum + (height ?? 0), 0) + GAP * (blocks.length - 1);
    const left = box.height - fixed;
    if (left < charts * 150) continue;
    let y = box.y;
    const gap = charts > 0 ? GAP : GAP + Math.min(24, left / (blocks.length + 1));
    blocks.forEach((block, index) => {
      const height = heights[index] ?? left / charts;
      const place = { ...box, y, height };
      if (block.type === 'bars' || block.type === 'lines' || block.type === 'donut') drawChart(pen, block, place);
      else layOut(pen, block, place, scale, true);
      y += height + gap;
    });
    return;
  }
  throw new RangeError(`a column of ${blocks.length} blocks does not fit: ${JSON.stringify(blocks[0]).slice(0, 80)}`);
}
