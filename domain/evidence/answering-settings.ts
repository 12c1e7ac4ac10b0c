/** Settings from which on quotes count as answering: of a claim, of a deck, and of claims like those that people judged. */
import type { AnsweringLevel } from './answering.ts';

/** Settings of an installation. Shares are from 0 to 1. */
export interface AnsweringSettings {
  /** Judgement from which on a quote answers. */
  readonly level: AnsweringLevel;
  /** Share of the quotes of a claim that have to answer for it to be settled; at least one has to. */
  readonly share: number;
  /** Share of the quotes of a deck that have to answer for it to have enough of them. */
  readonly deckShare: number;
  /** Claims of one kind and model that people have to judge before their judgement holds for the others. */
  readonly judgements: number;
  /** Claims of a kind answer where at least this share of them is right for sure, and are doubtful where at most this share is. */
  readonly rightShare: number;
}

/** A line with these is settled. */
export type MarkRule = Pick<AnsweringSettings, 'level' | 'share'>;

/** Where nothing is configured. */
export const ANSWERING_SETTINGS: AnsweringSettings = {
  level: 'high',
  share: 0.5,
  deckShare: 0.5,
  judgements: 20,
  rightShare: 0.8,
};

/** The rule where none is configured. */
export const MARK_RULE: MarkRule = { level: ANSWERING_SETTINGS.level, share: ANSWERING_SETTINGS.share };
