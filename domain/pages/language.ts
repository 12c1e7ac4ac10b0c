/**
 * Which language is a text in? By the library `eld`, whose data take about 90 MB and half a second when this file is first imported: only
 * processes that ask import it.
 *
 * The library knows 60 languages and gives one for every text, so a language is named only where the text is as near to it as texts in it
 * are, and nearer than to its neighbours.
 */
import { eld } from 'eld/extrasmall';

/** A language and how sure it is. */
export interface DetectedLanguage {
  /** ISO 639-1; null for a text in none that can be named. */
  readonly language: string | null;
  /** 0 to 1: for one text by how much it leads over the next language, for a deck the share of the text that is in it. */
  readonly confidence: number;
}

/** The language of most of a deck, and what share of its text is in each: 0 to 1 by ISO 639-1, the empty word for those that are not named. */
export interface DeckLanguage extends DetectedLanguage {
  readonly shares: ReadonlyMap<string, number>;
}

/** Fewer letters than these say nothing; signs of East Asian scripts are worth several letters. */
const MIN_LETTERS = 16;
const EAST_ASIAN_WEIGHT = 4;
/** The library reads so much of a text. */
const PART_LENGTH = 1000;

/** The next language comes as near to a text in another language that the library does not know, or in one of two that are almost one. */
const LEAST_LEAD = 0.02;
/** Languages with a script of their own among those the library knows; names in Latin letters make them look unlike themselves. */
const OWN_SCRIPT: ReadonlySet<string> = new Set(['zh', 'ja', 'ko', 'th', 'el', 'he', 'hy', 'ka', 'am', 'lo']);
/** Signs of Afrikaans, Galician and languages of Central Asia: the library does not know them and names a neighbour. */
const UNKNOWN = [
  { taken: ['nl'], signs: /(?<!\p{L})(?:['’]n|nie|hulle|vir|baie|ons maatskappy)(?!\p{L})/giu },
  { taken: ['pt', 'es'], signs: /(?<!\p{L})(?:unha|dunha|nunha|máis|moi|nosa|noso|súa|polas|teñen)(?!\p{L})/giu },
  { taken: ['ru', 'uk', 'be', 'bg', 'sr'], signs: /[әғқңөұүһҗ]/giu },
] as const;
/** Indonesian and Malay are one to the library. */
const UNNAMED: ReadonlySet<string> = new Set(['ms']);

/** So many letters that are so unlike each of these languages are in none of them. */
const ENOUGH_LETTERS = 60;
const MOST_LIKENESS = 0.5;
const OFTEN_MIXED = ['en', 'de'] as const;

eld.enableTextCleanup(true);

/** Language of a text; null where it is too short to tell. */
export function detectLanguage(text: string): DetectedLanguage | null {
  const letters = lettersOf(text);
  if (letters < MIN_LETTERS) return null;
  const part = text.slice(0, PART_LENGTH);
  const result = eld.detect(part);
  const { language } = result;
  const scores = result.getScores();
  const [first = 0, second = 0] = Object.values(scores).toSorted((a, b) => b - a);
  if (language === '' || first <= 0) return null;
  const confidence = Math.min(1, Math.max(0, 1 - second / first));
  if (OWN_SCRIPT.has(language)) return { language, confidence };
  if (result.isReliable()) return { language: isClear(language, confidence, part) ? language : null, confidence };
  // A few names say as little as a few letters.
  const isUnlike = OFTEN_MIXED.every((known) => (scores[known] ?? 0) < MOST_LIKENESS);
  return letters >= ENOUGH_LETTERS && isUnlike ? { language: null, confidence: 0 } : null;
}

/** True for a language that leads over its neighbours, in a text without signs of one that the library takes for it. */
function isClear(language: string, lead: number, text: string): boolean {
  const others = UNKNOWN.filter(({ taken }) => (taken as readonly string[]).includes(language));
  return (
    lead >= LEAST_LEAD &&
    !UNNAMED.has(language) &&
    !others.some(({ signs }) => (text.match(signs)?.length ?? 0) >= Math.max(1, text.length / LENGTH_PER_SIGN))
  );
}
/** A name or a quotation in a longer text has a few. */
const LENGTH_PER_SIGN = 200;

/**
 * Language in which most of the text of a deck is; null where no page tells.
 * @param pages Text of each page
 */
export function deckLanguage(pages: readonly string[]): DeckLanguage | null {
  const letters = new Map<string, number>();
  for (const page of pages) {
    const found = detectLanguage(page);
    if (found === null) continue;
    const key = found.language ?? '';
    letters.set(key, (letters.get(key) ?? 0) + lettersOf(page));
  }
  // Pages of a few words each tell nothing alone.
  if (letters.size === 0) {
    const found = detectLanguage(pages.join('\n'));
    return found === null ? null : { ...found, shares: new Map([[found.language ?? '', 1]]) };
  }
  const all = letters.values().reduce((sum, count) => sum + count, 0);
  const shares = new Map([...letters].map(([language, count]) => [language, count / all]));
  const [[language, share] = ['', 0]] = [...shares].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { language: language === '' ? null : language, confidence: share, shares };
}

const lettersOf = (text: string): number =>
  (text.match(/\p{L}/gu)?.length ?? 0) +
  (EAST_ASIAN_WEIGHT - 1) *
    (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);
