/**
 * The document of an evaluation: what a run found in each deck, judged by the labels, and the figures over all decks.
 */
import { Decimal } from 'decimal.js';
import { provenancesOf } from '../decks/provenance.ts';
import type { AnalysisReport, ReportEvidence, ReportQuestion } from '../decks/report.ts';
import type { Language } from '../models/model-tasks.ts';
import {
  FIELDS,
  foundValues,
  judgeFields,
  judgeQuestions,
  unknownQuestions,
  NOTHING_FOUND,
  type CoverageOutcome,
  type Field,
  type FoundValues,
  type JudgedQuestion,
  type Judgement,
  type Outcome,
} from './judge.ts';
import type { DeckLabel, Labels } from './labels.ts';
import { makingOf, type CodeVersion, type Making } from './provenance.ts';
import { meanDistance, quadraticKappa, shareOf, type GradePair, type Share } from './statistics.ts';

/** What a review took. */
export interface Usage {
  /** Model calls whose results the review shows, and how many of them were stored already. */
  readonly calls: number;
  readonly storedCalls: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Computing time of the calls, also of those that were stored already. */
  readonly modelSeconds: number;
  /** From the request to the last result; stored results make it short. Null for a deck without a review. */
  readonly seconds: number | null;
  /** Exact decimal in US dollars, as far as the ledger has settled it; null where it says nothing. */
  readonly usd: string | null;
}

/** One question of a review. */
export type ReviewedQuestion = Readonly<Pick<ReportQuestion, 'slug' | 'covered' | 'score' | 'answer'>>;

/** Quotes by verdict. */
export type QuoteCounts = Readonly<Partial<Record<string, number>>>;

/** One deck of a run. */
export interface DeckEvaluation {
  readonly file: string;
  readonly sha256: string;
  /** Null for a deck that the API refused. */
  readonly analysisId: string | null;
  /** That of the analysis; `refused`: no deck that can be read; `not_reviewed`: another error, so it is not judged. */
  readonly status: AnalysisReport['status'] | 'refused' | 'not_reviewed';
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly labelled: boolean;
  readonly found: FoundValues;
  readonly fields: readonly Judgement[];
  readonly questions: readonly ReviewedQuestion[];
  readonly judgedQuestions: readonly JudgedQuestion[];
  /** Labelled questions that the review was not asked; they are not judged. */
  readonly unknownQuestions: readonly string[];
  readonly quotes: { readonly answers: QuoteCounts; readonly values: QuoteCounts };
  readonly usage: Usage;
}

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
  readonly quotes: DeckEvaluation['quotes'];
  readonly questions: {
    readonly counts: Readonly<Partial<Record<CoverageOutcome, number>>>;
    /** Of the questions that decks answer by their labels: those with an answer. */
    readonly answered: Share;
    /** Of the questions that decks do not answer: those without an answer. */
    readonly rightlyNone: Share;
    /** Labelled scores beside those of the reviews. */
    readonly scores: { readonly compared: number; readonly meanDistance: number | null; readonly kappa: number | null };
  };
  readonly usage: Usage;
}

/** What a run is: when, of which folder, with what. */
export interface RunFacts {
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly folder: string;
  readonly labels: string;
  readonly models: string;
  readonly language: Language;
}

/** The whole document. */
export interface Evaluation {
  readonly run: RunFacts;
  readonly making: Making;
  readonly figures: Figures;
  readonly decks: readonly DeckEvaluation[];
  /** Names in the labels for which the folder has no PDF. */
  readonly labelsWithoutPdf: readonly string[];
  /** Decks of the run that were deleted since, with their analyses. */
  readonly deletedDecks: number;
}

/** A deck of a run with what is known of it. */
export interface EvaluatedDeck {
  readonly file: string;
  readonly sha256: string;
  readonly analysisId: string | null;
  readonly failure: DeckEvaluation['failure'];
  /** The file itself cannot be read: it counts as a review that found nothing. */
  readonly refused: boolean;
  readonly label: DeckLabel | null;
  /** Null for a deck without an analysis. */
  readonly report: AnalysisReport | null;
  readonly storedCalls: number;
  readonly usd: string | null;
}

/** Makes the document. */
export function evaluate(
  run: RunFacts,
  decks: readonly EvaluatedDeck[],
  rest: {
    readonly code: CodeVersion | null;
    readonly labelsWithoutPdf: readonly string[];
    readonly deletedDecks: number;
  },
): Evaluation {
  const judged = decks.map(evaluateDeck);
  const reports = decks.flatMap(({ report }) => (report === null ? [] : [report]));
  const { code, ...others } = rest;
  return { run, making: makingOf(reports, code), figures: figuresOf(judged), decks: judged, ...others };
}

/** Names of the labels without a file among these. */
export const labelsWithoutFile = (labels: Labels, deckNames: readonly string[]): string[] =>
  [...labels.keys()].filter((name) => !deckNames.includes(name));

function evaluateDeck(deck: EvaluatedDeck): DeckEvaluation {
  const { file, sha256, analysisId, failure, refused, label, report } = deck;
  const questions = report?.chapters.flatMap((chapter) => chapter.questions) ?? [];
  const status = report?.status ?? (refused ? 'refused' : 'not_reviewed');
  const found = report === null ? NOTHING_FOUND : foundValues(report);
  const judges = label !== null && status !== 'not_reviewed' && status !== 'cancelled';
  return {
    file,
    sha256,
    analysisId,
    status,
    failure: failure ?? report?.failure ?? null,
    labelled: label !== null,
    found,
    fields: judges ? judgeFields(label, found) : [],
    questions: questions.map(({ slug, covered, score, answer }) => ({ slug, covered, score, answer })),
    judgedQuestions: judges ? judgeQuestions(label, questions) : [],
    unknownQuestions: judges ? unknownQuestions(label, questions) : [],
    quotes: {
      answers: byVerdict(questions.flatMap(({ evidence }) => evidence)),
      values: byVerdict(
        [...(report?.extractions ?? []), ...(report?.specialised ?? [])].flatMap(({ evidence }) => evidence),
      ),
    },
    usage: usageOf(deck),
  };
}

const byVerdict = (quotes: readonly ReportEvidence[]): QuoteCounts => countsOf(quotes.map(({ verdict }) => verdict));

function countsOf<K extends string>(keys: readonly K[]): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

function usageOf({ report, storedCalls, usd }: EvaluatedDeck): Usage {
  // The same input has one result, however many slides have it.
  const results = new Map((report === null ? [] : provenancesOf(report)).map((each) => [each.contentKey, each]));
  const made = [...results.values()];
  const durationMs = report?.durationMs ?? null;
  const sum = (of: (each: (typeof made)[number]) => number): number =>
    made.reduce((total, each) => total + of(each), 0);
  return {
    calls: made.length,
    storedCalls,
    promptTokens: sum((each) => each.promptTokens),
    outputTokens: sum((each) => each.outputTokens),
    modelSeconds: sum((each) => each.durationMs) / 1000,
    seconds: durationMs === null ? null : durationMs / 1000,
    usd,
  };
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
  const scores = questions.flatMap(({ score: { wanted, found } }): GradePair[] =>
    wanted === null || found === null ? [] : [[wanted, found]],
  );
  return {
    decks: decks.length,
    labelled: decks.filter(({ labelled }) => labelled).length,
    finished: decks.filter(hasResult).length,
    fields,
    invented: fields.reduce((sum, { counts }) => sum + (counts.invented ?? 0), 0),
    quotes: {
      answers: addCounts(decks.map((deck) => deck.quotes.answers)),
      values: addCounts(decks.map((deck) => deck.quotes.values)),
    },
    questions: {
      counts: coverage,
      answered: shareOf(right, right + missed),
      rightlyNone: shareOf(none, none + invented),
      scores: { compared: scores.length, meanDistance: meanDistance(scores), kappa: quadraticKappa(scores) },
    },
    usage: addUsage(decks.map(({ usage }) => usage)),
  };
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
