/**
 * How far the answering mark of a claim says whether it is right, by the labels: for each kind of claim and each level the share of right ones.
 */
import { answeringOf } from '../decks/review/marks.ts';
import type { AnalysisReport } from '../decks/report.ts';
import { ANSWERING, type Answering } from '../evidence/answering.ts';
import type { JudgedTopic } from './judge-topics.ts';
import type { Field, JudgedQuestion, Judgement } from './judge.ts';
import { shareOf, type Share } from './statistics.ts';

/** Levels of a mark, the best first. */
export const LEVELS = [...ANSWERING, 'not_judged'] as const;
export type Level = (typeof LEVELS)[number];

/** A value that a review gives and a label judges. */
export interface MarkedClaim {
  /** `company`, `topic team`; `answers` with the slug of their chapter. */
  readonly kind: string;
  /** Of its best quote. */
  readonly level: Level;
  readonly right: boolean;
}

/** Claims of one kind. */
export interface CalibrationFigures {
  readonly kind: string;
  /** Levels that claims have, the best first: those that are right, of all of this level. */
  readonly levels: readonly { readonly level: Level; readonly right: Share }[];
}

const EXTRACTED: Readonly<Record<Exclude<Field, 'sector'>, string>> = {
  company: 'company_name',
  company_in_picture: 'company_name',
  offering: 'offering',
  ask: 'funding',
  date: 'deck_date',
};

/** The judged claims of a deck with their marks: values, facts of topics, answers. A sector has no quotes. */
export function markedClaims(
  report: Pick<AnalysisReport, 'extractions' | 'chapters'>,
  judged: {
    readonly fields: readonly Judgement[];
    readonly topics: readonly JudgedTopic[];
    readonly questions: readonly JudgedQuestion[];
  },
): MarkedClaim[] {
  const levelOf = (answering: Answering | null): Level => answering ?? 'not_judged';
  const values = judged.fields.flatMap(({ field, outcome, found }): MarkedClaim[] => {
    if (field === 'sector' || found === null || outcome === 'not_graded') return [];
    const value = report.extractions.find((each) => each.field === EXTRACTED[field]);
    const right = outcome === 'right' || outcome === 'rightly_none';
    return [{ kind: field, level: levelOf(answeringOf(value?.evidence ?? [])), right }];
  });
  const facts = judged.topics.flatMap(({ topic, facts: ofTopic }) =>
    ofTopic.flatMap(({ outcome, found, answering }): MarkedClaim[] =>
      found === null || outcome === 'repeated' || outcome === 'plan'
        ? []
        : [{ kind: `topic ${topic}`, level: levelOf(answering), right: outcome === 'right' }],
    ),
  );
  const answers = report.chapters.flatMap(({ slug, questions }) =>
    questions.flatMap((question): MarkedClaim[] => {
      const outcome = judged.questions.find((each) => each.slug === question.slug)?.outcome;
      if (outcome !== 'right' && outcome !== 'invented') return [];
      const level = levelOf(answeringOf(question.evidence));
      return [{ kind: `answers ${slug}`, level, right: outcome === 'right' }];
    }),
  );
  return [...values, ...facts, ...answers];
}

/** Figures by kind, in the order in which they first occur. */
export function calibrationFigures(claims: readonly MarkedClaim[]): CalibrationFigures[] {
  return [...Map.groupBy(claims, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    levels: LEVELS.flatMap((level) => {
      const ofLevel = ofKind.filter((each) => each.level === level);
      const right = shareOf(ofLevel.filter((each) => each.right).length, ofLevel.length);
      return ofLevel.length === 0 ? [] : [{ level, right }];
    }),
  }));
}
