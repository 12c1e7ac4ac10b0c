/**
 * What each slide of a deck is about. Slides with a headline that names no subject get one by their place: a deck that has no slide on the
 * problem begins with it, and what it offers follows.
 */
import type { ReadSlide } from './prompt.ts';
import type { Subject } from './subject.ts';
import { coverAt, headlinesOf, isSilent, isWorded, namedBy, subjectsOfSlide } from './subjects.ts';
import { VOICE } from './slide-traits.ts';
import { countWords } from './text.ts';
import { phrases } from './phrases.ts';
import { anyOf, countDistinct, has } from './words.ts';

/** The company speaks of itself. */
const WE = phrases('we');
/** The headline says what is done or how it is used. */
const PRODUCT = phrases('product in use');
/** The headline says what something is: "Acme: a patch that …", "A robot for …". */
const DEFINITION = /(?:^|[:–—]\s)(?:an?|the|eine?)\s.{3,60}\s(?:that|which|for|die|der|das|für)\s/iu;
/** Headlines of slides that sum up or introduce. */
const SUMMARY = phrases('summary');
/** Words of a state that is bad for somebody. */
const HARDSHIP = phrases('hardship');
/** Fewest different words of trouble on a slide that is taken for the problem. */
const FEWEST_TROUBLES = 2;
/** A cover has fewer words. */
const COVER_WORDS = 40;
/** Fewest words of a slide that says something. */
const FEWEST_WORDS = 12;
/** Fewest words of a headline with a figure that says something by itself. */
const FEWEST_OF_HEADLINE = 5;
/** Of the slides that say something, so many are the beginning. */
const EARLY = 3;
/** Most slides on the problem without a headline that says so. */
const MOST_PROBLEMS = 2;

const cache = new WeakMap<readonly ReadSlide[], ReadonlyMap<ReadSlide, ReadonlySet<Subject>>>();

/** The subjects of every slide: those it names, else those its place in the deck gives it. */
export function subjectsOfDeck(slides: readonly ReadSlide[]): ReadonlyMap<ReadSlide, ReadonlySet<Subject>> {
  const known = cache.get(slides);
  if (known !== undefined) return known;
  const subjects = new Map(slides.map((slide) => [slide, subjectsOfSlide(slide)]));
  const cover = slides[coverAt(slides)];
  // What a cover claims in a few words is no slide on the problem or the benefit.
  if (cover !== undefined && countWords(wordsOf(cover)) < COVER_WORDS)
    subjects.set(cover, new Set(namedBy(headlineOf(cover))));
  for (const [slide, inferred] of placed(slides, subjects)) subjects.set(slide, new Set([inferred]));
  const content = contentOf(slides, subjects);
  withoutLateTrouble(content, subjects);
  for (const slide of content)
    if (subjects.get(slide)?.has('problem') === true && asksItself(slide)) subjects.set(slide, new Set(['risks']));
  for (const slide of content.slice(EARLY - 1))
    if (subjects.get(slide)?.size === 0 && VOICE.test(slide.units.find(isWorded)?.text.trim() ?? ''))
      subjects.set(slide, new Set<Subject>(['voices']));
  cache.set(slides, subjects);
  return subjects;
}

/** The slides that follow the cover and say something, those that only list, thank or warn left out. */
function contentOf(slides: readonly ReadSlide[], subjects: ReadonlyMap<ReadSlide, ReadonlySet<Subject>>): ReadSlide[] {
  return slides
    .slice(coverAt(slides) + 1)
    .filter((slide) => slide.units.some(isWorded) && !isSilent(subjects.get(slide) ?? new Set()));
}

/** Subjects that may stand before the problem: what was reached, who is behind it, what is asked for. */
const BEFORE_PROBLEM: ReadonlySet<Subject> = new Set<Subject>([
  'traction',
  'team',
  'company',
  'vision',
  'ask',
  'market',
  'customers',
]);

/** True for a slide of questions: what the authors do not know yet is no problem of a customer. */
function asksItself(slide: ReadSlide): boolean {
  const texts = slide.units.filter((unit) => isWorded(unit) && !unit.heading);
  return texts.length >= 3 && texts.filter(({ text }) => text.endsWith('?')).length * 2 > texts.length;
}

/** A headline far behind that speaks of trouble is not on the problem where the deck began with it. */
function withoutLateTrouble(content: readonly ReadSlide[], subjects: Map<ReadSlide, ReadonlySet<Subject>>): void {
  const of = (slide: ReadSlide): ReadonlySet<Subject> => subjects.get(slide) ?? new Set<Subject>();
  if (!content.slice(0, EARLY).some((slide) => of(slide).has('problem'))) return;
  for (const slide of content.slice(EARLY + 1)) {
    const own = of(slide);
    if (
      own.has('problem') &&
      !headlinesOf(slide.units.filter(isWorded)).some((text) => namedBy(text).includes('problem'))
    )
      subjects.set(slide, new Set([...own].filter((subject) => subject !== 'problem')));
  }
}

/** The slides at the beginning that are about the problem and the solution by their place. */
function placed(
  slides: readonly ReadSlide[],
  subjects: ReadonlyMap<ReadSlide, ReadonlySet<Subject>>,
): (readonly [ReadSlide, Subject])[] {
  const name = nameOf(slides);
  const content = contentOf(slides, subjects);
  const of = (slide: ReadSlide): ReadonlySet<Subject> => subjects.get(slide) ?? new Set<Subject>();
  const named = new Set(content.flatMap((slide) => [...of(slide)]));
  // A sentence on trouble far behind is no slide on the problem.
  const hasProblem = content.some(
    (slide, at) => of(slide).has('problem') && (at < EARLY || namedBy(headlineOf(slide)).includes('problem')),
  );
  const product = content.findIndex((slide) => of(slide).has('solution') || isNamedOnly(slide, name));
  const offered = product <= MOST_BEFORE ? product : -1;
  const found: (readonly [ReadSlide, Subject])[] = [];
  let problem = false;
  for (const [at, slide] of content.entries()) {
    const own = of(slide);
    if (own.size > 0) {
      if (own.has('problem')) problem = true;
      else if (problem || at >= EARLY || ![...own].some((subject) => BEFORE_PROBLEM.has(subject))) break;
    } else if (isTold(slide)) {
      const isFirst = !hasProblem && found.length < MOST_PROBLEMS;
      // What stands before the product, and does not speak of the company, is what the product is for.
      const isBefore = isFirst && at < offered && !introduces(slide, name);
      const goesOn = hasProblem && problem && found.length === 0;
      const isProblem = isBefore || ((isFirst || goesOn) && isAboutOthers(slide, name, goesOn ? 1 : found.length));
      if (!isProblem && at < offered) continue;
      if (!isProblem && (named.has('solution') || !(problem || speaksOfItself(slide, name)))) break;
      found.push([slide, isProblem ? 'problem' : 'solution']);
      if (!isProblem) break;
      problem = true;
    }
  }
  return found;
}

/** The product comes as one of the first so many slides where those before it are on the problem. */
const MOST_BEFORE = 4;

/** True for a headline that is nothing but the name. */
const isNamedOnly = (slide: ReadSlide, name: RegExp | null): boolean =>
  name !== null && headlineOf(slide).replace(name, '').trim().length <= 1 && headlineOf(slide) !== '';

/** True for a slide that sums up, or whose headline speaks of the company. */
const introduces = (slide: ReadSlide, name: RegExp | null): boolean =>
  has(headlineOf(slide), SUMMARY) ||
  has(headlineOf(slide), PRODUCT) ||
  speaksOfItself(slide, name) ||
  slide.units.some((unit) => unit.kind === 'heading' && namedBy(unit.text).includes('solution'));

/** True for a slide with a headline and enough words below it. */
const isTold = (slide: ReadSlide): boolean => {
  const headline = headlineOf(slide);
  const isFigure = /\d/u.test(headline) && countWords(headline) >= FEWEST_OF_HEADLINE;
  return headline !== '' && (isFigure || countWords(wordsOf(slide)) >= FEWEST_WORDS);
};

const headlineOf = (slide: ReadSlide): string => headlinesOf(slide.units.filter(isWorded)).at(-1) ?? '';
const wordsOf = (slide: ReadSlide): string =>
  slide.units
    .filter(isWorded)
    .map((unit) => unit.text)
    .join('\n');

/** True for a slide that speaks of others; the second one must also speak of trouble, or be a person's words. */
function isAboutOthers(slide: ReadSlide, name: RegExp | null, before: number): boolean {
  // The name alone is a footer.
  const text = slide.units
    .filter(
      (unit) => isWorded(unit) && (unit.kind === 'title' || unit.words > 2 || name === null || !has(unit.text, name)),
    )
    .map((unit) => unit.text)
    .join('\n');
  const headline = headlineOf(slide);
  if (introduces(slide, name) || speaksOfUs(headline) || (name !== null && has(text, name))) return false;
  if (before > 0 && /^[“„"«]/u.test(headline)) return true;
  const first = slide.units
    .filter(isWorded)
    .slice(0, 2)
    .map((unit) => unit.text)
    .join('\n');
  if (has(first, PRODUCT) || DEFINITION.test(headline)) return false;
  const troubles = countDistinct(text, phrases('trouble')) + countDistinct(text, HARDSHIP);
  // "We only find out afterwards" speaks of everybody.
  if (speaksOfUs(text)) return before === 0 && troubles > FEWEST_TROUBLES && !has(text, phrases('not trouble'));
  if (before > 0) return has(text, phrases('trouble')) || /\d/u.test(first);
  return troubles > 0 || /\d/u.test(text);
}

/** "US" is a country; what stands in quotation marks is said by others, and what stands in parentheses on the side. */
const speaksOfUs = (text: string): boolean =>
  has(text.replaceAll(/(?<!\p{L})US(?!\p{L})|[“„"«][^“”„"«»]*[”“"»]|\([^)]*\)/gu, ' '), WE);

/** True when the headline says what the company or the product does. */
const speaksOfItself = (slide: ReadSlide, name: RegExp | null): boolean =>
  speaksOfUs(headlineOf(slide)) || (name !== null && headlineOf(slide).search(name) === 0);

/** Words of a cover that are no name. */
const NO_NAME = phrases('cover words');

/** The name on the cover: its shortest headline or line of a word or two. Null when there is none. */
function nameOf(slides: readonly ReadSlide[]): RegExp | null {
  const cover = slides[coverAt(slides)];
  const short = (cover?.units ?? []).filter((unit) => isWorded(unit) && unit.words <= 3 && !has(unit.text, NO_NAME));
  const [first] = short.toSorted((a, b) => Number(b.kind === 'title') - Number(a.kind === 'title'));
  const word = first?.text.match(/[\p{L}\d-]{4,}/u)?.[0];
  return word === undefined ? null : anyOf(`${word}\\p{L}*`);
}
