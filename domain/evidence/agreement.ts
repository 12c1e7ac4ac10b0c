/**
 * Compares two values that were found on the same pages independently: a model's with the one of the built-in rules. Where they agree, the value
 * answers its question; where they differ, one of them is about something else, and the comparison does not tell which.
 */
import { nameKey, nameWords } from '../companies/name-key.ts';
import { findDates, mostPrecise } from '../decks/deck-date.ts';
import type { Answering } from './answering.ts';
import { parseAmount } from './money.ts';
import type { ValueKind } from './value-check.ts';

/** Words that two descriptions of one thing have in common, as a share of those of the shorter and of the longer one. */
const [SAME_OF_SHORTER, SAME_OF_LONGER] = [0.5, 0.25];
/** One or two words in common ("software", "platform") are said of most companies. */
const LEAST_COMMON = 3;
/** Shorter words say little of what a text is about. */
const LEAST_LETTERS = 4;
/** Longer words that say nothing of it. */
const FUNCTION_WORDS = new Set(
  (
    'that this these those with from into onto over more most than their they them your ours have been will which while when where what also ' +
    'eine einen einem einer eines oder aber auch nicht sind wird werden durch über unter nach beim ihre ihren ihrer unsere unser welche dass ' +
    'damit sowie alle mehr'
  ).split(' '),
);

/**
 * How well a value answers by comparison with another one; null where they cannot be compared: one of them is empty or has no normal form, or
 * both describe the same in other words.
 */
export function agreementOf(kind: ValueKind, first: string, second: string): Answering | null {
  if (first.trim() === '' || second.trim() === '') return null;
  switch (kind) {
    case 'amount':
      return sameAmount(first, second);
    case 'date':
      return sameDate(first, second);
    case 'company':
      return sameName(first, second);
    case 'prose':
      return sameProse(first, second) ? 'high' : null;
  }
}

const judged = (agrees: boolean): Answering => (agrees ? 'high' : 'doubtful');

function sameAmount(first: string, second: string): Answering | null {
  const [a, b] = [parseAmount(first), parseAmount(second)];
  if (a === null || b === null) return null;
  return judged(a.amount === b.amount && (a.currency === b.currency || a.currency === null || b.currency === null));
}

/**
 * A month is the same as a day in it. A year alone agrees with a year alone: it says nothing of a month. Of two parts of one year ("Q1",
 * "spring") only the same words are known to be the same.
 */
function sameDate(first: string, second: string): Answering | null {
  const [a, b] = [dateOf(first), dateOf(second)];
  if (a === null || b === null) return null;
  if (a.iso.slice(0, 4) !== b.iso.slice(0, 4)) return 'doubtful';
  if (a.precision === 'part' || b.precision === 'part') return a.words === b.words ? 'high' : null;
  if ((a.precision === 'year') !== (b.precision === 'year')) return null;
  return judged(a.iso.startsWith(b.iso) || b.iso.startsWith(a.iso));
}

/** The date of a text with its words, without signs and spaces. */
function dateOf(raw: string) {
  const text = raw.normalize('NFC');
  const date = mostPrecise(findDates(text));
  if (date === null) return null;
  const words = text
    .slice(date.start, date.end)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return { ...date, words };
}

/** "Acme" is "Acme Robotics GmbH", said shorter. */
function sameName(first: string, second: string): Answering | null {
  if (nameKey(first) === null || nameKey(second) === null) return null;
  const [shorter = [], longer = []] = [nameWords(first), nameWords(second)].toSorted((a, b) => a.length - b.length);
  return judged(nameKey(first) === nameKey(second) || shorter.every((word, at) => word === longer[at]));
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).filter((word) => word.length >= LEAST_LETTERS && !FUNCTION_WORDS.has(word)),
  );

function sameProse(first: string, second: string): boolean {
  const [a, b] = [wordsOf(first), wordsOf(second)];
  const common = a.intersection(b).size;
  const [shorter, longer] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  return common >= LEAST_COMMON && common >= SAME_OF_SHORTER * shorter && common >= SAME_OF_LONGER * longer;
}
