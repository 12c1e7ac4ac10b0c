/** Words as the name of a competitor or an alternative: "Cortera Medical" of "Cortera Medical sell to cardiologists". */
import { isValueText } from '../../domain/pages/is-table.ts';
import { keyOf } from '../names.ts';
import { isNotice } from '../passages.ts';
import { phrases } from '../phrases.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords } from '../text.ts';
import { has } from '../words.ts';
import { labelFrom } from './fact.ts';

/** Words for the company itself; labels of a matrix, of criteria and of legends; the beginnings of statements that name nobody. */
const [OURSELVES, NO_COMPETITOR, NOBODY] = [
  phrases('the company itself'),
  phrases('no competitor'),
  phrases('names nobody'),
];
/** Verbs and words behind the name of a competitor. */
const VERB = phrases('verbs of competitors');

const MOST_NAME = 40;
export const MOST_NAME_WORDS = 6;

/** Gives the name within words of a deck; null where they name no competitor. */
export type Named = (text: string) => string | null;

/** True for words that name the company itself, whose key is `own`. */
export const isOwnName = (name: string, own: string): boolean =>
  has(name, OURSELVES) ||
  (own !== '' && (keyOf(name).includes(own) || (keyOf(name).length > 3 && own.includes(keyOf(name)))));

/** Words as the name of a competitor of the company that `isOwn` recognises; null where they are none. */
export function competitorName(text: string, isOwn: (name: string) => boolean): string | null {
  const whole = labelFrom(text.replaceAll(/(?<=\p{L})[-‐] (?=\p{Ll})/gu, '').replace(/[.*¹²³]+$/u, ''));
  const name = subjectOf(whole).replace(/^(?:Der|Die|Das)\s(?=\p{Lu})/u, '');
  if (name === '' || name.length > MOST_NAME || countWords(name) > MOST_NAME_WORDS || countWords(name) === 0)
    return null;
  if (isOwn(name) || has(name, NO_COMPETITOR) || isNotice(name) || !/\p{L}{2}/u.test(name)) return null;
  // Names may begin with such a word, as "First Solar" and "The Ocean Cleanup" do: their next one has a capital.
  if (has(whole, NOBODY) && !/^\p{L}+\s\p{Lu}/u.test(whole)) return null;
  return subjectsOfLabel(name).length > 0 || isValueText(name) ? null : name;
}

/** The words before the verb of a statement, and the words themselves where they are none. */
export function subjectOf(text: string): string {
  // A name in capitals has no verb in small letters.
  const verb = [...text.matchAll(VERB)].find(
    ({ index, 0: word }) => index > 0 && index + word.length < text.length && word === word.toLowerCase(),
  );
  return verb === undefined ? text : labelFrom(text.slice(0, verb.index));
}

/** True for a statement about somebody: few words, then a verb. */
export const isStatement = (text: string): boolean => {
  const subject = subjectOf(text);
  return subject !== labelFrom(text) && countWords(subject) <= MOST_SUBJECT_WORDS && /^[\p{Lu}\d]/u.test(subject);
};
const MOST_SUBJECT_WORDS = 3;

/** Names of a list in one line: "Nordrad, Radmeister", "Nordrad · Radmeister"; the line itself where it is none. */
export function namesOfLine(text: string): string[] {
  const parts = text.split(/,\s|;\s|\s(?:and|und|or|oder)\s|\s?[·•|/]\s/u).map((part) => part.trim());
  const isList =
    parts.length > 1 &&
    !/:\s|\s[–—-]\s/u.test(text) &&
    parts.every((part) => countWords(part) <= 3 && !/^\p{Ll}+\s.*\s/u.test(part));
  return isList ? parts : [text];
}
