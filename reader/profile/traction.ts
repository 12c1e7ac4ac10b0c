/** Achievements of the company by now: figures on slides about traction, first customers, sales and pilots. A plan is none. */
import { isPlanned } from '../../domain/profile/plans.ts';
import { answerQuestion } from '../answer-question.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { isNotice, isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { countDistinct, has } from '../words.ts';
import { blocksOf, fitQuote, joined, once, type Fact } from './fact.ts';

/** Words of what is reached; of what is done without a figure; of money that was raised; of a state that is no achievement. */
/** Headlines over figures that are to come. */
const AHEAD = phrases('years ahead');
const [REACHED, DONE, NOT_REACHED] = [phrases('reached'), phrases('done'), phrases('not reached')];
/** Questions whose answers are achievements. */
const QUESTIONS = ['paying_customers', 'monthly_sales', 'pilot_customers'];

const MOST_FACTS = 5;
const MOST_QUOTE = 140;
const MOST_NAME = 80;
/** A figure over its caption has so many words at most. */
const MOST_CARD_WORDS = 16;
const LEAST_WORDS = 2;

interface Candidate {
  readonly fact: Fact;
  readonly score: number;
}

/** The achievements, the weightiest first. */
export function tractionFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const about = slides.filter((slide) => {
    const of = subjects.get(slide);
    return of?.has('traction') === true || of?.has('pilots') === true || of?.has('customers') === true;
  });
  const stated = about
    .filter(({ title }) => !isPlanned(title) && !has(title, AHEAD))
    .flatMap((slide) => statementsOf(slide).flatMap((text) => candidate(slide, text, true)));
  const answered = QUESTIONS.flatMap((slug) =>
    answerQuestion({ ...prompt, question: { slug, text: '' } })
      .evidence.filter(({ answering }) => answering === 'high')
      .flatMap(({ slide: number, quote }) => {
        const slide = slides.find((each) => each.number === number);
        return slide === undefined ? [] : candidate(slide, quote, false);
      }),
  );
  const best = [...stated, ...answered].toSorted((a, b) => b.score - a.score).map(({ fact }) => fact);
  return once(withoutParts(best), MOST_FACTS);
}

/** Facts that no better one says whole. */
const withoutParts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ quote }, at) =>
      !facts.some((other, index) => index < at && (other.quote.includes(quote) || quote.includes(other.quote))),
  );

/** Statements of a slide: cards as a whole, items, sentences. */
const statementsOf = (slide: ReadSlide): string[] =>
  blocksOf(slide).flatMap((block): string[] => {
    const [first] = block;
    if (first === undefined) return [];
    if (first.kind === 'row' || (first.kind === 'title' && !/\d/u.test(joined(block)))) return [];
    const whole = joined(block);
    const isCard =
      block.length <= MOST_CARD_LINES &&
      countWords(whole) <= MOST_CARD_WORDS &&
      first.kind !== 'item' &&
      block.filter(({ text }) => /^[\d\p{Sc}]/u.test(text)).length <= 1;
    return isCard && block.every((unit) => !/[.!?]$/u.test(unit.text) || unit === block.at(-1))
      ? [whole]
      : block.map(({ text }: TextUnit) => text);
  });
const MOST_CARD_LINES = 3;
/** The number of a section before its name. */
const SECTION = /^(?:slide\s)?\d{1,2}\s?[·|•–—]\s|^[QH][1-4]\s?['’]?\d{2}\s/iu;

function candidate(slide: ReadSlide, text: string, isHome: boolean): Candidate[] {
  const quote = fitQuote(text, MOST_QUOTE);
  if (quote === null || isNotice(quote) || has(quote, NOT_REACHED) || subjectsOfLabel(quote).length > 0) return [];
  const letters = quote.match(/\p{L}{3,}/gu)?.length ?? 0;
  if (letters < LEAST_WORDS - 1 || countWords(quote) < LEAST_WORDS || isOnlyAmount(quote) || /[?:…]$/u.test(quote))
    return [];
  const words = countDistinct(quote, REACHED);
  const figures = /\d/u.test(quote.replaceAll(/(?<!\d)(?:19|20)\d{2}(?!\d)|[QH][1-4]/gu, ' ')) ? 1 : 0;
  // Without a figure only what is done counts, and no slogan.
  if (
    words === 0 ||
    (figures === 0 && !has(quote, DONE)) ||
    SECTION.test(quote) ||
    /=|→.*→|^[^\p{Ll}]{40,}$/u.test(quote)
  )
    return [];
  const isPlan = isPlanned(quote);
  const score =
    (isHome ? 2 : 0) + Math.min(words, 3) + 2 * figures - (isPlan ? 4 : 0) - (countWords(quote) > 20 ? 1 : 0);
  const fact: Fact = {
    slide: slide.number,
    quote,
    name: quote.length <= MOST_NAME ? quote : '',
    value: '',
    answering: isHome || words > 1 ? 'high' : 'some',
  };
  return [{ fact, score }];
}
