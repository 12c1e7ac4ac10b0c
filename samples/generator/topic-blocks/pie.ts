/**
 * Pies and rings with a legend at their side or below, in which a name and its share stand together in several ways.
 */
import type { Sized } from '../block-layout.ts';
import type { Box, Pen } from '../pen.ts';
import { colorAt } from '../charts.ts';

type Pie = Sized<'pie'>;

/** Legend beside the pie: a row for each point. Below it: the points side by side. */
function drawLegend(pen: Pen, block: Pie, box: Box): void {
  const { points, legend, entry } = block;
  const isBelow = legend === 'below';
  const perRow = isBelow ? Math.min(points.length, 3) : 1;
  const rows = Math.ceil(points.length / perRow);
  const width = box.width / perRow;
  const step = Math.min(entry === 'two_lines' ? 58 : 44, box.height / rows);
  const top = isBelow ? box.y : box.y + (box.height - step * rows) / 2;
  points.forEach((point, index) => {
    const x = box.x + (index % perRow) * width;
    const y = top + Math.floor(index / perRow) * step;
    const inner = width - 32;
    pen.fill({ x, y: y + 3, width: 12, height: 12 }, colorAt(pen, index), 2);
    const amount = point.amount === undefined ? '' : ` (${point.amount})`;
    const style = { size: 15 };
    const strong = { size: 15, bold: true };
    switch (entry) {
      case 'share_first':
        pen.oneLine(`${point.shown} ${point.name}${amount}`, x + 22, y, inner, style);
        break;
      case 'name_first':
        pen.oneLine(`${point.name}${amount}: ${point.shown}`, x + 22, y, inner, style);
        break;
      case 'two_columns':
        pen.oneLine(`${point.name}${amount}`, x + 22, y, inner - 62, style);
        pen.oneLine(point.shown, x + 22 + inner - 58, y, 52, { ...strong, align: 'right' });
        break;
      case 'two_lines':
        pen.oneLine(point.shown, x + 22, y, inner, { ...strong, size: 18, color: pen.theme.accent });
        pen.oneLine(`${point.name}${amount}`, x + 22, y + 22, inner, { size: 13.5 });
        break;
      case 'in_slices':
        pen.oneLine(`${point.name}${amount}`, x + 22, y, inner, style);
    }
    pen.entry(point.name, { x, y, width: width - 10, height: entry === 'two_lines' ? 42 : 20 });
  });
}

function drawSlices(pen: Pen, { points, isHollow, entry }: Pie, x: number, y: number, radius: number): void {
  const total = points.reduce((sum, { share }) => sum + share, 0);
  let angle = -Math.PI / 2;
  points.forEach(({ share }, index) => {
    const end = angle + (2 * Math.PI * share) / total;
    pen.doc.moveTo(x, y);
    // Short straight steps: the same numbers on every machine.
    for (let at = angle; at < end; at += 0.05) pen.doc.lineTo(x + radius * Math.cos(at), y + radius * Math.sin(at));
    pen.doc.lineTo(x + radius * Math.cos(end), y + radius * Math.sin(end)).closePath();
    pen.doc.fill(colorAt(pen, index));
    angle = end;
  });
  if (isHollow) pen.disc(x, y, radius * 0.5, pen.theme.background);
  if (entry !== 'in_slices') return;
  let from = -Math.PI / 2;
  for (const { share, shown } of points) {
    const half = (Math.PI * share) / total;
    const middle = from + half;
    const distance = radius * 0.74;
    pen.oneLine(shown, x + distance * Math.cos(middle) - 24, y + distance * Math.sin(middle) - 8, 48, {
      size: 14,
      bold: true,
      color: '#ffffff',
      align: 'center',
    });
    from += 2 * half;
  }
}

/** Draws a pie with its legend into a box. */
export function drawPie(pen: Pen, block: Pie, box: Box): void {
  pen.oneLine(block.title, box.x, box.y, box.width, { size: 14, bold: true });
  const free = { ...box, y: box.y + 28, height: box.height - 28 };
  if (block.legend === 'below') {
    const rows = Math.ceil(block.points.length / 3);
    const below = rows * (block.entry === 'two_lines' ? 50 : 30);
    const radius = Math.min((free.height - below - 12) / 2, free.width / 2);
    drawSlices(pen, block, free.x + free.width / 2, free.y + radius, radius);
    drawLegend(pen, block, { ...free, y: free.y + 2 * radius + 12, height: below });
    return;
  }
  const radius = Math.min(free.height / 2, free.width * 0.22);
  const words = Math.min(free.width - 2 * radius - 40, 380);
  const isLeft = block.legend === 'left';
  const x = isLeft ? free.x + words + 40 + radius : free.x + radius;
  drawSlices(pen, block, x, free.y + free.height / 2, radius);
  drawLegend(pen, block, { ...free, x: isLeft ? free.x : free.x + 2 * radius + 40, width: words });
}
