/**
 * What the drawing of all blocks of words has in common.
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
