/**
 * Reads an amount of money from words as decks write them, English and German: "€2.5M", "EUR 2,500,000", "2,5 Mio. €", "$750k".
 */

export interface Money {
  /** In units of the currency, not cents. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/€|\beur(?:os?)?\b/iu, 'EUR'],
  [/\bchf\b|\bsfr\b|\bfranken\b/iu, 'CHF'],
  [/£|\bgbp\b|\bpounds?\b/iu, 'GBP'],
  [/\bsek\b/iu, 'SEK'],
  [/\bdkk\b/iu, 'DKK'],
  [/\bnok\b/iu, 'NOK'],
  [/\$|\busd\b|\bus-dollars?\b|\bdollars?\b/iu, 'USD'],
];

const FACTORS: readonly (readonly [RegExp, number])[] = [
  [/^(?:bn|b|billions?|mrd|milliarden?)\b/iu, 1e9],
  [/^(?:mio|mn|mm|m|millions?|millionen|mill)\b/iu, 1e6],
  [/^(?:k|tsd|thousand|tausend|teur|t€)(?![\p{L}])/iu, 1e3],
];

const NUMBER = /\d{1,3}(?:[.,'’\u00A0\u202F ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?/gu;

/**
 * The number a digit string stands for. A separator followed by exactly three digits groups thousands unless a multiplier of a million or
 * more ("2,500 million" is not written) or a leading zero says otherwise; the last of two different separators is the decimal point.
 */
function parseNumber(digits: string, hasFactor: boolean): number {
  const plain = digits.replaceAll(/['’\u00A0\u202F ]/gu, '');
  const separators = [...plain.matchAll(/[.,]/gu)].map((m) => m[0]);
  const last = separators.at(-1);
  if (last === undefined) return Number(plain);
  const distinct = new Set(separators).size;
  const tail = plain.length - plain.lastIndexOf(last) - 1;
  const lastIsDecimal =
    distinct === 2 ? true : separators.length === 1 && (tail !== 3 || hasFactor || plain.startsWith('0'));
  const at = lastIsDecimal ? plain.lastIndexOf(last) : -1;
  const whole = (at < 0 ? plain : plain.slice(0, at)).replaceAll(/[.,]/gu, '');
  return Number(at < 0 ? whole : `${whole}.${plain.slice(at + 1)}`);
}

/**
 * The one amount named in `raw`, or null when there is none, no currency, or more than one (a range is not an amount).
 *
 * @example parseMoney('2,5 Mio. €') // { amount: 2500000, currency: 'EUR' }
 */
export function parseMoney(raw: string): Money | null {
  const text = raw.normalize('NFKC');
  const currency =
    CURRENCIES.find(([pattern]) => pattern.test(text))?.[1] ?? (/\bteur\b/iu.test(text) ? 'EUR' : undefined);
  if (currency === undefined) return null;
  const amounts = new Set<number>();
  for (const match of text.matchAll(NUMBER)) {
    const after = text.slice(match.index + match[0].length).replace(/^[\s\u00A0-]*/u, '');
    if (after.startsWith('%')) continue;
    const factor = FACTORS.find(([pattern]) => pattern.test(after))?.[1];
    const before = text.slice(0, match.index);
    const leading = /\b(?:teur|t€|k€)\s*$/iu.test(before) ? 1e3 : undefined;
    const value = parseNumber(match[0], factor !== undefined && factor >= 1e6) * (factor ?? leading ?? 1);
    if (Number.isFinite(value)) amounts.add(Math.round(value * 100) / 100);
  }
  if (amounts.size !== 1) return null;
  const [amount] = amounts;
  return amount === undefined || amount <= 0 ? null : { amount, currency };
}
