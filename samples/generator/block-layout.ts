/**
 * Drawing of blocks of words: the parts that all kinds have in common.
 */
import type { Box, Pen, TextStyle } from './pen.ts';
import type { Block } from './spec.ts';

/** Size of running text in points, before a column is scaled. */
export const BODY_SIZE = 17;

/** A block of one type. */
export type Sized<T extends Block['type']> = Extract<Block, { type: T }>;

/** Draws a text block, or only measures it when `paint` is false. Returns the height. */
export type Layout<T extends Block['type']> = (
  pen: Pen,
  block: Sized<T>,
  box: Box,
  scale: number,
  paint: boolean,
) => number;

/** Sets a text, or only measures it. Returns the height. */
export function put(
  pen: Pen,
  paint: boolean,
  text: string,
  x: number,
  y: number,
  width: number,
  style: TextStyle,
): number {
  return paint ? pen.text(text, x, y, width, style) : pen.heightOf(text, width, style);
}

/** One line of a stack, with the style it is set in. */
export interface StackedLine extends TextStyle {
  readonly text: string;
}

/** Sets lines below one another, each on one line within the width, centred on a point. Returns their box. */
export function stackAround(pen: Pen, lines: readonly StackedLine[], x: number, y: number, width: number): Box {
  const step = (line: StackedLine): number => line.size * 1.25;
  const height = lines.reduce((sum, line) => sum + step(line), 0);
  let top = y - height / 2;
  for (const { text, ...style } of lines) {
    pen.oneLine(text, x - width / 2, top, width, { ...style, align: 'center' });
    top += style.size * 1.25;
  }
  return { x: x - width / 2, y: y - height / 2, width, height };
}
