/**
 * The rank of a deck among others, and the figure that stands for its review: by what it proved, or by the score of a language model. Without a
 * library at run time: the pages of the workspace import it.
 */
import { MAX_SCORE } from '../scoring.ts';
import { type DocumentKind, PROFILE_TOPICS } from '../../profile/topics.ts';
import type { DeckEntry } from './entry.ts';

/** Values that a rank follows from. */
export interface Ranked {
  /** Null where it is not known: then nothing is said against a pitch deck. */
  readonly documentKind: DocumentKind | null;
  /** `rules` for the built-in reader. */
  readonly engineKind: string | null;
  /** 0 to 7. */
  readonly score: number | null;
  /** Questions with evidence, of the asked ones, of which there is at least one; null where none was asked or it cannot be counted. */
  readonly evidence: { readonly found: number; readonly asked: number } | null;
  /** Topics of the profile that the deck says something on; null where they were not asked for. */
  readonly topicsFound: number | null;
}

/** Above every rank of what is no pitch deck. */
const PITCH_DECK = 2;

/** False for what is known to be something else. */
export const isPitchDeck = (kind: DocumentKind | null): boolean => kind === null || kind === 'pitch_deck';

/** The evidence that stands for a review by rules; null where the score stands for it, or nothing was asked. */
export const evidenceFigure = ({
  resultEngineKind,
  evidence,
}: Pick<DeckEntry, 'resultEngineKind' | 'evidence'>): DeckEntry['evidence'] =>
  resultEngineKind === 'rules' ? evidence : null;

/**
 * The rank, the higher the better: from 0 to 1 for what is no pitch deck, from 2 to 3 for pitch decks. A score of rules says how many words of
 * the questions a deck has, so a review by rules ranks by the mean of two shares: of questions with evidence, and of topics with facts. Where its evidence cannot be
 * counted, and always after a language model, the score decides.
 */
export function rankOf({ documentKind, engineKind, score, evidence, topicsFound }: Ranked): number {
  const isByScore = score !== null && (engineKind !== 'rules' || evidence === null);
  const quality = isByScore ? score / MAX_SCORE : meanShare(evidence, topicsFound);
  return (isPitchDeck(documentKind) ? PITCH_DECK : 0) + quality;
}

function meanShare(evidence: Ranked['evidence'], topicsFound: number | null): number {
  const ofQuestions = evidence === null ? 0 : Math.min(1, evidence.found / evidence.asked);
  return topicsFound === null ? ofQuestions : (ofQuestions + topicsFound / PROFILE_TOPICS.length) / 2;
}
