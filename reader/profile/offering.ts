/** The offering of a company: its statement and, where that is the tagline of a cover, what the slide on the solution says. */
import { answerQuestion } from '../answer-question.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractOffering } from '../extract-offering.ts';
import type { ReadPrompt } from '../prompt.ts';
import { coverAt, subjectsOfLabel } from '../subjects.ts';
import { countWords } from '../text.ts';
import { fitQuote, once, type Fact } from './fact.ts';

const MOST_QUOTE = 180;
const MOST_VALUE = 160;
const MOST_FACTS = 2;
const LEAST_TITLE_WORDS = 3;

/** "A probe you mow over", "Eine Manschette für den Kanal": the headline says what the product is. */
const DEFINES = /^(?:an?|our|the|eine?|unser[en]?)\s\p{L}/iu;

/** True for a row of a table, a part of a sentence and words that a person says. */
const isApart = ({ slides }: ReadPrompt, number: number, quote: string): boolean =>
  /^\p{Lu}\p{Ll}+:\s|[,:]$/u.test(quote) ||
  slides.some(
    (slide) => slide.number === number && slide.units.some((unit) => unit.kind === 'row' && unit.quote === quote),
  );

/** The offering, then what says more of it. */
export function offeringFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const { value, evidence } = extractOffering(prompt);
  const stated = evidence.slice(0, 1).flatMap(({ slide, quote, answering = 'some' }): Fact[] => {
    const words = fitQuote(quote, MOST_QUOTE);
    return words === null || value.length > MOST_VALUE ? [] : [{ slide, quote: words, name: '', value, answering }];
  });
  const cover = slides[coverAt(slides)]?.number;
  if (stated.some(({ slide }) => slide !== cover)) return stated;
  const subjects = subjectsOfDeck(slides);
  const titles = slides
    .filter((slide) => slide.number !== cover && subjects.get(slide)?.has('solution') === true)
    .filter(
      ({ title }) =>
        DEFINES.test(title) &&
        !/invest/iu.test(title) &&
        countWords(title) >= LEAST_TITLE_WORDS &&
        subjectsOfLabel(title).length === 0,
    )
    .slice(0, 1)
    .map(({ number, title }) => ({ slide: number, quote: title }));
  const told = answerQuestion({ ...prompt, question: { slug: 'solution_description', text: '' } })
    .evidence.filter(
      ({ slide, answering, quote }) =>
        slide !== cover && answering === 'high' && quote !== value && !isApart(prompt, slide, quote),
    )
    .slice(0, 1);
  const more = [...titles, ...told].flatMap(({ slide, quote }): Fact[] =>
    quote.length > MOST_VALUE || quote.endsWith(':')
      ? []
      : [{ slide, quote, name: '', value: quote, answering: 'high' }],
  );
  return once([...stated, ...more], MOST_FACTS);
}
