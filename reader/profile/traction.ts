/** Achievements of the company by now: figures on slides about traction, first customers, sales and pilots. A plan is none. */
import { isPlanned } from '../../domain/profile/plans.ts';
import { answerQuestion } from '../answer-question.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { isNotice, isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { VOICE } from '../slide-traits.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { countDistinct, has } from '../words.ts';
import { blocksOf, fitQuote, joined, once, type Fact } from './fact.ts';

/** Headlines over figures that are to come, and over what is reached. */
const [AHEAD, SO_FAR] = [phrases('years ahead'), phrases('headline so far')];
/** Words of figures that are reached, of things that are done, and of statements that are no achievement. */
const [REACHED, DONE, NOT_REACHED] = [phrases('reached'), phrases('done'), phrases('not reached')];
/** Words that make a statement one of today; a time or a distance, which is no achievement by itself. */
const [TODAY, MEASURE] = [phrases('reached today'), phrases('time or distance')];
/** Questions whose answers are achievements. */
const QUESTIONS = ['paying_customers', 'monthly_sales', 'pilot_customers'];

const MOST_FACTS = 5;
const MOST_QUOTE = 140;
const MOST_NAME = 80;
/** A figure over its caption has so many words at most. */
const MOST_CARD_WORDS = 16;
const LEAST_WORDS = 2;

/** Where a statement stands: on a slide about what is reached, on one about the company, on another one, or in the answer to a question about it. */
type Place = 'home' | 'summary' | 'anywhere' | 'answer';

interface Candidate {
  readonly fact: Fact;
  readonly score: number;
}

/** The achievements, the weightiest first. */
export function tractionFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const placeOf = (slide: ReadSlide): Place | null => {
    const of = subjects.get(slide) ?? new Set<Subject>();
    if (isPlanned(slide.title) || has(slide.title, AHEAD)) return null;
    if (HOME.some((subject) => of.has(subject))) return of.has('financials') ? 'summary' : 'home';
    if (of.has('company')) return 'summary';
    if (of.has('financials')) return 'anywhere';
    if (has(slide.title, SO_FAR) && !SPENDING.some((subject) => of.has(subject))) return 'home';
    return ELSEWHERE.some((subject) => of.has(subject)) ? null : 'anywhere';
  };
  const stated = slides.flatMap((slide) => {
    const place = placeOf(slide);
    return place === null ? [] : statementsOf(slide).flatMap((said) => candidate(slide, said, place));
  });
  const answered = QUESTIONS.flatMap((slug) =>
    answerQuestion({ ...prompt, question: { slug, text: '' } })
      .evidence.filter(({ answering }) => answering === 'high')
      .flatMap(({ slide: number, quote }) => {
        const slide = slides.find((each) => each.number === number);
        return slide === undefined
          ? []
          : candidate(slide, { text: quote, under: '', isCard: false, isRow: false }, 'answer');
      }),
  );
  const best = [...stated, ...answered].toSorted((a, b) => b.score - a.score).map(({ fact }) => fact);
  return once(withoutParts(best), MOST_FACTS);
}

/** Slides on what is reached, and those that speak of others, of money or of what is to come. */
const HOME: readonly Subject[] = ['traction', 'pilots', 'customers', 'evidence'];
const ELSEWHERE: readonly Subject[] = [
  'problem',
  'today',
  'before',
  'market',
  'timing',
  'competition',
  'ask',
  'funds',
  'pricing',
  'economics',
  'team',
  'hiring',
  'roadmap',
  'vision',
  'risks',
];

/** Slides whose figures are shares and amounts to be spent, also under "to scale what already works". */
const SPENDING: readonly Subject[] = ['ask', 'funds'];

/** Facts that no better one says whole. */
const withoutParts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ quote }, at) =>
      !facts.some((other, index) => index < at && (other.quote.includes(quote) || quote.includes(other.quote))),
  );

/** A statement of a slide. */
interface Said {
  readonly text: string;
  /** The heading over it. */
  readonly under: string;
  /** A figure with its caption. */
  readonly isCard: boolean;
  /** A row of a table. */
  readonly isRow: boolean;
}

/** A figure, then a caption of a few words. */
const CARD = /^[\p{Sc}~<>+±−–-]{0,2}\s?\d[\d.,’']*\s?(?:%|\+|[kKMB]|bn|m|Mio\.?|T€|\p{Sc}|x|×)*\s+[\p{L}(]/u;

/** Statements of a slide: cards as a whole, items, sentences. */
const statementsOf = (slide: ReadSlide): Said[] =>
  blocksOf(slide).flatMap((block): Said[] => {
    const [first] = block;
    const whole = joined(block);
    if (first?.kind === 'row') return block.flatMap((row) => rowSaid(row, block[0]));
    if (first === undefined || (first.kind === 'title' && !/\d/u.test(whole))) return [];
    const isOne =
      block.length <= MOST_CARD_LINES &&
      countWords(whole) <= MOST_CARD_WORDS &&
      first.kind !== 'item' &&
      block.filter(({ text }) => /^[\d\p{Sc}]/u.test(text)).length <= 1 &&
      block.every((unit) => !/[.!?]$/u.test(unit.text) || unit === block.at(-1));
    const units = isOne ? [{ text: whole, under: first.under }] : block;
    return units.map(({ text, under }) => ({
      text,
      under,
      isRow: false,
      isCard: CARD.test(text) && countWords(text) <= MOST_CAPTION_WORDS && !has(text, MEASURE),
    }));
  });
/** A row of what is measured: a name with figures behind it, none of them of years to come. */
function rowSaid(row: TextUnit, header: TextUnit | undefined): Said[] {
  const [name = '', ...values] = row.cells;
  const isMeasured = values.some((value) => /\d/u.test(value)) && /\p{L}{3}/u.test(name);
  if (
    row.headsColumns ||
    !isMeasured ||
    (header?.cells.filter((cell) => FISCAL_YEAR.test(cell.trim())).length ?? 0) > 0 ||
    isPlanned(row.quote) ||
    header?.cells.some((cell) => has(cell, AHEAD))
  )
    return [];
  return [{ text: row.quote, under: row.under, isCard: false, isRow: true }];
}
/** A year over figures of a financial plan: "2027", "2026e", "FY27/28". */
const FISCAL_YEAR = /^(?:(?:(?:FY|GJ)\s?(?:20)?\d{2}(?:\/\d{2})?|20\d{2}\s?[ePp]?)\s?)+$/u;
const MOST_CARD_LINES = 3;
const MOST_CAPTION_WORDS = 9;
/** The number of a section before its name, and the label of a period. */
const SECTION = /^(?:slide\s)?\d{1,2}\s?[·|•–—]\s|^[QH][1-4]\s?['’]?\d{2}\s/iu;
/** Formulas, series of figures, slogans in capitals. */
const NO_STATEMENT = /=|→.*→|^[^\p{Ll}]{40,}$|^[/\\]/u;

function candidate(slide: ReadSlide, { text, under, isCard, isRow }: Said, place: Place): Candidate[] {
  if (isRow && place !== 'home') return [];
  const quote = fitQuote(text, MOST_QUOTE);
  if (
    quote === null ||
    isNotice(quote) ||
    VOICE.test(quote) ||
    has(quote, NOT_REACHED) ||
    subjectsOfLabel(quote).length > 0
  )
    return [];
  if (isPlanned(under) || has(under, AHEAD) || SECTION.test(quote) || NO_STATEMENT.test(quote)) return [];
  if (!/\p{L}{3}/u.test(quote) || countWords(quote) < LEAST_WORDS || isOnlyAmount(quote) || /[?:…]$/u.test(quote))
    return [];
  const words = countDistinct(quote, REACHED);
  const figures = /\d/u.test(quote.replaceAll(/(?<!\d)(?:19|20)\d{2}(?!\d)|[QH][1-4]|(?<=\p{Ll}{2})\d{1,2}$/gu, ' '))
    ? 1
    : 0;
  const isDone = has(quote, DONE);
  if (!isStatement(place, { words, figures, isDone, isCard, isToday: has(quote, TODAY) })) return [];
  const score =
    (place === 'home' ? 2 : 0) +
    Math.min(words, 3) +
    2 * figures +
    (isDone ? 1 : 0) -
    (isPlanned(quote) ? 4 : 0) -
    (countWords(quote) > MANY_WORDS ? 1 : 0);
  const name = quote.length <= MOST_NAME ? quote : '';
  const answering = place === 'home' || words > 1 ? 'high' : 'some';
  return [{ fact: { slide: slide.number, quote, name, value: '', answering }, score }];
}
const MANY_WORDS = 20;

interface Signs {
  readonly words: number;
  readonly figures: number;
  readonly isDone: boolean;
  readonly isCard: boolean;
  readonly isToday: boolean;
}

/** True for signs that are enough where a statement stands: elsewhere than on its slide it says itself that it is of today, or done. */
function isStatement(place: Place, { words, figures, isDone, isCard, isToday }: Signs): boolean {
  switch (place) {
    case 'home':
      return isDone || (figures > 0 && (words > 0 || isCard));
    case 'answer':
      return words > 0 && (figures > 0 || isDone);
    case 'summary':
      return words > 0 && figures > 0 && (isCard || isToday || isDone);
    case 'anywhere':
      return words > 0 && ((isDone && (figures > 0 || words > 1)) || (figures > 0 && isToday));
  }
}
