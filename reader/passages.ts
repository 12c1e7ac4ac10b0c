/**
 * The passages of a slide that can be quoted as an answer, each with what it stands under. A passage lies within one block: a sentence, an item
 * of a list, a row of a table, a headline that says something, or a card as a whole (a number and its caption).
 */
import { findMoney } from '../domain/evidence/money.ts';
import { isOnly, phrases } from './phrases.ts';
import { isValueText } from '../domain/pages/is-table.ts';
import { isEnglish } from '../domain/pages/paragraphs.ts';
import { isPersonName } from '../domain/pages/person-names.ts';
import type { ReadSlide } from './prompt.ts';
import type { Subject } from './subject.ts';
import { headlinesOf, isSilent, isWorded, namedBy, subjectsAtEnd, subjectsOfLabel } from './subjects.ts';
import { subjectsOfDeck } from './deck-subjects.ts';
import { money } from './figures.ts';
import { either, has } from './words.ts';
import { countWords, cutQuote, LABELLED, MAX_QUOTE, MIN_QUOTE_WORDS, type TextUnit } from './text.ts';

/** A passage and its place. */
export interface Passage {
  readonly slide: ReadSlide;
  /** As it is quoted: a row of a table with the headings of its columns. */
  readonly quote: string;
  /** As it stands on the slide, which tells what it is about. */
  readonly text: string;
  readonly words: number;
  readonly kind: 'title' | 'heading' | 'sentence' | 'card' | 'row';
  /** Position of its block on the slide. */
  readonly block: number;
  /** Position of its first unit on the slide. */
  readonly index: number;
  /** Headline of the slide and heading above the passage, without what the quote says itself. */
  readonly above: readonly string[];
  /** What its part of the slide is about, else what the slide is about. */
  readonly subjects: ReadonlySet<Subject>;
  /** True when a heading or label on the slide, not its headline alone, says so. */
  readonly inPart: boolean;
  /** Cells of a table row; empty for other passages. */
  readonly cells: readonly string[];
  /** True for a label or headline that only names a subject; it states nothing. */
  readonly onlyNames: boolean;
}

/** Lines that carry no statement of the company: sources, addresses, notices. */
const NOTICE = either(
  phrases('notices'),
  String.raw`©|^\*+\s?\(|^[¹²³⁴-⁹]\s?\p{L}|https?:\/\/|www\.|\S+@\S+\.\w{2,}|(?:^|\s)(?:https?:\/\/|www\.)?[\w-]{3,}(?:\.[\w-]+)*\.(?:com|de|io|ai|org|net|eu|ch|at)(?:\/\S*)?\s*$`,
);

/** True for words that are a notice, a source or an address, and no statement. */
export const isNotice = (text: string): boolean => has(text, NOTICE);

/** Most words of a sentence that is read as a statement; longer ones are legal text. */
const MOST_WORDS = 90;
/** A paragraph of so many words may be legal text. */
const LEGAL_WORDS = 50;
/** A card has so many words at most. */
const CARD_WORDS = 30;

const cache = new WeakMap<readonly ReadSlide[], readonly Passage[]>();

/** The passages of a deck, in reading order; none of slides that list, thank, warn or cite. */
export function passagesOf(slides: readonly ReadSlide[]): readonly Passage[] {
  const known = cache.get(slides);
  if (known !== undefined) return known;
  const passages: Passage[] = [];
  // A slide with nothing but "Market" on it stands over the slides after it that do not say what they are about.
  let divider: Over = { labels: [], subjects: new Set() };
  const subjects = subjectsOfDeck(slides);
  for (const slide of slides) {
    const own = subjects.get(slide) ?? new Set();
    const content = slide.units.filter(isWorded);
    if (own.size > 0) {
      const only = content.length === 1 ? content[0]?.text : undefined;
      divider = only === undefined ? { labels: [], subjects: new Set() } : { labels: [only], subjects: own };
    }
    const over =
      own.size > 0 ? { labels: [], subjects: own } : slide.title === '' ? divider : { labels: [], subjects: own };
    if (!isSilent(over.subjects)) passages.push(...read(slide, over));
  }
  cache.set(slides, passages);
  return passages;
}

/** The number of a card before its text, where the cards of a slide are counted. */
const CARD_NUMBER = /^([1-9])\s(?=\p{Lu})/u;

/** What a slide stands under. */
interface Over {
  readonly labels: readonly string[];
  readonly subjects: ReadonlySet<Subject>;
}

function read(slide: ReadSlide, over: Over): Passage[] {
  const whole = over.subjects;
  const units = slide.units.filter((unit) => !unit.running);
  const headlines = [...over.labels, ...headlinesOf(units)].filter((text) => countWords(text) <= 16);
  const passages: Passage[] = [];
  const firstWords = grouped(units).map((block) => CARD_NUMBER.exec(block.map((unit) => unit.text).join(' '))?.[1]);
  const numbered = ['1', '2', '3'].every((number) => firstWords.includes(number));
  let part: { readonly label: string; readonly subjects: readonly Subject[] } | null = null;
  const blocks = grouped(units);
  for (const [at, block] of blocks.entries()) {
    const [first] = block;
    if (first === undefined) continue;
    const text = block.map((unit) => unit.text).join(' ');
    if (first.kind === 'heading') part = { label: text, subjects: partSubjects(text, whole) };
    else if (whole.size === 0 && isBareLabel(first, text)) part = { label: text, subjects: subjectsOfLabel(text) };
    const table = headedBy(block);
    const columns = columnsOf(block);
    let own = table ?? part;
    const next = blocks[at + 1]?.[0]?.text ?? '';
    for (const each of piecesOf(block, BEGINS_SMALL.test(next))) {
      if (table?.row === each.index || (each.index === first.index && columns !== '' && isHeader(first))) continue;
      // An item such as "Pricing models:" stands over the items after it.
      const label = /^(?<label>[^:]{3,40}):$/u.exec(each.text)?.groups?.['label'];
      if (label !== undefined) {
        own = { label, subjects: partSubjects(label, whole) };
        part = own;
        continue;
      }
      if (each.words > MOST_WORDS || isNotice(each.text) || (slide.recognised && lacksValues(each))) continue;
      const text = cutQuote(numbered ? each.text.replace(CARD_NUMBER, '') : each.text);
      const words = countWords(text);
      const namesSubject = subjectsOfLabel(text).length > 0 && !/:\s/u.test(text) && !isEntry(text);
      const heading = own?.label ?? '';
      if (isTooLittle(text, words, each) || namesSubject || saysNothingAlone(each, heading)) continue;
      const named = own !== null && own.subjects.length > 0 ? own.subjects : subjectsOfLead(each);
      passages.push({
        slide,
        quote: each.quote ?? text,
        text,
        words,
        kind: each.kind,
        block: first.block,
        index: each.index,
        above: [each.kind === 'row' && each.index !== first.index ? columns : '', ...headlines, heading].filter(
          (label, index, all) => label !== '' && !text.includes(label) && all.indexOf(label) === index,
        ),
        inPart: named.length > 0,
        subjects: named.length > 0 && each.kind !== 'title' ? new Set(named) : whole,
        cells: each.cells,
        onlyNames: isOnlyNames(text, each.kind),
      });
    }
  }
  return passages;
}

/**
 * True for a part of a statement, which says something else or nothing by itself: the beginning of a sentence, a price without what it is the
 * price of, the label of a row, or its values without headings.
 */
function saysNothingAlone({ text, kind, cells, quote }: Piece, heading: string): boolean {
  if (heading === '' && isOnlyAmount(text)) return true;
  if (kind !== 'row') return UNFINISHED.test(text);
  const [name = '', ...values] = cells;
  const isLabel =
    values.length > 1 && values.every((value) => value.trim() === '') && countWords(text) < SENTENCE_WORDS;
  return isLabel || ((quote ?? text) === text && (name.trim() === '' || areBareValues(cells) || isCut(text, cells)));
}
/** A row of so many words in its first cell alone is a statement. */
const SENTENCE_WORDS = 8;

/** True for a row of several values with an empty cell between or behind them: in a picture, recognition did not read it. */
function lacksValues({ kind, cells: [, ...values] }: Piece): boolean {
  const empty = values.filter((value) => value.trim() === '').length;
  return kind === 'row' && empty > 0 && values.length - empty > 1;
}

/** Other words before an amount label it. */
const BEFORE_AMOUNT = /^\P{L}*(?:(?:from|up to|about|ab|bis|rund|ca)\P{L}+)?$/iu;

/** True for an amount and its unit alone: "€240 / month", "1,60 € je Stück". */
export function isOnlyAmount(text: string): boolean {
  const [amount, ...others] = findMoney(text);
  return (
    amount !== undefined &&
    others.length === 0 &&
    BEFORE_AMOUNT.test(text.slice(0, amount.start)) &&
    isOnly(text.slice(amount.end), 'beside an amount')
  );
}

/** Values beside each other without headings: it is not known what each says. */
function areBareValues(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length >= MIN_CELLS_ACROSS && filled.slice(1).every(isValueText);
}
const MIN_CELLS_ACROSS = 3;

/** More cells beside each other without headings than fit in a quote: what one says of another cannot be told. */
const isCut = (text: string, cells: readonly string[]): boolean =>
  text.length > MAX_QUOTE && cells.filter((cell) => cell.trim() !== '').length >= MIN_CELLS_ACROSS;

/** Cells of words beside each other without headings: of a table, or of cards that stand in rows, each of another person. */
export const isAcross = ({ kind, text, quote, cells }: Passage): boolean =>
  kind === 'row' && quote === text && cells.length >= MIN_CELLS_ACROSS && !/\d/u.test(text) && !cells.some(isValueText);

/** A whole block of so many words can be a statement; a number and its caption of fewer. */
const MIN_BLOCK_WORDS = 3;
const MIN_CARD_WORDS = 2;

/** A row of fewer words between spaces could stand anywhere; it is not accepted as evidence. */
const MIN_ROW_WORDS = 3;
const spacedWords = (text: string): number => text.split(/\s+/u).filter((word) => /[\p{L}\d]/u.test(word)).length;

/** True for too few words, and for too little language: numbers of a table, labels of an axis, letters that stand apart. */
function isTooLittle(quote: string, words: number, { kind, cells, isItem }: Piece): boolean {
  const isPart = kind === 'sentence' && !isItem;
  const least = isPart ? MIN_QUOTE_WORDS : /\d/u.test(quote) ? MIN_CARD_WORDS : MIN_BLOCK_WORDS;
  if (words < least) return true;
  if (isEntry(quote)) return false;
  if (kind === 'row' && spacedWords(quote) < MIN_ROW_WORDS) return true;
  if (/\p{L}{3}/u.test(cells[0] ?? '')) return false;
  const letters = quote.match(/\p{L}/gu)?.length ?? 0;
  const characters = quote.replaceAll(/\s/gu, '').length;
  const pieces = quote.split(/\s+/u).length;
  // An amount with its abbreviation says something: "20 k€ MRR".
  if (/\p{Lu}{3}/u.test(quote.replace(money, '')) && has(quote, money)) return false;
  // A short label with a number in groups of digits: "Docks 92,000".
  if (/\p{L}{4}/u.test(quote) && /\d[.,]\d{3}(?!\d)/u.test(quote) && pieces <= 4) return false;
  return letters < 6 || letters < characters * 0.3 || (pieces > 4 && characters < pieces * 2.3);
}

/** Begins with a small letter: within a sentence, or by design. */
export const BEGINS_SMALL = /^\p{Ll}{2,}/u;
/** Ends with a word after which a sentence goes on, or with a bracket that is open. */
const UNFINISHED =
  /(?<!\p{L})(?:and|or|of|the|with|for|und|oder|der|die|das|den|mit|für|von|zum|zur|im|eine)$|\([^)]*$/u;

function isOnlyNames(quote: string, kind: Passage['kind']): boolean {
  const isLabel = (kind === 'title' || kind === 'heading') && namedBy(quote).length > 0 && !/[:–—]|\s-\s/u.test(quote);
  return isLabel || subjectsOfLabel(quote).length > 0;
}

/** A few words that are a label, on a slide that does not say otherwise what it is about. */
const isBareLabel = (first: TextUnit, text: string): boolean =>
  first.index > 0 &&
  first.kind !== 'title' &&
  first.kind !== 'row' &&
  countWords(text) <= 4 &&
  !/\d/u.test(text) &&
  subjectsOfLabel(text).length > 0;

/** On such slides "Technology" or "Marketing" is a purpose, a phase or a department. */
const LISTING: readonly Subject[] = [
  'ask',
  'funds',
  'roadmap',
  'financials',
  'team',
  'hiring',
  'company',
  'risks',
  'traction',
];

/** True for a first row that begins with nothing, or with a name for what stands below it. */
const isHeader = ({ cells: [first = ''] }: TextUnit): boolean => isOnly(first, 'heads of rows');

/** The names of the columns of a table, for a row that is quoted alone; empty where the first row is one like the others. */
function columnsOf([header, ...rows]: readonly TextUnit[]): string {
  if (header?.kind !== 'row' || rows.length < 2 || has(header.text, money)) return '';
  const cells = header.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return cells.length > 1 && cells.every((cell) => countWords(cell) <= 4) ? cells.join(' | ') : '';
}

/** The first row of a table that says what stands below it; null where it is a row like the others. */
function headedBy(
  block: readonly TextUnit[],
): { readonly label: string; readonly subjects: readonly Subject[]; readonly row: number } | null {
  const [header, ...rows] = block;
  if (header?.kind !== 'row' || rows.length < 2 || /\d{2}|\d\s?%/u.test(header.text) || has(header.text, money))
    return null;
  const cells = header.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const usual = rows.reduce((sum, row) => sum + row.text.length, 0) / rows.length;
  const [lead = ''] = cells;
  // A first cell that names the subject heads the table, whatever stands beside it.
  if (subjectsOfLabel(lead).includes('funds') && !TOKENS.test(header.text))
    return { label: lead, subjects: subjectsOfLabel(lead), row: header.index };
  if (header.text.length > usual || cells.some((cell) => countWords(cell) > 4)) return null;
  // Amounts stand below a currency, and items beside them.
  if (TOKENS.test(header.text) || cells.some((cell) => CURRENCY.test(cell))) return null;
  const named = cells.map((cell) => subjectsOfLabel(cell)).find((subjects) => subjects.length > 0) ?? [];
  const subjects =
    cells.some((cell) => has(cell, WITHOUT_US)) && !cells.some((cell) => PEOPLE.test(cell)) ? COMPARING : named;
  return { label: header.text, subjects, row: header.index };
}

/** Subjects that the label of a statement names, such as that of "Use of funds: hiring, marketing, operations". */
function subjectsOfLead({ kind, text }: Piece): readonly Subject[] {
  const [label = '', ...rest] = text.split(/:\s/u);
  if (kind === 'row' || rest.length === 0) return [];
  return subjectsOfLabel(label).filter((subject) => LEADS.includes(subject));
}
const LEADS: readonly Subject[] = ['funds', 'roadmap', 'traction', 'financials', 'risks'];

/** Heads a column of amounts. */
const CURRENCY = /^(?:in |k)?(?:usd|eur|gbp|chf|inr|€|\$|£|₹|amount|betrag)$/iu;
/** Heads a table on who gets which tokens, and of people. */
const TOKENS = /vesting|cliff|tokens?/iu;
const PEOPLE = /^(?:name|role|rolle|position|funktion)$/iu;

/** Heads a column on how things are done without the company. */
const WITHOUT_US = phrases('without us');
const COMPARING: readonly Subject[] = ['before', 'benefit'];

/** What a heading or label on a slide makes its part be about; nothing when the slide as a whole decides. */
function partSubjects(label: string, whole: ReadonlySet<Subject>): Subject[] {
  const lead = label.split(/:\s/u)[0] ?? label;
  const only = subjectsOfLabel(lead);
  const named = only.length > 0 ? only : subjectsAtEnd(lead);
  const isListing = LISTING.some((subject) => whole.has(subject));
  return isListing ? named.filter((subject) => LISTING.includes(subject)) : named;
}

/** Units by block, in order. */
const grouped = (units: readonly TextUnit[]): TextUnit[][] => [...Map.groupBy(units, (unit) => unit.block).values()];

interface Piece {
  readonly text: string;
  /** As it is quoted, where that is not its text. */
  readonly quote?: string;
  readonly words: number;
  readonly kind: Passage['kind'];
  readonly index: number;
  readonly cells: readonly string[];
  /** An item of a list, which is never put together with the next. */
  readonly isItem: boolean;
}

const piece = (unit: TextUnit, text: string, kind: Piece['kind']): Piece => ({
  text,
  words: countWords(text),
  kind,
  index: unit.index,
  cells: [],
  isItem: unit.kind === 'item',
});

/** An entry of a legend: a label of a few words and one share or amount. */
function isEntry(text: string): boolean {
  const [figure, ...others] = text.match(ENTRY_FIGURES) ?? [];
  const label = text.replace(figure ?? '', '');
  return (
    figure !== undefined &&
    others.length === 0 &&
    /^[^\d.!?:;]*\p{L}{3}[^\d.!?:;]*$/u.test(label) &&
    countWords(text) <= MOST_ENTRY_WORDS
  );
}
const ENTRY_FIGURES = new RegExp(String.raw`${money.source}|\d+(?:[.,]\d+)?\s?%`, 'giu');
const MOST_ENTRY_WORDS = 6;

/** Words in quotation marks, with a name behind them. */
const SAID = /^["“„«»][^"“„«»]+["”“»«](?:[\s–—-]+[^.]{3,60})?$/u;
/** Longer sayings are quoted by sentences. */
const MAX_SAID_WORDS = 45;

/** Lines of English without marks that each say something and begin anew: "Know the farmer" under "See the origin of the product". */
const areItems = (block: readonly TextUnit[]): boolean =>
  block.length > 1 &&
  isEnglish(block.map(({ text }) => text).join(' ')) &&
  block.every(({ text }) => /^\p{Lu}/u.test(text) && !isPersonName(text.split(',')[0] ?? '')) &&
  ((block.length > 2 && block.every(({ words }) => words >= MIN_QUOTE_WORDS)) ||
    (block.every(({ text }) => !/[\d,;(/]/u.test(text)) &&
      2 * block.filter(({ words }) => words >= MIN_BLOCK_WORDS).length > block.length));

/**
 * A short block of lines is one piece; in any other each sentence, item and row is one, short ones together with the next.
 * @param goesOn True where the next block goes on with the last sentence
 */
function piecesOf(block: readonly TextUnit[], goesOn: boolean): Piece[] {
  const [first] = block;
  if (first === undefined) return [];
  const whole = block.map((unit) => unit.text).join(' ');
  const words = countWords(whole);
  if (first.kind === 'title' || first.kind === 'heading' || first.kind === 'running')
    return [piece(first, whole, first.kind === 'title' ? 'title' : 'heading')];
  if (first.kind === 'row')
    return block
      .filter((unit) => !unit.headsColumns)
      .map((unit) => ({ ...piece(unit, unit.text, 'row'), quote: unit.quote, cells: unit.cells }));
  // A long paragraph with one legal sentence is legal text.
  if (words > LEGAL_WORDS && block.some((unit) => isNotice(unit.text))) return [];
  const lines = block.every((unit) => unit.kind === 'sentence' && unit.words <= 9 && !/[.!?:]$/u.test(unit.text));
  if (block.length > 1 && block.every(({ text }) => isEntry(text) || LABELLED.test(text)))
    return block.map((unit) => piece(unit, unit.text, 'card'));
  if (lines && areItems(block)) return block.map((unit) => piece(unit, unit.text, 'card'));
  if ((lines || block.length === 1) && words <= CARD_WORDS && whole.length <= MAX_QUOTE)
    return [piece(first, whole, 'card')];
  // A part of a saying means something else.
  if (SAID.test(whole) && words <= MAX_SAID_WORDS && whole.length <= MAX_QUOTE) return [piece(first, whole, 'card')];
  const pieces: Piece[] = [];
  for (const unit of block) {
    const last = pieces.at(-1);
    const joins =
      last !== undefined &&
      !last.isItem &&
      unit.kind !== 'item' &&
      last.words < MIN_QUOTE_WORDS &&
      !last.text.endsWith(':') &&
      !unit.text.endsWith(':') &&
      !LABELLED.test(unit.text);
    if (joins) pieces.pop();
    const text = joins ? `${last.text} ${unit.text}` : unit.text;
    pieces.push({ ...piece(unit, text, 'sentence'), index: joins ? last.index : unit.index });
  }
  // What is left at the end and too short goes to the piece before it.
  const last = pieces.at(-1);
  const before = pieces.at(-2);
  if (
    last !== undefined &&
    before !== undefined &&
    last.words < MIN_QUOTE_WORDS &&
    before.words <= CARD_WORDS &&
    !(LABELLED.test(before.text) && /[\p{L}\d)]$/u.test(before.text)) &&
    !last.isItem &&
    !last.text.endsWith(':') &&
    !before.text.endsWith(':')
  ) {
    const joined = { ...before, text: `${before.text} ${last.text}`, words: before.words + last.words };
    pieces.splice(-2, 2, ...(/[.!?]$/u.test(before.text) ? [before, joined] : [joined]));
  }
  const unfinished = pieces.at(-1);
  if (goesOn && unfinished !== undefined && pieces.length > 1 && !/[.!?:…]$/u.test(unfinished.text)) pieces.pop();
  return pieces.length === 1 ? pieces.map((only) => ({ ...only, kind: 'card' })) : pieces;
}
