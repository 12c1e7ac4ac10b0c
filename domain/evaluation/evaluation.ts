/**
 * The document of an evaluation: what a run found in each deck, judged by the labels, and the figures over all decks.
 */
import type { Language } from '../models/model-tasks.ts';
import { evaluateDeck, type DeckEvaluation, type EvaluatedDeck } from './deck-evaluation.ts';
import { figuresOf, type Figures } from './figures.ts';
import type { Labels } from './labels.ts';
import { makingOf, type CodeVersion, type Making } from './provenance.ts';

/** What a run is: when, of which folder, with what. */
export interface RunFacts {
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly folder: string;
  readonly labels: string;
  readonly models: string;
  readonly language: Language;
}

/** The whole document. */
export interface Evaluation {
  readonly run: RunFacts;
  readonly making: Making;
  readonly figures: Figures;
  readonly decks: readonly DeckEvaluation[];
  /** Names in the labels for which the folder has no PDF. */
  readonly labelsWithoutPdf: readonly string[];
  /** Decks of the run that were deleted since, with their analyses. */
  readonly deletedDecks: number;
}

/** Makes the document. */
export function evaluate(
  run: RunFacts,
  decks: readonly EvaluatedDeck[],
  rest: {
    readonly code: CodeVersion | null;
    readonly labelsWithoutPdf: readonly string[];
    readonly deletedDecks: number;
  },
): Evaluation {
  const judged = decks.map(evaluateDeck);
  const reports = decks.flatMap(({ report }) => (report === null ? [] : [report]));
  const { code, ...others } = rest;
  return { run, making: makingOf(reports, code), figures: figuresOf(judged), decks: judged, ...others };
}

/** Names of the labels without a file among these. */
export const labelsWithoutFile = (labels: Labels, deckNames: readonly string[]): string[] =>
  [...labels.keys()].filter((name) => !deckNames.includes(name));
