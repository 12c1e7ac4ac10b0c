/**
 * Price cards: plans beside one another, each with its price and what it holds.
 */
import { type Layout, put } from '../block-layout.ts';
import type { TextStyle } from '../pen.ts';

const GAP = 18;
const PADDING = 18;

/** Plans as cards; one may have a badge. */
export const plans: Layout<'plans'> = (pen, block, box, scale, paint) => {
  const { items, first } = block;
  const width = (box.width - (items.length - 1) * GAP) / items.length;
  const inner = width - 2 * PADDING;
  const name: TextStyle = { size: 16 * scale, bold: true, color: pen.theme.accent };
  const price: TextStyle = { size: 27 * scale, bold: true };
  const small: TextStyle = { size: 12.5 * scale, color: pen.theme.muted };
  const feature: TextStyle = { size: 13.5 * scale };
  const hasBadges = items.some(({ badge }) => badge !== undefined);
  const top = box.y + (hasBadges ? 26 * scale : 0);
  const drawn = (painted: boolean, height: number): number[] =>
    items.map((item, index) => {
      const x = box.x + index * (width + GAP);
      if (painted) {
        pen.fill({ x, y: top, width, height }, pen.theme.panel, 8);
        if (item.badge !== undefined) {
          pen.fill({ x, y: top - 24 * scale, width, height: 30 * scale }, pen.theme.second, 6);
          const style: TextStyle = { size: 11.5 * scale, bold: true, color: '#ffffff', align: 'center' };
          pen.oneLine(item.badge, x + 8, top - 20 * scale, width - 16, style);
          pen.fill({ x, y: top, width, height: 12 }, pen.theme.panel);
        }
      }
      let y = top + PADDING;
      const say = (text: string, style: TextStyle, after = 4): void => {
        y += put(pen, painted, text, x + PADDING, y, inner, style) + after * scale;
      };
      if (first === 'name') say(item.name, name);
      say(item.price, price, 0);
      say(item.per, small, 8);
      if (first === 'price') say(item.name, name, 8);
      for (const text of item.features) say(text, feature);
      if (painted) pen.entry(item.name, { x, y: top, width, height });
      return y - top + PADDING;
    });
  const height = Math.max(...drawn(false, 0));
  if (paint) drawn(true, height);
  return top - box.y + height;
};
