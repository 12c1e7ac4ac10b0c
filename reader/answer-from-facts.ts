/**
 * Answers a template question from its passages, or where none is known to answer it from the facts of the profile and from rows and voices that
 * answer it by their form alone.
 */
import { findMoney } from '../domain/evidence/money.ts';
import type { AnswerQuestionOutput } from '../domain/models/result-schemas.ts';
import { isPlanned } from '../domain/profile/plans.ts';
import { answerOf, answerQuestion, type Cited } from './answer-question.ts';
import { subjectsOfDeck } from './deck-subjects.ts';
import { statesNothing } from './document-kind.ts';
import { phrases } from './phrases.ts';
import { useOfFundsFacts } from './profile/funds.ts';
import { teamFacts } from './profile/team.ts';
import { tractionFacts } from './profile/traction.ts';
import { blocksOf, joined, type Fact } from './profile/fact.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { VOICE } from './slide-traits.ts';
import type { Subject } from './subject.ts';
import { countWords, MAX_QUOTE } from './text.ts';
import { has } from './words.ts';

type Found = Pick<Fact, 'slide' | 'quote' | 'answering'>;

/** Facts of what is reached whose words fit a question; plans answer none of them. */
const reached =
  (words: RegExp) =>
  (prompt: ReadPrompt): Found[] =>
    tractionFacts(prompt).filter(({ quote }) => has(quote, words) && /\d/u.test(quote) && !isPlanned(quote));

/** Facts that answer a question as well as a passage does. */
const sure =
  (factsOf: (prompt: ReadPrompt) => Fact[]) =>
  (prompt: ReadPrompt): Found[] =>
    factsOf(prompt).map((fact) => ({ ...fact, answering: 'high' }));

/** Facts that bear on a question. */
const near =
  (foundIn: (prompt: ReadPrompt) => Found[]) =>
  (prompt: ReadPrompt): Found[] =>
    foundIn(prompt).map((fact) => ({ ...fact, answering: 'some' }));

/** Slides whose figures are those of others or still to come. */
const OF_OTHERS: readonly Subject[] = ['problem', 'market', 'ask', 'funds', 'team', 'roadmap', 'risks'];
const MOST_FOUND = 2;

/** Sentences and cards with words of a question beside a figure, on slides about the company itself. */
const said =
  (words: RegExp) =>
  ({ slides }: ReadPrompt): Found[] => {
    const subjects = subjectsOfDeck(slides);
    return slides
      .filter((slide) => !OF_OTHERS.some((subject) => subjects.get(slide)?.has(subject) === true))
      .flatMap((slide) =>
        statementsOf(slide)
          .filter((text) => has(text, words) && FIGURE.test(text) && !isPlanned(text) && !VOICE.test(text))
          .map((quote) => ({ slide: slide.number, quote, answering: 'some' as const })),
      )
      .slice(0, MOST_FOUND);
  };
const FIGURE = /\d/u;
const MOST_CARD_WORDS = 16;

/** Sentences of a slide; a block of few words is one card. */
const statementsOf = (slide: ReadSlide): string[] =>
  blocksOf(slide).flatMap((block) => {
    const whole = joined(block);
    if (block.some(({ kind }) => kind === 'row' || kind === 'title')) return [];
    return countWords(whole) <= MOST_CARD_WORDS ? [whole] : block.map(({ text }) => text);
  });

/** Where the answer to each question is looked for beside its passages. */
const SOURCES: Readonly<Record<string, (prompt: ReadPrompt) => Found[]>> = {
  fund_allocation: sure((prompt) => useOfFundsFacts(prompt).filter(({ name }) => name !== '')),
  team_composition: sure(teamFacts),
  paying_customers: (prompt) =>
    reached(phrases('customers who pay'))(prompt).filter(({ quote }) => !has(quote, phrases('says churn'))),
  monthly_sales: (prompt) => reached(phrases('revenue'))(prompt).filter(({ quote }) => findMoney(quote).length > 0),
  pilot_customers: reached(phrases('tested by customers')),
  annual_burn: resultsOfYears,
  monthly_burn: near(resultsOfYears),
  customer_satisfaction: voices,
  churn_analysis: said(phrases('says churn')),
  unit_economics: said(phrases('says unit economics')),
  quantified_advantage: said(phrases('says advantage in figures')),
};

/** The answer, with evidence first. */
export function answerWithFacts(prompt: ReadPrompt): AnswerQuestionOutput {
  const own = answerQuestion(prompt);
  const source = SOURCES[prompt.question?.slug ?? ''];
  const isAnswered = own.evidence.some(({ answering }) => answering !== 'doubtful');
  if (source === undefined || isAnswered || statesNothing(prompt.slides)) return own;
  const found = source(prompt).filter(({ quote }) => quote.length <= MAX_QUOTE && /\p{L}{3}/u.test(quote));
  if (found.length === 0) return own;
  // Doubtful quotes follow those that are known to answer.
  const quotes = new Set([...found, ...own.evidence].map(({ slide, quote }) => `${slide}/${quote}`));
  const cited = [...found, ...own.evidence].flatMap(({ slide, quote, answering }): Cited[] =>
    quotes.delete(`${slide}/${quote}`) ? [{ slide, quote, answering, above: titleAbove(prompt, slide, quote) }] : [],
  );
  return answerOf(prompt.language, cited);
}

const titleAbove = ({ slides }: ReadPrompt, number: number, quote: string): string[] =>
  [slides.find((slide) => slide.number === number)?.title ?? ''].filter(
    (title) => title !== '' && !quote.includes(title),
  );

/** A year over figures: "2027", "2026e", "FY27/28". */
const YEAR = /(?:^|\s)(?:(?:FY|GJ)\s?)?(?:20)\d{2}(?:\/\d{2})?\s?[ePp]?(?:\s|$)/u;
const LEAST_YEARS = 2;
const RESULT = phrases('result of a year');

/** Rows of a table by years that say what is lost or earned in each. */
function resultsOfYears({ slides }: ReadPrompt): Found[] {
  return slides
    .flatMap((slide) =>
      slide.units.map((unit) => ({ slide: slide.number, unit })).filter(({ unit }) => unit.kind === 'row'),
    )
    .filter(
      ({ unit: { cells, headerCells, headsColumns } }) =>
        !headsColumns &&
        headerCells.filter((cell) => YEAR.test(cell)).length >= LEAST_YEARS &&
        has(cells[0] ?? '', RESULT) &&
        cells.slice(1).some((cell) => /^\s?[−–(-]\s?\p{Sc}?\d/u.test(cell)),
    )
    .map(({ slide, unit: { quote } }) => ({ slide, quote, answering: 'high' as const }))
    .slice(0, 2);
}

/** Slides on which a voice is that of a customer; on the problem somebody complains of what there is today. */
const OF_CUSTOMERS: readonly Subject[] = ['voices', 'customers', 'traction', 'evidence', 'pilots'];
const LEAST_VOICE_WORDS = 6;

/** Words of customers in quotation marks. */
function voices({ slides }: ReadPrompt): Found[] {
  const subjects = subjectsOfDeck(slides);
  return slides
    .filter((slide) => OF_CUSTOMERS.some((subject) => subjects.get(slide)?.has(subject) === true))
    .flatMap((slide) =>
      slide.units
        .filter(({ text, running }) => !running && VOICE.test(text.trim()) && countWords(text) >= LEAST_VOICE_WORDS)
        .map(({ quote }) => ({ slide: slide.number, quote, answering: 'some' as const })),
    )
    .slice(0, 2);
}
