/**
 * Whether a quote answers the question it stands under. The page's check says only that the quote stands on the slide; this is the second
 * judgement, and a quote is shown as settled only where both are good.
 *
 * Without a library at run time: the pages of the workspace import it.
 */

/** `high`: it answers the question; `some`: it bears on it; `doubtful`: it may be about something else. */
export const ANSWERING = ['high', 'some', 'doubtful'] as const;
export type Answering = (typeof ANSWERING)[number];

/** Judgements from which on a quote can count as answering, as it is configured. */
export const ANSWERING_LEVELS = ['high', 'some'] as const;
export type AnsweringLevel = (typeof ANSWERING_LEVELS)[number];

/**
 * Where the judgement comes from: the built-in reader's own check; `readings`: comparison of a language model's value with the value of the
 * reader's rules; or verdicts of people on quotes of the same kind. A language model's word for its own answer is none of them.
 */
export const ANSWERING_BY = ['reader', 'readings', 'people'] as const;
export type AnsweringBy = (typeof ANSWERING_BY)[number];
