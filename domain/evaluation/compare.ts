/**
 * Compares two evaluations, of two engines or before and after a change: what was found otherwise in which deck, how far the scores agree,
 * and what the runs were made with.
 */
import type { DeckEvaluation } from './deck-evaluation.ts';
import type { Evaluation, RunFacts } from './evaluation.ts';
import { figuresOf, type Figures } from './figures.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../profile/topics.ts';
import type { JudgedTopic } from './judge-topics.ts';
import { FIELDS, foundWords, type Field, type Outcome } from './judge.ts';
import { makingChanges, type MakingChange } from './provenance.ts';
import { meanDistance, quadraticKappa, type GradePair } from './statistics.ts';

/** A value of one deck on one side. */
export interface ComparedValue {
  readonly found: string | null;
  /** Null where the deck has no label for it. */
  readonly outcome: Outcome | null;
}

/** A deck in which the two give different values of a field. */
export interface ChangedDeck {
  readonly file: string;
  readonly wanted: string | null;
  readonly a: ComparedValue;
  readonly b: ComparedValue;
}

/** One field over the decks of both. */
export interface ComparedField {
  readonly field: Field;
  readonly changed: readonly ChangedDeck[];
}

/** A topic of one deck on one side. */
export interface ComparedTopicSide {
  /** Its facts in words; that the deck says there is none counts as one. */
  readonly found: readonly string[];
  /** Null where the deck has no label for it. */
  readonly outcome: JudgedTopic['outcome'] | null;
}

/** A topic with the decks in which the two say other things of it. */
export interface ComparedTopic {
  readonly topic: ProfileTopic;
  readonly changed: readonly { readonly file: string; readonly a: ComparedTopicSide; readonly b: ComparedTopicSide }[];
}

/** One question over the decks that both scored. */
export interface ComparedQuestion {
  readonly slug: string;
  readonly scored: number;
  readonly same: number;
  /** Mean score of B less that of A. */
  readonly meanChange: number | null;
  readonly meanDistance: number | null;
  /** Agreement: 1 = the same scores. Null where both gave one score throughout. */
  readonly kappa: number | null;
}

/** One deck of both. */
export interface ComparedDeck {
  readonly file: string;
  readonly scored: number;
  readonly meanDistance: number | null;
  readonly changedFields: readonly Field[];
  readonly changedTopics: readonly ProfileTopic[];
  readonly changedScores: readonly ScorePair[];
}

/** One side. */
export interface ComparedRun {
  readonly run: RunFacts;
  /** Over the decks of both, so that another set of decks is no difference. */
  readonly figures: Figures;
}

/** The whole comparison. */
export interface EvaluationComparison {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** What differs in how they were made; empty = nothing does. */
  readonly making: readonly MakingChange[];
  readonly fields: readonly ComparedField[];
  readonly topics: readonly ComparedTopic[];
  /** Every question, the least agreement first. */
  readonly questions: readonly ComparedQuestion[];
  readonly allQuestions: Omit<ComparedQuestion, 'slug'>;
  /** Decks that differ, the greatest difference of scores first. */
  readonly decks: readonly ComparedDeck[];
  /** Decks of both without any difference. */
  readonly sameDecks: number;
  readonly onlyInA: readonly string[];
  readonly onlyInB: readonly string[];
}

interface Pair {
  readonly a: DeckEvaluation;
  readonly b: DeckEvaluation;
}

/** Compares them over the PDFs that both have. */
export function compareEvaluations(a: Evaluation, b: Evaluation): EvaluationComparison {
  const pairs = a.decks.flatMap((deck): Pair[] => {
    const other = b.decks.find(({ sha256 }) => sha256 === deck.sha256);
    return other === undefined ? [] : [{ a: deck, b: other }];
  });
  const fields = FIELDS.map((field) => ({ field, changed: pairs.flatMap((pair) => changedValue(field, pair)) }));
  const topics = PROFILE_TOPICS.map((topic) => ({
    topic,
    changed: pairs.flatMap((pair) => changedTopic(topic, pair)),
  }));
  const decks = pairs.map((pair) => compareDeck(pair, fields, topics));
  const differing = decks.filter((deck) => differences(deck) > 0);
  const slugs = [...new Set(pairs.flatMap((pair) => scorePairs(pair).map(({ slug }) => slug)))];
  const onlyIn = (side: readonly DeckEvaluation[], other: 'a' | 'b'): string[] =>
    side.filter(({ sha256 }) => !pairs.some((pair) => pair[other].sha256 === sha256)).map(({ file }) => file);
  return {
    a: { run: a.run, figures: figuresOf(pairs.map((pair) => pair.a)) },
    b: { run: b.run, figures: figuresOf(pairs.map((pair) => pair.b)) },
    making: makingChanges(a.making, b.making),
    fields: fields.filter(({ changed }) => changed.length > 0),
    topics: topics.filter(({ changed }) => changed.length > 0),
    questions: slugs
      .map((slug) => ({ slug, ...agreement(pairs.flatMap((pair) => gradesOf(pair, slug))) }))
      .toSorted((x, y) => (x.kappa ?? 1) - (y.kappa ?? 1) || (y.meanDistance ?? 0) - (x.meanDistance ?? 0)),
    allQuestions: agreement(pairs.flatMap((pair) => gradesOf(pair))),
    decks: differing.toSorted(
      (x, y) => (y.meanDistance ?? 0) - (x.meanDistance ?? 0) || differences(y) - differences(x),
    ),
    sameDecks: decks.length - differing.length,
    onlyInA: onlyIn(a.decks, 'b'),
    onlyInB: onlyIn(b.decks, 'a'),
  };
}

function changedValue(field: Field, { a, b }: Pair): ChangedDeck[] {
  // A company whose name stands only in a picture is judged under a field of its own.
  const isInPicture = b.fields.some((each) => each.field === 'company_in_picture');
  if (field === (isInPicture ? 'company' : 'company_in_picture')) return [];
  const judgedIn = (deck: DeckEvaluation) => deck.fields.find((each) => each.field === field);
  const valueIn = (deck: DeckEvaluation): ComparedValue => ({
    found: foundWords(field, deck.found),
    outcome: judgedIn(deck)?.outcome ?? null,
  });
  const [before, after] = [valueIn(a), valueIn(b)];
  if (before.found === after.found && before.outcome === after.outcome) return [];
  return [{ file: b.file, wanted: judgedIn(b)?.wanted ?? null, a: before, b: after }];
}

/** Values, topics and scores of a deck in which the two differ. */
const differences = ({ changedFields, changedTopics, changedScores }: ComparedDeck): number =>
  changedFields.length + changedTopics.length + changedScores.length;

function changedTopic(topic: ProfileTopic, { a, b }: Pair): ComparedTopic['changed'] {
  const sideOf = (deck: DeckEvaluation): ComparedTopicSide => {
    const found = deck.foundTopics.find((each) => each.topic === topic);
    const absent = found?.status === 'stated_absent' ? ['stated as absent'] : [];
    return {
      found: [...(found?.facts ?? []), ...absent],
      outcome: deck.topics.find((each) => each.topic === topic)?.outcome ?? null,
    };
  };
  const [before, after] = [sideOf(a), sideOf(b)];
  const isSame = before.outcome === after.outcome && before.found.join('\n') === after.found.join('\n');
  return isSame ? [] : [{ file: b.file, a: before, b: after }];
}

/** Scores of one question; null = none. */
export interface ScorePair {
  readonly slug: string;
  readonly a: number | null;
  readonly b: number | null;
}

function scorePairs({ a, b }: Pair): ScorePair[] {
  const slugs = [...new Set([...a.questions, ...b.questions].map(({ slug }) => slug))];
  const scoreIn = (deck: DeckEvaluation, slug: string): number | null =>
    deck.questions.find((question) => question.slug === slug)?.score ?? null;
  return slugs.map((slug) => ({ slug, a: scoreIn(a, slug), b: scoreIn(b, slug) }));
}

/** Scores that both gave, of all questions or one. */
const gradesOf = (pair: Pair, slug?: string): GradePair[] =>
  scorePairs(pair).flatMap((each): GradePair[] =>
    each.a === null || each.b === null || (slug !== undefined && each.slug !== slug) ? [] : [[each.a, each.b]],
  );

function agreement(grades: readonly GradePair[]): Omit<ComparedQuestion, 'slug'> {
  const sum = grades.reduce((total, [a, b]) => total + b - a, 0);
  return {
    scored: grades.length,
    same: grades.filter(([a, b]) => a === b).length,
    meanChange: grades.length === 0 ? null : sum / grades.length,
    meanDistance: meanDistance(grades),
    kappa: quadraticKappa(grades),
  };
}

function compareDeck(pair: Pair, fields: readonly ComparedField[], topics: readonly ComparedTopic[]): ComparedDeck {
  const isChanged = ({ changed }: Pick<ComparedField | ComparedTopic, 'changed'>): boolean =>
    changed.some(({ file }) => file === pair.b.file);
  const grades = gradesOf(pair);
  return {
    file: pair.b.file,
    scored: grades.length,
    meanDistance: meanDistance(grades),
    changedFields: fields.filter(isChanged).map(({ field }) => field),
    changedTopics: topics.filter(isChanged).map(({ topic }) => topic),
    changedScores: scorePairs(pair).filter(({ a, b }) => a !== b),
  };
}
