/** How far a company is: the round by name, and the state of its product. */
import { findMoney } from '../../domain/evidence/money.ts';
import { isPlanned } from '../../domain/profile/plans.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { coverAt } from '../subjects.ts';
import { has } from '../words.ts';
import { fitQuote, once, type Fact } from './fact.ts';
import { tractionFacts } from './traction.ts';

/** Names of rounds; rounds that are over; states of a product, the furthest first. */
const [ROUND, EARLIER, SEEKS] = [phrases('round by name'), phrases('earlier'), phrases('seeks a round')];
const STATES = [phrases('product is sold'), phrases('product is tested'), phrases('product is built')];

/** Words of sales. */
const SOLD = phrases('sold');

/** Slides that speak of others, and of a state that is to be reached. */
const ELSEWHERE: readonly Subject[] = ['problem', 'today', 'competition', 'funds', 'vision'];
/** Slides whose products were those of others, unless they also tell of what was reached. */
const OF_PEOPLE: readonly Subject[] = ['team'];
const REACHED: readonly Subject[] = ['evidence', 'traction', 'pilots'];

const MOST_QUOTE = 100;
const MOST_VALUE = 40;

/** True for a round that is over: "€1.1M pre-seed (2024)". */
export const isOver = (text: string): boolean =>
  has(text, EARLIER) || (findMoney(text).length > 0 && /(?<!\d)20\d{2}/u.test(text)) || IN_YEARS.test(text);
/** "Series A in FY28": a round that is to come. */
const IN_YEARS = /(?<!\p{L})(?:in|by|bis|im Jahr)\s(?:FY\s?)?'?\d{2,4}(?!\d)/iu;

/** The round that a text names, by its longest name; null for none. */
export function roundIn(text: string): string | null {
  const [found] = [...text.matchAll(ROUND)].toSorted((a, b) => b[0].length - a[0].length);
  return found?.[0] ?? null;
}

/** The round, and the state of the product. */
export function stageFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const cover = slides[coverAt(slides)];
  const onRound = slides.filter((slide) => {
    const of = subjects.get(slide);
    return slide === cover || of?.has('ask') === true || of?.has('funds') === true;
  });
  const sought = slides
    .filter((slide) => !onRound.includes(slide))
    .flatMap((slide) => quotes(slide, (text) => (has(text, SEEKS) && !isOver(text) ? roundIn(text) : null)));
  const round = onRound.flatMap((slide) => quotes(slide, (text) => (isOver(text) ? null : roundIn(text))));
  const isOn = (slide: ReadSlide, of: readonly Subject[]): boolean =>
    of.some((subject) => subjects.get(slide)?.has(subject) === true);
  const ofCompany = slides.filter(
    (slide) => slide !== cover && !isOn(slide, ELSEWHERE) && (!isOn(slide, OF_PEOPLE) || isOn(slide, REACHED)),
  );
  // A product that is sold on a roadmap is not sold yet.
  const state = STATES.flatMap((words, at) =>
    ofCompany
      .filter((slide) => at > 0 || !isOn(slide, ['roadmap']))
      .flatMap((slide) => quotes(slide, (text) => stateIn(text, words))),
  );
  return once([...[...round, ...sought].slice(0, 1), ...[...state, ...inRevenue(prompt)].slice(0, 1)], 2);
}

/** An achievement that shows that the product is sold, as the state of a company that does not name it. */
const inRevenue = (prompt: ReadPrompt): Fact[] =>
  tractionFacts(prompt)
    .filter(
      ({ quote, answering }) => answering === 'high' && !isPlanned(quote) && SALES.test(quote) && has(quote, SOLD),
    )
    .flatMap((fact) => {
      const quote = fitQuote(fact.quote, MOST_QUOTE);
      return quote === null ? [] : [{ ...fact, quote, name: '', value: quote.length <= MOST_VALUE ? quote : '' }];
    });
/** A figure that is no share of something else. */
const SALES = /^(?!.*(?:% of|% der|% aller))(?=.*\d)/u;

function stateIn(text: string, words: RegExp): string | null {
  const [found] = [...text.matchAll(words)];
  return found === undefined || isPlanned(text) || text.endsWith('?') ? null : found[0].trim();
}

const quotes = (slide: ReadSlide, valueIn: (text: string) => string | null): Fact[] =>
  slide.units.flatMap((unit): Fact[] => {
    const value = unit.kind === 'row' && unit.cells.length > 2 ? null : valueIn(unit.text);
    const quote = fitQuote(unit.text, MOST_QUOTE);
    if (value === null || quote === null || !quote.includes(value) || value.length > MOST_VALUE) return [];
    return [{ slide: slide.number, quote, name: '', value, answering: 'high' }];
  });
