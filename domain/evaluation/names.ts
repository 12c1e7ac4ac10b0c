/**
 * When two texts name the same thing: names of companies, dates, sums of money and sectors.
 */
import { OTHER_SECTOR, type DeckLabel, type MoneyLabel } from './labels.ts';

/** Letters that a name may have beside the labelled one: a legal form, an article. */
const MAX_MORE_LETTERS = 4;

/** Letters and digits of a name in one case, without marks: `Café-Société Ltd.` → `cafesocieteltd`. */
export const bareName = (name: string): string =>
  name
    .normalize('NFKD')
    // By way of upper case: ß becomes ss.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Whether a name is one of the labelled ones, or has one of them within it and at most four letters beside it. */
export function isSameName(found: string, labelled: readonly string[]): boolean {
  const bare = bareName(found);
  return labelled.some((name) => {
    const wanted = bareName(name);
    if (bare === wanted) return true;
    return wanted !== '' && bare.includes(wanted) && bare.length <= wanted.length + MAX_MORE_LETTERS;
  });
}

/** Whether two dates agree as far as both say: `2024-10` agrees with `2024-10-07` and with `2024`. */
export const isSameDate = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= 4 && (a.startsWith(b) || b.startsWith(a));

/** A sum of money as a review states it. */
export interface FoundMoney {
  readonly amount: number | null;
  readonly currency: string | null;
}

/** Whether a sum is the labelled one or one that the label allows as well. A label without a currency allows each. */
export function isSameMoney({ amount, currency }: FoundMoney, label: MoneyLabel): boolean {
  const allowed = [
    ...[label.amount, ...(label.also ?? [])].map((each) => [each, label.currency] as const),
    ...(label.also_money ?? []),
  ];
  return allowed.some(([wanted, unit]) => amount === wanted && (unit === null || currency === unit));
}

/** Whether a sector is the labelled one; the label `health` stands for each but `other`. */
export const isSameSector = (found: string, label: NonNullable<DeckLabel['sector']>): boolean =>
  label === 'health' ? found !== OTHER_SECTOR : found === label;

/** Whether two sentences have the same words, whatever their case and signs. */
export const hasSameWords = (a: string, b: string): boolean => bareName(a) !== '' && bareName(a) === bareName(b);
