/**
 * One deck of an evaluation: what a run found in it, judged by its labels.
 */
import { provenancesOf } from '../decks/provenance.ts';
import type { AnalysisReport, ReportEvidence, ReportQuestion, ValueStatus } from '../decks/report.ts';
import { statementOfFact } from '../profile/statement.ts';
import type { ProfileTopic } from '../profile/topics.ts';
import { markedClaims, type MarkedClaim } from './calibration.ts';
import { judgeTopics, pageSizesOf, type JudgedTopic } from './judge-topics.ts';
import {
  foundValues,
  judgeFields,
  judgeQuestions,
  unknownQuestions,
  NOTHING_FOUND,
  type FoundValues,
  type JudgedQuestion,
  type Judgement,
} from './judge.ts';
import type { DeckLabel } from './labels.ts';
import { countsOf } from './statistics.ts';

/** Model calls, tokens and time of a review. */
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

/** A topic of a review, with its facts in words. */
export interface FoundTopic {
  readonly topic: ProfileTopic;
  readonly status: ValueStatus;
  readonly facts: readonly string[];
}

/** Quotes by verdict. */
export type QuoteCounts = Readonly<Partial<Record<string, number>>>;

/** One deck of a run. */
export interface DeckEvaluation {
  readonly file: string;
  readonly sha256: string;
  /** Null for a deck that the API refused. */
  readonly analysisId: string | null;
  /** Status of the analysis; `refused`: no deck that can be read; `not_reviewed`: another error, so it is not judged. */
  readonly status: AnalysisReport['status'] | 'refused' | 'not_reviewed';
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly labelled: boolean;
  readonly found: FoundValues;
  readonly fields: readonly Judgement[];
  readonly questions: readonly ReviewedQuestion[];
  readonly judgedQuestions: readonly JudgedQuestion[];
  /** Labelled questions that the review was not asked; they are not judged. */
  readonly unknownQuestions: readonly string[];
  /** Facts of each topic by the review, in words. */
  readonly foundTopics: readonly FoundTopic[];
  readonly topics: readonly JudgedTopic[];
  /** Topics are labelled, and the review was made without a profile, so they are not judged. */
  readonly hasNoProfile: boolean;
  /** The values that the review gives and labels judge, with their marks. */
  readonly claims: readonly MarkedClaim[];
  readonly quotes: { readonly answers: QuoteCounts; readonly values: QuoteCounts };
  readonly usage: Usage;
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

/** Judges a deck. */
export function evaluateDeck(deck: EvaluatedDeck): DeckEvaluation {
  const { file, sha256, analysisId, failure, refused, label, report } = deck;
  const questions = report?.chapters.flatMap((chapter) => chapter.questions) ?? [];
  const status = report?.status ?? (refused ? 'refused' : 'not_reviewed');
  const found = report === null ? NOTHING_FOUND : foundValues(report);
  const judges = label !== null && status !== 'not_reviewed' && status !== 'cancelled';
  const fields = judges ? judgeFields(label, found) : [];
  const judgedQuestions = judges ? judgeQuestions(label, questions, pageSizesOf(report)) : [];
  const judgedTopics = judges && label.topics !== undefined ? judgeTopics(label.topics, report) : [];
  const topics = judgedTopics ?? [];
  return {
    file,
    sha256,
    analysisId,
    status,
    failure: failure ?? report?.failure ?? null,
    labelled: label !== null,
    found,
    fields,
    questions: questions.map(({ slug, covered, score, answer }) => ({ slug, covered, score, answer })),
    judgedQuestions,
    unknownQuestions: judges ? unknownQuestions(label, questions) : [],
    foundTopics: (report?.profile.topics ?? []).map(({ topic, status: ofTopic, facts }) => ({
      topic,
      status: ofTopic,
      facts: facts.map((fact) => statementOfFact(topic, fact)),
    })),
    topics,
    hasNoProfile: judgedTopics === null,
    claims: report === null ? [] : markedClaims(report, { fields, topics, questions: judgedQuestions }),
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
