/**
 * Is it language? A font without a usable map from its shapes to characters gives a text layer that looks like words and says nothing
 * (`KiXm\c` for "Travel"). Such words are told by their shape, such pages by their letters, in any script.
 */

/** A page of which less can be read is one whose text layer says nothing that can be trusted. */
export const MIN_READABLE_SHARE = 0.85;

/** Signs that stand before and behind words, and within them. */
const OPENING = String.raw`["'“”„‚‘’«»‹›(\[{<>≤≥≈¿¡#@*•·–—−~+\-./&\p{Sc}]*`;
const CLOSING = String.raw`["'“”‘’«»‹›)\]}>.,:;!?…%°*™®©†‡²³¹⁰-⁹₀-₉|•·–—~+#\-/&]*`;
const INNER = String.raw`[-‐‑–—'’‘.·/&+@:|,;()=_…™®©%*\p{Sc}]{1,4}`;
/** Letters with their marks; letters and digits mixed, as in product names, codes and amounts. */
const PART = String.raw`[\p{L}\p{M}\p{N}\u00AD\u200C\u200D]+`;
const WORD = new RegExp(`^${OPENING}${PART}(?:${INNER}${PART})*${CLOSING}$`, 'u');
const ADDRESS =
  /^(?:\d+\.|[<(])?(?:https?:\/\/|www\.|[\w.+-]+@)[\w.~%?=&#/:@+,;!()-]+$|^[\w-]+(?:\.[\w-]+)+(?:\/[\w.~%?=&#/:@+-]*)?[,.;)]*$/iu;
const FIGURE = /^[\p{N}\p{P}\p{S}\p{Sc}]*$/u;
/** Characters that stand for no text: private use, replacement, controls, not assigned. */
const NO_TEXT = /[\p{Co}\p{Cn}\p{Cc}\p{Cs}\uFFFD]/u;
/** Signs that programs and formulas use, and no sentence. */
const CODE_SIGNS = /[\\^`_<>|~{}[\]=;#$]/u;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿāăąēĕėęěīĭįıōŏőœūŭůűųươ]/iu;
/** The letters that are the most frequent in languages with the Latin script. */
const FREQUENT = /[aeinorstàáâãäåèéêëìíîïòóôõöøąęěėāēīōšśțţłñńňřř]/giu;
/** Letters from which their frequency says something, and the least share of the frequent ones. */
const ENOUGH_LETTERS = 60;
const FREQUENT_SHARE = 0.42;
const LONGEST_CONSONANTS = 7;

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Thai',
  'Armenian',
  'Georgian',
  'Bengali',
  'Tamil',
  'Ethiopic',
];
const IN_SCRIPT = SCRIPTS.map((script) => new RegExp(`\\p{Script=${script}}`, 'u'));
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Share of a text that is language, 0 to 1, by letters. Figures, signs and single symbols are not judged; a text without anything to judge
 * is readable.
 */
export function readableShare(text: string): number {
  const words = text
    .normalize('NFKC')
    .split(/[\s\u200B]+/u)
    .filter((word) => word !== '');
  const isEncoded = hasUnlikelyLetters(text);
  let readable = 0;
  let judged = 0;
  for (const word of words) {
    const weight = weightOf(word);
    judged += weight;
    if (weight > 0 && !(isEncoded && /\p{Script=Latin}/u.test(word)) && isReadableWord(word)) readable += weight;
  }
  return judged === 0 ? 1 : readable / judged;
}

/** Letters of a word, and characters that stand for no text; 0 for figures, signs and single symbols. */
function weightOf(word: string): number {
  if (FIGURE.test(word) && !NO_TEXT.test(word)) return 0;
  const length = Array.from(word).length;
  // One or two shapes of a font of symbols are a list mark or a picture.
  return length <= 2 && !/\p{L}/u.test(word) ? 0 : length;
}

/** Whether a word looks like one of a language, a name, an address or an amount. */
function isReadableWord(word: string): boolean {
  if (NO_TEXT.test(word.replace(/^[\p{Co}\uFFFD]|[\p{Co}\p{Cc}\uFFFD]$/gu, ''))) return false;
  if (ADDRESS.test(word)) return true;
  if (EAST_ASIAN.test(word)) return true;
  if (!WORD.test(word) && (CODE_SIGNS.test(word) || signs(word) > 0.25)) return false;
  if (IN_SCRIPT.filter((script) => script.test(word)).length > 1) return false;
  return word.split(/[^\p{L}\p{M}]+/u).every((part) => hasLikelyCase(part) && hasLikelySounds(part));
}

/** Share of a word that is neither letter nor digit. */
const signs = (word: string): number => (word.match(/[^\p{L}\p{M}\p{N}]/gu)?.length ?? 0) / word.length;

/** Capitals within a word begin a part of it (`PitchDeck`, `iOS`); `kiXdXcZ` has them anywhere. */
function hasLikelyCase(part: string): boolean {
  const changes = part.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  const singles = part.match(/\p{Ll}\p{Lu}(?=\p{Ll}|$)/gu)?.length ?? 0;
  return (
    changes <= 1 ||
    (changes <= 3 && singles === changes && /^(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{1,3})\p{Lu}[\p{Lu}\p{Ll}]*$/u.test(part))
  );
}

/** Latin words have vowels, unless they are abbreviations. */
function hasLikelySounds(part: string): boolean {
  if (!/^[\p{Script=Latin}\p{M}]{5,}$/u.test(part) || /^\p{Lu}+s?$/u.test(part)) return true;
  const consonants = part.normalize('NFC').split(VOWEL);
  return consonants.length > 1 && consonants.every((run) => run.length < LONGEST_CONSONANTS);
}

/** Letters that were exchanged for others keep the shape of words, not the frequency of letters. */
function hasUnlikelyLetters(text: string): boolean {
  const letters = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters >= ENOUGH_LETTERS && (text.match(FREQUENT)?.length ?? 0) < FREQUENT_SHARE * letters;
}
