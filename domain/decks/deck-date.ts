/**
 * Dates in text as decks write them: "15. März 2026", "April 2021", "© 10/2024", "Q1/26", "Dez 25", "KW 12/2026", "Spring 2018",
 * "2026年6月25日", letter-spaced "A P R I L 2 0 2 1". A date has the precision that the words have; nothing is guessed. Years of a forecast
 * ("2026E", "Plan 2026", "2025–2028") are no dates.
 *
 * Names of months come from the locale data of the runtime. A general parser of dates (chrono-node) was not taken: it fills in missing
 * parts and decides what is ambiguous.
 */

import { lowerCase } from '../text/lower-case.ts';
import { MATCHERS, NONE, PRECISIONS, type Precision } from './date-patterns.ts';

/** A date and where it stands in the text. */
export interface PlacedDate {
  /** Day `2026-03-15`, month `2026-03`, or year `2026`; of a quarter, half-year or season the year, because ISO 8601 knows none of them. */
  readonly iso: string;
  /** How exact the words are. */
  readonly precision: Precision;
  readonly start: number;
  readonly end: number;
}

/** Letters and digits that stand apart for effect: single characters with a few spaces between. The limit keeps the search linear. */
const SPREAD = /(?<![\p{L}\d])(?:[\p{L}\d./,'’-] {1,3}){4,200}[\p{L}\d](?![\p{L}\d])/gu;

/** The text with spread words joined, and for each of its characters the place in `text`. */
function joinSpread(text: string): { text: string; places: readonly number[] } {
  let joined = '';
  const places: number[] = [];
  const take = (start: number, end: number): void => {
    for (let at = start; at < end; at += 1) places.push(at);
    joined += text.slice(start, end);
  };
  let last = 0;
  for (const match of text.matchAll(SPREAD)) {
    take(last, match.index);
    for (let at = match.index; at < match.index + match[0].length; at += 1) {
      const [before, here] = [joined.at(-1) ?? ' ', text[at] ?? ' '];
      // Several spaces, or a change from letters to digits, part words.
      const wide = here === ' ' && text[at - 1] === ' ' && before !== ' ';
      const parts = (/\p{L}/u.test(before) && /\d/u.test(here)) || (/\d/u.test(before) && /\p{L}/u.test(here));
      if (wide || (parts && at > match.index)) {
        joined += ' ';
        places.push(wide ? at : at - 1);
      }
      if (here !== ' ') take(at, at + 1);
    }
    last = match.index + match[0].length;
  }
  take(last, text.length);
  return { text: joined, places };
}

/** What every date has: a year, or two digits where a short year stands. */
const ANCHOR = /(?:19|20)\d{2}|(?<=[\p{L}.'’/-]\s?|[qthk][1-4]\s)\d{2}(?!\d)/giu;
/** Characters before and after an anchor that can belong to its date. */
const REACH = 40;

/** Parts of a text in which dates can stand; the rest need not be searched. */
function windowsOf(text: string): { start: number; end: number }[] {
  const windows: { start: number; end: number }[] = [];
  for (const { index } of text.matchAll(ANCHOR)) {
    const [start, end] = [Math.max(0, index - REACH), index + REACH];
    const last = windows.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else windows.push({ start, end });
  }
  return windows;
}

function datesIn(text: string): PlacedDate[] {
  const found: PlacedDate[] = [];
  for (const [pattern, read, precision] of MATCHERS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      const iso = found.some((other) => start < other.end && other.start < end) ? null : read(match.groups ?? {});
      if (iso !== null) found.push({ iso, start, end, precision: precision ?? precisionOf(iso) });
    }
  }
  return found.filter(({ iso }) => iso !== NONE).toSorted((a, b) => a.start - b.start);
}

const precisionOf = (iso: string): Precision => (iso.length === 10 ? 'day' : iso.length === 7 ? 'month' : 'year');

/** Every date of a text with its place, in order; bare years are among them. */
export function findDates(text: string): PlacedDate[] {
  const { text: joined, places } = joinSpread(text);
  return windowsOf(joined).flatMap((window) =>
    datesIn(lowerCase(joined.slice(window.start, window.end))).map((date) => {
      const [start, end] = [date.start + window.start, date.end + window.start];
      return { ...date, start: places[start] ?? start, end: (places[end - 1] ?? end - 1) + 1 };
    }),
  );
}

/** The most precise of several dates; null where two of them are equally precise and differ. */
export function mostPrecise<T extends Pick<PlacedDate, 'iso' | 'precision'>>(dates: readonly T[]): T | null {
  const rank = ({ precision }: T): number => PRECISIONS.indexOf(precision);
  const [best, ...others] = dates.toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined) return null;
  return others.some((other) => rank(other) === rank(best) && other.iso !== best.iso) ? null : best;
}

/**
 * The date named in `raw`, the most precise one of several; null when no date can be read without guessing.
 *
 * @example parseDeckDate('Stand: 15. März 2026') // '2026-03-15'
 */
export const parseDeckDate = (raw: string): string | null => mostPrecise(findDates(raw.normalize('NFC')))?.iso ?? null;
