/**
 * Numbers in text as decks write them: "2,5", "1 500 000", "2½", "2 1/2", "1 . 5", "two and a half", each with the multiplier that belongs
 * to it. A number that cannot be read without doubt (raised cents, powers of ten, a multiplier that is not known) is *unreadable*: it is no
 * smaller number instead.
 */
import { lowerCase } from '../text/lower-case.ts';
import { multiplierAt } from './multipliers.ts';
import { findNumberWords, isIndefinite } from './number-words.ts';

/** A number of the text, with its place. */
export interface Numeral {
  readonly start: number;
  readonly end: number;
  /** The digits as written, without the spaces of letter-spaced text; empty for a number in words. */
  readonly digits: string;
  /** Summand beside the digits: a fraction, or the whole value of a number in words. */
  readonly more: number;
  /** True where its characters stand apart. */
  readonly spread: boolean;
  /** False where a larger or another number may be meant. */
  readonly readable: boolean;
}

const DIGITS = String.raw`(?:(?<![\p{L}.])\.\d+|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,3})?|\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,3})?|\d+(?:[.,]\d+)?)`;
const NUMBER = new RegExp(String.raw`(?<!\d[.,'’]?)${DIGITS}(?![.,]?\d|\s?[%‰])`, 'gu');
const WHOLE = new RegExp(String.raw`^${DIGITS}$`, 'u');
/** Decimals and letter-spaced digits: "1 . 5", "12 , 5", "7 5 0". */
const SPREAD =
  /(?<!\p{L})(?<![\d.,'’] ?)(?:\d{1,3} [.,] \d{1,3}|(?:[\d.,] ){2,40}[\d.,])(?! ?[\d.,]* ?[%‰])(?![\d.,]| [.,]? ?\d)/gu;
/** One digit after another, of which the first is as far from its currency as from the next. */
const APART = /^ \d(?!\d)/u;

const FRACTION =
  /^(?:( and an? half| and one half|einhalb)(?!\p{L})| ?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞])| (1|2|3)[/⁄](2|3|4)(?![\d/.,]))(?! ?[%‰])/u;
const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅕': 1 / 5,
  '⅖': 2 / 5,
  '⅗': 3 / 5,
  '⅘': 4 / 5,
  '⅙': 1 / 6,
  '⅛': 1 / 8,
  '⅜': 3 / 8,
  '⅝': 5 / 8,
  '⅞': 7 / 8,
};
const ALONE = /(?<![\d½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞/⁄] ?)[½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞](?![\d/⁄])(?! ?[%‰])/gu;
const SHARE = /(?<![\d/⁄.,] ?)(1|2|3)[/⁄](2|3|4)(?![\d/.,])/gu;

/** Raised cents, and raised digits after a ten, may change what the number says; other raised digits mark a footnote. */
const MEANING = '\u{E000}';
const RAISED = /[⁰¹²³⁴-⁹]+/gu;
const POWER = /^\s?[x×·*]\s?10(?!\d)/u;

/**
 * Full-width digits and the many kinds of spaces become plain ones, the raised digits of footnotes spaces; every character keeps its place.
 */
export function plainCharacters(text: string): string {
  return text
    .replaceAll(RAISED, (raised, at: number) => {
      const before = /(?:^|[^\d.,'’ ]|(?<![\d.,'’]) )(\d+)$/u.exec(text.slice(Math.max(0, at - 20), at))?.[1];
      const changes = before !== undefined && (raised.length === 2 || before === '10');
      return (changes ? MEANING : ' ') + ' '.repeat(raised.length - 1);
    })
    .replaceAll(/[₀-₉]/gu, ' ')
    .replaceAll(/[^\p{ASCII}]/gu, (character) => {
      const plain = character.normalize('NFKC');
      return plain.length === character.length ? plain : character;
    });
}

/**
 * The number a digit string stands for. Of two different separators the last is the decimal point. One separator followed by exactly three
 * digits groups thousands, unless it is the decimal mark of the language of a large multiplier: "2,125 Mio." and "2.125 million" are two
 * million, "2.125 Mio." and "2,125 million" two thousand million.
 */
export function parseNumber(digits: string, decimalMark: string | null): number {
  const plain = digits.replaceAll(/['’ ]/gu, '');
  const separators = [...plain.matchAll(/[.,]/gu)].map((match) => match[0]);
  const last = separators.at(-1);
  if (last === undefined) return Number(plain);
  const at = plain.lastIndexOf(last);
  const grouping =
    plain.length - at === 4 &&
    at <= 3 &&
    plain.length === digits.length &&
    last !== decimalMark &&
    !/^[0.]/u.test(plain);
  const decimal = new Set(separators).size === 2 || (separators.length === 1 && !grouping);
  const whole = (decimal ? plain.slice(0, at) : plain).replaceAll(/[.,]/gu, '');
  return Number(decimal ? `${whole}.${plain.slice(at + 1)}` : whole);
}

/** Numbers in words count where a multiplier or another number of the same range stands behind them, or where they are large. */
function wordsOf(plain: string): Found[] {
  const found = findNumberWords(lowerCase(plain));
  return found.flatMap(({ value, start, end }, index): Found[] => {
    const next = found[index + 1];
    const inRange =
      next !== undefined && value >= 2 && /^(?: ?[-–] ?| (?:to|bis|or|oder|à|a) )$/u.test(plain.slice(end, next.start));
    if (value < 1000 && !inRange && multiplierAt(plain, end, () => ({ before: [], after: [] })) === null) return [];
    return [{ start, end, more: value }];
  });
}

function withFraction(plain: string, numeral: Numeral): Numeral {
  const match = FRACTION.exec(plain.slice(numeral.end, numeral.end + 16));
  if (match === null) return numeral;
  const [whole, half, sign, above, below] = match;
  const more = half !== undefined ? 0.5 : sign === undefined ? Number(above) / Number(below) : (FRACTIONS[sign] ?? 0);
  const readable = numeral.readable && more < 1 && /^\d+$/u.test(numeral.digits);
  return { ...numeral, end: numeral.end + whole.length, more, readable };
}

/** A place where the text has a number of that kind. */
type Found = Pick<Numeral, 'start' | 'end'> & Partial<Numeral>;

function spreadNumbers(plain: string): Found[] {
  return [...plain.matchAll(SPREAD)].flatMap((match): Found[] => {
    const digits = match[0].replaceAll(' ', '');
    // Whole numbers in a row are a list: a decimal mark, or a currency before them, makes them one.
    const isOne = /[.,]/u.test(digits) || afterSign(plain, match.index);
    return WHOLE.test(digits) && isOne ? [{ ...placeOf(match), digits, spread: true }] : [];
  });
}

/** "1/2" and "½" without a whole number before. */
function fractions(plain: string): Found[] {
  const shares = [...plain.matchAll(SHARE)].map((match): Found => {
    const more = Number(match[1]) / Number(match[2]);
    const place = placeOf(match);
    return {
      ...place,
      more,
      readable: more < 1 && multiplierAt(plain, place.end, () => ({ before: [], after: [] })) !== null,
    };
  });
  return [
    ...shares,
    ...[...plain.matchAll(ALONE)].map((match) => ({ ...placeOf(match), more: FRACTIONS[match[0]] ?? 0 })),
  ];
}

/** Ten, a hundred, a thousand and so on. */
const ROUND = /^1(?:0|[.,'’ ]000)+$/u;
/** Characters before such a number in which words stand that leave it open. */
const LEAD = 24;

function numbers(plain: string): Found[] {
  return [...plain.matchAll(NUMBER)].map((match) => {
    const place = placeOf(match);
    const [digits] = match;
    // "A few 100,000" is a number of hundred thousands that the words leave open.
    const isOpen = ROUND.test(digits) && isIndefinite(plain.slice(Math.max(0, place.start - LEAD), place.start));
    const readable =
      !isOpen &&
      !(digits.startsWith('.') && /\d $/u.test(plain.slice(Math.max(0, place.start - 2), place.start))) &&
      plain[place.end] !== MEANING &&
      !POWER.test(plain.slice(place.end, place.end + 8)) &&
      !(digits.length === 1 && afterSign(plain, place.start) && APART.test(plain.slice(place.end, place.end + 3)));
    return withFraction(plain, { ...NO_NUMBER, ...place, digits, readable });
  });
}

const placeOf = (match: RegExpExecArray): Pick<Numeral, 'start' | 'end'> => ({
  start: match.index,
  end: match.index + match[0].length,
});
/** True behind a currency sign and a space. */
const afterSign = (plain: string, at: number): boolean => /\p{Sc} $/u.test(plain.slice(Math.max(0, at - 2), at));
const NO_NUMBER = { digits: '', more: 0, spread: false, readable: true };

/** Every number of a text from `plainCharacters`, in order; they do not overlap. */
export function findNumerals(plain: string): Numeral[] {
  const taken = new Uint8Array(plain.length);
  return [spreadNumbers, fractions, numbers, wordsOf]
    .flatMap((find) =>
      find(plain).filter(({ start, end }) => {
        if (taken.subarray(start, end).includes(1)) return false;
        taken.fill(1, start, end);
        return true;
      }),
    )
    .map((found) => ({ ...NO_NUMBER, ...found }))
    .toSorted((a, b) => a.start - b.start);
}
