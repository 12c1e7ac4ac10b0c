/**
 * Finds words on a slide that address a model instead of an investor: attempts to steer the score. They are reported as a finding and left
 * out of what is read; the fences around deck text keep what is not found from being instructions.
 */
import { controlWordsIn } from '../text/control-words.ts';
import { STEERING_COMBINATIONS, STEERING_MARKS, STEERING_PATTERNS, type Combination } from './steering-patterns.ts';

/** Longest text kept of an attempt. */
const MAX_FINDING_LENGTH = 300;
/** A sentence may wrap over so many lines. */
const MAX_LINES = 4;
/** A run of such characters may be text in base64; shorter ones are words. */
const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/gu;
/** Where a run of such characters goes on in the next line. */
const ENCODED_BREAK = /(?<=[A-Za-z0-9+/_-]{12})\s+(?=[A-Za-z0-9+/_-]{4,}={0,2}(?:\s|$))/gu;
/** A word that is divided at the end of a line is one word. */
const DIVIDED = /(?<=\p{L})[-‐\u00ad]\n(?=\p{L})/gu;
/** The end of a sentence; a point within a number is none. */
const SENTENCE_END = /(?<=[.!?;])\s+/u;

/** Pieces of text that are an attempt together: the index of the first, and how many. */
export interface Attempt {
  readonly from: number;
  readonly count: number;
}

/** The lines of a text that try to steer a model, verbatim, after the control words that stand elsewhere in it. */
export function findSteering(text: string): string[] {
  const lines = linesOf(text);
  const attempts = findAttempts(lines).map(({ from, count }) => shortened(lines.slice(from, from + count).join(' ')));
  return [...otherControlWords([text], attempts), ...attempts];
}

/**
 * The control words of texts that are in none of these attempts, as one entry; empty when there are none. They are named and taken off no page:
 * a model gets them as plain text.
 */
export function otherControlWords(texts: readonly string[], attempts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap(controlWordsIn))];
  const others = words.filter((word) => !attempts.some((attempt) => attempt.includes(word.normalize('NFKC'))));
  return others.length === 0 ? [] : [shortened(others.join(' '))];
}

/** The other lines of a text. */
export function otherLines(text: string): string {
  const lines = linesOf(text);
  const attempts = findAttempts(lines);
  if (attempts.length === 0) return text;
  return lines.filter((_, line) => !attempts.some(({ from, count }) => line >= from && line < from + count)).join('\n');
}

const linesOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What is kept of an attempt. */
export const shortened = (text: string): string => text.slice(0, MAX_FINDING_LENGTH).replace(/\p{Cs}$/u, '');

/** Attempts in pieces of text that follow each other, such as lines or sentences; an attempt has at most four. */
export function findAttempts(pieces: readonly string[]): Attempt[] {
  // More text only adds attempts, and most pages have none.
  if (!isSteering(pieces)) return [];
  const attempts: Attempt[] = [];
  for (let from = 0; from < pieces.length;) {
    const count = piecesOfAttempt(pieces, from);
    if (count > 0) attempts.push({ from, count });
    from += Math.max(1, count);
  }
  return attempts;
}

/** How many pieces from here on are an attempt; 0 when none begins here. */
function piecesOfAttempt(pieces: readonly string[], from: number): number {
  const most = Math.min(MAX_LINES, pieces.length - from);
  if (!isSteering(pieces.slice(from, from + most))) return 0;
  for (let count = 1; count <= most; count++) {
    if (!isSteering(pieces.slice(from, from + count))) continue;
    // What the later pieces are by themselves begins there.
    return count === 1 || !isSteering(pieces.slice(from + 1, from + count)) ? count : 0;
  }
  return 0;
}

/** True for words that address a model instead of an investor. */
export function isSteering(pieces: readonly string[]): boolean {
  const text = pieces.join('\n');
  if (steers(readableForm(text.replaceAll(DIVIDED, '')))) return true;
  return [text, text.replaceAll(ENCODED_BREAK, '')]
    .flatMap((each) => each.match(ENCODED) ?? [])
    .some((run) => steers(readableForm(decoded(run))));
}

/** True for words that an attempt may consist of, together with others. */
export function mayBePart(text: string): boolean {
  const readable = readableForm(text);
  return STEERING_COMBINATIONS.some(({ all }) => all.some((concept) => readable.search(concept) >= 0));
}

function steers(readable: string): boolean {
  if (STEERING_MARKS.some((mark) => mark.test(readable))) return true;
  return readable
    .split(SENTENCE_END)
    .some(
      (sentence) =>
        STEERING_PATTERNS.some((pattern) => pattern.test(sentence)) ||
        STEERING_COMBINATIONS.some((combination) => comeTogether(sentence, combination)),
    );
}

/** True when every concept is found near a place of the first. */
function comeTogether(sentence: string, { all: [first, ...others], within }: Combination): boolean {
  if (!others.every((concept) => concept.test(sentence))) return false;
  return [...sentence.matchAll(first)].some(({ index, 0: found }) => {
    const around = sentence.slice(Math.max(0, index - within), index + found.length + within);
    return others.every((concept) => concept.test(around));
  });
}

/** Text in base64; empty for what is none. */
function decoded(text: string): string {
  try {
    const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** Look-alikes that compatibility normalisation leaves as they are: each letter, and what is taken for it. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑɐᴀꭺᗅ',
  b: 'ьвβʙƄᏏ',
  c: 'сϲᴄⅽꮯƈ',
  d: 'ԁɗᴅⅾɖ',
  e: 'еєεɛᴇҽəэ',
  f: 'ғꜰƒϝ',
  g: 'ɡɢցԍǥ',
  h: 'һнʜհħ',
  i: 'іιıɪɩӏ׀∣ⅼǀ',
  j: 'јʝᴊϳ',
  k: 'кκᴋқƙ',
  l: 'ʟⅼłɭ',
  m: 'мᴍⅿɱ',
  n: 'пոηɴɲ',
  o: 'оοσөᴏօøഠ',
  p: 'рρᴘþƿ',
  q: 'ԛգզ',
  r: 'гʀᴦɾяɍ',
  s: 'ѕꜱʂƽ',
  t: 'тτᴛƭŧ',
  u: 'υսᴜʋцμ',
  v: 'ѵνᴠⅴ',
  w: 'ԝωᴡѡшա',
  x: 'хχ×ⅹ',
  y: 'уүγʏỿ',
  z: 'ᴢʐƶ',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, alike]) => Array.from(alike).map((c) => [c, latin])),
);

/** Letters set one by one, such as `i g n o r e` or `i.g.n.o.r.e`. */
const SPACED_OUT = /(?<![\p{L}\p{N}])\p{L}(?:([ .·_*-])\p{L})(?:\1\p{L})+(?![\p{L}\p{N}])/gu;

/**
 * Text as a person reads it, for recognising words and never for showing them: Latin lower case without accents or invisible characters. White
 * space is single blanks and line breaks. A text in another script comes out as nonsense.
 */
function readableForm(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Zero-width characters, direction marks, soft hyphens and tags; accents; fillers that show nothing.
      .replaceAll(/[\p{Cf}\p{Mn}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu, '')
      .toLowerCase()
      .replaceAll(/[^\p{ASCII}]/gu, (character) => LATIN.get(character) ?? character)
      // As the signs of control words stand in a prompt.
      .replaceAll('‹', '<')
      .replaceAll('⁅', '[')
      .replaceAll(/[‘’‛`´]/gu, "'")
      .replaceAll(/[“”„‟«»]/gu, '"')
      .replaceAll('ß', 'ss')
      .replaceAll(SPACED_OUT, (letters) => letters.replaceAll(/[^\p{L}]/gu, ''))
      .replaceAll(/[^\S\n]+/gu, ' ')
      .replaceAll(/ ?\n\s*/gu, '\n')
      .trim()
  );
}
