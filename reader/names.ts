/**
 * What the name of a company may look like, and which words are never one.
 *
 * Decks write one name in several ways ("NEUROLOOP", "NeuroLoop", "Neuro Loop"); {@link keyOf} is the same for all of them.
 */
import { phrases, sourceOf, wordsOf } from './phrases.ts';
import { has } from './words.ts';

const ORDINARY_WORDS = wordsOf('ordinary');

export const LEGAL_FORM = String.raw`(?:GmbH(?: & Co\.? KG)?|gGmbH|UG(?: \(haftungsbeschränkt\))?|AG|SE|KG|e\.\s?V\.|e\.?K\.?|Inc\.?|Incorporated|Corp\.?|Corporation|LLC|L\.L\.C\.|Ltd\.?|Limited|LLP|PLC|plc|B\.?V\.?|N\.?V\.?|S\.?A\.?S?\.?|S\.?L\.?|S\.?r\.?l\.?|Sp\. z o\.o\.|Ltda\.?|AB|ApS|A/S|Oy|AS|Sàrl|Pty\.?(?: Ltd\.?)?|Pvt\.?(?: Ltd\.?)?)`;
/** One word of a name: a capital or a digit first, or a capital inside. */
export const NAME_WORD = String.raw`(?:[\p{Lu}\d][\p{L}\p{M}\p{N}&'’.+{}-]*|\p{Ll}+\p{Lu}[\p{L}\p{N}]*)`;

const TAIL_FORM = new RegExp(String.raw`,?\s*${LEGAL_FORM}$`, 'u');

/** Letters and digits in lower case: what all spellings of a name share. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s*[&+]\s*/gu, 'and')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss');

/** Words of documents: they are cut off a name, and a text of more of them is none. */
const DOCUMENT = `${sourceOf('words of documents')}|${sourceOf('rounds beside a name')}`;
const DOCUMENT_EDGE = new RegExp(
  String.raw`^(?:(?:${DOCUMENT})(?![\p{L}\p{N}])[\s:|·•,–—-]*)+|(?:[\s:|·•,–—-]*(?<![\p{L}\p{N}])(?:${DOCUMENT}))+$`,
  'iu',
);
const DOCUMENT_WORD = phrases('words of documents');

/** True for words that say what kind of document this is, and little else: "Series A discussion materials". */
export const isOfDocument = (text: string): boolean => {
  const rest = text.replaceAll(DOCUMENT_WORD, ' ').replaceAll(phrases('beside words of documents'), ' ');
  return has(text, DOCUMENT_WORD) && (rest.match(/\p{L}{3,}/gu)?.length ?? 0) <= 1;
};

/** Small words inside a name. */
const INSIDE = /^(?:of|for|and|the|in|on|to|at|by|von|für|und|der|die|das|im|am|as|de|la|del|do|da|&|\+)$/iu;
/** First words of slogans. */
const SLOGAN = new RegExp(`^(?:${sourceOf('first words of slogans')})(?:e|es|s|ing|ting|y|ies|ying|n)?$`, 'iu');

const WORDS = /[\p{L}\p{M}\p{N}]+(?:[&+'’.{}-]+[\p{L}\p{M}\p{N}]+)*|[&+]/gu;
/** Words of a text as names are made of them; a possessive "s" is cut off. */
export const nameTokens = (text: string): string[] =>
  (text.match(WORDS) ?? []).map((word) => word.replace(/['’]s$/iu, ''));

const isOrdinary = (word: string): boolean => {
  // "GPT-3" is "GPT".
  const lower = word.toLowerCase().replace(/-\d[\d.]*$/u, '');
  return (
    ORDINARY_WORDS.has(lower) || ORDINARY_WORDS.has(lower.replace(/(?:'s|’s|s|ing|en)$/u, '')) || /^\d/u.test(word)
  );
};

const MOST_WORDS = 4;
const LONGEST = 40;

/** Without legal form, words of documents at either end, and punctuation. */
export function cleanName(text: string): string {
  let name = text.replaceAll(/[®™©"“”„«»]/gu, '').trim();
  for (let before = ''; before !== name;) {
    before = name;
    name = name
      .replace(DOCUMENT_EDGE, '')
      .replace(TAIL_FORM, '')
      .replace(/^[\s.,:;|·•–—/$#_~-]+|[\s.,:;|·•–—/_~-]+$/gu, '');
  }
  return name;
}

/** True for words that may name a company: few, capitalised, not all of them ordinary. */
export function isNameLike(name: string): boolean {
  const tokens = nameTokens(name);
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || tokens.length > MOST_WORDS || name.length > LONGEST) return false;
  if ((name.match(/\p{L}/gu)?.length ?? 0) < 2 || /[@?!:;,<>=#%€$£₹*…]|\.{2}|\d{4,}|\p{L}[.]\s/u.test(name))
    return false;
  if (
    has(name, DOCUMENT_WORD) ||
    has(name, phrases('events')) ||
    INSIDE.test(last) ||
    (INSIDE.test(first) && tokens.length > 1)
  )
    return false;
  if (tokens.length > 1 && SLOGAN.test(first)) return false;
  const inside = tokens.slice(1, -1);
  if ([first, last].some((word) => tokens.length > 1 && !/^(?:\p{Lu}|\p{Lo}|\d|\p{Ll}+[\p{Lu}\d])/u.test(word)))
    return false;
  if (inside.some((word) => /^\p{Ll}+$/u.test(word) && !INSIDE.test(word))) return false;
  return tokens.some((word) => !isOrdinary(word) && !INSIDE.test(word) && /\p{L}{2}/u.test(word));
}

/** How many words of a name are not ordinary, as a share. */
export function rareShare(name: string): number {
  const tokens = nameTokens(name).filter((word) => !INSIDE.test(word));
  return tokens.filter((word) => !isOrdinary(word)).length / Math.max(1, tokens.length);
}

/** A word with a capital or a digit inside, as only names have it; not a plural of capitals ("APIs"). */
export const isCoined = (word: string): boolean =>
  /^\p{L}*\p{Ll}(?:\p{Lu}|\d\p{L})[\p{L}\p{N}]*$/u.test(word) && !/^Mc\p{Lu}/u.test(word) && !isOrdinary(word);

/** True for capitals alone, of more than an abbreviation's length. */
export const isShouted = (name: string): boolean => /\p{Lu}{4}/u.test(name) && name === name.toUpperCase();
