/** Finds amounts of money in text as decks write them, English and German, as the raw words and where they stand. */

/** An amount in a text. */
export interface MoneyWords {
  /** Exactly as written, with currency and multiplier. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** Rough size for comparing amounts of one deck; currency ignored. */
  readonly size: number;
}

const CURRENCY = String.raw`(?:US\$|A\$|C\$|[€$£]|(?:USD|EUR|CHF|GBP|SEK|DKK|NOK|Euros?|Franken|US-Dollars?|dollars?|pounds?)(?![\p{L}]))`;
const NUMBER = String.raw`(?:\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)(?!\d)`;
const FACTOR = String.raw`(?:(?:millionen|millions?|mill\.?|mio\.?|mn|mm|milliarden?|mrd\.?|billions?|bn|tausend|thousand|tsd\.?|[kmb])(?![\p{L}\d]))`;
const RANGE = String.raw`(?:\s?(?:-|–|to|bis)\s?(?:${CURRENCY}\s?)?${NUMBER})?`;
const BEFORE = String.raw`(?:${CURRENCY}\s?${NUMBER}${RANGE}(?:\s?-?${FACTOR})?)`;
const AFTER = String.raw`(?:${NUMBER}${RANGE}(?:\s?-?${FACTOR})?\s?-?${CURRENCY})`;
const THOUSANDS = String.raw`(?:(?:TEUR|T€|k€|KEUR)\s?${NUMBER}|${NUMBER}\s?(?:TEUR|T€|k€|KEUR)(?![\p{L}]))`;
const MONEY = new RegExp(String.raw`(?<![\p{L}\d.,])(?:${THOUSANDS}|${BEFORE}|${AFTER})`, 'giu');

function sizeOf(raw: string): number {
  const digits = (new RegExp(NUMBER, 'u').exec(raw)?.[0] ?? '0').replaceAll(/['’\u00A0\u202F ]/gu, '');
  const grouped = /^\d{1,3}(?:[.,]\d{3})+$/u.test(digits) && !digits.startsWith('0');
  const value = grouped
    ? Number(digits.replaceAll(/[.,]/gu, ''))
    : Number(digits.replace(/[.,](?=\d{3}(?:\D|$))/u, '').replace(',', '.'));
  if (/(?:mrd|milliard|billion|bn|(?<=\d\s?)b(?![\p{L}]))/iu.test(raw)) return value * 1e9;
  if (/(?:mio|mill|mn|mm|(?<=\d\s?-?)m(?![\p{L}]))/iu.test(raw)) return value * 1e6;
  if (/(?:tsd|thousand|tausend|TEUR|T€|k€|KEUR|(?<=\d\s?-?)k(?![\p{L}]))/iu.test(raw)) return value * 1e3;
  return value;
}

/** All amounts of a text, in order. */
export function findMoney(text: string): MoneyWords[] {
  return [...text.matchAll(MONEY)].map((match) => {
    const raw = match[0].trim().replace(/[.,]$/u, (end) => (/(?:mio|mrd|tsd|mill)\.$/iu.test(match[0]) ? end : ''));
    return { raw, start: match.index, end: match.index + raw.length, size: sizeOf(raw) };
  });
}
