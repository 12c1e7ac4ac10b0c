/**
 * When two wordings say the same: names of people, companies and uses by their words and close spelling, statements by the words that they
 * have in common.
 */
import { numbersIn } from '../evidence/money.ts';
import { editDistance } from '../text/closest-name.ts';
import { bareName } from './names.ts';

/** One letter of so many may be another one: recognised text, marks that a reader leaves out. */
const LETTERS_PER_FAULT = 6;
/** Two forms of a word begin with so many same letters and end in at most so many others: customer, customers. */
const [LEAST_STEM, MOST_ENDING] = [4, 2];
/** Words in common as a share of those of the shorter statement. */
const SAME_OF_SHORTER = 0.5;
/** A single word in common says enough where the shorter statement has no other. */
const LEAST_COMMON = 2;

/** Words that say nothing of what a statement is about. */
const FUNCTION_WORDS = new Set(
  (
    'a an the and or of in on at to for from by with per as is are be was were has have had we our us you your they their them it its that this ' +
    'these those which who whom into over than then so far not no all each other more most also ' +
    'der die das den dem des ein eine einen einem einer eines und oder von vom zu zum zur im in ins am an auf aus bei mit nach für über unter ' +
    'als ist sind wird werden wir unser unsere unseren sie ihr ihre ihren es sich nicht auch pro je durch'
  ).split(' '),
);

const lettersOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Names of rounds that differ in a letter or in a word of another one, each as one word. */
const asOneWord = (text: string): string =>
  text.replaceAll(/\bpre[- ]?(seed|series)\b/giu, 'pre$1').replaceAll(/\b(pre)?series[- ]([a-e])\b/giu, '$2$1series');

/** Words without figures, which {@link figuresAgree} compares. */
const contentWords = (text: string): string[] => [
  ...new Set(
    lettersOf(asOneWord(text)).filter((word) => word.length > 1 && /\p{L}/u.test(word) && !FUNCTION_WORDS.has(word)),
  ),
];

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same += 1;
  return same >= LEAST_STEM && Math.max(a.length, b.length) - same <= MOST_ENDING;
}

const isCloselySpelt = (a: string, b: string): boolean =>
  editDistance(a, b) <= Math.floor(Math.min(a.length, b.length) / LETTERS_PER_FAULT);

const commonWords = (shorter: readonly string[], longer: readonly string[]): number =>
  shorter.filter((word) => longer.some((other) => isSameWord(word, other))).length;

const byLength = (a: readonly string[], b: readonly string[]): [string[], string[]] =>
  a.length <= b.length ? [[...a], [...b]] : [[...b], [...a]];

/** Same letters and digits, or the same text where it has none. */
const isSameText = (a: string, b: string): boolean => {
  const [bareA, bareB] = [bareName(a), bareName(b)];
  return bareA === '' ? a.trim() !== '' && a.trim() === b.trim() : bareA === bareB;
};

/**
 * How well two names agree, from 0 (another name) to 1 (the same letters): closely spelt, or every word of the shorter one is a word of the
 * longer one ("Dr. Ada Example", "Ada Example").
 */
export function sameName(a: string, b: string): number {
  if (isSameText(a, b)) return 1;
  const [bareA, bareB] = [bareName(a), bareName(b)];
  if (bareA === '' || bareB === '') return 0;
  if (isCloselySpelt(bareA, bareB)) return 0.9;
  const [shorter, longer] = byLength(lettersOf(a), lettersOf(b));
  const areWithin = shorter.every((word) =>
    longer.some((other) => isSameWord(word, other) || isCloselySpelt(word, other)),
  );
  return areWithin && shorter.some((word) => word.length > 2) ? 0.5 + (0.3 * shorter.length) / longer.length : 0;
}

/**
 * How well two statements agree, from 0 to 1: at least half of the content words of the shorter one are words of the other, and at least two
 * where it has more than one. What they say in figures is compared by {@link figuresAgree}.
 */
export function sameStatement(a: string, b: string): number {
  if (isSameText(a, b)) return 1;
  const [shorter, longer] = byLength(contentWords(a), contentWords(b));
  const common = commonWords(shorter, longer);
  if (common < Math.min(LEAST_COMMON, shorter.length) || common === 0) return 0;
  if (common < shorter.length * SAME_OF_SHORTER) return 0;
  return 0.9 * (0.5 * (common / shorter.length) + 0.5 * (common / longer.length));
}

/** Whether they have a content word in common. */
export const shareWord = (a: string, b: string): boolean =>
  isSameText(a, b) || commonWords(contentWords(a), contentWords(b)) > 0;

/** `agree` and `differ` where both have one, or several of which one is the same; `unknown` where one of them has none. */
export type Agreement = 'agree' | 'differ' | 'unknown';

const PERCENT = /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:%|percent|prozent)/giu;

/** Numbers, and shares in percent apart from them. */
const figuresIn = (text: string): string[] => [
  ...numbersIn(text).flatMap((number) => (number === null ? [] : [String(number)])),
  ...[...text.matchAll(PERCENT)].map(([, share = '']) => `${Number(share.replace(',', '.'))} %`),
];

/** Whether a number or a share of one statement is in the other. */
export function figuresAgree(a: string, b: string): Agreement {
  const [inA, inB] = [figuresIn(a), figuresIn(b)];
  if (inA.length === 0 || inB.length === 0) return 'unknown';
  return inA.some((figure) => inB.includes(figure)) ? 'agree' : 'differ';
}

const YEAR = /^(?:19|20)\d{2}$/u;

/** Whether they have a figure in common that is no year. */
export const shareFigure = (a: string, b: string): boolean =>
  figuresIn(a).some((figure) => !YEAR.test(figure) && figuresIn(b).includes(figure));
