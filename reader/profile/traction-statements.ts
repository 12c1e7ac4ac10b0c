/** Statements of a slide that can be achievements: items, sentences, figures with their captions, rows of tables. */
import type { ReadSlide } from '../prompt.ts';
import { phrases } from '../phrases.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { blocksOf, headingsOf, joined } from './fact.ts';

/** A time or a distance is no achievement by itself. */
const MEASURE = phrases('time or distance');
/** Rows of costs and results, which say nothing of what is reached. */
const COST_ROW = phrases('row of costs');
/** A row that sums up the rows above it. */
const TOTAL_ROW = phrases('row of totals');
/** Labels of words on what is reached, before a colon or a full stop. */
const LABEL = phrases('label of what is reached');

/** A figure with more captions than one has so many words at most. */
const MOST_CARD_WORDS = 16;
const MOST_CARD_LINES = 3;
const MOST_CAPTION_WORDS = 9;
const LEAST_CARD_WORDS = 3;
const MOST_FIGURE_WORDS = 3;

/** A statement of a slide. */
export interface Said {
  readonly text: string;
  /** As it is shown, where that is shorter than the text; else empty. */
  readonly name: string;
  /** The heading over it. */
  readonly under: string;
  /** A figure with its caption. */
  readonly isCard: boolean;
  /** An item of a list, or a row: a statement of its own. */
  readonly isItem: boolean;
  readonly isRow: boolean;
  readonly isHeading: boolean;
  /** Under a label that names what is reached: "Traction in one line. 4,100 swaps so far". */
  readonly isLabelled: boolean;
}

const FIGURE = String.raw`[\p{Sc}~<>+±−–-]{0,2}\s?(?:(?:CHF|EUR|USD|GBP)\s)?\d[\d.,’' ]*\s?(?:%|\+|[kKMB]|bn|m|Mio\.?|T€|\p{Sc}|x|×|★)*(?:\s?/\s?\d+)?`;
/** A figure, then a caption of a few words; or the caption before it. */
const CARD = new RegExp(String.raw`^${FIGURE}\s+[\p{L}(]`, 'u');
const CARD_AFTER = new RegExp(String.raw`^\p{L}[^\d.!?]{4,60}[\s:]${FIGURE}$`, 'u');

/** A period: "2025", "Q3 2025", "End 2024", "FY26". */
const PERIOD =
  /^(?:(?:(?:end|ende|mid|mitte|early|anfang|h[12]|q[1-4]|fy|[1-4]\. quartal|\p{L}{3,9}\.?)[\s/’']*)(?:20)?\d{2}|20\d{2}(?:[\s/–-]*(?:q[1-4]|h[12]|\d{2}))?)(?:\s?\(?(?:a|ist|actual)\)?)?$|^(?:latest|today|heute)$/iu;
/** A period that is to come: "2027e", "2026 (plan)", "2028F". */
const TO_COME = /\d\s?[efpb]$|\((?:e|est\.?|estimate|f|forecast|p|plan|b|budget|prognose)\)|plan|budget|target|ziel/iu;

/** The last year that words name; null without one. */
export const lastYear = (text: string): number | null => {
  const years = [...text.matchAll(/(?<![\d.,’'])20\d{2}(?![\d.,’']\d|\d)/gu)].map(({ 0: year }) => Number(year));
  return years.length === 0 ? null : Math.max(...years);
};

/** True for words of a time after the deck was made. */
const isToCome = (period: string, now: number): boolean =>
  TO_COME.test(period) || (lastYear(period) ?? 0) >= (/^\d{4}$/u.test(period.trim()) ? now : now + 1);

/** True for words that begin with a period before a year: "Jun 2023 – first 100 customers". */
export const beginsBefore = (text: string, year: number): boolean => {
  const said = /^\D{0,12}(20\d{2})(?!\d)/u.exec(text)?.[1];
  return said !== undefined && Number(said) < year;
};

/** The number of a step before its name. */
const STEP = /^(\d)[.)]?\s\p{Lu}/u;

/** Statements of a slide: cards as a whole, items, sentences, rows. */
export function statementsOf(slide: ReadSlide, now: number): Said[] {
  const headings = headingsOf(slide);
  const blocks = blocksOf(slide);
  const areSteps = [1, 2, 3].every((step) => blocks.some((block) => STEP.exec(joined(block))?.[1] === String(step)));
  return blocks.flatMap((block): Said[] => {
    const [first] = block;
    const whole = joined(block);
    if (areSteps && STEP.test(whole)) return [];
    if (PERIOD.test(first?.text.trim() ?? '') && isToCome(first?.text ?? '', now)) return [];
    if (first === undefined || (first.kind === 'title' && !/\d/u.test(whole))) return [];
    if (first.kind === 'row') return rowsOf(block, now);
    const isLabelled = block.some(({ text }) => has(text, LABEL));
    const isOne =
      block.length <= MOST_CARD_LINES &&
      countWords(whole) <= MOST_CARD_WORDS &&
      first.kind !== 'item' &&
      block.filter(({ text }) => /^[\d\p{Sc}]/u.test(text)).length <= 1 &&
      block.every((unit) => !/[.!?]$/u.test(unit.text) || unit === block.at(-1));
    const units = isOne ? [{ text: whole, under: first.under, kind: first.kind }] : block;
    return units.map(({ text, under, kind }) => ({
      text,
      name: '',
      under,
      isCard:
        (CARD.test(text) || (CARD_AFTER.test(text) && (text.includes(':') || countWords(text) >= LEAST_CARD_WORDS))) &&
        countWords(text) <= MOST_CAPTION_WORDS &&
        !has(text, MEASURE),
      isItem: kind === 'item',
      isRow: false,
      isHeading: kind === 'title' || headings.includes(text),
      isLabelled,
    }));
  });
}

/** Rows of a table: its figures by the last period that is over, its last period, its total, or what each period brought. */
function rowsOf(block: readonly TextUnit[], now: number): Said[] {
  const headings = block.find(({ headsColumns }) => headsColumns)?.cells ?? [];
  const rows = block.filter(({ headsColumns }) => !headsColumns);
  const said = (unit: TextUnit, name: string): Said => ({
    text: unit.quote,
    name,
    under: unit.under,
    isCard: true,
    isItem: true,
    isRow: true,
    isHeading: false,
    isLabelled: false,
  });
  const periods = headings.map((heading, at) => (at > 0 && PERIOD.test(heading.trim()) ? heading.trim() : ''));
  if (periods.filter((period) => period !== '').length >= 2)
    return rows.flatMap((unit) => {
      const label = unit.cells[0]?.trim() ?? '';
      const at = periods.findLastIndex(
        (period, index) => period !== '' && !isToCome(period, now) && /\d/u.test(unit.cells[index] ?? ''),
      );
      if (at < 0 || !/\p{L}{2}/u.test(label) || has(label, COST_ROW)) return [];
      // "T€ 471" after a label would be an amount that the row does not name.
      return [said(unit, /[€$£]\)?$/u.test(label) ? '' : `${label} ${unit.cells[at] ?? ''} (${periods[at] ?? ''})`)];
    });
  const column = [0, 1].find((at) => rows.filter(({ cells }) => PERIOD.test(cells[at]?.trim() ?? '')).length >= 2);
  if (column !== undefined) {
    const over = rows.filter(({ cells }) => {
      const period = cells[column]?.trim() ?? '';
      return PERIOD.test(period) && !isToCome(period, now);
    });
    const isTold =
      column > 0 ||
      over.some(({ cells }) => cells.some((cell, at) => at !== column && countWords(cell) > MOST_FIGURE_WORDS));
    // Figures by period: the last one tells how far the company is. Words: each period brought something.
    return isTold ? over.map((unit) => said(unit, unit.cells.join(' '))) : over.slice(-1).map((unit) => said(unit, ''));
  }
  return rows.filter(({ cells: [first = ''] }) => has(first, TOTAL_ROW)).map((unit) => said(unit, ''));
}
