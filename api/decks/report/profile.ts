/** The profile of a deck in its report, from the rows of its facts. */
import type { ReportFact, ReportProfile, ReportTopic, ValueStatus } from '../../../domain/decks/report.ts';
import { READING_STATUSES } from '../../../domain/decks/report.ts';
import { scopeOfRun } from '../../../domain/decks/run-scope.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { DOCUMENT_KINDS, PROFILE_TOPICS, type ProfileTopic } from '../../../domain/profile/topics.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import { claimEvidence, provenanceOf, slidesLacked, statusWithoutRow } from './parts.ts';
import type { AnalysisRows } from './rows.ts';

type ProfileRow = NonNullable<AnalysisRows['profile']>;
type FactRow = ProfileRow['facts'][number];

/** The profile; every topic is there as soon as the profile was asked for. */
export function profileOf(analysis: AnalysisRows): ReportProfile {
  const row = analysis.profile;
  const status =
    row === null
      ? statusWithoutRow(analysis, scopeOfRun(analysis.taskType).has('extract_profile'))
      : (memberOf(READING_STATUSES, row.status) ?? 'failed');
  const isKnown = status !== 'not_asked' && status !== 'pending';
  return {
    status,
    reason: row?.reason ?? null,
    document: row === null ? null : documentOf(analysis, row),
    topics: isKnown ? PROFILE_TOPICS.map((topic) => topicOf(analysis, row, topic, status)) : [],
    computedWithout: slidesLacked(analysis, [row?.modelResult]),
    provenance: provenanceOf(analysis, row?.modelResult),
  };
}

function documentOf(analysis: AnalysisRows, row: ProfileRow): ReportProfile['document'] {
  const kind = memberOf(DOCUMENT_KINDS, row.documentKind);
  const rows = row.facts.filter(({ topic }) => topic === 'document');
  return kind === null ? null : { kind, evidence: rows.flatMap((fact) => evidenceOfFact(analysis, row, fact)) };
}

function topicOf(
  analysis: AnalysisRows,
  row: ProfileRow | null,
  topic: ProfileTopic,
  status: ReportProfile['status'],
): ReportTopic {
  const facts = row?.facts.filter((fact) => fact.topic === topic) ?? [];
  const denied = facts.filter(({ isAbsent }) => isAbsent);
  const found = facts.filter(({ isAbsent }) => !isAbsent);
  const quotesOf = (of: readonly FactRow[]): ReportTopic['evidence'] =>
    row === null ? [] : of.flatMap((fact) => evidenceOfFact(analysis, row, fact));
  return {
    topic,
    status: stateOfTopic({ status, isAnswered: row?.unanswered.includes(topic) !== true, found, denied }),
    facts: found.map((fact) => ({ ...factOf(fact), evidence: quotesOf([fact]) })),
    evidence: quotesOf(denied),
  };
}

function stateOfTopic({
  status,
  isAnswered,
  found,
  denied,
}: {
  readonly status: ReportProfile['status'];
  readonly isAnswered: boolean;
  readonly found: readonly FactRow[];
  readonly denied: readonly FactRow[];
}): ValueStatus {
  if (status !== 'analysed') return status === 'classified' ? 'failed' : status;
  if (!isAnswered) return 'unparseable';
  if (found.length > 0) return 'found';
  return denied.length > 0 ? 'stated_absent' : 'not_found';
}

const factOf = ({
  name,
  value,
  amount,
  minAmount,
  currency,
  percent,
  isPlan,
}: FactRow): Omit<ReportFact, 'evidence'> => ({
  name,
  value,
  amount: amount?.toNumber() ?? null,
  minAmount: minAmount?.toNumber() ?? null,
  currency,
  percent,
  isPlan,
});

const evidenceOfFact = (analysis: AnalysisRows, row: ProfileRow, fact: FactRow): ReportFact['evidence'] =>
  claimEvidence(analysis, subjectOf({ of: 'profile', topic: fact.topic }), row.modelResult, fact.evidence);
