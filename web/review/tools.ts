/** What every part of a review page can do, without being rendered again when something else of the page changes. */
import { createContext, useContext } from 'react';
import type { Judgement, VerdictSubject } from '../../domain/decks/verdicts/kinds.ts';
import type { NewVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import type { AnsweringLevel } from '../../domain/evidence/answering.ts';
import type { Store } from '../store.ts';

/** The place, quote and slide that are shown. A store has them, so that going to the next claim renders two rows and the slide, not the page. */
export interface Selection {
  /** Key of the place; null before one was chosen. */
  readonly stop: string | null;
  /** Index of its quote. */
  readonly quote: number;
  /** Number of the slide; the quote is lit where it is the quote's. */
  readonly slide: number;
}

/** The tools of one page. They stay the same as long as the page shows the same review. */
export interface ReviewTools {
  readonly deckId: string;
  readonly analysisId: string;
  /** Level from which on a quote answers its question. */
  readonly level: AnsweringLevel;
  readonly selection: Store<Selection>;
  /** Shows a place: its slide, with one of its quotes lit. */
  readonly select: (key: string, quote?: number) => void;
  /** What a place is called, in the language in use; empty for one that is not there. */
  readonly labelOf: (key: string) => string;
  /** Shows a slide; the place stays. */
  readonly showSlide: (slide: number) => void;
  /** True while the page shows only what the deck says: without scores, answers in the words of a model, and judgements. */
  readonly onlyDeck: Store<boolean>;
  /** Place, or `slide/<number>`, at which a new note is written; null while there is none. */
  readonly openNote: Store<string | null>;
  /** Says something about the deck, at once on the page; it is taken back when it could not be stored. */
  readonly say: (verdict: NewVerdict) => void;
  /** Judges what the machine says there; the same judgement again takes it back. Nothing happens where it says nothing. */
  readonly judge: (subject: VerdictSubject, judgement: Judgement) => void;
  /** The last judgement in words, for people who do not see it; empty before the first. */
  readonly announced: Store<string>;
}

export const ReviewToolsContext = createContext<ReviewTools | null>(null);

/** The tools of the page around a component. */
export function useReviewTools(): ReviewTools {
  const tools = useContext(ReviewToolsContext);
  if (tools === null) throw new Error('a part of the review is used outside of its page');
  return tools;
}
