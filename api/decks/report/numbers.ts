/** Numbers of a report in the words of its language. */
import type { Language } from '../../../domain/models/model-tasks.ts';
import type { Labels } from './labels.ts';

/** `5.3 of 7`, or that there is no score. */
export function formatScore(score: number | null, labels: Labels): string {
  return score === null ? labels.noScore : `${score.toFixed(1)} ${labels.outOf}`;
}

/** Share as whole percent. */
export const formatConfidence = (share: number): string => `${Math.round(share * 100)} %`;

/** `EUR 2,500,000`; the code stays a code, because a symbol can mean several currencies. Null without an amount. */
export function formatAmount(
  money: { readonly amount: number | null; readonly currency: string | null },
  language: Language,
): string | null {
  if (money.amount === null) return null;
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(money.amount);
  return money.currency === null ? number : `${money.currency} ${number}`;
}

/** Class of a score on the page: 6 and more is good, 4 and more is medium, below is weak. */
export function scoreClass(score: number | null): 'good' | 'medium' | 'weak' | 'none' {
  if (score === null) return 'none';
  if (score >= 6) return 'good';
  return score >= 4 ? 'medium' : 'weak';
}
