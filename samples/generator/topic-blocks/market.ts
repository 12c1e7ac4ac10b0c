/**
 * Figures of market size: circles in one another, circles side by side, or bars, with their words inside or beside.
 */
import { type Sized, stackAround, type StackedLine } from '../block-layout.ts';
import type { Box, Pen } from '../pen.ts';

type Market = Sized<'market'>;
type Item = Market['items'][number];

interface Colors {
  readonly fill: string;
  readonly ink: string;
}

function colorsAt({ theme }: Pen, index: number): Colors {
  const colors: readonly Colors[] = [
    { fill: theme.panel, ink: theme.ink },
    { fill: theme.second, ink: '#ffffff' },
    { fill: theme.accent, ink: '#ffffff' },
  ];
  return colors[index % colors.length] ?? { fill: theme.accent, ink: '#ffffff' };
}

/** Name and figure in the order of the block. */
function wordsOf({ first }: Market, { name, figure }: Item, size: number, color: string): StackedLine[] {
  const lines = [
    { text: name, size: first === 'name' ? size * 0.8 : size * 0.6, bold: first === 'name', color },
    { text: figure, size: first === 'name' ? size * 0.8 : size, bold: true, color },
  ];
  return first === 'name' ? lines : lines.toReversed();
}

const RINGS = [1, 0.68, 0.38];

function drawNested(pen: Pen, block: Market, box: Box): void {
  const radius = box.height / 2;
  const x = box.x + radius + (block.words === 'inside' ? (box.width - 2 * radius) / 2 : 0);
  const bottom = box.y + box.height;
  const rings = block.items.map((item, index) => ({ item, radius: radius * (RINGS[index] ?? 0.3) }));
  rings.forEach((ring, index) => {
    pen.disc(x, bottom - ring.radius, ring.radius, colorsAt(pen, index).fill);
  });
  rings.forEach((ring, index) => {
    const inner = rings[index + 1];
    // The middle of what is seen of the circle.
    const height = 2 * (ring.radius - (inner?.radius ?? 0));
    const y = bottom - 2 * ring.radius + height / 2;
    if (block.words === 'inside') {
      const chord = Math.sqrt(Math.max(0, ring.radius ** 2 - (bottom - ring.radius - y) ** 2)) * 1.7;
      const lines = wordsOf(block, ring.item, Math.min(24, height / 2.6), colorsAt(pen, index).ink);
      pen.entry(ring.item.name, stackAround(pen, lines, x, y, chord));
      return;
    }
    const left = x + radius + 36;
    const top = box.y + (index * box.height) / rings.length;
    pen.line(x, y, left - 8, top + 22, pen.theme.muted, 0.8);
    pen.entry(ring.item.name, besideAt(pen, block, ring.item, { x: left, y: top, width: box.x + box.width - left }));
  });
}

/** Words beside a shape, aligned on the left. Returns their box. */
function besideAt(pen: Pen, block: Market, item: Item, { x, y, width }: Omit<Box, 'height'>): Box {
  let top = y + 4;
  for (const { text, ...style } of wordsOf(block, item, 26, pen.theme.ink)) {
    pen.oneLine(text, x, top, width, style);
    top += style.size * 1.3;
  }
  pen.oneLine(item.note, x, top, width, { size: 13, color: pen.theme.muted });
  return { x, y, width, height: top + 18 - y };
}

function drawRow(pen: Pen, block: Market, box: Box): void {
  const slot = box.width / block.items.length;
  const largest = Math.min(slot / 2 - 10, (box.height - 40) / 2);
  block.items.forEach((item, index) => {
    const radius = largest * (block.words === 'inside' ? 1 : ([1, 0.82, 0.66][index] ?? 0.6));
    const x = box.x + (index + 0.5) * slot;
    const y = box.y + largest;
    const { fill, ink } = colorsAt(pen, index);
    pen.disc(x, y, radius, fill);
    stackAround(pen, wordsOf(block, item, Math.min(26, radius / 3), ink), x, y, radius * 1.6);
    pen.oneLine(item.note, x - slot / 2 + 6, box.y + 2 * largest + 10, slot - 12, {
      size: 13,
      color: pen.theme.muted,
      align: 'center',
    });
    pen.entry(item.name, { x: x - slot / 2, y: box.y, width: slot, height: 2 * largest + 30 });
  });
}

function drawBars(pen: Pen, block: Market, box: Box): void {
  const step = box.height / block.items.length;
  block.items.forEach((item, index) => {
    const { fill, ink } = colorsAt(pen, index);
    const y = box.y + index * step + 6;
    const height = Math.min(90, step - 16);
    const share = [1, 0.62, 0.3][index] ?? 0.25;
    const length = (block.words === 'inside' ? box.width : box.width * 0.5) * share;
    pen.fill({ x: box.x, y, width: length, height }, fill, 4);
    if (block.words === 'inside') {
      const inside = length - 24;
      const lines = wordsOf(block, item, Math.min(24, height / 3.4), ink);
      stackAround(pen, lines, box.x + length / 2, y + height / 2, inside);
      if (share < 1) {
        pen.oneLine(item.note, box.x + length + 14, y + height / 2 - 8, box.width - length - 14, {
          size: 13,
          color: pen.theme.muted,
        });
      }
    } else besideAt(pen, block, item, { x: box.x + box.width * 0.5 + 24, y, width: box.width * 0.5 - 24 });
    pen.entry(item.name, { x: box.x, y, width: box.width, height });
  });
}

/** Draws figures of market size into a box. */
export function drawMarket(pen: Pen, block: Market, box: Box): void {
  switch (block.form) {
    case 'nested':
      drawNested(pen, block, box);
      return;
    case 'row':
      drawRow(pen, block, box);
      return;
    case 'bars':
      drawBars(pen, block, box);
  }
}
