/**
 * Figures of an evaluation over all decks.
 */
import { Decimal } from 'decimal.js';
import { calibrationFigures, type CalibrationFigures } from './calibration.ts';
import type { DeckEvaluation, QuoteCounts, Usage } from './deck-evaluation.ts';
import { FIELDS, type CoverageOutcome, type Field, type Outcome } from './judge.ts';
import { countsOf, meanDistance, quadraticKappa, shareOf, type GradePair, type Share } from './statistics.ts';
import {
  attributionFigures,
  factFigures,
  inBox,
  topicFigures,
  type AttributionFigures,
  type FactFigures,
  type TopicFigures,
} from './topic-figures.ts';
import { isTyped } from './topic-labels.ts';

/** Figures of one field over all decks. */
export interface FieldFigures {
  readonly field: Field;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
  /** Of the decks that state a value: those with the right one. Of nothing before each of them is graded. */
  readonly right: Share;
  /** The same with the partly right ones. */
  readonly rightOrPartly: Share;
  /** Of the decks that state none: those of which the review gives none. */
  readonly rightlyNone: Share;
}

/** Figures over all decks. */
export interface Figures {
  readonly decks: number;
  readonly labelled: number;
  /** Decks whose analysis has a result. */
  readonly finished: number;
  readonly fields: readonly FieldFigures[];
  readonly invented: number;
  readonly topics: readonly TopicFigures[];
  /** Facts of all topics. */
  readonly facts: FactFigures;
  /** Values that reviews give though the deck does not say them. */
  readonly unanswerable: {
    /** Company, ask, date and topics of typed values; nothing of them is to be given. */
    readonly typed: Share;
    readonly questions: Share;
  };
  readonly calibration: readonly CalibrationFigures[];
  readonly quotes: DeckEvaluation['quotes'];
  readonly questions: {
    readonly counts: Readonly<Partial<Record<CoverageOutcome, number>>>;
    /** Of the questions that decks answer by their labels: those with an answer. */
    readonly answered: Share;
    /** Of the questions that decks do not answer: those without an answer. */
    readonly rightlyNone: Share;
    /** Of the labelled questions: those that label and review call covered alike (yes, partly, no). */
    readonly sameCoverage: Share;
    /** Of right answers. */
    readonly attribution: AttributionFigures;
    /** Of the questions that decks answer, where labels have boxes: those answered with a quote in the right box. */
    readonly attributed: Share;
    /** Labelled scores beside those of the reviews. */
    readonly scores: { readonly compared: number; readonly meanDistance: number | null; readonly kappa: number | null };
  };
  readonly usage: Usage;
}

/** Whether an analysis has a result. */
const hasResult = ({ status }: DeckEvaluation): boolean => status === 'completed' || status === 'completed_with_gaps';

/** Figures over these decks. */
export function figuresOf(decks: readonly DeckEvaluation[]): Figures {
  const fields = FIELDS.flatMap((field) => {
    const outcomes = decks.flatMap((deck) => deck.fields.filter((each) => each.field === field));
    return outcomes.length === 0 ? [] : [fieldFigures(field, countsOf(outcomes.map(({ outcome }) => outcome)))];
  });
  const questions = decks.flatMap((deck) => deck.judgedQuestions);
  const coverage = countsOf(questions.flatMap(({ outcome }) => (outcome === null ? [] : [outcome])));
  const { right = 0, missed = 0, rightly_none: none = 0, invented = 0 } = coverage;
  const topics = decks.flatMap((deck) => deck.topics);
  const located = questions.filter(({ isLocated }) => isLocated);
  const attributions = questions.flatMap(({ attribution }) => (attribution === null ? [] : [attribution]));
  const covered = questions.flatMap((each) => (each.covered.wanted === null ? [] : [each.covered]));
  const scores = questions.flatMap(({ score: { wanted, found } }): GradePair[] =>
    wanted === null || found === null ? [] : [[wanted, found]],
  );
  return {
    decks: decks.length,
    labelled: decks.filter(({ labelled }) => labelled).length,
    finished: decks.filter(hasResult).length,
    fields,
    invented: fields.reduce((sum, { counts }) => sum + (counts.invented ?? 0), 0),
    topics: topicFigures(topics),
    facts: factFigures(topics.flatMap(({ facts }) => facts)),
    unanswerable: {
      typed: answeredOf([
        ...decks.flatMap((deck) => deck.fields.filter(({ field }) => TYPED_FIELDS.includes(field))),
        ...topics.filter(({ topic }) => isTyped(topic)),
      ]),
      questions: answeredOf(questions),
    },
    calibration: calibrationFigures(decks.flatMap(({ claims }) => claims)),
    quotes: {
      answers: addCounts(decks.map((deck) => deck.quotes.answers)),
      values: addCounts(decks.map((deck) => deck.quotes.values)),
    },
    questions: {
      counts: coverage,
      answered: shareOf(right, right + missed),
      rightlyNone: shareOf(none, none + invented),
      sameCoverage: shareOf(covered.filter(({ wanted, found }) => wanted === (found ?? 'no')).length, covered.length),
      attribution: attributionFigures(attributions),
      attributed: shareOf(inBox(attributions), located.length),
      scores: { compared: scores.length, meanDistance: meanDistance(scores), kappa: quadraticKappa(scores) },
    },
    usage: addUsage(decks.map(({ usage }) => usage)),
  };
}

const TYPED_FIELDS: readonly Field[] = ['company', 'company_in_picture', 'ask', 'date'];

/** Of what decks do not say: what reviews give of it. */
function answeredOf(judged: readonly { readonly outcome: Outcome | null }[]): Share {
  const { invented = 0, rightly_none: none = 0 } = countsOf(judged.flatMap(({ outcome }) => outcome ?? []));
  return shareOf(invented, invented + none);
}

function fieldFigures(field: Field, counts: FieldFigures['counts']): FieldFigures {
  const { right = 0, partly = 0, wrong = 0, missed = 0, rightly_none: none = 0, invented = 0 } = counts;
  // Missed values are known at once: a share of those alone would be too low.
  const stated = counts.not_graded === undefined ? right + partly + wrong + missed : 0;
  return {
    field,
    counts,
    right: shareOf(stated === 0 ? 0 : right, stated),
    rightOrPartly: shareOf(stated === 0 ? 0 : right + partly, stated),
    rightlyNone: shareOf(none, none + invented),
  };
}

function addCounts(all: readonly QuoteCounts[]): QuoteCounts {
  const sum: Record<string, number> = {};
  for (const [key, count] of all.flatMap((counts) => Object.entries(counts))) {
    sum[key] = (sum[key] ?? 0) + (count ?? 0);
  }
  return sum;
}

function addUsage(all: readonly Usage[]): Usage {
  const sum = (of: (usage: Usage) => number | null): number =>
    all.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const known = all.flatMap(({ usd }) => (usd === null ? [] : [new Decimal(usd)]));
  return {
    calls: sum((usage) => usage.calls),
    storedCalls: sum((usage) => usage.storedCalls),
    promptTokens: sum((usage) => usage.promptTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    modelSeconds: sum((usage) => usage.modelSeconds),
    seconds: sum((usage) => usage.seconds),
    usd: known.length === 0 ? null : Decimal.sum(...known).toFixed(),
  };
}
