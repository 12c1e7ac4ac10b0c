/** Names of products before what they work by: "Somnivo by means of sound". */
import { cleanName, isCoined, isNameLike, keyOf, NAME_WORD, nameTokens } from './names.ts';
import { isOnly, sourceOf } from './phrases.ts';
import type { ReadSlide } from './prompt.ts';

/** A word before what it works by. */
export interface Head {
  readonly name: string;
  /** False before a word such as "with", which says nothing of what stands before it. */
  readonly isSure: boolean;
}

/** A word before what it works by, as names of products stand: "Somnivo mittels Schall". */
const HEAD = new RegExp(
  String.raw`(?:^|[:–—|]\s)(${NAME_WORD})\s(?:(${sourceOf('by means of')})|${sourceOf('with')})\s(?=\p{L})`,
  'giu',
);
/** So many slides have a name that nothing but its place speaks for. */
const LEAST_SLIDES = 3;

/** A coined word stands before what it works by; a noun does as well, of which "with" says nothing. */
export function headsIn(slides: readonly ReadSlide[], deck: string): Head[] {
  const heads: Head[] = [];
  for (const { units } of slides)
    for (const [, word = '', means] of units.flatMap(({ text }) => [...text.matchAll(HEAD)])) {
      const name = cleanName(word);
      const on = slides.filter(({ text }) => nameTokens(text).some((token) => keyOf(token) === keyOf(name)));
      const isSure = means !== undefined || isCoined(name);
      if (!/^\p{Lu}/u.test(name) || !isNameLike(name) || on.length < LEAST_SLIDES || isNoun(name, deck)) continue;
      heads.push({ name, isSure });
    }
  return heads;
}

/** True for a word with the ending of a noun, or that the deck uses as one: with an article, before "of", within longer words. */
function isNoun(name: string, deck: string): boolean {
  const word = RegExp.escape(name);
  const used = new RegExp(
    String.raw`(?<!\p{L})(?:${sourceOf('articles')})\s${word}|${word}\s(?:of|von|für|for)(?!\p{L})|\p{L}{2,}${word}|${word}\p{L}{3,}`,
    'iu',
  );
  return keyOf(name).length < 4 || isOnly(name, 'endings of nouns') || used.test(deck);
}
