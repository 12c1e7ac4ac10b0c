/**
 * A page without the words that try to steer a score. Such words are reported, and the page is laid out as it would be without them: they are
 * part of no prompt and no evidence, and they displace nothing.
 */
import { findAttempts, isSteering, otherControlWords, shortened } from '../evidence/steering.ts';
import { layOutWithout } from './layout.ts';
import type { PageLayout } from './page.ts';
import { linesOf, placeOf, sentencesOf, type Piece } from './pieces.ts';

/** A page, and what of it tries to steer a score. */
interface CleanPage {
  /** Without the words that steer. */
  readonly layout: PageLayout;
  /** The steering texts, hidden words and control words of models included, as they stand on the page. */
  readonly steering: readonly string[];
}

/** Takes the words off a page that try to steer a score. */
export function withoutSteering(layout: PageLayout): CleanPage {
  const hidden = layout.hidden.map(({ text }) => text).filter((text) => isSteering([text]));
  const sentences = sentencesOf(layout);
  // In the order in which a page is read, and row by row: an attempt may be spread over boxes.
  const found = [...attemptsIn(sentences), ...attemptsIn(byRow(layout, sentences))];
  const texts = found.map((attempt) => attempt.map(({ text }) => text).join(' '));
  const attempts = [...new Set([...texts, ...hidden].map(shortened))];
  const everywhere = [...linesOf(layout), ...layout.hidden].map(({ text }) => text);
  const steering = [...otherControlWords(everywhere, attempts), ...attempts];
  if (found.length === 0) return { layout, steering };
  const steers = new Set(found.flat().flatMap(({ words }) => words));
  // What shares a line with an attempt belongs to it.
  const words = linesOf(layout).filter((line) => line.words.some((word) => steers.has(word)));
  return { layout: layOutWithout(layout, new Set(words.flatMap((line) => line.words))), steering };
}

const attemptsIn = (pieces: readonly Piece[]): (readonly Piece[])[] =>
  findAttempts(pieces.map((piece) => piece.text)).map(({ from, count }) => pieces.slice(from, from + count));

/** Pieces from top to bottom, those of one height from left to right. */
function byRow(layout: PageLayout, pieces: readonly Piece[]): Piece[] {
  const rowOf = (piece: Piece): number => Math.round(40 * placeOf(layout, piece)[1]);
  return pieces.toSorted((a, b) => rowOf(a) - rowOf(b) || placeOf(layout, a)[0] - placeOf(layout, b)[0]);
}
