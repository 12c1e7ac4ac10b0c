/**
 * Charts drawn as vectors: grouped bars, lines and donuts, with titles, axes, values and legends as real text.
 */
import type { Box, Pen } from './pen.ts';
import type { Block, ChartSeries } from './spec.ts';

type ChartBlock = Extract<Block, { type: 'bars' | 'lines' | 'donut' }>;

/** The rounded value at the top of an axis that must hold `largest`. */
function axisTop(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1e-9)));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= largest * 1.02);
  return (step ?? 10) * power;
}

function colors(pen: Pen): readonly string[] {
  return [pen.theme.accent, pen.theme.second, pen.theme.muted, '#d9a441', '#7a9e7e', '#a06cd5'];
}

/** The colour of the nth part of a chart. */
export function colorAt(pen: Pen, index: number): string {
  const palette = colors(pen);
  return palette[index % palette.length] ?? pen.theme.accent;
}

/** Writes the values of a chart with the same number of decimals, in the deck's language. */
function writer(pen: Pen, block: Extract<ChartBlock, { type: 'bars' | 'lines' }>): (value: number) => string {
  const whole = block.series.every((one) => one.values.every((value) => Number.isInteger(value)));
  const [point, thousands] = pen.language === 'de' ? [',', '.'] : ['.', ','];
  return (value) => {
    const [digits = '', decimals] = value.toFixed(whole ? 0 : 1).split('.');
    const grouped = digits.replace(/\B(?=(\d{3})+$)/g, thousands);
    return `${grouped}${decimals === undefined ? '' : point + decimals}${block.unit ?? ''}`;
  };
}

function legend(pen: Pen, series: readonly ChartSeries[], box: Box): void {
  if (series.length < 2) return;
  let x = box.x;
  series.forEach((one, index) => {
    pen.fill({ x, y: box.y + 2, width: 10, height: 10 }, colorAt(pen, index), 2);
    pen.oneLine(one.name, x + 15, box.y, 220, { size: 11.5, color: pen.theme.muted });
    x += 30 + Math.min(220, pen.widthOf(one.name, { size: 11.5 }));
  });
}

/** Title, grid and category labels; returns the box of the plot and the value at its top. */
function frame(pen: Pen, block: Extract<ChartBlock, { type: 'bars' | 'lines' }>, box: Box): { plot: Box; top: number } {
  pen.oneLine(block.title, box.x, box.y, box.width, { size: 14, bold: true });
  legend(pen, block.series, { ...box, y: box.y + 22 });
  const head = block.series.length > 1 ? 44 : 28;
  const plot = { x: box.x + 8, y: box.y + head + 14, width: box.width - 16, height: box.height - head - 40 };
  const top = axisTop(Math.max(...block.series.flatMap((one) => one.values)));
  for (let step = 0; step <= 4; step += 1) {
    const y = plot.y + (plot.height * step) / 4;
    pen.line(plot.x, y, plot.x + plot.width, y, step === 4 ? pen.theme.muted : pen.theme.panel, step === 4 ? 1.2 : 1);
  }
  const slot = plot.width / block.categories.length;
  block.categories.forEach((category, index) => {
    pen.oneLine(category, plot.x + index * slot + 2, plot.y + plot.height + 7, slot - 4, {
      size: 11.5,
      color: pen.theme.muted,
      align: 'center',
    });
  });
  return { plot, top };
}

function drawBars(pen: Pen, block: Extract<ChartBlock, { type: 'bars' }>, box: Box): void {
  const { plot, top } = frame(pen, block, box);
  const shown = writer(pen, block);
  const slot = plot.width / block.categories.length;
  const width = Math.min(64, (slot * 0.72) / block.series.length);
  block.series.forEach((one, row) => {
    one.values.forEach((value, index) => {
      const height = (plot.height * value) / top;
      const x = plot.x + index * slot + (slot - width * block.series.length) / 2 + row * width;
      pen.fill({ x: x + 1, y: plot.y + plot.height - height, width: width - 2, height }, colorAt(pen, row));
      pen.oneLine(shown(value), x - 8, plot.y + plot.height - height - 15, width + 16, {
        size: 11.5,
        bold: true,
        align: 'center',
      });
    });
  });
}

function drawLines(pen: Pen, block: Extract<ChartBlock, { type: 'lines' }>, box: Box): void {
  const { plot, top } = frame(pen, block, box);
  const shown = writer(pen, block);
  const slot = plot.width / block.categories.length;
  block.series.forEach((one, row) => {
    const color = colorAt(pen, row);
    const points = one.values.map((value, index) => ({
      x: plot.x + (index + 0.5) * slot,
      y: plot.y + plot.height * (1 - value / top),
      value,
    }));
    points.forEach((point, index) => {
      if (index === 0) pen.doc.moveTo(point.x, point.y);
      else pen.doc.lineTo(point.x, point.y);
    });
    pen.doc.lineWidth(2.6).stroke(color);
    for (const [index, point] of points.entries()) {
      pen.disc(point.x, point.y, 4, color);
      // Of several lines, the lowest carries its values below, so that neighbours do not cover each other.
      const lowest =
        block.series.length > 1 &&
        block.series.every((other) => (other.values.at(-1) ?? 0) >= (one.values.at(-1) ?? 0));
      if (index === 0 && lowest) continue;
      pen.oneLine(shown(point.value), point.x - 34, point.y + (lowest ? 8 : -20), 68, {
        size: 11.5,
        bold: true,
        align: 'center',
      });
    }
  });
}

function drawDonut(pen: Pen, block: Extract<ChartBlock, { type: 'donut' }>, box: Box): void {
  pen.oneLine(block.title, box.x, box.y, box.width, { size: 14, bold: true });
  const total = block.points.reduce((sum, point) => sum + point.value, 0);
  const radius = Math.min(box.height - 40, box.width * 0.42) / 2;
  const x = box.x + radius + 4;
  const y = box.y + 30 + (box.height - 34) / 2;
  let angle = -Math.PI / 2;
  block.points.forEach((point, index) => {
    const end = angle + (2 * Math.PI * point.value) / total;
    pen.doc.moveTo(x, y).lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    // Short straight steps: exact enough to the eye, and the same numbers on every machine.
    for (let at = angle; at < end; at += 0.05) pen.doc.lineTo(x + radius * Math.cos(at), y + radius * Math.sin(at));
    pen.doc.lineTo(x + radius * Math.cos(end), y + radius * Math.sin(end)).closePath();
    pen.doc.fill(colorAt(pen, index));
    angle = end;
  });
  pen.disc(x, y, radius * 0.56, pen.theme.background);
  const step = Math.min(40, (box.height - 40) / block.points.length);
  const left = box.x + radius * 2 + 28;
  block.points.forEach((point, index) => {
    const rowY = y - (step * block.points.length) / 2 + index * step;
    pen.fill({ x: left, y: rowY + 3, width: 11, height: 11 }, colorAt(pen, index), 2);
    const text = `${point.shown ?? point.value} ${point.label}`;
    pen.oneLine(text, left + 19, rowY, box.x + box.width - left - 19, { size: 14 });
    pen.entry(point.label, { x: left, y: rowY, width: box.x + box.width - left, height: 18 });
  });
}

/** Draws a chart into a box. */
export function drawChart(pen: Pen, block: ChartBlock, box: Box): void {
  if (block.type === 'bars') drawBars(pen, block, box);
  else if (block.type === 'lines') drawLines(pen, block, box);
  else drawDonut(pen, block, box);
}
