/** Values of a review as text, in the words of a language. */
import type { AnalysisReport, ReportContradiction, ReportSlide } from '../../../domain/decks/report.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { pageNoteOf } from '../../../domain/pages/page.ts';
import type { Tone } from '../../document/blocks.ts';
import type { HazardWords, Labels } from './labels.ts';

/** Text of a hazard; `…_unknown` means that the file is too damaged to tell. A hazard without words is named as it is. */
export function hazardText(hazard: string, labels: Labels): string {
  const words: Readonly<Record<string, HazardWords>> = labels.hazard;
  const asked = /^(.+)_unknown$/u.exec(hazard)?.[1];
  if (asked !== undefined) return `${words[asked]?.[0] ?? asked}: ${labels.unknown}`;
  const [name, remark] = words[hazard] ?? [hazard, null];
  return remark === null ? name : `${name} (${remark})`;
}

/** What contradicts itself: "Two values: customers". */
export function contradictionTitle({ kind, subject }: ReportContradiction, labels: Labels): string {
  const words = labels.contradiction[kind];
  return kind === 'figure' || kind === 'total' ? `${words}: ${subject}` : words;
}

/** Value of one side; of a total the first side is the sum of its parts. */
export const sideValue = (
  { kind, first }: ReportContradiction,
  side: ReportContradiction['first'],
  labels: Labels,
): string => (kind === 'total' && side === first ? `${side.value}, ${labels.partsSum}` : side.value);

/** `5.3 of 7`, or that there is no score. */
export function formatScore(score: number | null, labels: Labels, digits = 1): string {
  return score === null ? labels.noScore : `${labels.decimal(score, digits)} ${labels.outOf}`;
}

/** `EUR 2,500,000`, of a range `EUR 500,000–1,000,000`; the code stays a code, because a symbol can mean several currencies. Null without an amount. */
export function formatAmount(
  money: Pick<AnalysisReport['funding'], 'amount' | 'minAmount' | 'currency'>,
  language: Language,
): string | null {
  if (money.amount === null) return null;
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const number =
    money.minAmount === null
      ? format.format(money.amount)
      : `${format.format(money.minAmount)}–${format.format(money.amount)}`;
  return money.currency === null ? number : `${money.currency} ${number}`;
}

/** What a reader should know of the text of a page; null where there is nothing to say. */
export function pageNote({ page }: Pick<ReportSlide, 'page'>, labels: Labels): string | null {
  const code = page === null ? null : pageNoteOf(page);
  return code === null ? null : labels.pageNotes[code];
}

/** 6 and more is good, 4 and more is medium, below is weak. */
export function scoreTone(score: number | null): Tone {
  if (score === null) return 'none';
  if (score >= 6) return 'good';
  return score >= 4 ? 'medium' : 'weak';
}
