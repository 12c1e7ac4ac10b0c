/**
 * Text on a terminal: colours, widths in columns, cutting, wrapping and bars. Every renderer of `cli/` takes a `TerminalStyle` and returns text.
 */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { withoutControls } from '../../domain/text/plain-text.ts';

/** What the output can show. */
export interface TerminalStyle {
  readonly colours: boolean;
  /** Columns; infinite where lines are never cut. */
  readonly width: number;
}

/** A format of `util.styleText`, or several. */
export type TextFormat = Parameters<typeof styleText>[0];

/** Standard output, as far as its style depends on it. */
type Output = Pick<typeof process.stdout, 'isTTY' | 'columns' | 'hasColors'>;

/**
 * The style of standard output.
 *
 * @param pipeWidth columns of an output that is not a terminal: infinite by default
 */
export function styleOfStdout(
  pipeWidth: number = Number.POSITIVE_INFINITY,
  stdout: Output = process.stdout,
): TerminalStyle {
  // `hasColors` honours NO_COLOR, FORCE_COLOR and terminals without colours.
  return stdout.isTTY ? { colours: stdout.hasColors(), width: stdout.columns } : { colours: false, width: pipeWidth };
}

/** The text in a format; unchanged where the output has no colours. */
export function paint(text: string, format: TextFormat, { colours }: TerminalStyle): string {
  return colours && text !== '' ? styleText(format, text, { validateStream: false }) : text;
}

/** `paint` for one style: `const { bold, dim } = painter(style)`. */
export function painter(style: TerminalStyle) {
  return {
    bold: (text: string): string => paint(text, 'bold', style),
    dim: (text: string): string => paint(text, 'dim', style),
    as: (format: TextFormat, text: string): string => paint(text, format, style),
  };
}

/** One line without control characters, which would steer the terminal: for file names, quoted errors and notes. */
export const clean = (text: string): string => withoutControls(text).trim();

/** Columns that a text takes: wide characters count two, colours and combining marks none. */
export const widthOf = (text: string): number => stringWidth(text);

/** A text filled with blanks to so many columns, on the right or, for figures, on the left. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'right' ? text + blanks : blanks + text;
}

/** At most so many columns of a plain text, with an ellipsis where something was cut off. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let shown = '';
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += widthOf(segment);
    if (columns > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** Breaks a text at blanks into lines of at most so many columns; a longer word stays whole. Colours go on in the next line. */
export const wrap = (text: string, width: number): string[] =>
  wrapAnsi(text.replaceAll(/\s+/gu, ' '), width).split('\n');

/** `█████░░░░░`: a share from 0 to 1 of so many cells. */
export function bar(share: number, cells: number): string {
  const filled = Math.min(cells, Math.max(0, Math.round(share * cells)));
  return '█'.repeat(filled) + '░'.repeat(cells - filled);
}

/** `2026-03-29 06:00` of an ISO time, in UTC. */
export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ');
