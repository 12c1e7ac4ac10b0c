/** Parts that the sections of an evaluation's page have in common. */
import { type Block, type Entry, fact, type Span, type Tone } from '../../api/document/blocks.ts';
import type { Outcome } from '../../domain/evaluation/judge.ts';
import { OUTCOME_NAMES } from './words.ts';

const TONES: Readonly<Record<Outcome, Tone>> = {
  right: 'good',
  rightly_none: 'good',
  partly: 'medium',
  not_graded: 'medium',
  missed: 'medium',
  wrong: 'weak',
  invented: 'weak',
};

/** An outcome with its tone. */
export const outcomeMark = (outcome: Outcome): Span => ({ mark: OUTCOME_NAMES[outcome], tone: TONES[outcome] });

/** A value, or that there is none. */
export const valueSpan = (value: string | null): Span => value ?? { absent: 'none' };

/** Facts by name; one without words is left out. */
export const factsOf = (...facts: readonly (readonly [string, string | null])[]): Block[] => [
  { is: 'facts', facts: facts.flatMap(([name, text]): Entry[] => (text === '' ? [] : fact(name, text))) },
];
