/**
 * Which language is a text in? By the library `eld`, whose data take about 90 MB and half a second when this file is first imported: only
 * processes that ask import it.
 */
import { eld } from 'eld/extrasmall';

/** A language and how sure it is. */
export interface DetectedLanguage {
  /** ISO 639-1. */
  readonly language: string;
  /** 0 to 1: for one text by how much it leads over the next language, for a deck the share of the text that is in it. */
  readonly confidence: number;
}

/** Fewer letters than these say nothing; signs of East Asian scripts are worth several letters. */
const MIN_LETTERS = 16;
const EAST_ASIAN_WEIGHT = 4;
/** The library reads so much of a text. */
const PART_LENGTH = 1000;

eld.enableTextCleanup(true);

/** Language of a text; null where it is too short to tell or in none that is known. */
export function detectLanguage(text: string): DetectedLanguage | null {
  if (lettersOf(text) < MIN_LETTERS) return null;
  const { language, getScores } = eld.detect(text.slice(0, PART_LENGTH));
  const [first = 0, second = 0] = Object.values(getScores()).toSorted((a, b) => b - a);
  return language === '' || first <= 0 ? null : { language, confidence: Math.min(1, Math.max(0, 1 - second / first)) };
}

/**
 * Language in which most of the text of a deck is; null where no page tells.
 * @param pages Text of each page
 */
export function deckLanguage(pages: readonly string[]): DetectedLanguage | null {
  const letters = new Map<string, number>();
  for (const page of pages) {
    const found = detectLanguage(page);
    if (found !== null) letters.set(found.language, (letters.get(found.language) ?? 0) + lettersOf(page));
  }
  // Pages of a few words each tell nothing alone.
  if (letters.size === 0) return detectLanguage(pages.join('\n'));
  const all = letters.values().reduce((sum, count) => sum + count, 0);
  const [[language, count] = ['', 0]] = [...letters].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { language, confidence: count / all };
}

const lettersOf = (text: string): number =>
  (text.match(/\p{L}/gu)?.length ?? 0) +
  (EAST_ASIAN_WEIGHT - 1) *
    (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0);
