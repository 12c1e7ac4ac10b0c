/**
 * The summary of a review: each topic that an analyst looks at first, as facts with their quotes, or the reason why there are none.
 *
 * Nothing is added to what the report says: a fact is a value of the report, its sector, or a fact of its profile. Without a library at run
 * time, because the pages of the workspace import it.
 */
import type { AnalysisReport, ReportContradiction, ReportEvidence, ReportFact } from '../report.ts';
import type { ExtractionField } from '../../models/model-tasks.ts';
import { AMOUNT, statementOfFact } from '../../profile/statement.ts';
import { PROFILE_TOPICS, type ProfileTopic } from '../../profile/topics.ts';
import { subjectOf } from '../verdicts/subject.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import { absenceOf, shownValue, type Absence } from './absence.ts';
import { proofFirst } from './proof.ts';
import { statementOfQuotes, type Statement } from './statement.ts';

/** Topics of a summary, in its order. */
export const TOPICS = [
  'offering',
  'company',
  'ask',
  'use_of_funds',
  'stage',
  'team',
  'traction',
  'customers',
  'market',
  'competition',
  'deck_date',
  'sector',
] as const;
export type Topic = (typeof TOPICS)[number];

/** Sources of a topic: a value of the report, which is told first, and a topic of its profile. */
interface TopicSources {
  readonly value?: ExtractionField | 'sector';
  readonly profile?: ProfileTopic;
}

const SOURCES: Readonly<Record<Topic, TopicSources>> = {
  offering: { value: 'offering', profile: 'offering' },
  company: { value: 'company_name' },
  ask: { value: 'funding', profile: 'ask' },
  use_of_funds: { profile: 'use_of_funds' },
  stage: { profile: 'stage' },
  team: { profile: 'team' },
  traction: { profile: 'traction' },
  customers: { profile: 'customers' },
  market: { profile: 'market' },
  competition: { profile: 'competition' },
  deck_date: { value: 'deck_date' },
  sector: { value: 'sector' },
};

function claimsOfSources({ value, profile }: TopicSources): VerdictSubject[] {
  return [
    ...(value === undefined ? [] : [subjectOf({ of: 'value', field: value })]),
    ...(profile === undefined ? [] : [subjectOf({ of: 'profile', topic: profile })]),
  ];
}

/** Claims that the summary may tell of. */
export const SUMMARY_CLAIMS: ReadonlySet<VerdictSubject> = new Set(
  TOPICS.flatMap((topic) => claimsOfSources(SOURCES[topic])),
);

/** One fact of the summary. */
export interface SummaryFact extends Statement {
  /** The claim that it is part of: `value/funding`, `profile/team`; `value/sector`, which has no quotes. */
  readonly claim: VerdictSubject;
  /** Unique in a summary: the claim, with the fact's number where a claim has several: `profile/team/2`. */
  readonly key: string;
  /** True where the deck says that there is none; the text is how it says so. */
  readonly statedAbsent: boolean;
  /** True for something that is only planned. */
  readonly isPlan: boolean;
  /** The fact of the profile that it is; null for a value, and where the deck says that there is none. */
  readonly typed: ReportFact | null;
  /** Quotes that prove something come first. */
  readonly evidence: readonly ReportEvidence[];
}

/** One topic of the summary. */
export interface SummaryTopic {
  readonly topic: Topic;
  /** Everything that could be a fact of it, found or not: what people say on these belongs to the topic. */
  readonly claims: readonly VerdictSubject[];
  /** Empty where the deck does not say. What is reached stands before what is only planned. */
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

/** Facts of a source, and the reason where it has none. */
interface Finding {
  readonly facts: readonly SummaryFact[];
  readonly absence: Absence | null;
}

const SILENT = { statedAbsent: false, isPlan: false, typed: null } as const;

function ofValue({ extractions }: AnalysisReport, field: ExtractionField): Finding {
  const value = extractions.find((each) => each.field === field);
  if (value === undefined) return { facts: [], absence: 'not_asked' };
  const claim = subjectOf({ of: 'value', field });
  const evidence = proofFirst(value.evidence);
  const isAbsent = value.status === 'stated_absent';
  const text = shownValue(value);
  const statement = text === null ? null : { text, verbatim: false };
  const said = statement ?? (isAbsent ? statementOfQuotes(evidence) : null);
  return said === null
    ? { facts: [], absence: absenceOf(value.status) }
    : { facts: [{ ...said, ...SILENT, claim, key: claim, statedAbsent: isAbsent, evidence }], absence: null };
}

function ofSector({ sector }: AnalysisReport): Finding {
  const text = sector.name ?? sector.slug;
  const claim = subjectOf({ of: 'value', field: 'sector' });
  return text === null
    ? { facts: [], absence: absenceOf(sector.status) }
    : { facts: [{ ...SILENT, text, verbatim: false, claim, key: claim, evidence: [] }], absence: null };
}

/** @param isSaid the topic's value is told: the amount of the profile says the same */
function ofProfile({ profile }: AnalysisReport, topic: ProfileTopic, isSaid: boolean): Finding {
  const found = profile.topics.find((each) => each.topic === topic);
  if (found === undefined) return { facts: [], absence: absenceOf(profile.status) };
  const claim = subjectOf({ of: 'profile', topic });
  if (found.facts.length > 0) {
    const facts = found.facts.flatMap((fact, index) =>
      isSaid && saysValue(topic, fact) ? [] : [factOf(topic, fact, claim, `${claim}/${index + 1}`)],
    );
    return {
      facts: [...facts.filter(({ isPlan }) => !isPlan), ...facts.filter(({ isPlan }) => isPlan)],
      absence: null,
    };
  }
  const evidence = proofFirst(found.evidence);
  const denied = found.status === 'stated_absent' ? statementOfQuotes(evidence) : null;
  return denied === null
    ? { facts: [], absence: absenceOf(found.status) }
    : { facts: [{ ...denied, ...SILENT, claim, key: claim, statedAbsent: true, evidence }], absence: null };
}

/** True for the fact that a value of the report says as well. */
const saysValue = (topic: ProfileTopic, { name }: ReportFact): boolean =>
  topic === 'offering' || (topic === 'ask' && name === AMOUNT);

function factOf(topic: ProfileTopic, fact: ReportFact, claim: VerdictSubject, key: string): SummaryFact {
  const evidence = proofFirst(fact.evidence);
  const text = statementOfFact(topic, fact);
  const verbatim = text !== '' && text === evidence[0]?.quote && fact.name === '';
  return { text, verbatim, claim, key, statedAbsent: false, isPlan: fact.isPlan, typed: fact, evidence };
}

/** The summary of a report: every topic in order, whether the analysis is finished or not. None vanishes: one without facts has the reason. */
export function summaryOf(report: AnalysisReport): SummaryTopic[] {
  return TOPICS.map((topic) => {
    const { value, profile } = SOURCES[topic];
    const ofReport = value === undefined ? null : value === 'sector' ? ofSector(report) : ofValue(report, value);
    const isSaid = (ofReport?.facts ?? []).some(({ statedAbsent }) => !statedAbsent);
    const more = profile === undefined ? null : ofProfile(report, profile, isSaid);
    const facts = [...(ofReport?.facts ?? []), ...(more?.facts ?? [])];
    const absence = facts.length > 0 ? null : (ofReport?.absence ?? more?.absence ?? 'not_found');
    return {
      topic,
      claims: claimsOfSources(SOURCES[topic]),
      facts,
      absence,
      contradiction: contradictionOf(report, topic),
    };
  });
}

/** True for a review that was made before decks had a profile: it can be made anew with one. */
export const lacksProfile = ({ profile, extractions }: AnalysisReport): boolean =>
  profile.status === 'not_asked' && extractions.some(({ status }) => status !== 'not_asked');

/** True for the topics that the profile alone tells. */
export const isOfProfile = (topic: Topic): boolean => SOURCES[topic].value === undefined;

/** Topics of the profile that stand for themselves in a list, in its order. */
export const LISTED_TOPICS: readonly ProfileTopic[] = PROFILE_TOPICS.filter(
  (topic) => topic !== 'offering' && topic !== 'ask',
);

/** Facts of a topic that are one claim, for what is said once of all of them. */
export interface SummaryClaim {
  readonly claim: VerdictSubject;
  readonly facts: readonly SummaryFact[];
}

/** The facts of a topic by their claims, in its order. */
export const claimsOfTopic = ({ facts }: Pick<SummaryTopic, 'facts'>): SummaryClaim[] =>
  [...Map.groupBy(facts, ({ claim }) => claim)].map(([claim, own]) => ({ claim, facts: own }));
