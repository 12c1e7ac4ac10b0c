/**
 * What people say, laid over what the machine said: for pages and documents. The report itself stays as it is.
 *
 * Without a library at run time, because pages import it.
 */
import type { AnalysisReport, ReportChapter, ReportQuestion } from '../report.ts';
import { shownValue } from '../review/absence.ts';
import { rollUp } from '../scoring.ts';
import type { HumanVerdict } from './human-verdict.ts';
import { judgementOn, machineTexts } from './judgement.ts';
import type { Judgement, VerdictKind, VerdictSubject } from './kinds.ts';
import { subjectOf } from './subject.ts';

/** Two verdicts with the same key replace each other. */
const keyOf = ({ kind, subject, item }: Pick<HumanVerdict, 'kind' | 'subject' | 'item'>): string =>
  `${kind} ${subject} ${item}`;

/**
 * What holds of a history: the newest verdict of each kind, subject and item, without those that were withdrawn.
 *
 * @returns in the order in which they were said
 */
export function currentVerdicts<V extends Pick<HumanVerdict, 'kind' | 'subject' | 'item' | 'sequence' | 'withdrawn'>>(
  history: readonly V[],
): V[] {
  const newest = new Map<string, V>();
  for (const verdict of history) {
    const known = newest.get(keyOf(verdict));
    if (known === undefined || known.sequence < verdict.sequence) newest.set(keyOf(verdict), verdict);
  }
  return [...newest.values()].filter(({ withdrawn }) => !withdrawn).toSorted((a, b) => a.sequence - b.sequence);
}

/** The one verdict of this kind on a subject that holds, other than a note; null when nobody said anything. */
const verdictOn = (current: readonly HumanVerdict[], kind: VerdictKind, subject: VerdictSubject): HumanVerdict | null =>
  current.find((verdict) => verdict.kind === kind && verdict.subject === subject) ?? null;

/** A value as the machine read it and as a person corrected it. */
export interface JudgedValue {
  /** A field of the extractions, or `sector`. */
  readonly field: string;
  /** Words of the deck, or the slug of the sector; null where the machine has none. */
  readonly machine: string | null;
  readonly human: HumanVerdict | null;
}

/** A question with the machine's score and a person's. */
export interface JudgedQuestion {
  readonly slug: string;
  readonly machine: number | null;
  readonly human: HumanVerdict | null;
  /** The person's score, else the machine's. */
  readonly score: number | null;
}

/** A chapter, or the whole deck, with the machine's score and the one that follows from people's scores. */
export interface JudgedScore {
  readonly machine: number | null;
  /** With people's scores; exactly the machine's where there are none. */
  readonly score: number | null;
  /** Questions with a score, by whomever. */
  readonly scored: number;
  readonly asked: number;
  /** Questions whose score is a person's. */
  readonly overridden: number;
}

/** A judgement that holds for the words of a report. */
export type HeldJudgement = HumanVerdict & { readonly text: Judgement };

/** What people say about one report. */
export interface JudgedReport {
  /** By field: the extractions and `sector`. */
  readonly values: ReadonlyMap<string, JudgedValue>;
  /** By slug. */
  readonly questions: ReadonlyMap<string, JudgedQuestion>;
  /** Judgements on the very words of this report, by the claim that they are about. */
  readonly judgements: ReadonlyMap<VerdictSubject, HeldJudgement>;
  /** By slug. */
  readonly chapters: ReadonlyMap<string, JudgedScore>;
  readonly overall: JudgedScore;
  /** Notes on anything, oldest first. */
  readonly notes: readonly HumanVerdict[];
  /** In alphabetical order. */
  readonly tags: readonly string[];
  readonly assignee: HumanVerdict | null;
  readonly decision: HumanVerdict | null;
}

/** A chapter as far as scores need it. */
export interface ScoredChapter extends Readonly<Pick<ReportChapter, 'slug' | 'weight' | 'score' | 'scored' | 'asked'>> {
  readonly questions: readonly Readonly<Pick<ReportQuestion, 'slug' | 'weight' | 'score'>>[];
}

/**
 * Scores of chapters and of the deck with people's scores in place of the machine's.
 *
 * @param overall the machine's score of the deck
 * @param scores people's scores by the slug of the question
 */
export function effectiveScores(
  chapters: readonly ScoredChapter[],
  overall: number | null,
  scores: ReadonlyMap<string, number>,
): { readonly chapters: ReadonlyMap<string, JudgedScore>; readonly overall: JudgedScore } {
  const judged = chapters.map((chapter) => ({ chapter, judged: chapterScore(chapter, scores) }));
  const sum = (of: (score: JudgedScore) => number): number =>
    judged.reduce((total, each) => total + of(each.judged), 0);
  const overridden = sum((score) => score.overridden);
  const weighted = judged.map((each) => ({ weight: each.chapter.weight, score: each.judged.score }));
  return {
    chapters: new Map(judged.map((each) => [each.chapter.slug, each.judged])),
    overall: {
      machine: overall,
      score: overridden === 0 ? overall : rollUp(weighted).score,
      scored: sum((score) => score.scored),
      asked: sum((score) => score.asked),
      overridden,
    },
  };
}

function chapterScore(chapter: ScoredChapter, scores: ReadonlyMap<string, number>): JudgedScore {
  const { score: machine, scored, asked, questions } = chapter;
  const overridden = questions.filter(({ slug }) => scores.has(slug)).length;
  // The stored score is kept to the last digit: another order of the same sum could differ in it.
  if (overridden === 0) return { machine, score: machine, scored, asked, overridden };
  const rolled = rollUp(questions.map(({ slug, weight, score }) => ({ weight, score: scores.get(slug) ?? score })));
  return { machine, ...rolled, overridden };
}

/**
 * Lays what holds over a report.
 *
 * @param current from {@link currentVerdicts}
 */
export function withVerdicts(report: AnalysisReport, current: readonly HumanVerdict[]): JudgedReport {
  const machineValues: [field: string, text: string | null][] = [
    ...report.extractions.map((value): [string, string | null] => [value.field, shownValue(value)]),
    ['sector', report.sector.slug],
  ];
  const values = machineValues.map(([field, machine]): JudgedValue => {
    const human = verdictOn(current, 'value', subjectOf({ of: 'value', field }));
    return { field, machine, human };
  });
  const questions = report.chapters.flatMap((chapter) =>
    chapter.questions.map(({ slug, score: machine }): JudgedQuestion => {
      const human = verdictOn(current, 'score', subjectOf({ of: 'question', slug }));
      return { slug, machine, human, score: human?.score ?? machine };
    }),
  );
  const scores = new Map(
    questions.flatMap(({ slug, human }) => (human === null || human.score === null ? [] : [[slug, human.score]])),
  );
  return {
    values: new Map(values.map((value) => [value.field, value])),
    questions: new Map(questions.map((question) => [question.slug, question])),
    ...effectiveScores(report.chapters, report.overall.score, scores),
    judgements: judgementsOf(report, current),
    notes: current.filter(({ kind }) => kind === 'note'),
    tags: current.flatMap(({ kind, text }) => (kind === 'tag' && text !== null ? [text] : [])).toSorted(inAlphabet),
    assignee: verdictOn(current, 'assignee', 'deck'),
    decision: verdictOn(current, 'decision', 'deck'),
  };
}

function judgementsOf(report: AnalysisReport, current: readonly HumanVerdict[]): JudgedReport['judgements'] {
  const texts = machineTexts(report);
  const holds = (said: HumanVerdict): said is HeldJudgement =>
    said.kind === 'judgement' && judgementOn([said], said.subject, texts.get(said.subject) ?? null) !== null;
  return new Map(current.filter(holds).map((said) => [said.subject, said]));
}

const inAlphabet = (a: string, b: string): number => a.localeCompare(b);
