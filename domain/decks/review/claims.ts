/**
 * The claims of a report: every value, answer and specialised reading with quotes, in one list, so that a reader can go from one to the next.
 *
 * Without a library at run time: the pages of the workspace import it.
 */
import type { Language } from '../../models/model-tasks.ts';
import type { AnalysisReport, Provenance, ReportEvidence, ReportVerdict } from '../report.ts';
import { isNameIn } from '../../text/member-of.ts';
import { subjectOf } from '../verdicts/subject.ts';
import type { VerdictSubject } from '../verdicts/kinds.ts';
import type { MarkRule } from '../../evidence/answering-settings.ts';
import { shownValue } from './absence.ts';
import { markCounts } from './marks.ts';
import { proofFirst } from './proof.ts';
import { quotesOfTopic, statementOfTopic } from '../../profile/statement.ts';
import { statementOf } from './statement.ts';
import { reviewWords } from './words.ts';

/** One claim. */
export interface Claim {
  /** Also what a person's verdict on it is about: `value/funding`, `profile/team`, `question/unit_economics`, `reading/clinical`. */
  readonly id: VerdictSubject;
  /** What it answers: name of the value or reading, text of the question. */
  readonly label: string;
  /** What it says; null where the quotes only say that there is none. */
  readonly text: string | null;
  /** Verdict of its best quote. */
  readonly verdict: ReportVerdict;
  /** At least one; those that prove something first. */
  readonly evidence: readonly [ReportEvidence, ...ReportEvidence[]];
  /** Of the answer, not of its score; null where its result is not stored. */
  readonly provenance: Provenance | null;
}

/** The parts of a report that make claims. */
export type ClaimParts = Pick<AnalysisReport, 'language' | 'extractions' | 'chapters' | 'specialised' | 'profile'>;

function claim(
  id: VerdictSubject,
  label: string,
  text: string | null,
  quotes: readonly ReportEvidence[],
  provenance: Provenance | null,
): Claim[] {
  const [best, ...others] = proofFirst(quotes);
  return best === undefined
    ? []
    : [{ id, label, text, verdict: best.verdict, evidence: [best, ...others], provenance }];
}

/**
 * The claims in reading order: values, topics of the profile, answers by chapter, specialised readings. An answer that is not supported claims nothing.
 *
 * @param language of the names of values and readings; that of the report by default
 */
export function claimsOf(report: ClaimParts, language: Language = report.language): Claim[] {
  const { fields, readings, topics } = reviewWords[language];
  const nameOf = (field: string): string => (isNameIn(fields, field) ? fields[field] : field);
  return [
    ...report.extractions.flatMap(({ field, evidence, provenance, ...value }) =>
      claim(subjectOf({ of: 'value', field }), nameOf(field), shownValue(value), evidence, provenance),
    ),
    ...report.profile.topics.flatMap((each) =>
      claim(
        subjectOf({ of: 'profile', topic: each.topic }),
        topics[each.topic],
        statementOfTopic(each),
        quotesOfTopic(each),
        report.profile.provenance,
      ),
    ),
    ...report.chapters
      .flatMap((chapter) => chapter.questions)
      .filter(({ state }) => state !== 'not_supported')
      .flatMap((question) =>
        claim(
          subjectOf({ of: 'question', slug: question.slug }),
          question.text,
          statementOf(question)?.text ?? null,
          question.evidence,
          question.answerProvenance,
        ),
      ),
    ...report.specialised.flatMap(({ kind, summary, evidence, provenance }) =>
      claim(subjectOf({ of: 'reading', reading: kind }), readings[kind], summary, evidence, provenance),
    ),
  ];
}

/** The marks of a report: the counts of its quotes by a rule, and the rule. */
export const marksOf = (report: ClaimParts, rule: MarkRule): AnalysisReport['marks'] => ({
  rule: { level: rule.level, share: rule.share },
  ...markCounts(
    claimsOf(report).flatMap(({ evidence }) => evidence),
    rule,
  ),
});
