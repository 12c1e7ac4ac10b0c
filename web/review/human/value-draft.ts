/** What the form that corrects a value holds, and what it says. Pure. */
import type { NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { JudgedValue } from '../../../domain/decks/verdicts/overlay.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';

/** What a form holds, as text. */
export interface Draft {
  readonly text: string;
  readonly amount: string;
  readonly currency: string;
  readonly isoDate: string;
  readonly reason: string;
}

/** The form starts with what holds. */
export function draftOf({ field, human, machine }: JudgedValue, { funding, deckDate }: AnalysisReport): Draft {
  if (human !== null) {
    return {
      text: human.text ?? '',
      amount: human.amount === null ? '' : String(human.amount),
      currency: human.currency ?? '',
      isoDate: human.isoDate ?? '',
      reason: human.reason ?? '',
    };
  }
  return {
    text: machine ?? '',
    amount: field === 'funding' && funding.amount !== null ? String(funding.amount) : '',
    currency: field === 'funding' ? (funding.currency ?? '') : '',
    isoDate: field === 'deck_date' ? (deckDate.iso ?? '') : '',
    reason: '',
  };
}

const AMOUNT = /^\d+(?:[.,]\d{1,2})?$/u;
const CURRENCY = /^[A-Z]{3}$/u;
const ISO_DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/u;

/** What a draft says; null where it cannot be sent. An amount or date without words is its own words. */
export function verdictOfDraft(field: string, draft: Draft, analysisId: string): NewVerdict | null {
  const text = draft.text.trim();
  const amount = draft.amount.replaceAll(/\s/gu, '');
  const currency = draft.currency.trim().toUpperCase();
  const isoDate = draft.isoDate.trim();
  if (amount !== '' && !AMOUNT.test(amount)) return null;
  if (currency !== '' && !CURRENCY.test(currency)) return null;
  if (isoDate !== '' && !ISO_DATE.test(isoDate)) return null;
  const words = text !== '' ? text : amount === '' ? isoDate : `${currency} ${amount}`.trim();
  if (words === '') return null;
  return {
    kind: 'value',
    subject: subjectOf({ of: 'value', field }),
    text: words,
    amount: amount === '' ? null : Number(amount.replace(',', '.')),
    currency: currency === '' ? null : currency,
    isoDate: isoDate === '' ? null : isoDate,
    reason: draft.reason.trim() === '' ? null : draft.reason.trim(),
    analysisId,
  };
}
