/** Totals that do not add up: shares of the use of funds, and columns of a table over a row that says it is their sum. */
import { sentencesOf, type PageText } from './statements.ts';

/** A sum that is not what the slide says. */
export interface WrongTotal {
  readonly slide: number;
  /** The parts, as written. */
  readonly parts: string;
  /** What the parts add up to. */
  readonly sum: string;
  /** The words that state the total. */
  readonly quote: string;
  readonly total: string;
}

const USE_OF_FUNDS =
  /(?<!\p{L})(?:use of (?:the )?(?:funds|proceeds)|allocation of (?:funds|capital)|fund allocation|how we (?:will )?(?:use|spend) the (?:money|funds|investment)|mittelverwendung|verwendung der mittel|kapitalverwendung)(?!\p{L})/u;
const SHARE = /(?<![\d.,-])(\d{1,2}(?:[.,]\d)?) ?%/gu;
const MIN_PARTS = 3;
const MAX_PARTS = 10;
/** A sum outside of this is no attempt at 100 %: other percentages stand on the slide. */
const LIKELY: readonly [number, number] = [85, 115];

/** True when some of the values, at least two, add up to the total. */
function someAddUp(values: readonly number[], total: number, tolerance: number): boolean {
  for (let chosen = 3; chosen < 2 ** values.length; chosen += 1) {
    const subset = values.filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1);
    if (subset.length > 1 && Math.abs(subset.reduce((sum, value) => sum + value, 0) - total) <= tolerance) return true;
  }
  return false;
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** Sentences and labels; of a list that was joined into one label its lines. */
function sharesBySentence(text: string): string[] {
  return text.split(/\n[^\S\n]*\n/u).flatMap((block) => {
    const sentences = sentencesOf(block);
    const isJoined = sentences.some((sentence) => [...sentence.matchAll(SHARE)].length > 1);
    return isJoined ? block.split('\n').filter((line) => !line.includes('\t')) : sentences;
  });
}

function wrongShares({ slide, text }: PageText): WrongTotal[] {
  const heading = USE_OF_FUNDS.exec(text.toLowerCase());
  if (heading === null) return [];
  const parts = sharesBySentence(text).flatMap((sentence) => {
    const shares = [...sentence.matchAll(SHARE)];
    // A share of the funds stands with its purpose alone; several in one sentence are a comparison.
    return shares.length === 1 && sentence.length <= 80
      ? [{ sentence, share: Number((shares[0]?.[1] ?? '').replace(',', '.')) }]
      : shares.map(() => null);
  });
  if (parts.length < MIN_PARTS || parts.length > MAX_PARTS || parts.some((part) => part === null)) return [];
  const shares = parts.flatMap((part) => (part === null ? [] : [part.share]));
  const sum = shares.reduce((a, b) => a + b, 0);
  const tolerance = shares.some((share) => !Number.isInteger(share))
    ? 0.05 * shares.length + 0.01
    : 0.5 * shares.length;
  if (sum < LIKELY[0] || sum > LIKELY[1] || Math.abs(sum - 100) <= tolerance || someAddUp(shares, 100, tolerance))
    return [];
  const said = text.slice(heading.index, heading.index + heading[0].length);
  return [
    {
      slide,
      parts: parts.flatMap((part) => (part === null ? [] : [part.sentence])).join(' · '),
      sum: `${rounded(sum)} %`,
      quote: said,
      total: '100 %',
    },
  ];
}

const TOTAL_ROW =
  /^(?:(?:grand )?total|sum|gesamt|summe|insgesamt|gesamtsumme|gesamtkosten|total (?:costs?|revenues?|expenses|funds)|gesamtumsatz)(?!\p{L})/u;
/** Rows that are no parts: they sum up or are of another unit. */
const NO_PART =
  /(?<!\p{L})(?:sub-?total|zwischensumme|margin|marge|profit|ebit\p{L}*|growth|wachstum|average|net|gross|cumulative|kumuliert|churn|headcount|%)/u;

interface Cell {
  readonly value: number;
  /** Half of the last digit shown. */
  readonly tolerance: number;
  readonly unit: string;
}

function cellOf(text: string | undefined): Cell | null {
  const match = /^([^\d\s.,()-]{0,4}) ?(\d{1,3}(?:[.,' ]\d{3})+|\d+)([.,]\d{1,2})? ?([^\d\s()]{0,5})$/u.exec(
    text?.trim() ?? '',
  );
  if (match === null) return null;
  const [, before = '', whole = '', decimals = '', after = ''] = match;
  const value = Number(whole.replaceAll(/[.,' ]/gu, '') + decimals.replace(',', '.'));
  return { value, tolerance: decimals === '' ? 0.5 : 0.5 * 10 ** -(decimals.length - 1), unit: `${before} ${after}` };
}

/** A year over a column is a number as well. */
const isHeader = (cell: string | undefined): boolean => cellOf(cell) === null || /^(?:19|20)\d{2}$/u.test(cell ?? '');

function wrongColumns({ slide, text }: PageText): WrongTotal[] {
  return text.split(/\n[^\S\n]*\n/u).flatMap((block) => {
    const rows = block.split('\n').map((line) => line.split('\t').map((cell) => cell.trim()));
    const at = rows.findIndex((row) => TOTAL_ROW.test((row[0] ?? '').toLowerCase()));
    const total = rows[at];
    if (total === undefined || at < MIN_PARTS) return [];
    return total.flatMap((cell, column) => {
      const stated = column === 0 ? null : cellOf(cell);
      if (stated === null) return [];
      const body = rows.slice(0, at).filter((row, index) => index > 0 || !isHeader(row[column]));
      if (
        body.length < 2 ||
        body.length > MAX_PARTS ||
        body.some((row) => row.length !== total.length || NO_PART.test((row[0] ?? '').toLowerCase()))
      )
        return [];
      const cells = body.map((row) => cellOf(row[column]));
      if (!cells.every((part) => part !== null && part.unit === stated.unit)) return [];
      const parts = cells.filter((part) => part !== null);
      const sum = parts.reduce((all, part) => all + part.value, 0);
      const tolerance = stated.tolerance + parts.reduce((all, part) => all + part.tolerance, 0);
      const off = Math.abs(sum - stated.value);
      if (
        off <= tolerance ||
        off > stated.value / 2 ||
        someAddUp(
          parts.map((part) => part.value),
          stated.value,
          tolerance,
        )
      )
        return [];
      return [
        {
          slide,
          parts: body.map((row) => `${row[0] ?? ''} ${row[column] ?? ''}`.trim()).join(' · '),
          sum: rounded(sum),
          quote: `${total[0] ?? ''} ${cell}`.trim(),
          total: cell,
        },
      ];
    });
  });
}

/** Totals of the pages that differ from the sum of their parts by more than rounding. */
export const wrongTotals = (pages: readonly PageText[]): WrongTotal[] =>
  pages.flatMap((page) => [...wrongShares(page), ...wrongColumns(page)]);
