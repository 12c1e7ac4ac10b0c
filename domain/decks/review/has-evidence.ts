/** Whether questions have evidence. Without a library at run time: the pages of the workspace import it. */
import type { MarkRule } from '../../evidence/answering-settings.ts';
import type { AnalysisReport, ReportEvidence, ReportQuestion } from '../report.ts';
import { lineMark } from './marks.ts';

/** True for a question with evidence: an answer was found, and its quotes are settled by the rule. */
export const hasEvidence = (
  {
    state,
    evidence,
  }: Pick<ReportQuestion, 'state'> & { readonly evidence: readonly Pick<ReportEvidence, 'verdict' | 'answering'>[] },
  rule: MarkRule,
): boolean => state === 'found' && lineMark(evidence, rule) === 'settled';

/** Number of questions with evidence in a review by rules, which finds and does not judge; null for another, and where no quote was judged. */
export function evidenceByRules({
  engine,
  chapters,
  marks,
}: Pick<AnalysisReport, 'engine' | 'chapters' | 'marks'>): number | null {
  if (engine?.kind !== 'rules' || (marks.onSlide > 0 && marks.notJudged >= marks.onSlide)) return null;
  return chapters.flatMap(({ questions }) => questions).filter((question) => hasEvidence(question, marks.rule)).length;
}
