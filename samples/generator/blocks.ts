/**
 * Blocks of words: paragraphs, lists, figures, cards, people, timelines, quotes and tables, and the stacking of blocks in a column.
 *
 * A block either has a natural height or, as a chart, takes what is left. A column that is too full is set again in smaller type; one that
 * does not fit at half size is a mistake in the content and throws.
 */
import { BODY_SIZE, type Layout, put } from './block-layout.ts';
import { drawChart } from './charts.ts';
import type { Box, Pen, TextStyle } from './pen.ts';
import type { Block } from './spec.ts';
import { comparison, table } from './tables.ts';
import { drawMarket } from './topic-blocks/market.ts';
import { drawMockUp } from './topic-blocks/mock-up.ts';
import { persons } from './topic-blocks/persons.ts';
import { drawPie } from './topic-blocks/pie.ts';
import { plans } from './topic-blocks/plans.ts';

const GAP = 18;

const bullets: Layout<'bullets'> = (pen, block, box, scale, paint) => {
  const size = BODY_SIZE * scale;
  let y = box.y;
  for (const item of block.items) {
    if (paint) pen.disc(box.x + 4, y + size * 0.58, size * 0.17, pen.theme.accent);
    const height = put(pen, paint, item, box.x + size * 1.1, y, box.width - size * 1.1, { size });
    if (paint) pen.entry(item, { x: box.x, y, width: box.width, height });
    y += height + size * 0.55;
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
    for (const words of [item.value, `${item.value} ${item.label}`]) pen.entry(words, { x, y: box.y, width, height });
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
      for (const words of [item.title, item.text]) pen.entry(words, { x, y, width, height });
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
      const height = used + put(pen, paint, item.text, left, y + used + 2, inner, text) + 2;
      if (paint) pen.entry(item.name, { x, y, width, height: Math.max(height, radius * 2) });
      return height;
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
    const height = used + put(pen, paint, item.what, x, box.y + 30 + used, width - 14, what) + 30;
    if (paint) pen.entry(item.what, { x, y: box.y, width: width - 14, height });
    return height;
  });
  return Math.max(...heights);
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
    pen.entry(block.text, { ...box, height });
  }
  return height;
};

/** Height of a block that has one of its own, drawn when `paint`; undefined for a chart. */
function layOut(pen: Pen, block: Block, box: Box, scale: number, paint: boolean): number | undefined {
  switch (block.type) {
    case 'paragraph': {
      const height = put(pen, paint, block.text, box.x, box.y, box.width, { size: BODY_SIZE * scale });
      if (paint) pen.entry(block.text, { ...box, height });
      return height;
    }
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
    case 'comparison':
      return comparison(pen, block, box, scale, paint);
    case 'persons':
      return persons(pen, block, box, scale, paint);
    case 'plans':
      return plans(pen, block, box, scale, paint);
    case 'bars':
    case 'lines':
    case 'donut':
    case 'market':
    case 'pie':
    case 'mock_up':
      return undefined;
  }
}

/** Draws a block that has no height of its own; false for another one. */
function fillBox(pen: Pen, block: Block, box: Box): boolean {
  switch (block.type) {
    case 'bars':
    case 'lines':
    case 'donut':
      drawChart(pen, block, box);
      return true;
    case 'market':
      drawMarket(pen, block, box);
      return true;
    case 'pie':
      drawPie(pen, block, box);
      return true;
    case 'mock_up':
      drawMockUp(pen, block, box);
      return true;
    default:
      return false;
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
      if (!fillBox(pen, block, place)) layOut(pen, block, place, scale, true);
      y += height + gap;
    });
    return;
  }
  throw new RangeError(`a column of ${blocks.length} blocks does not fit: ${JSON.stringify(blocks[0]).slice(0, 80)}`);
}
