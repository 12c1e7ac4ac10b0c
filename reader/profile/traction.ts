/** Achievements of the company by now: figures on slides about traction, first customers, sales and pilots. A plan is none. */
import { isPlanned } from '../../domain/profile/plans.ts';
import { answerQuestion } from '../answer-question.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractDeckDate } from '../extract-deck-date.ts';
import { isNotice, isOnlyAmount } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { namedBy, subjectsOfLabel } from '../subjects.ts';
import { countWords } from '../text.ts';
import { countDistinct, has } from '../words.ts';
import { fitQuote, headingsOf, once, type Fact } from './fact.ts';
import { beginsBefore, lastYear, statementsOf, type Said } from './traction-statements.ts';

/** Headlines over figures that are to come, and over what is reached. */
const [AHEAD, SO_FAR] = [phrases('years ahead'), phrases('headline so far')];
/** Words of figures that are reached, of things that are done, and of statements that are no achievement. */
const [REACHED, DONE, NOT_REACHED] = [phrases('reached'), phrases('done'), phrases('not reached')];
/** Words that are an achievement only on a slide about what is reached. */
const DONE_HERE = phrases('done on its slide');
/** Words that make a statement one of today. */
const TODAY = phrases('reached today');
/** Measures of a company in a headline: its revenue, its users. */
const METRIC = phrases('headline of metrics');
/** Headlines over figures of the company in short. */
const IN_SHORT = phrases('headline in short');
/** Questions whose answers are achievements. */
const QUESTIONS = ['paying_customers', 'monthly_sales', 'pilot_customers'];

const MOST_FACTS = 5;
const MOST_QUOTE = 120;
const MOST_NAME = 60;
const LEAST_WORDS = 2;

/**
 * Where a statement stands: on a slide whose heading says that it is about what is reached, on one that is about it by what it says, on one
 * with the company in short, in a timeline, on another one, or in the answer to a question about it.
 */
type Place = 'named' | 'home' | 'short' | 'timeline' | 'anywhere' | 'answer';

interface Candidate {
  readonly fact: Fact;
  readonly score: number;
}

/** The achievements, the weightiest first. */
export function tractionFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const now = lastYear(extractDeckDate(prompt).value) ?? UNKNOWN_YEAR;
  const placeOf = (slide: ReadSlide): Place | null => {
    const of = subjects.get(slide) ?? new Set<Subject>();
    const headings = headingsOf(slide);
    const isSpent = SPENDING.some((subject) => of.has(subject));
    const isOfOthers = OF_OTHERS.some((subject) => of.has(subject)) && !of.has('traction');
    if (headings.some((heading) => has(heading, AHEAD))) return null;
    const soFar = headings.filter((heading) => has(heading, SO_FAR));
    // "So far" is a heading of its own; "2M to scale what already works" is one of an ask.
    if (!isOfOthers && soFar.some((heading) => !isSpent || countWords(heading) <= MOST_LABEL_WORDS)) return 'named';
    const isTimeline = of.has('roadmap') && !HOME.some((subject) => of.has(subject));
    if (isTimeline) return now === UNKNOWN_YEAR ? null : 'timeline';
    if (headings.some((heading) => isPlanned(heading.replace(NEXT, '')))) return null;
    if (HOME.some((subject) => of.has(subject))) {
      if (headings.some((heading) => namedBy(heading).some((subject) => NAMED.includes(subject)))) return 'named';
      // The story that opens a deck has figures of others.
      return slide.number <= LAST_OPENING ? 'anywhere' : 'home';
    }
    const isElsewhere = [...OF_OTHERS, ...OF_MONEY].some((subject) => of.has(subject));
    if (!isElsewhere && headings.some((heading) => has(heading, METRIC) && /\d/u.test(heading))) return 'home';
    if (headings.some((heading) => has(heading, IN_SHORT))) return 'short';
    return ELSEWHERE.some((subject) => of.has(subject)) ? null : 'anywhere';
  };
  const stated = slides.flatMap((slide) => {
    const place = placeOf(slide);
    return place === null ? [] : statementsOf(slide, now).flatMap((said) => candidate(slide, said, place, now));
  });
  const answered = QUESTIONS.flatMap((slug) =>
    answerQuestion({ ...prompt, question: { slug, text: '' } })
      .evidence.filter(({ answering }) => answering === 'high')
      .flatMap(({ slide: number, quote }) => {
        const slide = slides.find((each) => each.number === number);
        const of = slide === undefined ? null : subjects.get(slide);
        if (slide === undefined || OF_OTHERS.some((subject) => of?.has(subject) === true)) return [];
        const under = slide.units.find(({ text }) => text.includes(quote))?.under ?? '';
        return candidate(slide, { ...PLAIN, text: quote, under }, 'answer', now);
      }),
  );
  const best = [...stated, ...answered].toSorted((a, b) => b.score - a.score).map(({ fact }) => fact);
  return once(withoutParts(best), MOST_FACTS);
}

/** Words that a headline adds about the time after: "Traction and next steps". */
const NEXT = /(?:&|\+|,|\band\b|\bund\b)\s*(?:the )?(?:next steps|roadmap|goals|nächste schritte|ziele|pipeline).*$/iu;
/** The deck's year where it names none: no year is ahead. */
const UNKNOWN_YEAR = 9999;
const MOST_LABEL_WORDS = 4;
/** The slides up to this one open a deck. */
const LAST_OPENING = 2;
const PLAIN: Omit<Said, 'text'> = {
  name: '',
  under: '',
  isCard: false,
  isItem: false,
  isRow: false,
  isHeading: false,
  isLabelled: false,
};

/** Slides on what is reached, those whose headings name it, and those that speak of others, of money or of what is to come. */
const HOME: readonly Subject[] = ['traction', 'pilots', 'customers', 'evidence'];
const NAMED: readonly Subject[] = ['traction', 'pilots', 'evidence'];
const OF_OTHERS: readonly Subject[] = ['problem', 'today', 'before', 'market', 'competition'];
const OF_MONEY: readonly Subject[] = [
  'ask',
  'funds',
  'pricing',
  'economics',
  'financials',
  'model',
  'roadmap',
  'vision',
];
const ELSEWHERE: readonly Subject[] = [
  ...OF_OTHERS,
  'timing',
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

/** The number of a section before its name, and the label of a period. */
const SECTION = /^(?:slide\s)?\d{1,2}\s?[·|•–—]\s|^[QH][1-4]\s?['’]?\d{2}\s/iu;
/** Formulas, series of figures, slogans in capitals. */
const NO_STATEMENT = /=|→.*→|^[^\p{Ll}]{40,}$|^[/\\]/u;

/** Months and quarters with their years, and years: no figures of what is reached. */
const TIMES =
  /(?<!\d)(?:19|20)\d{2}(?!\d)|[QH][1-4](?:\s?[/’']?\d{2}(?!\d))?|(?:jan|feb|mär|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.?\s['’]?\d{2}(?!\d)|\d\. Quartal/giu;
/** A number of partners, trials or sites is often written as a word. */
const NUMBER_WORD =
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?=\s)/iu;
/** A year that something is to be reached by. */
const BY_YEAR = /(?<!\p{L})(?:by|until|bis)(?: (?:the )?(?:end of|early|mid|ende|mitte|anfang))? 20\d{2}/iu;
/** Words of somebody else. */
const SPOKEN = /^[„“"»]|[“”"«]$/u;

/** True for words of a year after the deck was made. */
const isAhead = (text: string, now: number): boolean =>
  BY_YEAR.test(text) || (lastYear(/^\D{0,12}20\d{2}/u.exec(text)?.[0] ?? '') ?? 0) > now;

function candidate(slide: ReadSlide, said: Said, place: Place, now: number): Candidate[] {
  const { text, under, isCard, isItem, isRow, isHeading, isLabelled } = said;
  const quote = fitQuote(text, MOST_QUOTE);
  if (quote === null || isNotice(quote) || has(quote, NOT_REACHED) || subjectsOfLabel(quote).length > 0) return [];
  if (isPlanned(under) || has(under, AHEAD) || SECTION.test(quote) || NO_STATEMENT.test(quote)) return [];
  if (SPOKEN.test(quote) || isAhead(quote, now)) return [];
  if (!/\p{L}{3}/u.test(quote) || countWords(quote) < LEAST_WORDS || isOnlyAmount(quote) || /[?:…]$/u.test(quote))
    return [];
  const words = countDistinct(quote, REACHED);
  const hasDigits = /\d/u.test(quote.replaceAll(TIMES, ' '));
  const isDone = has(quote, DONE) || ((place === 'named' || isLabelled) && has(quote, DONE_HERE));
  const where = isLabelled && place !== 'answer' ? 'named' : place;
  const isHere = where === 'named' || where === 'home';
  if (isRow && !isHere) return [];
  if (where === 'timeline' && !beginsBefore(quote, now)) return [];
  const isShort = hasDigits && countWords(quote) <= MOST_SHORT_WORDS && quote.endsWith('.');
  const figures = hasDigits || (isHere && words > 0 && !isHeading && NUMBER_WORD.test(quote)) ? 1 : 0;
  if (!isStatement(where, { words, figures, isDone, isCard, isItem: isItem || isShort, isToday: has(quote, TODAY) }))
    return [];
  const score =
    (isHere ? 2 : 0) +
    Math.min(words, 3) +
    2 * figures +
    (hasDigits && isCard ? 1 : 0) +
    (isDone ? 1 : 0) -
    (isPlanned(quote) ? 4 : 0) -
    (countWords(quote) > MANY_WORDS ? 1 : 0);
  const short = said.name === '' ? quote : said.name;
  const name = short.length <= MOST_NAME ? short : '';
  const answering = isHere || words > 1 ? 'high' : 'some';
  return [{ fact: { slide: slide.number, quote, name, value: '', answering }, score }];
}
const MANY_WORDS = 20;
const MOST_SHORT_WORDS = 12;

interface Signs {
  readonly words: number;
  readonly figures: number;
  readonly isDone: boolean;
  readonly isCard: boolean;
  readonly isItem: boolean;
  readonly isToday: boolean;
}

/** True for signs that are enough where a statement stands: elsewhere than on its slide it says itself that it is of today, or done. */
function isStatement(place: Place, { words, figures, isDone, isCard, isItem, isToday }: Signs): boolean {
  switch (place) {
    case 'named':
      return isDone || (figures > 0 && (words > 0 || isCard || isItem));
    case 'home':
      return isDone || (figures > 0 && (words > 0 || isCard));
    case 'short':
      return figures > 0 && words > 0 && (isCard || isToday);
    case 'timeline':
    case 'answer':
      return words > 0 && (figures > 0 || isDone);
    case 'anywhere':
      return isDone || (figures > 0 && words > 0 && isToday);
  }
}
