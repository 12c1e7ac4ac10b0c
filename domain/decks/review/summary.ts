/**
 * What an analyst wants to know first: what they do, who they are, the ask, use of funds, traction, team, each fact with its quotes.
 *
 * Nothing is added to what the report says: a fact is a value, or the answer to a question. Without a library at run time, because the pages of
 * the workspace import it.
 */
import type { AnalysisReport, ReportContradiction, ReportEvidence, ReportQuestion } from '../report.ts';
import type { ExtractionField } from '../../models/model-tasks.ts';
import { subjectOf } from '../verdicts/subject.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import { absenceOf, absenceOfQuestion, shownValue, type Absence } from './absence.ts';
import { notShownYet, proofFirst } from './proof.ts';
import { statementOf, statementOfQuotes, type Statement } from './statement.ts';

/** What a summary tells of, in the order in which it does. */
export const TOPICS = [
  'offering',
  'company',
  'customers',
  'ask',
  'use_of_funds',
  'traction',
  'team',
  'market',
  'competition',
  'deck_date',
  'sector',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Where a fact comes from: a value of the report, its sector, or the question with this slug. */
type Source = { readonly value: ExtractionField } | { readonly question: string } | 'sector';

interface TopicSources {
  readonly sources: readonly Source[];
  /** `first`: the first source that says something; `all`: each of them. */
  readonly take: 'first' | 'all';
  /** True for a topic that is left out where no source says anything. */
  readonly optional: boolean;
}

/** The sources of each topic. Slugs are those of the Seven-Chapter review; a template without them has fewer facts. */
const SOURCES: Readonly<Record<Topic, TopicSources>> = {
  offering: { sources: [{ value: 'offering' }, { question: 'solution_description' }], take: 'first', optional: false },
  company: { sources: [{ value: 'company_name' }], take: 'first', optional: false },
  customers: {
    sources: [{ question: 'payer_identification' }, { question: 'payer_vs_user' }],
    take: 'first',
    optional: false,
  },
  ask: { sources: [{ value: 'funding' }, { question: 'funding_requirements' }], take: 'all', optional: false },
  use_of_funds: { sources: [{ question: 'fund_allocation' }], take: 'first', optional: false },
  traction: {
    sources: [{ question: 'paying_customers' }, { question: 'monthly_sales' }, { question: 'pilot_customers' }],
    take: 'all',
    optional: false,
  },
  team: {
    sources: [{ question: 'team_experience' }, { question: 'team_composition' }],
    take: 'all',
    optional: false,
  },
  market: { sources: [{ question: 'problem_quantification' }], take: 'first', optional: true },
  competition: { sources: [{ question: 'competitive_landscape' }], take: 'first', optional: true },
  deck_date: { sources: [{ value: 'deck_date' }], take: 'first', optional: false },
  sector: { sources: ['sector'], take: 'first', optional: false },
};

/** Values and questions that the summary may tell of. */
export const SUMMARY_CLAIMS: ReadonlySet<VerdictSubject> = new Set(
  TOPICS.flatMap((topic) => SOURCES[topic].sources.map(claimOf)),
);

/** One fact of the summary. */
export interface SummaryFact extends Statement {
  /** The claim it stands for: `value/funding`, `question/paying_customers`; `value/sector`, which has no quotes. */
  readonly claim: VerdictSubject;
  /** True where the deck says that there is none; the text is how it says so. */
  readonly statedAbsent: boolean;
  /** Those that prove something first. Of a fact in the words of the deck: the quotes that it is made of, none that another fact has. */
  readonly evidence: readonly ReportEvidence[];
}

/** One topic of the summary. */
export interface SummaryTopic {
  readonly topic: Topic;
  /** Everything that could be a fact of it, found or not: what people say on these belongs to the topic. */
  readonly claims: readonly VerdictSubject[];
  /** Empty where the deck does not say. */
  readonly facts: readonly SummaryFact[];
  /** Why there are no facts; null where there are some. */
  readonly absence: Absence | null;
  /** Two statements of the deck on this topic that cannot both be right, and their place among the contradictions of the report. */
  readonly contradiction: { readonly index: number; readonly sides: ReportContradiction } | null;
}

/** The topics that a kind of contradiction is about. */
const CONTRADICTED: Readonly<Partial<Record<Topic, ReportContradiction['kind']>>> = { ask: 'ask' };

function contradictionOf({ contradictions }: AnalysisReport, topic: Topic): SummaryTopic['contradiction'] {
  const index = contradictions.findIndex(({ kind }) => kind === CONTRADICTED[topic]);
  const sides = contradictions[index];
  return sides === undefined ? null : { index, sides };
}

function claimOf(source: Source): VerdictSubject {
  if (source === 'sector') return subjectOf({ of: 'value', field: 'sector' });
  return 'value' in source
    ? subjectOf({ of: 'value', field: source.value })
    : subjectOf({ of: 'question', slug: source.question });
}

/** What a source says, or why it says nothing; null for a question that the template does not have. */
type Finding = { readonly fact: SummaryFact } | { readonly absence: Absence } | null;

function ofValue({ extractions }: AnalysisReport, field: ExtractionField): Finding {
  const value = extractions.find((each) => each.field === field);
  if (value === undefined) return { absence: 'not_asked' };
  const claim = claimOf({ value: field });
  const evidence = proofFirst(value.evidence);
  const isAbsent = value.status === 'stated_absent';
  const text = shownValue(value);
  const statement = text === null ? null : { text, verbatim: false };
  const said = statement ?? (isAbsent ? statementOfQuotes(evidence) : null);
  return said === null
    ? { absence: absenceOf(value.status) }
    : { fact: { ...said, claim, statedAbsent: isAbsent, evidence } };
}

function ofQuestion(questions: ReadonlyMap<string, ReportQuestion>, slug: string): Finding {
  const question = questions.get(slug);
  if (question === undefined) return null;
  const absence = absenceOfQuestion(question);
  const statement = absence === null || absence === 'stated_absent' ? statementOf(question) : null;
  if (statement === null) return { absence: absence ?? 'not_found' };
  const claim = claimOf({ question: slug });
  const evidence = proofFirst(question.evidence);
  return { fact: { ...statement, claim, statedAbsent: absence === 'stated_absent', evidence } };
}

function ofSector({ sector }: AnalysisReport): Finding {
  const text = sector.name ?? sector.slug;
  if (text === null) return { absence: absenceOf(sector.status) };
  return { fact: { text, verbatim: false, claim: claimOf('sector'), statedAbsent: false, evidence: [] } };
}

/** Most quotes of a fact that is in the words of the deck. */
const MOST_QUOTES = 3;

/**
 * Facts with each quote in one of them: a quote of several goes to the fact with the fewest, which is the one that it says most of. A fact in
 * the words of the deck that has no quote left is left out.
 */
function withQuotesOnce(facts: readonly SummaryFact[]): SummaryFact[] {
  const shown = new Set<string>();
  const ofDeck = (fact: SummaryFact): SummaryFact | null => {
    const evidence = notShownYet(fact.evidence, shown).slice(0, MOST_QUOTES);
    const statement = statementOfQuotes(evidence);
    return statement === null ? null : { ...fact, ...statement, evidence };
  };
  const kept = new Map<SummaryFact, SummaryFact | null>();
  const bySize = facts.toSorted((a, b) => a.evidence.length - b.evidence.length);
  for (const fact of [...bySize.filter(({ verbatim }) => !verbatim), ...bySize.filter(({ verbatim }) => verbatim)]) {
    // A value keeps the quote that carries it.
    if (!fact.verbatim) notShownYet(fact.evidence, shown);
    kept.set(fact, fact.verbatim ? ofDeck(fact) : fact);
  }
  return facts.flatMap((fact) => kept.get(fact) ?? []);
}

/**
 * The summary of a report: every topic in order, whether finished or not.
 *
 * @returns topics that are always told, with the reason where nothing is known of them, and the others where something is
 */
export function summaryOf(report: AnalysisReport): SummaryTopic[] {
  const questions = new Map(report.chapters.flatMap((chapter) => chapter.questions.map((each) => [each.slug, each])));
  const find = (source: Source): Finding => {
    if (source === 'sector') return ofSector(report);
    return 'value' in source ? ofValue(report, source.value) : ofQuestion(questions, source.question);
  };
  const found = TOPICS.map((topic) => {
    const { sources, take } = SOURCES[topic];
    const findings = sources.map(find).filter((finding) => finding !== null);
    const all = findings.flatMap((finding) => ('fact' in finding ? [finding.fact] : []));
    const reasons = findings.flatMap((finding) => ('absence' in finding ? [finding.absence] : []));
    return { topic, facts: take === 'first' ? all.slice(0, 1) : all, reasons };
  });
  const kept = new Map(withQuotesOnce(found.flatMap(({ facts }) => facts)).map((fact) => [fact.claim, fact]));
  return found.flatMap(({ topic, facts: all, reasons }): SummaryTopic[] => {
    const facts = all.flatMap(({ claim }) => kept.get(claim) ?? []);
    const claims = SOURCES[topic].sources.map(claimOf);
    const contradiction = contradictionOf(report, topic);
    if (facts.length > 0) return [{ topic, claims, facts, absence: null, contradiction }];
    const [absence] = reasons;
    return absence === undefined || SOURCES[topic].optional ? [] : [{ topic, claims, facts, absence, contradiction }];
  });
}
