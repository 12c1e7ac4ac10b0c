/** Lines of a document on paper: which piece is set how, and where a click on a slide leads. */
import type { DOCUMENT_WORDS, Document, Line, Span } from '../blocks.ts';
import { type Column, type Paper, type Piece, SOFT } from './paper.ts';

/** Size of the text. */
export const SIZE = 9.5;
export const COLOURS = { good: '#1a7f4b', medium: '#9a6700', weak: '#b3362b', none: SOFT } as const;

/** What every part needs. */
export interface Print {
  readonly paper: Paper;
  readonly words: (typeof DOCUMENT_WORDS)[Document['language']];
  /** JPEG pictures by slide number. */
  readonly images: ReadonlyMap<number, Uint8Array>;
  /** Slides with a card, to which references lead. */
  readonly cards: ReadonlySet<number>;
}

/** Name of the place of a slide's card. */
export const placeOf = (slide: number): string => `slide-${slide}`;

/** A span as pieces of text. */
function piecesOf({ words, cards }: Print, span: Span): Piece[] {
  if (typeof span === 'string') return [{ text: span }];
  if ('strong' in span) return [{ text: span.strong, font: 'bold' }];
  if ('soft' in span) return [{ text: span.soft, colour: SOFT }];
  if ('absent' in span) return [{ text: span.absent, font: 'italic', colour: SOFT }];
  if ('removed' in span) return [{ text: span.removed, strike: true }];
  if ('quote' in span) return [{ text: words.quoted(span.quote) }];
  if ('slides' in span) {
    return span.slides.flatMap((slide, index): Piece[] => [
      ...(index === 0 ? [] : [{ text: ', ' }]),
      { text: `${words.slide}\u00A0${slide}`, colour: SOFT, goTo: cards.has(slide) ? placeOf(slide) : null },
    ]);
  }
  if ('link' in span) return [{ text: span.link }];
  return [{ text: `(${span.mark})`, font: span.short === undefined ? 'regular' : 'bold', colour: COLOURS[span.tone] }];
}

/** A line as pieces of text. */
export const pieces = (print: Print, line: Line): Piece[] => line.flatMap((span) => piecesOf(print, span));

/** A line as plain text. */
export const textOf = (print: Print, line: Line): string =>
  pieces(print, line)
    .map(({ text }) => text)
    .join('');

/** A paragraph that begins where its first two lines fit. */
export function paragraph(print: Print, line: Line, column: Column, size = SIZE): void {
  const { paper } = print;
  paper.need(Math.min(paper.heightOf(textOf(print, line), size, column), 3 * size));
  paper.write(pieces(print, line), size, column);
  paper.space(2);
}
