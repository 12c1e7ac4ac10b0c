/** Target customers of a deck: groups below a label that says so, and statements that say for whom the product is. */
import { answerQuestion } from '../answer-question.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractOffering } from '../extract-offering.ts';
import { isNotice } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import type { Subject } from '../subject.ts';
import { coverAt, subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { impliedOn } from './customers-implied.ts';
import { frequentCustomers } from './customers-frequent.ts';
import { titledCustomers } from './customers-titled.ts';
import { blocksOf, fitQuote, labelFrom, once, type Fact } from './fact.ts';

/** Labels of target groups, and of customers in general; groups of people or companies, and words that make them no target. */
const [TARGET, CUSTOMERS, GROUP, NOT_GROUP] = [
  phrases('target label'),
  phrases('label of customers'),
  phrases('customer group'),
  phrases('no customer group'),
];
/** Words behind which the target group stands: those of selling, and those of serving. */
const [SELLS, SERVES] = [phrases('sells to'), phrases('serves')];
/** Words of who pays. */
const PAYS = phrases('who pays');
/** Head a column of customers, and rows of it that are none. */
const [SEGMENT_COLUMN, NOT_SEGMENT] = [phrases('heads customers'), phrases('no segment')];

const MOST_FACTS = 3;
/** A list below a label or in a table is whole. */
const MOST_LISTED = 5;
const MOST_QUOTE = 120;
const MOST_NAME = 60;
const MOST_LABEL_WORDS = 6;
const MOST_ITEM_WORDS = 16;

interface Candidate {
  readonly fact: Fact;
  readonly score: number;
}

/** Where a statement that serves somebody says whom the product is for: on the cover, about the product, about the problem. */
const PLACES: readonly (readonly [Subject, number])[] = [
  ['solution', 3],
  ['benefit', 3],
  ['model', 3],
  ['persona', 3],
  ['customers', 3],
  ['company', 2.5],
  ['vision', 2.5],
  ['problem', 1.5],
];

/** The groups, the surest first. */
export function customersFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const subjects = subjectsOfDeck(slides);
  const cover = slides[coverAt(slides)];
  const weightOf = (slide: ReadSlide): number =>
    slide === cover
      ? 3
      : Math.max(0, ...PLACES.map(([subject, weight]) => (subjects.get(slide)?.has(subject) === true ? weight : 0)));
  const paying = answerQuestion({ ...prompt, question: { slug: 'payer_identification', text: '' } })
    .evidence.filter(({ answering, quote }) => answering === 'high' && has(quote, GROUP) && has(quote, PAYS))
    .flatMap(({ slide, quote }) => candidate(slide, '', quote, 2.5));
  const offered = extractOffering(prompt).evidence.flatMap(({ slide, quote }) =>
    groupsBehind(slide, quote, SERVES, 3.5),
  );
  const all = [
    ...slides.flatMap(labelledOn),
    ...slides.flatMap((slide) => (subjects.get(slide)?.has('team') === true ? [] : statedOn(slide, weightOf(slide)))),
    ...offered,
    ...paying,
    ...slides.flatMap((slide) =>
      SEGMENTED.some((subject) => subjects.get(slide)?.has(subject) === true) ? segmentsOf(slide) : payersOf(slide),
    ),
    ...slides.flatMap((slide) =>
      impliedOn(slide, subjects.get(slide) ?? new Set()).flatMap(({ name, quote, score }) =>
        candidate(slide.number, name, quote, score),
      ),
    ),
  ];
  const titled = slides.flatMap((slide) =>
    (OF_OTHERS.some((subject) => subjects.get(slide)?.has(subject) === true) ? [] : titledCustomers(slide)).flatMap(
      ({ name, quote }) => candidate(slide.number, name, quote, 3),
    ),
  );
  const best = [...titled, ...all].toSorted((a, b) => b.score - a.score);
  const least = Math.max(LEAST_SCORE, (best[0]?.score ?? 0) - MOST_BEHIND);
  const facts = best.filter(
    ({ score, fact }, at) =>
      score >= least &&
      (fact.name !== '' || !best.some((other) => other.fact.name !== '' && other.fact.quote === fact.quote)) &&
      (score >= LISTED_SCORE || at < MOST_FACTS * 2),
  );
  const listed = facts.filter(({ score }) => score >= LISTED_SCORE).length;
  const found = once(withoutParts(facts.map(({ fact }) => fact)), Math.min(MOST_LISTED, Math.max(MOST_FACTS, listed)));
  return found.length > 0 ? found : frequentCustomers(slides, subjects);
}
/** Slides that ask who has a problem, who is behind the company and who else there is. */
const OF_OTHERS: readonly Subject[] = ['problem', 'team', 'competition', 'hiring'];
/** Groups of a list or a table. */
const LISTED_SCORE = 2.5;
/** A statement with less, or so much less than the best one, names anybody. */
const LEAST_SCORE = 1.5;
const MOST_BEHIND = 2;

/** Slides whose tables and sizes are cut by groups of customers. */
const SEGMENTED: readonly Subject[] = ['market', 'pricing', 'customers', 'model'];

/** Payers and users in the column of a table on any slide. */
const payersOf = (slide: ReadSlide): Candidate[] =>
  blocksOf(slide).some(([first]) => first?.kind === 'row' && first.cells.some((cell) => PAYER_COLUMN.test(cell)))
    ? segmentsOf(slide)
    : [];
const PAYER_COLUMN =
  /^(?:payers?|who (?:pays|buys|uses)(?: it)?|buyers?|zahler|zahlt|wer (?:zahlt|kauft|nutzt)(?: es)?|käufer)$/iu;

/** Groups in the column of a table that is headed so, and behind the parts of a market that the company wants. */
const segmentsOf = (slide: ReadSlide): Candidate[] =>
  blocksOf(slide).flatMap((block) => {
    const [first] = block;
    if (first?.kind === 'row') {
      const column = first.cells.findIndex((cell) => has(cell, SEGMENT_COLUMN) && countWords(cell) <= MOST_LABEL_WORDS);
      if (column < 0) return [];
      return block.slice(1).flatMap(({ cells, quote }) => {
        const cell = (cells[column] ?? '').trim();
        const isName = /\p{L}{3}/u.test(cell) && !has(cell, NOT_SEGMENT) && countWords(cell) <= MOST_GROUP_WORDS;
        return isName && quote.includes(cell)
          ? candidate(slide.number, cell, quote, PAYER_COLUMN.test(first.cells[column] ?? '') ? 3.5 : 2.5)
          : [];
      });
    }
    return block.flatMap(({ text }) => {
      const [, part = ''] = /^(?:SAM|SOM)\P{L}\s?(.{8,90})$/u.exec(text) ?? [];
      return part !== '' && has(part, GROUP) && !/(?<!\p{L})(?:SAM|TAM|SOM)(?!\p{L})/u.test(part)
        ? candidate(slide.number, labelFrom(part), text, 2.2)
        : [];
    });
  });

/** Facts that no better one says whole. */
const withoutParts = (facts: readonly Fact[]): Fact[] =>
  facts.filter(
    ({ name }, at) =>
      name === '' || !facts.some((other, index) => index < at && other.name.toLowerCase().includes(name.toLowerCase())),
  );

function candidate(slide: number, name: string, words: string, score: number): Candidate[] {
  // A row that is too long is quoted by its name.
  const quote = fitQuote(words, MOST_QUOTE) ?? (name !== '' && words.startsWith(name) ? name : null);
  if (quote === null || isNotice(quote) || quote.endsWith('?')) return [];
  const answering = score >= SURE_SCORE ? 'high' : 'some';
  const group = name.replace(ARTICLE, '');
  return [{ fact: { slide, quote, name: group.length <= MOST_NAME ? group : '', value: '', answering }, score }];
}
const SURE_SCORE = 3;
const ARTICLE = /^(?:the|an?|every|each|our|die|der|das|den|dem|eine?[mnr]?|jede[nmrs]?|unsere?[nmr]?)\s/iu;

/** Groups below or behind a label: "Target customers: hospitals with 200 beds", items below "Who it is for". */
function labelledOn(slide: ReadSlide): Candidate[] {
  const found: Candidate[] = [];
  let below: RegExp | null = null;
  let labelBlock = 0;
  for (const block of blocksOf(slide)) {
    if (block[0]?.kind === 'row') continue;
    let isWithin = false;
    for (const [at, unit] of block.entries()) {
      const [label = '', ...rest] = unit.text.split(/:\s/u);
      const text = rest.join(': ');
      const named = labelIn(label);
      if (named !== null && text !== '')
        found.push(
          ...(isGroup(text, named) ? candidate(slide.number, labelFrom(text), unit.text, scoreOf(named)) : []),
        );
      else if (named !== null) {
        below = named;
        labelBlock = unit.block;
        // A label within a card is that of the card alone.
        isWithin = at < block.length - 1 && !unit.heading;
      } else if (unit.heading || isOtherLabel(unit)) below = null;
      else if (below !== null && isGroup(unit.text, below, unit.kind === 'item' && unit.block <= labelBlock + 1))
        found.push(...candidate(slide.number, labelFrom(unit.text), unit.text, scoreOf(below)));
    }
    if (isWithin) below = null;
  }
  return found;
}

const scoreOf = (label: RegExp): number => (label === TARGET ? 5 : 4);

function labelIn(label: string): RegExp | null {
  if (countWords(label) > MOST_LABEL_WORDS) return null;
  return (
    [TARGET, CUSTOMERS].find(
      (words) =>
        label.replaceAll(words, '').replaceAll(/[^\p{L}]|(?<!\p{L})(?:the|our|die|unsere?)(?!\p{L})/giu, '') === '' &&
        has(label, words),
    ) ?? null
  );
}

/** A word or two in capitals head another part of the slide. */
const isOtherLabel = ({ text }: TextUnit): boolean => /^[\p{Lu}\s&/-]{4,}$/u.test(text);

/** True for words that can name a group; below a label for customers of any kind without figures and quotations as well. */
function isGroup(text: string, label: RegExp, isItem = false): boolean {
  if (countWords(text) > MOST_ITEM_WORDS || has(text, NOT_GROUP) || /[?!]$|^["“„«]/u.test(text)) return false;
  // "Team & Ask" is an entry of the contents.
  if (text.split(/\s[&+]\s|\s(?:and|und)\s/u).every((part) => subjectsOfLabel(part).length > 0)) return false;
  if (isItem && label === TARGET && IS_NAME.test(text) && countWords(text) <= MOST_NAME_WORDS) return true;
  return has(text, GROUP) && (label === TARGET || !/\d|\p{Sc}/u.test(text));
}
/** Words without figures that begin with a capital, as an entry of a list does. */
const IS_NAME = /^(?!(?:the|our|we|you|it|this|why|how|what|wir|unsere?|warum|wie|was)\s)\p{Lu}[^\d\p{Sc}:=→]{3,}$/iu;
const MOST_NAME_WORDS = 7;

/** Sentences that say who the customers are: "We sell to clinics", "helps nurses at rural clinics". */
const statedOn = (slide: ReadSlide, weight: number): Candidate[] =>
  slide.units.flatMap(({ text, kind, running }) => {
    if (kind === 'row' || running || has(text, NOT_GROUP)) return [];
    const sold = groupsBehind(slide.number, text, SELLS, 4);
    return sold.length > 0 || weight === 0 ? sold : groupsBehind(slide.number, text, SERVES, weight);
  });

/** The end of the words that name a group. */
const GROUP_ENDS =
  /[.;:()!?–—]|,(?=\s(?:and|und|but|aber|so|not|nicht|without|ohne)\s)|\s(?:with|by|to|that|which|who|so|through|via|without|from|as|is|are|can|when|while|using|mit|durch|damit|die|der|das|ohne|um|als|ist|sind|können|bei|beim|wenn|per|eine?[mnrs]?|wird|werden|sich|rechnet|lohnt|gibt|kostet|bleibt|in an?|allowing|enabling|letting|making)(?!\p{L})/iu;

/** The group that stands behind such words. */
function groupsBehind(slide: number, text: string, words: RegExp, score: number): Candidate[] {
  for (const said of text.matchAll(words)) {
    const rest = text.slice(said.index + said[0].length).trimStart();
    const after = HELPS.test(said[0]) ? untilVerb(rest) : rest;
    const [first = '', ...others] = (after.split(GROUP_ENDS)[0] ?? '').split(', ');
    // "for drivers, nurses on call, musicians" names several.
    const isWhole = /\s(?:and|or|und|oder)\s/u.test(others.at(-1) ?? '');
    const end = others.findIndex((part) => countWords(part) > MOST_PART_WORDS || (!isWhole && !has(part, GROUP)));
    const name = [first, ...(end < 0 ? others : others.slice(0, end))].join(', ').trim();
    if (
      /^(?:you|us|me|them|it|to|dich|uns|sie|sich|one|two|three|eine?[mnrs]?|zwei|drei|zwanzig)(?!\p{L})/iu.test(
        name,
      ) ||
      countWords(name) > MOST_GROUP_WORDS
    )
      continue;
    if (has(name, GROUP) && !has(name, NOT_GROUP)) return candidate(slide, labelFrom(name), text, score);
  }
  return [];
}
const MOST_GROUP_WORDS = 10;
const MOST_PART_WORDS = 4;

/** Behind words of help follows who does something: "help dental practices fill slots". */
const HELPS = /^(?:we |wir )?(?:help|let|hilf|helf)/iu;
const GOES_ON = new RegExp(`^(?:,| and| or| of| in| at| und| oder| &)(?: [\\p{L}-]+){0,2} (?:${GROUP.source})`, 'iu');

/** The words up to the last group that belongs to the first one. */
function untilVerb(text: string): string {
  const [group] = text.matchAll(GROUP);
  if (group === undefined) return text;
  let end = group.index + group[0].length;
  for (let more = GOES_ON.exec(text.slice(end)); more !== null; more = GOES_ON.exec(text.slice(end)))
    end += more[0].length;
  return text.slice(0, end);
}
