/**
 * What a person sends, as it is stored: texts without control characters, amounts and dates read from corrected words where the person gave
 * none. Whether what it is about exists is for those to check who can look it up.
 */
import { DeckhandError } from '../../errors.ts';
import { parseAmount } from '../../evidence/money.ts';
import { parseDeckDate } from '../deck-date.ts';
import type { HumanVerdict, ParsedVerdict } from './human-verdict.ts';

/** One verdict without what only the server knows. */
export interface Saying extends Pick<
  HumanVerdict,
  'kind' | 'subject' | 'text' | 'amount' | 'currency' | 'isoDate' | 'score' | 'reason' | 'analysisId'
> {
  /** The note that is changed or withdrawn; null for a new note and every other kind. */
  readonly item: string | null;
}

/** Control characters other than NUL, which is refused where texts are stored. */
const CONTROLS = /(?!\0)\p{Cc}+/gu;
/** The same, but for line ends and tabs. */
const CONTROLS_IN_LINES = /(?![\0\t\n])\p{Cc}+/gu;

/** On one line. */
const line = (text: string): string => text.replaceAll(CONTROLS, ' ').trim().toWellFormed();
/** With its lines. */
const lines = (text: string): string =>
  text.replaceAll(/\r\n?/gu, '\n').replaceAll(CONTROLS_IN_LINES, '').trim().toWellFormed();
/** Null for a text with nothing in it. */
const said = (text: string | null, clean = line): string | null => {
  const cleaned = text === null ? '' : clean(text);
  return cleaned === '' ? null : cleaned;
};

const NOTHING = {
  item: null,
  text: null,
  amount: null,
  currency: null,
  isoDate: null,
  score: null,
  reason: null,
  analysisId: null,
};

/**
 * What a verdict says.
 *
 * @throws DeckhandError `invalid_request` for an amount or date of a value that has none, a date that does not exist, an empty tag
 * or one with a comma
 */
export function sayingOf(verdict: ParsedVerdict): Saying {
  const { kind } = verdict;
  switch (verdict.kind) {
    case 'value': {
      const { subject, analysisId } = verdict;
      return { ...NOTHING, kind, subject, analysisId, reason: said(verdict.reason, lines), ...valueSaid(verdict) };
    }
    case 'score': {
      const { subject, score, analysisId } = verdict;
      return { ...NOTHING, kind, subject, score, analysisId, reason: said(verdict.reason, lines) };
    }
    case 'judgement': {
      const { subject, text, analysisId } = verdict;
      return { ...NOTHING, kind, subject, text, analysisId, reason: said(verdict.reason, lines) };
    }
    case 'note': {
      const { subject, item, analysisId } = verdict;
      return { ...NOTHING, kind, subject, item, analysisId, text: said(verdict.text, lines) };
    }
    case 'tag': {
      const tag = said(verdict.text);
      if (tag === null) throw refused('text: a tag has at least one character');
      // Filters of the list separate tags by commas.
      if (tag.includes(',')) throw refused('text: a tag has no comma; send each tag in a request of its own');
      return { ...NOTHING, kind, subject: tag, text: verdict.on ? tag : null };
    }
    case 'assignee':
      return { ...NOTHING, kind, subject: 'deck', text: said(verdict.text) };
    case 'decision':
      return { ...NOTHING, kind, subject: 'deck', text: verdict.decision, reason: said(verdict.reason, lines) };
  }
}

type NewValue = Extract<ParsedVerdict, { readonly kind: 'value' }>;

/** The corrected words with their amount or date. */
function valueSaid(value: NewValue): Pick<Saying, 'text' | 'amount' | 'currency' | 'isoDate'> {
  const { subject, isoDate } = value;
  const isMoney = subject === 'value/funding';
  const isDate = subject === 'value/deck_date';
  if (!isMoney && (value.amount !== null || value.currency !== null))
    throw refused('amount, currency: only of value/funding');
  if (!isDate && isoDate !== null) throw refused('isoDate: only of value/deck_date');
  if (isoDate !== null && parseDeckDate(isoDate) !== isoDate) throw refused(`isoDate: ${isoDate} is not a date`);
  const text = said(value.text);
  const nothing = { text, amount: null, currency: null, isoDate: null };
  if (text === null) return nothing;
  if (isDate) return { ...nothing, isoDate: isoDate ?? parseDeckDate(text) };
  return isMoney ? { ...nothing, ...moneySaid(text, value) } : nothing;
}

function moneySaid(
  text: string,
  { amount, currency }: Pick<NewValue, 'amount' | 'currency'>,
): Pick<Saying, 'amount' | 'currency'> {
  const read = parseAmount(text);
  const meant = amount ?? read?.amount ?? null;
  return {
    // As many decimals as are stored: what is sent again has to be the same.
    amount: meant === null ? null : Math.round(meant * 100) / 100,
    currency: currency ?? read?.currency ?? null,
  };
}

/** The parts of a saying that make it another one. */
const CONTENT = ['text', 'amount', 'currency', 'isoDate', 'score', 'reason'] as const;

/** True when a verdict says the same already. */
export const saysTheSame = (verdict: Pick<HumanVerdict, (typeof CONTENT)[number]>, saying: Saying): boolean =>
  CONTENT.every((part) => verdict[part] === saying[part]);

/** True for a saying that takes back what was said. */
export const isWithdrawal = ({ text, score }: Pick<Saying, 'text' | 'score'>): boolean =>
  text === null && score === null;

const refused = (userMessage: string): DeckhandError => new DeckhandError('invalid_request', userMessage);
