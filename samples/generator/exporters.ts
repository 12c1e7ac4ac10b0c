/**
 * In which order, and in which pieces, programs write the text of a page. What is seen is the same; what a reader of the file gets is not.
 */
import type { Random } from './random.ts';

/** One line of text at its place. */
export interface PlacedLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
  readonly color: string;
  /** Points between two letters beside their own widths. */
  readonly spacing: number;
  /** Lines of one text stay together unless the program writes in rows. */
  readonly group: number;
  readonly role: 'heading' | 'footer' | 'body';
}

interface Habit {
  /** `reversed`: what was placed last comes first. `rows`: line by line across the page, whatever belongs together. */
  readonly order: 'placed' | 'reversed' | 'shuffled' | 'rows';
  /** What is written as one string; words and letters come without blanks between them. */
  readonly pieces: 'line' | 'word' | 'letter';
  readonly first?: PlacedLine['role'];
  readonly last?: PlacedLine['role'];
}

/** Habits of programs from which decks are exported. */
export const EXPORTERS = {
  powerpoint: { order: 'placed', pieces: 'line', last: 'heading' },
  google_slides: { order: 'reversed', pieces: 'word', last: 'footer' },
  canva: { order: 'shuffled', pieces: 'letter' },
  marp: { order: 'placed', pieces: 'line', first: 'footer' },
  chrome: { order: 'rows', pieces: 'word' },
} as const satisfies Record<string, Habit>;

/** A program from which decks are exported. */
export type Exporter = keyof typeof EXPORTERS;

/** Lines closer than this stand in one row. */
const ROW_HEIGHT = 9;

/** The lines of a page in the order in which the program writes them. */
export function writtenOrder(lines: readonly PlacedLine[], exporter: Exporter, random: Random): PlacedLine[] {
  const habit: Habit = EXPORTERS[exporter];
  const groups = [...Map.groupBy(lines, ({ group }) => group).values()];
  const ordered = ((): PlacedLine[] => {
    switch (habit.order) {
      case 'placed':
        return groups.flat();
      case 'reversed':
        return groups.toReversed().flat();
      case 'shuffled':
        return random.shuffle(groups).flat();
      case 'rows':
        return lines.toSorted((a, b) => Math.round(a.y / ROW_HEIGHT) - Math.round(b.y / ROW_HEIGHT) || a.x - b.x);
    }
  })();
  const rank = ({ role }: PlacedLine): number => (role === habit.first ? 0 : role === habit.last ? 2 : 1);
  return ordered.toSorted((a, b) => rank(a) - rank(b));
}

/** The strings of which a program writes a line, with the place of each in the line. */
export function piecesOf(text: string, exporter: Exporter | null): { readonly text: string; readonly at: number }[] {
  const pieces = exporter === null ? 'line' : EXPORTERS[exporter].pieces;
  if (pieces === 'line') return [{ text, at: 0 }];
  const pattern = pieces === 'word' ? /\S+/gu : /\S/gu;
  return [...text.matchAll(pattern)].map((match) => ({ text: match[0], at: match.index }));
}
