/** Competitors and alternatives that a deck names: columns or rows of a table of comparison, lists under the heading, sentences that name them. */
import type { Answering } from '../../domain/evidence/answering.ts';
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { isValueText } from '../../domain/pages/is-table.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractCompanyName } from '../extract-company-name.ts';
import { keyOf, rareShare } from '../names.ts';
import { isNotice } from '../passages.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { subjectsOfLabel } from '../subjects.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, fitQuote, labelFrom, once, type Fact } from './fact.ts';

/** Head a column of competitors, or the label of a list of them; words for the company itself. */
const [HEADS, LISTS, OURSELVES] = [
  phrases('heads competitors'),
  phrases('lists competitors'),
  phrases('the company itself'),
];
/** Labels of a matrix, of criteria, and of legends. */
const NO_COMPETITOR = phrases('no competitor');
/** "unlike X", "competitors such as X and Y". */
const NAMED = phrases('names competitors');

const MOST_FACTS = 12;
const MOST_QUOTE = 80;
const MOST_NAME = 40;
const MOST_NAME_WORDS = 6;

/** The competitors, in the order of the deck. */
export function competitionFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const own = keyOf(extractCompanyName(prompt).value);
  const isOwn = (name: string): boolean =>
    has(name, OURSELVES) ||
    (own !== '' && (keyOf(name).includes(own) || (keyOf(name).length > 3 && own.includes(keyOf(name)))));
  const subjects = subjectsOfDeck(slides);
  const onCompetition = slides.filter((slide) => {
    const of = subjects.get(slide);
    return of?.has('competition') === true || (of?.has('before') === true && of.has('benefit'));
  });
  const named = (name: string): string | null => nameOf(name, isOwn);
  const found = [
    ...onCompetition.flatMap((slide) => tablesOf(slide, isOwn, named, true)),
    ...slides.flatMap((slide) => listsOf(slide, named)),
    ...slides
      .filter((slide) => !onCompetition.includes(slide))
      .flatMap((slide) => tablesOf(slide, isOwn, named, false)),
    ...slides.flatMap((slide) => sentencesOf(slide, named)),
  ];
  const best = found.length > 0 ? found : onCompetition.flatMap((slide) => labelsOf(slide, named));
  return once(best, MOST_FACTS);
}

/** Words as the name of a competitor; null where they are none. */
function nameOf(text: string, isOwn: (name: string) => boolean): string | null {
  const name = labelFrom(text.replaceAll(/(?<=\p{L})[-‐] (?=\p{Ll})/gu, '').replace(/[.*¹²³]+$/u, ''));
  if (name === '' || name.length > MOST_NAME || countWords(name) > MOST_NAME_WORDS || countWords(name) === 0)
    return null;
  if (isOwn(name) || has(name, NO_COMPETITOR) || isNotice(name) || !/\p{L}{2}/u.test(name)) return null;
  return subjectsOfLabel(name).length > 0 || isValueText(name) ? null : name;
}

type Named = (text: string) => string | null;

const factOf = (slide: ReadSlide, name: string, words: string, answering: Answering = 'high'): Fact => {
  const quote = fitQuote(words, MOST_QUOTE);
  return { slide: slide.number, quote: quote ?? name, name, value: '', answering };
};

/**
 * Competitors of a table: the other columns where one of them is the company, or the other rows.
 *
 * @param isSure the slide is about competition; elsewhere the company has to stand among them
 */
function tablesOf(slide: ReadSlide, isOwn: (name: string) => boolean, named: Named, isSure: boolean): Fact[] {
  return blocksOf(slide).flatMap((block) => {
    const [header, ...rows] = block;
    if (header?.kind !== 'row' || rows.length < 2) return [];
    const [corner = '', ...columns] = header.cells.map((cell) => cell.trim());
    const firsts = rows.map(({ cells }) => cells[0]?.trim() ?? '');
    const inColumns = columns.some(isOwn);
    const inRows = !inColumns && (firsts.some(isOwn) || has(corner, HEADS));
    if (!isSure && !inColumns && !firsts.some(isOwn)) return [];
    if (inRows) return rows.flatMap((row) => fromCell(slide, row.cells[0] ?? '', row.quote, named));
    const isComparison = header.headsColumns || inColumns || (isSure && corner === '');
    if (!isComparison || columns.some((cell) => isValueText(cell) && cell !== '')) return [];
    return header.cells.flatMap((cell, at) =>
      at === 0 ? [] : fromCell(slide, cell, besideCell(header.cells, at), named),
    );
  });
}

/** A cell with so many of its neighbours that a quote of them proves something. */
function besideCell(cells: readonly string[], at: number): string {
  const textOf = (from: number, to: number): string =>
    cells
      .slice(from, to + 1)
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join(' ');
  let [from, to] = [at, at];
  while (isTooShort(textOf(from, to)) && (from > 0 || to < cells.length - 1)) {
    if (to < cells.length - 1) to += 1;
    else from -= 1;
  }
  return textOf(from, to);
}

function fromCell(slide: ReadSlide, cell: string, words: string, named: Named): Fact[] {
  const name = named(cell);
  // A cell over two lines is quoted as it stands.
  return name === null ? [] : [factOf(slide, name, words)];
}

/** Items below a label that says that competitors follow, and names after one: "Competitors: Nordrad, Radmeister". */
function listsOf(slide: ReadSlide, named: Named): Fact[] {
  const facts: Fact[] = [];
  let isList = false;
  let isTitle = false;
  for (const unit of slide.units) {
    if (unit.running || unit.kind === 'row') continue;
    const [label = '', ...rest] = unit.text.split(/:\s*/u);
    if (has(label, LISTS) && countWords(label) <= MOST_NAME_WORDS) {
      isList = true;
      // Below the title of a slide stand labels of pictures as well.
      isTitle = unit.kind === 'title';
      const names = rest.join(': ').split(/,\s|;\s|\s(?:and|und|or|oder)\s|\s[·•|/]\s/u);
      facts.push(...names.flatMap((each) => fromCell(slide, each, each, named)));
    } else if (unit.kind === 'heading' || unit.kind === 'title') isList = false;
    else if (isList && (unit.kind === 'item' || (!isTitle && unit.words <= MOST_NAME_WORDS))) {
      const [first = ''] = unit.text.split(/\s[–—-]\s|:\s|\s\(/u);
      facts.push(...fromCell(slide, first, unit.text, named));
    }
  }
  return facts;
}

/** Labels of a picture of the competition: short, with capitals, and no words of its axes. */
function labelsOf(slide: ReadSlide, named: Named): Fact[] {
  const labels = slide.units
    .filter((unit) => (unit.kind === 'sentence' || unit.kind === 'heading' || unit.kind === 'item') && isLabel(unit))
    .flatMap(({ text }) => {
      const name = named(text);
      // Words that anybody uses are what is compared.
      return name === null || rareShare(name) < 1 ? [] : [factOf(slide, name, text, 'some')];
    });
  return labels.length >= LEAST_LABELS ? labels : [];
}
const LEAST_LABELS = 2;

const isLabel = ({ text, words, running }: TextUnit): boolean =>
  !running && words <= MOST_LABEL_WORDS && /^[\p{Lu}\d]/u.test(text) && !/[.!?:,]$|\d{2}|%/u.test(text);
const MOST_LABEL_WORDS = 3;

/** Names after words that say so: "competitors such as Nordrad and Radmeister". */
const sentencesOf = (slide: ReadSlide, named: Named): Fact[] =>
  slide.units.flatMap(({ text, kind }) => {
    const at = kind === 'row' ? null : [...text.matchAll(NAMED)][0];
    if (at === null || at === undefined) return [];
    const list =
      text
        .slice(at.index + at[0].length)
        .split(/[.;()–—]|\s(?:that|which|who|die|der|das|have|are|is|sind|haben)\s/u)[0] ?? '';
    return list
      .split(/,\s|\s(?:and|und|or|oder|&)\s/u)
      .map((each) => each.trim())
      .filter((each) => /^\p{Lu}|^\p{Ll}+\p{Lu}/u.test(each))
      .flatMap((each) => fromCell(slide, each, each, named));
  });
