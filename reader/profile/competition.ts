/** Competitors and alternatives that a deck names: columns or rows of a table of comparison, lists under the heading, sentences that name them. */
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { isValueText } from '../../domain/pages/is-table.ts';
import { subjectsOfDeck } from '../deck-subjects.ts';
import { extractCompanyName } from '../extract-company-name.ts';
import { keyOf } from '../names.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt, ReadSlide } from '../prompt.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { competitorName, isOwnName, MOST_NAME_WORDS, namesOfLine, type Named } from './competitor-names.ts';
import { cardsOf, factOf, fromCell, labelsOf, MOST_LABEL_WORDS, MOST_QUOTE } from './competitor-cards.ts';
import { blocksOf, joined, once, type Fact } from './fact.ts';

/** Head a column of competitors, or the label of a list of them; words for the company itself. */
const [HEADS, LISTS, FIRST_PERSON] = [
  phrases('heads competitors'),
  phrases('lists competitors'),
  phrases('first person'),
];
/** "unlike X", "competitors such as X and Y"; the same words may compare anything; words for today; alternatives that any deck may name. */
const [NAMED, COMPARES, TODAY, KNOWN] = [
  phrases('names competitors'),
  phrases('compares with'),
  phrases('works today'),
  phrases('known alternatives'),
];

const MOST_FACTS = 11;

/** The competitors, in the order of the deck. */
export function competitionFacts(prompt: ReadPrompt): Fact[] {
  const { slides } = prompt;
  const own = keyOf(extractCompanyName(prompt).value);
  const isOwn = (name: string): boolean => isOwnName(name, own);
  const subjects = subjectsOfDeck(slides);
  const onCompetition = slides.filter((slide) => {
    const of = subjects.get(slide);
    return of?.has('competition') === true || (of?.has('before') === true && of.has('benefit'));
  });
  const elsewhere = slides.filter((slide) => !onCompetition.includes(slide));
  const named = (name: string): string | null => competitorName(name, isOwn);
  const isCommon = (name: string): boolean =>
    slides.filter(({ text }) => text.toLowerCase().includes(name.toLowerCase())).length >= LEAST_SLIDES;
  const tables = onCompetition.flatMap((slide) => tablesOf(slide, { isOwn, isCommon, named, isSure: true }));
  // Beside a table of comparison stand legends and quotes of customers.
  const isListed = (slide: ReadSlide): boolean => !tables.some((fact) => fact.slide === slide.number);
  const cards = tables.length > 0 ? [] : slides.flatMap((slide) => cardsOf(slide, named));
  const found = [
    ...tables,
    ...cards,
    ...slides.filter(isListed).flatMap((slide) => listsOf(slide, named)),
    // A table elsewhere compares the company with others only where no slide does it by its title.
    ...(tables.length > 0
      ? []
      : elsewhere.flatMap((slide) => tablesOf(slide, { isOwn, isCommon, named, isSure: false }))),
    ...slides.flatMap((slide) => sentencesOf(slide, named, isOwn)),
  ];
  if (found.length > 0) return once(found, MOST_FACTS);
  const labels = onCompetition.flatMap((slide) => labelsOf(slide, named, isOwn));
  return once(labels.length > 0 ? labels : slides.flatMap(knownOf), MOST_FACTS);
}
/** Slides that write the name of the deck's own product. */
const LEAST_SLIDES = 4;

/** Judgements of the names in a table. */
interface OfDeck {
  readonly isOwn: (name: string) => boolean;
  /** True for a name that stands on many slides. */
  readonly isCommon: (name: string) => boolean;
  readonly named: Named;
  /** The slide is about competition; elsewhere the company has to stand among the names. */
  readonly isSure: boolean;
}

/** Competitors of a table: the other columns where one of them is the company, or the other rows. */
function tablesOf(slide: ReadSlide, { isOwn, isCommon, named, isSure }: OfDeck): Fact[] {
  const blocks = blocksOf(slide);
  return blocks.flatMap((block, place) => {
    const [header, ...rows] = block;
    if (header?.kind !== 'row' || rows.length === 0) return [];
    const above = isSure ? namesAbove(blocks[place - 1], header, isOwn) : [];
    if (above.length > 0) return above.flatMap((name) => fromCell(slide, name, joined(blocks[place - 1] ?? []), named));
    if (rows.length < 2) return [];
    const firsts = rows.map(({ cells }) => cells[0]?.trim() ?? '');
    // Where the rows have no labels, the first column is compared as well.
    const hasCorner = !(isSure && firsts.every(isAnswer));
    const corner = hasCorner ? (header.cells[0]?.trim() ?? '') : '';
    const columns = header.cells.slice(hasCorner ? 1 : 0).map((cell) => cell.trim());
    const inColumns = columns.some(isOwn);
    const inRows = !inColumns && (firsts.some(isOwn) || has(corner, HEADS));
    if (!isSure && !inColumns && !firsts.some(isOwn)) return [];
    if (inRows) return rows.flatMap((row) => fromCell(slide, row.cells[0] ?? '', row.quote, named));
    const isComparison = header.headsColumns || inColumns || (isSure && (corner === '' || !hasCorner));
    // The company may stand there as its product.
    const product = inColumns
      ? undefined
      : [columns[0] ?? '', columns.at(-1) ?? ''].find((cell) => cell !== '' && isCommon(cell));
    const others = columns.filter((cell) => cell !== '' && cell !== product && !isOwn(cell));
    if (!isComparison || others.some(isValueText)) return [];
    return header.cells.flatMap((cell, at) =>
      others.includes(cell.trim()) && (at > 0 || !hasCorner)
        ? fromCell(slide, cell, besideCell(header.cells, at), named)
        : [],
    );
  });
}

/** Yes, no, a mark or a figure: a cell that answers. */
const isAnswer = (cell: string): boolean => cell === '' || isValueText(cell) || has(cell, ANSWERS);
const ANSWERS = phrases('answers of a comparison');

/** Names in one line over a table without a header, as many as it has columns of answers: "Velhain Nordrad City bikes". */
function namesAbove(block: readonly TextUnit[] | undefined, row: TextUnit, isOwn: (name: string) => boolean): string[] {
  const [line] = block ?? [];
  const answers = row.cells.slice(1);
  if (line === undefined || block?.length !== 1 || line.kind === 'title' || line.kind === 'row') return [];
  if (answers.length < 2 || !answers.every(isAnswer)) return [];
  const names = line.text.split(/\s(?=\p{Lu})/u);
  return names.length === answers.length && names.some(isOwn) ? names : [];
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
    else if (isList) {
      // A list that begins with the company itself says its advantages.
      if (unit.kind === 'item' && has(unit.text, FIRST_PERSON)) isList = false;
      const names = namesOfLine(unit.text);
      if (
        isList &&
        (unit.kind === 'item' || names.length > (isTitle ? 2 : 1) || (!isTitle && unit.words <= MOST_NAME_WORDS))
      )
        facts.push(
          ...names.flatMap((name) => fromCell(slide, name.split(/\s[–—-]\s|:\s|\s\(/u)[0] ?? '', unit.text, named)),
        );
    }
  }
  return facts;
}

/** Names after words that say so: "competitors such as Nordrad and Radmeister", "Velhain vs. Nordrad". */
const sentencesOf = (slide: ReadSlide, named: Named, isOwn: (name: string) => boolean): Fact[] =>
  slide.units.flatMap(({ text, kind }) => {
    if (kind === 'row') return [];
    const [before = '', against = ''] = text.split(/\svs?\.?\s/u);
    if (against !== '' && countWords(before) <= MOST_LABEL_WORDS && isOwn(before))
      return namesOfLine(against).flatMap((each) => fromCell(slide, each, text, named));
    return [...text.matchAll(NAMED)].flatMap((at) => {
      if (has(at[0], COMPARES) && !has(text, FIRST_PERSON) && !isOwn(text)) return [];
      const list =
        text
          .slice(at.index + at[0].length)
          .split(/[.;()–—]|\s(?:that|which|who|die|der|das|have|are|is|sind|haben)\s|,\s(?:we|wir|our|unser)/u)[0] ??
        '';
      return list
        .split(/,\s|\s(?:and|und|or|oder|&)\s/u)
        .map((each) => capitalRun(each.trim()))
        .filter((each) => each !== '')
        .flatMap((each) => fromCell(slide, each, text.length <= MOST_QUOTE ? text : each, named));
    });
  });

/** The words with capitals at the beginning. */
const capitalRun = (text: string): string =>
  /^(?:\p{Lu}|\p{Ll}+\p{Lu})[\p{L}\p{N}&.'’+-]*(?:\s[\p{Lu}\d][\p{L}\p{N}&.'’+-]*)*/u.exec(text)?.[0] ?? '';

/** Alternatives that a sentence about today names: "Today, planners rely on Excel, e-mail and phone calls". */
const knownOf = (slide: ReadSlide): Fact[] =>
  slide.units.flatMap(({ text, kind }) =>
    kind === 'row' || !has(text, TODAY)
      ? []
      : [...text.matchAll(KNOWN)].map((match) =>
          factOf(slide, match[0], text.length <= MOST_QUOTE ? text : match[0], 'some'),
        ),
  );
