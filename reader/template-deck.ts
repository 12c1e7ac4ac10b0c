/**
 * Tells a template from a deck. A template says what an author should write: "Describe your venture's advantage", "[Company name]". Nothing in
 * it is a statement of a company, so no question is answered and no value read from it.
 */
import { oncePerDeck } from './once-per-deck.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { isWorded } from './subjects.ts';
import { phrases } from './phrases.ts';
import { either, has } from './words.ts';

/** Words to the author of a deck. */
const TO_AUTHOR = phrases('to the author');
/** Words that stand where an author's own belong. */
const PLACEHOLDER = either(
  phrases('placeholders'),
  String.raw`[[<{](?:your |ihr |insert |enter )?(?:company|start-?up|product|presenter|founder|firmen?|name|logo|tagline|date|title|datum|titel)[\p{L} ]*[\]>}]`,
  String.raw`[$€£] ?_{2,}|__+ ?%|(?<!\p{L})step \d+: ?(?:…|\.{3})|[$€£] ?(?:x{1,3} ?(?:[kmb]n?)?|0{2,3})(?![\p{L}\d.,])|(?<!\d)00 ?%`,
);
/** A name for a value in brackets, with capitals as a title has them: "[Milestone]", "[Step 1]"; a blackened word is in capitals throughout. */
const FIELD = /\[\p{Lu}\p{Ll}+(?: \p{L}+){0,3}(?: \d)?\]/u;
/** A company speaks of itself. */
const OURSELVES = phrases('we');

/** So many of the slides are for the author in a template. */
const LEAST_SHARE = 0.4;
const LEAST_SLIDES = 3;

/** True for a deck of which four slides in ten tell an author what to write, and fewer speak of "us". */
export const isTemplate: (prompt: ReadPrompt) => boolean = oncePerDeck((prompt) => {
  const slides = prompt.slides.filter((slide) => slide.units.some(isWorded));
  const instructing = slides.filter(({ text }) => has(text, TO_AUTHOR) || has(text, PLACEHOLDER) || FIELD.test(text));
  const isEnough = instructing.length >= Math.max(LEAST_SLIDES, slides.length * LEAST_SHARE);
  return isEnough && slides.filter(speaksOfItself).length < instructing.length;
});

const speaksOfItself = (slide: ReadSlide): boolean => has(slide.text, OURSELVES);
