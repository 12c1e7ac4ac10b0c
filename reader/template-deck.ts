/**
 * Tells a template from a deck. A template says what an author should write: "Describe your venture's advantage", "[Company name]". Nothing in
 * it is a statement of a company, so no question is answered and no value read from it.
 */
import type { ReadSlide } from './prompt.ts';
import { isWorded } from './subjects.ts';
import { phrases } from './phrases.ts';
import type { TextUnit } from './text.ts';
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

/** A slide with words and those of its units that have any; lines that pages share are among them. */
export interface Page {
  readonly slide: ReadSlide;
  readonly units: readonly TextUnit[];
}

/** A unit that shows what a document is, and its page. */
export interface Shown {
  readonly page: Page;
  readonly unit: TextUnit;
}

/** Words to an author in a deck of which four slides in ten tell one what to write, and fewer speak of "us"; else null. */
export function asTemplate(all: readonly Page[]): Shown | null {
  const pages = all.filter(({ units }) => units.some(isWorded));
  const instructing = pages.filter(({ slide }) => instructs(slide.text));
  const isEnough = instructing.length >= Math.max(LEAST_SLIDES, pages.length * LEAST_SHARE);
  if (!isEnough || pages.filter(({ slide }) => has(slide.text, OURSELVES)).length >= instructing.length) return null;
  const shown = instructing.flatMap((page) => page.units.map((unit) => ({ page, unit })));
  return shown.find(({ unit }) => instructs(unit.text)) ?? shown[0] ?? null;
}

const instructs = (text: string): boolean => has(text, TO_AUTHOR) || has(text, PLACEHOLDER) || FIELD.test(text);
