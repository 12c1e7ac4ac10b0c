/** Competitors on a slide without a table: labels of a picture, and cards with a name over a statement. */
import type { Answering } from '../../domain/evidence/answering.ts';
import { isShouted, rareShare } from '../names.ts';
import { phrases } from '../phrases.ts';
import type { ReadSlide } from '../prompt.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { isStatement, MOST_NAME_WORDS, type Named } from './competitor-names.ts';
import { blocksOf, fitQuote, joined, type Fact } from './fact.ts';

const [LISTS, FIRST_PERSON, KINDS] = [
  phrases('lists competitors'),
  phrases('first person'),
  phrases('kinds of competitors'),
];

/** Most characters of a quote. */
export const MOST_QUOTE = 80;
/** Most words of a label. */
export const MOST_LABEL_WORDS = 3;

/** A fact that names a competitor, quoted with its words. */
export const factOf = (slide: ReadSlide, name: string, words: string, answering: Answering = 'high'): Fact => {
  const quote = fitQuote(words, MOST_QUOTE);
  return { slide: slide.number, quote: quote ?? name, name, value: '', answering };
};

/** The competitor that a cell or a line names, if any. */
export function fromCell(slide: ReadSlide, cell: string, words: string, named: Named): Fact[] {
  const name = named(cell);
  // A cell over two lines is quoted as it stands.
  return name === null ? [] : [factOf(slide, name, words)];
}

/** Labels of a picture of the competition: short, with capitals, and no words of its axes. */
export function labelsOf(slide: ReadSlide, named: Named, isOwn: (name: string) => boolean): Fact[] {
  const units = slide.units.filter(
    (unit) => !unit.running && unit.kind !== 'title' && unit.kind !== 'row' && !isOnUs(unit),
  );
  const own = units.findIndex((unit) => isLabel(unit) && isOwn(unit.text));
  const end = units.findIndex((unit, at) => at > own && !isLabel(unit));
  const behind = own < 0 ? [] : units.slice(own + 1, end < 0 ? undefined : end);
  // Names stand together with the company's own, criteria and axes apart from it.
  const beside = labelFacts(slide, behind, named, LEAST_BESIDE);
  return beside.length >= LEAST_LABELS ? beside : labelFacts(slide, units.filter(isLabel), named, 1);
}
const [LEAST_LABELS, LEAST_BESIDE] = [2, 0];

/** True below a heading about the company itself, such as "Our moat". */
const isOnUs = ({ under, text }: TextUnit): boolean =>
  [under, text].some((words) => has(words, FIRST_PERSON) && !has(words, LISTS));

function labelFacts(slide: ReadSlide, units: readonly TextUnit[], named: Named, leastRare: number): Fact[] {
  const labels = units.flatMap(({ text }) => {
    const name = named(text);
    // Words that anybody uses are what is compared.
    return name === null || (rareShare(name) < leastRare && !has(name, KINDS))
      ? []
      : [factOf(slide, name, text, 'some')];
  });
  return labels.length >= LEAST_LABELS ? labels : [];
}

const isLabel = ({ text, words, running }: TextUnit): boolean =>
  !running && words <= MOST_LABEL_WORDS && /^[\p{Lu}\d]/u.test(text) && !/[.!?:,]$|\d{2}|%|[€$£]/u.test(text);

/** Cards of a slide that is titled as the competition: a short name over a statement, or statements that begin with a name. */
export function cardsOf(slide: ReadSlide, named: Named): Fact[] {
  if (!has(slide.title, LISTS)) return [];
  const blocks = blocksOf(slide).filter(
    ([first]) => first !== undefined && first.kind !== 'row' && first.kind !== 'title',
  );
  const cards = blocks.flatMap((block, at) => {
    const text = joined(block);
    const isNameOver = isCardName(block) && isCardText(blocks[at + 1], text);
    const [first, ...rest] = block;
    if (isNameOver) return fromCell(slide, text, text, named);
    if (first === undefined) return [];
    if (rest.length > 0 && isCardName([first]) && isCardText(rest, first.text))
      return fromCell(slide, first.text, first.text, named);
    const [label = '', about = ''] = first.text.split(/\s[–—-]\s|:\s/u);
    if (about !== '' && isCardName([{ ...first, text: label }])) return fromCell(slide, label, first.text, named);
    return isStatement(first.text) ? fromCell(slide, first.text, first.text, named) : [];
  });
  return cards.length >= LEAST_LABELS ? cards.map((card) => ({ ...card, answering: 'some' })) : [];
}

/** One line, or two in capitals, of few words. */
const isCardName = (block: readonly TextUnit[]): boolean =>
  block.length <= 2 &&
  countWords(joined(block)) <= MOST_NAME_WORDS &&
  /^[\p{Lu}]/u.test(joined(block)) &&
  !/[.!?]$/u.test(joined(block)) &&
  (block.length === 1 || block.every(({ text }) => text === text.toUpperCase()));

/** A statement: of several words, or in small letters below a name in capitals. */
const isCardText = (block: readonly TextUnit[] | undefined, name: string): boolean => {
  const text = joined(block ?? []);
  const isBelowCapitals = isShouted(name) && !isShouted(text) && countWords(text) > 1;
  return block?.[0]?.kind !== 'heading' && (countWords(text) >= LEAST_CARD_TEXT || isBelowCapitals);
};
const LEAST_CARD_TEXT = 5;
