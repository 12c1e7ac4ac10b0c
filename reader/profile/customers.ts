/** Target customers of a deck: groups below a label that says so, and sentences that say for whom the product is. */
import { answerQuestion } from '../answer-question.ts';
import { extractOffering } from '../extract-offering.ts';
import { isNotice } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { countWords } from '../text.ts';
import { has } from '../words.ts';
import { fitQuote, labelFrom, once, type Fact } from './fact.ts';

/** Labels of target groups, and of customers in general; statements that name them; groups of people or companies. */
const [TARGET, CUSTOMERS, STATES, GROUP] = [
  phrases('target label'),
  phrases('label of customers'),
  phrases('states the target'),
  phrases('customer group'),
];
const NOT_GROUP = phrases('no customer group');

const MOST_FACTS = 3;
const MOST_QUOTE = 160;
const MOST_NAME = 80;
const MOST_LABEL_WORDS = 6;
const MOST_ITEM_WORDS = 14;

/** The groups, those below a label first. */
export function customersFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const labelled = slides.flatMap(labelledOn);
  const stated = slides.flatMap(statedOn);
  const paying = answerQuestion({ ...prompt, question: { slug: 'payer_identification', text: '' } })
    .evidence.filter(({ answering, quote }) => answering === 'high' && has(quote, GROUP))
    .flatMap(({ slide, quote }) => factOf(slide, quote, quote, 'some'));
  const offered = extractOffering(prompt).evidence.flatMap(({ slide, quote }) => forWhom(slide, quote));
  return once([...labelled, ...stated, ...offered, ...paying], MOST_FACTS);
}

function factOf(slide: number, name: string, words: string, answering: Fact['answering']): Fact[] {
  const quote = fitQuote(words, MOST_QUOTE);
  if (quote === null || isNotice(quote)) return [];
  return [{ slide, quote, name: name.length <= MOST_NAME ? name : '', value: '', answering }];
}

/** Groups below or behind a label: "Target customers: hospitals with 200 beds", items below "Who it is for". */
function labelledOn(slide: ReadSlide): Fact[] {
  const facts: Fact[] = [];
  let below: RegExp | null = null;
  for (const unit of slide.units.filter(({ running, kind }) => !running && kind !== 'row')) {
    const [label = '', ...rest] = unit.text.split(/:\s/u);
    const named =
      countWords(label) > MOST_LABEL_WORDS
        ? null
        : isWhole(label, TARGET)
          ? TARGET
          : isWhole(label, CUSTOMERS)
            ? CUSTOMERS
            : null;
    const text = rest.join(': ');
    if (named !== null && text !== '')
      facts.push(...(isGroup(text, named) ? factOf(slide.number, labelFrom(text), unit.text, 'high') : []));
    else if (named !== null) below = named;
    else if (unit.heading) below = null;
    else if (below !== null && isGroup(unit.text, below))
      facts.push(...factOf(slide.number, unit.text, unit.text, 'high'));
  }
  return facts;
}

const isWhole = (label: string, words: RegExp): boolean =>
  label.replaceAll(words, '').replaceAll(/[^\p{L}]/gu, '') === '' && has(label, words);

/** True for words that can name a group; below a label for customers of any kind without figures and quotations as well. */
function isGroup(text: string, label: RegExp): boolean {
  if (countWords(text) > MOST_ITEM_WORDS || has(text, NOT_GROUP) || /[?!]$|^["“„«]/u.test(text)) return false;
  return has(text, GROUP) && (label === TARGET || !/\d|\p{Sc}/u.test(text));
}

/** Sentences that say who the customers are: "We sell to clinics", "Our customers are …". */
const statedOn = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap(({ text, kind }) => {
    const [said] = kind === 'row' || /\?$/u.test(text) || has(text, NOT_GROUP) ? [] : [...text.matchAll(STATES)];
    const after = said === undefined ? '' : text.slice(said.index + said[0].length, said.index + said[0].length + NEAR);
    return has(after, GROUP) ? factOf(slide.number, text, text, 'high') : [];
  });
/** The group stands so many characters behind the words that lead to it. */
const NEAR = 45;

/** The group that the sentence on the offering names: "… for care homes". */
function forWhom(slide: number, quote: string): Fact[] {
  const group = /(?:\bfor|\bfür)\s(?<group>(?!\d|you\b|the first|less\b|free\b|everyone\b)[^.;:–—]{3,60})/iu.exec(quote)
    ?.groups?.['group'];
  const name = group?.split(/\s(?:that|which|who|to|die|der|das|with|mit|in order|um)\s|,\s/u)[0]?.trim() ?? '';
  return name !== '' && has(name, GROUP) ? factOf(slide, labelFrom(name), quote, 'high') : [];
}
