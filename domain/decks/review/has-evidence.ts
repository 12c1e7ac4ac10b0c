/** Whether questions have evidence. Without a library at run time: the pages of the workspace import it. */
import type { MarkRule } from '../../evidence/answering-settings.ts';
import type { ReportEvidence, ReportQuestion } from '../report.ts';
import { lineMark } from './marks.ts';

/** True for a question with evidence: an answer was found, or is stated to be none, and its quotes are settled by the rule. */
export const hasEvidence = (
  {
    state,
    evidence,
  }: Pick<ReportQuestion, 'state'> & { readonly evidence: readonly Pick<ReportEvidence, 'verdict' | 'answering'>[] },
  rule: MarkRule,
): boolean => (state === 'found' || state === 'stated_absent') && lineMark(evidence, rule) === 'settled';
