/**
 * Whether two readings of the same pages that know nothing of each other found the same value. Where they agree, the value answers its question;
 * where they differ, one of them is about something else, and nobody knows which.
 */
import { nameKey, nameWords } from '../companies/name-key.ts';
import { parseDeckDate } from '../decks/deck-date.ts';
import type { Answering } from './answering.ts';
import { parseAmount } from './money.ts';
import type { ValueKind } from './value-check.ts';

/** Words of prose that two descriptions of one thing have in common, as a share of those of the shorter one. */
const SAME_PROSE = 0.5;
/** Shorter words say little of what a text is about. */
const LEAST_LETTERS = 4;

/**
 * What two readings say of a value together; null where they cannot be compared: one of them is empty or has no normal form, or both describe
 * the same in other words.
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

/** A month is the same as a day in it. */
function sameDate(first: string, second: string): Answering | null {
  const [a, b] = [parseDeckDate(first), parseDeckDate(second)];
  return a === null || b === null ? null : judged(a.startsWith(b) || b.startsWith(a));
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
    ).filter(({ length }) => length >= LEAST_LETTERS),
  );

function sameProse(first: string, second: string): boolean {
  const [a, b] = [wordsOf(first), wordsOf(second)];
  const least = Math.min(a.size, b.size);
  return least > 0 && a.intersection(b).size >= SAME_PROSE * least;
}
