/**
 * Cards of persons: portraits with names, roles below or beside, in one row, in a grid, or below one another.
 */
import { type Layout, put } from '../block-layout.ts';
import type { Pen, TextStyle } from '../pen.ts';

const GAP = 20;
/** Least width of the words of a card that hold a name and a role beside one another. */
const MIN_BESIDE = 260;

/** Head and shoulders. */
function portraitAt(pen: Pen, form: 'round' | 'square', x: number, y: number, size: number): void {
  const middle = x + size / 2;
  if (form === 'round') pen.disc(middle, y + size / 2, size / 2, pen.theme.panel);
  else pen.fill({ x, y, width: size, height: size }, pen.theme.panel, 6);
  pen.disc(middle, y + size * 0.4, size * 0.18, pen.theme.muted);
  pen.fill(
    { x: middle - size * 0.26, y: y + size * 0.62, width: size * 0.52, height: size * 0.26 },
    pen.theme.muted,
    8,
  );
}

function perRowOf(form: 'row' | 'grid' | 'list', count: number): number {
  switch (form) {
    case 'row':
      return Math.min(count, 5);
    case 'grid':
      return Math.max(2, Math.ceil(count / 2));
    case 'list':
      return 1;
  }
}

/** Persons with portraits. In a list the portrait stands at the left of the words, else above them. */
export const persons: Layout<'persons'> = (pen, block, box, scale, paint) => {
  const { form, role, portrait, items } = block;
  const perRow = perRowOf(form, items.length);
  const width = (box.width - (perRow - 1) * GAP) / perRow;
  const isList = form === 'list';
  const size = portrait === 'none' ? 0 : isList ? 46 * scale : Math.min((form === 'grid' ? 54 : 76) * scale, width);
  const left = isList && size > 0 ? size + 16 : 0;
  const name: TextStyle = { size: 16 * scale, bold: true };
  const roleStyle: TextStyle = { size: 13 * scale, color: pen.theme.accent };
  const about: TextStyle = { size: 12.5 * scale, color: pen.theme.muted };
  const inner = width - left;
  // A role beside the name stands in the same line, where the card is wide enough for both.
  const half = Math.min(inner * 0.45, 220);
  const isBeside = role === 'beside' && inner >= MIN_BESIDE;
  let y = box.y;
  for (let start = 0; start < items.length; start += perRow) {
    const heights = items.slice(start, start + perRow).map((item, index) => {
      const x = box.x + index * (width + GAP);
      const words = x + left;
      const top = isList || size === 0 ? y : y + size + 10;
      if (paint && portrait !== 'none') portraitAt(pen, portrait, x, y, size);
      let used = put(pen, paint, item.name, words, top, isBeside ? half : inner, name);
      if (item.role !== '') {
        if (isBeside) {
          const beside = put(pen, paint, item.role, words + half + 12, top + 2, inner - half - 12, roleStyle);
          used = Math.max(used, beside + 2);
        } else used += put(pen, paint, item.role, words, top + used, inner, roleStyle);
      }
      if (item.text !== '') used += put(pen, paint, item.text, words, top + used + 3, inner, about) + 3;
      const height = isList ? Math.max(size, used) : top + used - y;
      if (paint) pen.entry(item.name, { x, y, width, height });
      return height;
    });
    // A word is wider than its place: the column is set again in smaller type.
    if (heights.includes(Infinity)) return Infinity;
    y += Math.max(...heights) + GAP;
  }
  return y - box.y - GAP;
};
