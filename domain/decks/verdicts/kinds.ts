/** What a person can say about a deck, without a library: pages import it. */

/** What to do with a deck. */
export const DECISIONS = ['meet', 'later', 'pass'] as const;
export type Decision = (typeof DECISIONS)[number];

/** A person's judgement on a claim of the machine: whether it answers the question or value that it stands under. */
export const JUDGEMENTS = ['right', 'wrong'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

/**
 * Kinds of human verdicts. `value`: a corrected value; `score`: a score in place of the machine's, with the reason; `judgement`: whether a claim
 * is right; `note`: a remark; `tag`, `assignee`, `decision`: about the deck.
 */
export const VERDICT_KINDS = ['value', 'score', 'judgement', 'note', 'tag', 'assignee', 'decision'] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/**
 * What a verdict is about: `deck`; `value/<field>`, a field of the extractions or `sector`; `question/<slug>`; `slide/<number>`;
 * `reading/<kind of specialised reading>`; `profile/<topic>`.
 */
export type VerdictSubject = string;
