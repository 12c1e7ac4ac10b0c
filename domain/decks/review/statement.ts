/**
 * What an answer says, in as few words as there are. Without a library at run time: the pages of the workspace import it.
 */
import type { Provenance, ReportEvidence, ReportQuestion } from '../report.ts';
import { isProof } from './proof.ts';

/** The words of an answer. */
export interface Statement {
  readonly text: string;
  /** True where these are the words of the deck: the quotes stand in the text, so a page does not show them again. */
  readonly verbatim: boolean;
}

/** Between two quotes that are one statement. */
const BETWEEN = ' · ';

/**
 * The statement of quotes: their words, those that prove something where there are any; null without quotes.
 *
 * @param evidence quotes of one answer
 */
export function statementOfQuotes(evidence: readonly ReportEvidence[]): Statement | null {
  const proved = evidence.filter(isProof);
  const quotes = proved.length > 0 ? proved : evidence;
  return quotes.length === 0 ? null : { text: quotes.map(({ quote }) => quote.trim()).join(BETWEEN), verbatim: true };
}

/** True where rules made a value: their answers are quotes with a frame around them. */
export const isByRules = (provenance: Pick<Provenance, 'engineKind'> | null): boolean =>
  provenance?.engineKind === 'rules';

/**
 * The statement of an answer; null without an answer, and for one that its own check does not support. An answer of rules is said by
 * its quotes alone.
 */
export function statementOf(
  question: Pick<ReportQuestion, 'answer' | 'state' | 'evidence' | 'answerProvenance'>,
): Statement | null {
  const { answer, state, evidence, answerProvenance } = question;
  if (answer === null || answer.trim() === '' || state === 'not_supported') return null;
  const written = { text: answer.trim(), verbatim: false };
  return isByRules(answerProvenance) ? (statementOfQuotes(evidence) ?? written) : written;
}
