/**
 * Words that multiply a number: million, Mio., mln, crore, 億. Those of fourteen languages come from the locale data of the runtime; only
 * abbreviations that decks use beyond it are listed here.
 */

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'sv', 'da', 'nb', 'ru', 'zh', 'ja', 'hi'];

/** Come before the locale data, so that an English meaning wins over the same letters in another language. */
const WRITTEN: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mln: 1e6,
  mio: 1e6,
  mill: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  bln: 1e9,
  billions: 1e9,
  mrd: 1e9,
  mld: 1e9,
  tn: 1e12,
  trn: 1e12,
  trillions: 1e12,
  hundred: 100,
  hundert: 100,
  mia: 1e9,
  milyon: 1e6,
  milyar: 1e9,
  milioane: 1e6,
  miljoonaa: 1e6,
  lakh: 1e5,
  lakhs: 1e5,
  lac: 1e5,
  lacs: 1e5,
  crore: 1e7,
  crores: 1e7,
  千: 1e3,
  百万: 1e6,
  千万: 1e7,
  만: 1e4,
  억: 1e8,
};
/** Words of the locale data that mean something else at least as often, or that have rules of their own below. */
const DROPPED = new Set(['mil', 't', 'bio', 'bil', 'bill', 'bin', 'mr', 'mi', 'bi', 'tri']);

const RUPEES = new Set(['INR', 'PKR', 'LKR', 'NPR', 'BDT']);
const LATIN = new Set(['BRL', 'MXN', 'ARS', 'COP', 'CLP', 'PEN', 'UYU', 'EUR']);

/** Multipliers that depend on the currency beside the number; null leaves the word alone. */
const DEPENDENT: Readonly<Record<string, (beside: Beside, dotted: boolean) => number | null>> = {
  l: (beside) => (currenciesOf(beside).some((code) => RUPEES.has(code)) ? 1e5 : null),
  cr: (beside) => (currenciesOf(beside).some((code) => RUPEES.has(code)) ? 1e7 : null),
  t: (beside) => (currenciesOf(beside).length > 0 ? 1e12 : null),
  mi: (beside) => (currenciesOf(beside).length > 0 ? 1e6 : null),
  bi: (beside) => (currenciesOf(beside).length > 0 ? 1e9 : null),
  // A thousand in Spanish and Portuguese, a million in Czech and Slovak, and short for million in English: "500 mil €", but "€2 mil" is either.
  mil: (beside, dotted) => {
    const currencies = currenciesOf(beside);
    if (dotted || currencies.includes('CZK')) return 1e6;
    if (currencies.length === 0) return null;
    const latin = currencies.filter((code) => LATIN.has(code));
    if (latin.length === 0) return 1e6;
    return latin.length === currencies.length && (beside.before.length === 0 || !latin.includes('EUR')) ? 1e3 : null;
  },
};

/** Meanings that the marks before and after a number can have. */
export interface Beside {
  readonly before: readonly string[];
  readonly after: readonly string[];
}
const currenciesOf = ({ before, after }: Beside): readonly string[] => [...before, ...after];

/** A factor, and the decimal mark of the languages in which its word is used. */
export interface Multiplier {
  readonly factor: number;
  readonly decimalMark: string;
}

const WITH_COMMA = new Set(['tsd', 'mio', 'mln', 'mrd', 'mld', 'mia', 'milyon', 'milyar', 'milioane', 'miljoonaa']);

let built: ReadonlyMap<string, Multiplier> | undefined;
function table(): ReadonlyMap<string, Multiplier> {
  if (built !== undefined) return built;
  const words = new Map<string, Multiplier>();
  for (const [word, factor] of Object.entries(WRITTEN))
    words.set(word, { factor, decimalMark: WITH_COMMA.has(word) ? ',' : '.' });
  for (const locale of LOCALES) {
    const decimalMark = new Intl.NumberFormat(locale).format(0.5).charAt(1);
    for (const compactDisplay of ['short', 'long'] as const) {
      const format = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay, useGrouping: false });
      for (let exponent = 3; exponent <= 12; exponent += 1) {
        for (const first of [1, 2, 5]) {
          const parts = format.formatToParts(first * 10 ** exponent);
          const word = parts
            .find((part) => part.type === 'compact')
            ?.value.normalize('NFKC')
            .toLowerCase()
            .replace(/\.$/u, '');
          const shown = parts.filter((part) => part.type === 'integer').map((part) => part.value);
          if (word === undefined || shown.length === 0 || words.has(word) || DROPPED.has(word)) continue;
          words.set(word, { factor: (first * 10 ** exponent) / Number(shown.join('')), decimalMark });
        }
      }
    }
  }
  return (built = words);
}

/** A multiplier in a text. */
export interface PlacedMultiplier extends Multiplier {
  readonly end: number;
}

const WORD = /(?: {1,2}|-)?((?:\p{L}|\p{M}|॰)+)(\.?)( (?:\p{L}|\p{M})+)?/uy;
/** Terms that begin like a multiplier: m2, B2B, K-12, M&A. */
const TERM = /^(?:m[23]|b2\p{L}|m2m|k-?12|m&a)(?!\p{L})/iu;
const UNSPACED = /^(?:百万|千万|万亿|[千万億亿兆만억])/u;

/** The marks beside a number whose multiplier would end at `end`. */
type Marks = (end: number) => Beside;

/** One multiplier word; see {@link multiplierAt}. */
function wordAt(text: string, at: number, marks: Marks): PlacedMultiplier | null {
  const unspaced = UNSPACED.exec(text.slice(at, at + 4).trimStart());
  if (unspaced !== null) {
    const end = text.indexOf(unspaced[0], at) + unspaced[0].length;
    return { factor: table().get(unspaced[0])?.factor ?? 1, decimalMark: '.', end };
  }
  WORD.lastIndex = at;
  const match = WORD.exec(text);
  if (match === null) return null;
  const [whole, first = '', dot = '', second = ''] = match;
  const behind = text.slice(at + whole.length - second.length);
  if (/^\d/u.test(behind) || TERM.test(text.slice(at).trimStart())) return null;
  const end = at + whole.length - second.length;
  const both = table().get(`${first}${second}`.toLowerCase());
  if (dot === '' && both !== undefined && second !== '') return { ...both, end: at + whole.length };
  const word = first.toLowerCase();
  // A single capital T, B or L is a multiplier; the small letters t and l are not.
  const dependent = word === 't' || word === 'l' ? (first === word ? undefined : DEPENDENT[word]) : DEPENDENT[word];
  const special = dependent?.(marks(end), dot !== '') ?? null;
  const { factor, decimalMark } =
    special === null ? (table().get(word) ?? NONE) : { factor: special, decimalMark: '.' };
  if (factor === 1 || (dependent !== undefined && special === null)) return null;
  // The dot of an abbreviation is part of it; after a whole word or a letter it ends the sentence.
  const abbreviated = dot !== '' && ABBREVIATED.has(word);
  return { factor, decimalMark, end: abbreviated || dot === '' ? end : end - 1 };
}

/** Multiply the multiplier behind them: "hundred thousand", "lakh crore". */
const MULTIPLY_AGAIN = /^(?:hundred|thousand|hundert|tausend|lakhs?|lacs?)$/iu;
/** Letters with a space between each: "M R D". */
const APART = /^ (\p{L}(?: \p{L}){1,12})(?![\p{L}\p{M}]| ?\d)/u;

/**
 * The multiplier that follows a number which ends at `at`: "M" in "2M", "Mio." in "2 Mio.", "-Millionen" in "3-Millionen-Runde", "Lakh
 * Crore", "M I O" with its letters apart.
 * @param marks the marks before the number and behind a multiplier that would end there
 */
export function multiplierAt(text: string, at: number, marks: Marks): PlacedMultiplier | null {
  const apart = APART.exec(text.slice(at, at + 30));
  const letters = apart?.[1]?.replaceAll(' ', '').toLowerCase() ?? '';
  const known = letters.length > 1 ? table().get(letters) : undefined;
  if (known !== undefined) return { ...known, end: at + (apart?.[0].length ?? 0) };
  const first = wordAt(text, at, marks);
  if (first === null || !MULTIPLY_AGAIN.test(text.slice(at, first.end).trim())) return first;
  const second = text[first.end] === ' ' ? wordAt(text, first.end, marks) : null;
  return second === null ? first : { ...second, factor: first.factor * second.factor };
}

/** Words that multiply in some language, or in none. */
const LIKE_MULTIPLIER =
  /ll?i[oó]n|ll?iard|llõ|llón|lh(?:ão|ões)|l(?:i?j|ij)(?:oo?n|ard|ar|un)|milli[oóa]|milyon|milyar|zilli|lakh|crore|kharab/u;
/** Abbreviations of several meanings, one of them a multiplier. */
const SHORT = /^(?:mil[jnors]{0,2}|bil[jnors]{0,2}|bill|bio|bin|mr|ml?r?ds?|[mb]l?ns|tril?|mi|bi|cr|ths?d?|tds|t|l)$/u;
const NEXT = /(?: {1,2}|-)?((?:\p{L}|\p{M})+)/uy;
const UNITS = /^(?:km|kg|kwh?|mwh?|kwp|mtl|kb|mb|gb|tb|ch)$/iu;
const SHORT_KNOWN = /^(?:[mbktl]|m[mn]|bn|mio|mrd|tsd|cr)$/iu;

/**
 * True where the words at `at`, behind a number or its multiplier, may multiply it and it is not known by how much: "zillion", "M1", a
 * second multiplier.
 * @param counted true behind a multiplier
 */
export function mayMultiply(text: string, at: number, counted: boolean): boolean {
  const apart = APART.exec(text.slice(at, at + 30))?.[1] ?? '';
  if (!counted && apart.length > 4 && /^[mbtkcl]/iu.test(apart)) return true;
  NEXT.lastIndex = at;
  const match = NEXT.exec(text);
  if (match === null) return false;
  const [whole, word = ''] = match;
  const [glued, behind] = [whole === word, text.slice(at + whole.length - word.length)];
  if (/^\d/u.test(behind.slice(word.length)))
    return !counted && (glued || (SHORT_KNOWN.test(word) && !TERM.test(behind)));
  if (LIKE_MULTIPLIER.test(word.toLowerCase())) return !counted || !whole.startsWith('-');
  if (counted) return glued;
  return SHORT.test(word.toLowerCase()) || (glued && /^(?:\p{Lu}|[bcklmt])/u.test(word) && !UNITS.test(word));
}

const HALF = /^ (?:and a half|und eine halbe|et demie?|y medio|e mezzo|e meio|i pół)(?!\p{L})/iu;
/** "million and a half": end of the words that add half of the multiplier; null without them. */
export function halfAfter(text: string, at: number): number | null {
  const match = HALF.exec(text.slice(at, at + 20));
  return match === null ? null : at + match[0].length;
}

const BEFORE = /(?<![\p{L}\d]|\d[.,]? )((?:\p{L}|\p{M})+)\.? ?$/u;
const WORDS_BEFORE = /^(?:millionen|milliarden|millions?|billions?|crores?|lakhs?)$/u;
const SHORT_BEFORE = /^(?:mio|mrd|tsd|mln|mld|mia|mn|bn)$/u;
/**
 * The multiplier that ends before a number, "CHF Mio. 2.5", or before its mark, "Mio. € 2,5"; a letter alone is none.
 * @param mark true before a mark, where whole words may belong to what was said before
 */
export function multiplierBefore(
  text: string,
  at: number,
  mark: boolean,
): (Multiplier & { readonly start: number }) | null {
  const match = BEFORE.exec(text.slice(Math.max(0, at - 14), at));
  const word = match?.[1]?.toLowerCase() ?? '';
  const leads = SHORT_BEFORE.test(word) || (!mark && WORDS_BEFORE.test(word));
  const found = leads ? table().get(word) : undefined;
  return match === null || found === undefined ? null : { ...found, start: at - match[0].length };
}

const NONE: Multiplier = { factor: 1, decimalMark: '.' };
const ABBREVIATED = new Set(['mio', 'mrd', 'tsd', 'mill', 'mln', 'mld', 'mil', 'cr', 'tys', 'тыс', 'mia']);
