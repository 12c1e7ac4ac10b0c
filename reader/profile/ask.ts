/** The money that is sought, and the terms of the round: its name, instrument, valuation, share offered and runway. */
import { findMoney } from '../../domain/evidence/money.ts';
import { extractFunding } from '../extract-funding.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { AMOUNT } from '../../domain/profile/statement.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { fitQuote, once, type Fact } from './fact.ts';
import { has } from '../words.ts';
import { isOver, roundIn } from './stage.ts';

const MOST_FACTS = 4;
const MOST_QUOTE = 140;
const MOST_VALUE = 50;

/** Terms of a round in the order in which they are told, with the words by which they are known. */
const TERMS = ['instrument', 'valuation', 'share offered', 'runway'] as const;
type Term = (typeof TERMS)[number];
const WORDS: Readonly<Record<Term, RegExp>> = {
  instrument: phrases('instrument of a round'),
  valuation: phrases('valuation of a round'),
  'share offered': phrases('share of a round'),
  runway: phrases('runway of a round'),
};
const GERMAN: Readonly<Record<Term | 'round', string>> = {
  round: 'Runde',
  instrument: 'Form',
  valuation: 'Bewertung',
  'share offered': 'Anteil',
  runway: 'Reichweite',
};
/** Rounds that are over. */
const EARLIER = phrases('earlier');

/** The amount, where one is sought, and the terms on its slide and on those about the round. */
export function askFacts(prompt: ReadPrompt): Fact[] {
  const { slides, language } = prompt;
  const asked = extractFunding(prompt);
  const [evidence] = asked.evidence;
  const quote = evidence === undefined ? null : fitQuote(evidence.quote, MOST_QUOTE);
  const amount: Fact[] =
    !asked.stated || evidence === undefined || quote === null || asked.value.length > MOST_VALUE
      ? []
      : [{ slide: evidence.slide, quote, name: AMOUNT, value: asked.value, answering: evidence.answering ?? 'high' }];
  const subjects = subjectsOfDeck(slides);
  const about = slides.filter((slide) => slide.number === evidence?.slide || subjects.get(slide)?.has('ask') === true);
  const nameOf = (term: Term | 'round'): string => (language === 'de' ? GERMAN[term] : term);
  const round = about.flatMap((slide) => roundOn(slide, nameOf('round')));
  const terms = TERMS.flatMap((term) => about.flatMap((slide) => termOn(slide, term, nameOf(term))).slice(0, 1));
  return amount.length === 0 ? [] : once([...amount, ...round.slice(0, 1), ...terms], MOST_FACTS);
}

const roundOn = (slide: ReadSlide, name: string): Fact[] =>
  slide.units.flatMap((unit): Fact[] => {
    const round = isOver(unit.text) ? null : roundIn(unit.text);
    const quote = fitQuote(unit.quote, MOST_QUOTE);
    return round === null || quote === null || !quote.includes(round)
      ? []
      : [{ slide: slide.number, quote, name, value: round, answering: 'high' }];
  });

function termOn(slide: ReadSlide, term: Term, name: string): Fact[] {
  return slide.units.flatMap((unit): Fact[] => {
    const quote = fitQuote(unit.quote, MOST_QUOTE);
    const value = has(unit.text, EARLIER) || quote === null ? null : valueOf(unit.text, term);
    return value === null || quote === null || !quote.includes(value) || value.length > MOST_VALUE
      ? []
      : [{ slide: slide.number, quote, name, value, answering: 'high' }];
  });
}

/** The words of a term in a text. */
function valueOf(text: string, term: Term): string | null {
  const [found] = [...text.matchAll(WORDS[term])];
  if (found === undefined) return null;
  switch (term) {
    case 'valuation':
      return amountNear(text, found.index + found[0].length);
    case 'instrument':
    case 'share offered':
    case 'runway':
      return found[0].trim();
  }
}

/** The amount behind words that lead to one, else the one before them. */
function amountNear(text: string, at: number): string | null {
  const placed = findMoney(text);
  const best = placed.find(({ start }) => start >= at) ?? placed.at(-1);
  return best === undefined ? null : text.slice(best.start, best.end).trim();
}
