/**
 * How a question is answered: by the slides and parts of slides that are about it, and by words that answer it wherever they stand. English and
 * German.
 */
import { phrasesOf } from './phrases.ts';
import { subjectsNamed, type Subject } from './subject.ts';

/** What a passage needs that stands at the right place: nothing more, the length of a sentence, a figure, or these words; null = words that say it anywhere. */
export type Need = 'any' | 'sentence' | 'figure' | RegExp | null;

/** The cues of one question. */
export interface Topic {
  /** What slides or parts of slides are about that answer the question, and what a passage needs that stands there. */
  readonly at: Readonly<Partial<Record<Subject, Need>>>;
  /** Words that state an answer. */
  readonly says: RegExp | null;
  /** So many different ones of them, in the passage or what it stands under. */
  readonly least: number;
  /** Words that a passage needs beside those of `says`. */
  readonly with: RegExp | null;
  /** Where `says` counts: everywhere, only on slides without a subject and those of `at`, or only on those of `at`. */
  readonly reach: 'anywhere' | 'unlabelled' | 'there';
  /** Subjects under which the words of `says` mean something else; `at` may still name what counts there. */
  readonly notAt: readonly Subject[];
  /** The passage means something else. */
  readonly not: RegExp | null;
  /** A figure with a unit that belongs to the question; null when the question asks for none. */
  readonly figure: RegExp | null;
  /** True when a passage without such a figure is no answer. */
  readonly figureOnly: boolean;
  /** Words by which the deck itself says that there is none. */
  readonly absent: RegExp | null;
  /** Cues of what bears on the question without answering it in full; asked only where the others find nothing. */
  readonly near: Topic | null;
}

/** A topic as it is written down: names of subjects with spaces between them. */
export interface WrittenTopic extends Partial<Omit<Topic, 'at' | 'notAt'>> {
  readonly at?: Readonly<Record<string, Need>>;
  readonly notAt?: string;
}

/** A topic from what is written of it; what it says, says with, does not mean and denies are the lists of its name where there are such. */
export const topic = (name: string, { at = {}, notAt = '', ...parts }: WrittenTopic): Topic => ({
  says: phrasesOf(`${name} says`),
  least: 1,
  with: phrasesOf(`${name} with`),
  reach: 'anywhere',
  not: phrasesOf(`${name} not`),
  figure: null,
  figureOnly: false,
  absent: phrasesOf(`${name} absent`),
  near: null,
  ...parts,
  at: Object.fromEntries(
    Object.entries(at).flatMap(([names, need]) => subjectsNamed(names).map((subject) => [subject, need])),
  ),
  notAt: subjectsNamed(notAt),
});
