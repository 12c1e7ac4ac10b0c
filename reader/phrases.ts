/**
 * The words of the reader: lists of phrases in the data files of `reader/words`, one phrase a line. The README there says how to add one.
 *
 * A file `<group>.<language>.txt` holds lists under their `[names]`; a list of the same name in several languages is one. `#` begins a
 * comment. A phrase is found as whole words, whatever the case. In it stand for more than themselves:
 *
 * - `(a|b)` one of these; `?` after a character or a bracket: it may be missing
 * - `*` at a word any ending or beginning, between spaces any word; `{words}` up to four words with their spaces
 * - `…20` up to 20 characters of the same clause
 * - `-` a hyphen or a space, `'` any apostrophe
 * - `!(a|b)` at the beginning: not after these; elsewhere: not before these
 * - `^` and `$` beginning and end of the text
 * - `{number}` and `{year}` such a figure; any other `{name}` a phrase of that list, such as `{money}`
 * - `\` before a character: only itself
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import { anyOf } from './words.ts';

/** A phrase and where it stands, as `file:line`. */
export interface Phrase {
  readonly text: string;
  readonly place: string;
}

const fault = (place: string, reason: string): DeckhandError => new DeckhandError('internal', `${place}: ${reason}`);

/** The lists of a file by name. Throws for a line outside of a list, one with spaces at its edges, and one that comes twice in a list. */
export function parseLists(text: string, file: string): Map<string, Phrase[]> {
  const lists = new Map<string, Phrase[]>();
  let list: Phrase[] | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${file}:${index + 1}`;
    const name = /^\[(.+)\]$/u.exec(line)?.[1];
    if (name !== undefined) {
      if (lists.has(name)) throw fault(place, `the list [${name}] comes twice`);
      lists.set(name, (list = []));
    } else if (line !== '' && !line.startsWith('#')) {
      if (list === undefined) throw fault(place, 'a phrase outside of a [list]');
      if (line !== line.trim()) throw fault(place, 'a space at the edge of a phrase');
      if (list.some((other) => other.text === line)) throw fault(place, `"${line}" comes twice in its list`);
      list.push({ text: line, place });
    }
  }
  return lists;
}

/** A point that ends no sentence: within a number, and behind an abbreviation of one. */
const POINT_WITHIN = String.raw`(?<=\d)\.(?=\d)|(?<=\b(?:ca|mio|mrd|tsd|mill|bzw|mln))\.`;

const SIGN = /\\(.)|\{(.+?)\}|…(\d+)|((?<![\p{L}\p{N})?])\*(?![\p{L}(]))|!\(|[-*'(.+[\]/{}…]/gu;
const MEANING: Readonly<Record<string, string>> = { '*': String.raw`\p{L}*`, '-': '[-‐-― ]', "'": "['’]", '(': '(?:' };

/** The source of a pattern for a phrase. Throws for a phrase that is none, and for a `{piece}` of an unknown name. */
export function compilePhrase({ text, place }: Phrase): string {
  const meaningOf = (
    sign: string,
    escaped?: string,
    name?: string,
    gap?: string,
    word?: string,
    at?: number,
  ): string => {
    if (escaped !== undefined) return RegExp.escape(escaped);
    if (gap !== undefined) return String.raw`(?:[^.;]|${POINT_WITHIN}){0,${gap}}`;
    if (word !== undefined) return String.raw`[\p{L}-]+`;
    if (sign === '!(') return at === 0 ? '(?<!' : '(?!';
    if (name === undefined) return MEANING[sign] ?? RegExp.escape(sign);
    if (!Object.hasOwn(PIECES, name) && !LISTS.has(name)) throw fault(place, `there is no {${name}}`);
    return `(?:${sourceOf(name)})`;
  };
  if (/(?:^|[(|])(?:[|)]|$)/u.test(text.replaceAll(/\\./gu, '.')))
    throw fault(place, `an alternative of "${text}" is empty`);
  try {
    return new RegExp(text.replaceAll(SIGN, meaningOf), 'u').source;
  } catch (error) {
    throw error instanceof DeckhandError ? error : fault(place, `"${text}" is no phrase: ${String(error)}`);
  }
}

const FOLDER = path.join(import.meta.dirname, 'words');
const LISTS = Map.groupBy(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => [...parseLists(readFileSync(path.join(FOLDER, file), 'utf8'), file)]),
  ([name]) => name,
);

const PIECES: Readonly<Record<string, string>> = {
  number: String.raw`\d[\d.,']*`,
  year: String.raw`(?:19|20)\d\d`,
  words: String.raw`(?:[\p{L}-]+ ){0,4}`,
};
/** Null while a list is compiled. */
const compiled = new Map<string, string | null>();

/** The source of a pattern for a piece or the phrases of a list, without their edges. */
export function sourceOf(name: string): string {
  const known = PIECES[name] ?? compiled.get(name);
  if (known === null) throw fault('reader/words', `the list [${name}] is a part of itself`);
  if (known !== undefined) return known;
  const list = LISTS.get(name)?.flatMap(([, phrases]) => phrases);
  if (list === undefined) throw fault('reader/words', `there is no list [${name}]`);
  compiled.set(name, null);
  const source = list.map(compilePhrase).join('|');
  compiled.set(name, source);
  return source;
}

const patterns = new Map<string, RegExp>();

/** Matches any phrase of these lists, or any such piece, as whole words, ignoring case. Global: ask it with `has`, never with `test`. */
export function phrases(...names: readonly string[]): RegExp {
  const key = names.join('|');
  const pattern = patterns.get(key) ?? anyOf(...names.map(sourceOf));
  patterns.set(key, pattern);
  return pattern;
}

/** The same for one list; null where there is none of that name. */
export const phrasesOf = (name: string): RegExp | null => (LISTS.has(name) ? phrases(name) : null);

/** True for a text without letters and digits beside the phrases of these lists. */
export const isOnly = (text: string, ...names: readonly string[]): boolean =>
  !/[\p{L}\p{N}]/u.test(text.replaceAll(phrases(...names), ' '));

/** A list of single words, each as it is written. */
export const wordsOf = (name: string): ReadonlySet<string> =>
  new Set(LISTS.get(name)?.flatMap(([, list]) => list.map(({ text }) => text)));
