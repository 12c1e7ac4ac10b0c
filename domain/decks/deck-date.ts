/**
 * Dates in text as decks write them: "15. März 2026", "April 2021", "© 10/2024", "Q1 2026", "Spring 2018", "2026年6月25日", letter-spaced
 * "A P R I L 2 0 2 1". A date has the precision that the words have; nothing is guessed.
 *
 * Names of months come from the locale data of the runtime. A general parser of dates (chrono-node) was not taken: it fills in missing
 * parts and decides what is ambiguous.
 */

/** A date and where it stands in the text. */
export interface PlacedDate {
  /** Day `2026-03-15`, month `2026-03` (a quarter is its first month: ISO 8601 knows no quarters), or year `2026`. */
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'cs', 'sv', 'da', 'nb', 'ru'];
/** Short forms are read in these languages only, without those that are common words. */
const SHORT_LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'nl'];
const COMMON_WORDS = new Set(['out', 'set', 'ago']);
const MORE_MONTHS = { jänner: 1, feber: 2, maerz: 3, mrz: 3, mär: 3, sept: 9, okt: 10, dez: 12 };

const bare = (word: string): string =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replace(/\.$/u, '');

let built: ReadonlyMap<string, number> | undefined;
function months(): ReadonlyMap<string, number> {
  if (built !== undefined) return built;
  const names = new Map<string, number>();
  const add = (word: string | undefined, month: number): void => {
    const name = bare(word ?? '');
    if (/^\p{L}{3,}$/u.test(name) && !names.has(name) && !COMMON_WORDS.has(name)) names.set(name, month);
  };
  for (const locale of LOCALES) {
    const forms: Intl.DateTimeFormatOptions[] = [{ month: 'long' }, { month: 'long', day: 'numeric' }];
    if (SHORT_LOCALES.includes(locale)) forms.push({ month: 'short' }, { month: 'short', day: 'numeric' });
    for (const form of forms) {
      const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1)
        add(format.formatToParts(Date.UTC(2024, month - 1, 15)).find(({ type }) => type === 'month')?.value, month);
    }
  }
  for (const [word, month] of Object.entries(MORE_MONTHS)) add(word, month);
  return (built = names);
}
const monthOf = (word: string | undefined): number => months().get(bare(word ?? '')) ?? 0;

const pad = (n: number): string => String(n).padStart(2, '0');
const yearOk = (year: number): boolean => year >= 1990 && year <= 2100;

function isoDay(year: number, month: number, day: number): string | null {
  const valid =
    yearOk(year) && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return valid ? `${year}-${pad(month)}-${pad(day)}` : null;
}
const isoMonth = (year: number, month: number): string | null =>
  yearOk(year) && month >= 1 && month <= 12 ? `${year}-${pad(month)}` : null;
const isoYear = (year: number): string | null => (yearOk(year) ? String(year) : null);

/** Day and month cannot be told apart in 03/04/2026 unless one of them is above 12 or they are equal: then only the year is certain. */
function isoEitherOrder(first: number, second: number, year: number): string | null {
  if (first === second || first > 12) return isoDay(year, second, first);
  if (second > 12) return isoDay(year, first, second);
  return isoDay(year, first, second) === null ? null : isoYear(year);
}

type Groups = Readonly<Record<string, string | undefined>>;
const number = (text: string | undefined): number => Number(text ?? Number.NaN);
/** Years of two digits, after an apostrophe or in a German day. */
const century = (text: string | undefined): number => 2000 + number(text);

const YEAR = String.raw`(?<year>(?:19|20)\d{2})(?!\d|[.,]\d)`;
const WORD = String.raw`(?<word>\p{L}{3,})`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?`;
const OF = String.raw`(?:,?\s?|\.,?\s|\s(?:of|de|del|di|d['’])\s)`;
const SEASONS =
  'spring|summer|autumn|fall|winter|frühjahr|frühling|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño|invierno|verão|outono|inverno';

/** For text in lower case: matching without regard to case costs too much. Most precise first; a later pattern does not look into what an earlier one has read. */
const PATTERNS: readonly (readonly [source: string, read: (groups: Groups) => string | null])[] = [
  [
    String.raw`(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?${YEAR}`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<day>\d{2})\.(?<month>\d{2})\.(?<short>\d{2})(?![\d.])`,
    (g) => isoDay(century(g['short']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<first>\d{1,2})([/-])(?<second>\d{1,2})\2${YEAR}`,
    (g) => isoEitherOrder(number(g['first']), number(g['second']), number(g['year'])),
  ],
  [
    String.raw`${DAY}\s?(?:(?:of|de)\s|-)?${WORD}(?:-|${OF})${YEAR}`,
    (g) => isoDay(number(g['year']), monthOf(g['word']), number(g['day'])),
  ],
  [String.raw`${WORD}\.?\s?${DAY},?\s${YEAR}`, (g) => isoDay(number(g['year']), monthOf(g['word']), number(g['day']))],
  [
    String.raw`(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]`,
    (g) => isoMonth(number(g['year']), number(g['month'])),
  ],
  [String.raw`${WORD}(?:\s?[-/]\s?|${OF})${YEAR}`, (g) => isoMonth(number(g['year']), monthOf(g['word']))],
  [String.raw`${WORD}\.?\s?['’](?<short>\d{2})(?!\d)`, (g) => isoMonth(century(g['short']), monthOf(g['word']))],
  [String.raw`${YEAR}\s?[-/,]?\s?${WORD}(?!\p{L})`, (g) => isoMonth(number(g['year']), monthOf(g['word']))],
  [String.raw`(?<month>\d{1,2})\s?[/.-]\s?${YEAR}`, (g) => isoMonth(number(g['year']), number(g['month']))],
  [String.raw`${YEAR}[-/](?<month>\d{2})(?!\d)`, (g) => isoMonth(number(g['year']), number(g['month']))],
  [
    String.raw`(?:[qtk](?<quarter>[1-4])|(?<ordinal>[1-4])(?:\.\s?quartal|(?:st|nd|rd|th) quarter))(?:\s?[-/,]?\s?|\s(?:of|de)\s)${YEAR}`,
    (g) => isoMonth(number(g['year']), number(g['quarter'] ?? g['ordinal']) * 3 - 2),
  ],
  [String.raw`${YEAR}\s?[-/,]?\s?q(?<quarter>[1-4])`, (g) => isoMonth(number(g['year']), number(g['quarter']) * 3 - 2)],
  [
    String.raw`(?:${SEASONS}|h[12]|[12]\.\s?halbjahr)(?:\s?[-/,]?\s?|\s(?:of|de|del)\s)${YEAR}`,
    (g) => isoYear(number(g['year'])),
  ],
  [String.raw`(?<![$€£¥₹])${YEAR}(?!\s?[$€£¥₹%+])`, (g) => isoYear(number(g['year']))],
];
const MATCHERS = PATTERNS.map(
  ([source, read]) => [new RegExp(String.raw`(?<![\p{L}\d]|\d[.,/-])${source}`, 'gu'), read] as const,
);

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
const ANCHOR = /(?:19|20)\d{2}|['’]\d{2}|\.\d{2}\.\d{2}/gu;
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

/** In lower case, every character in its place. */
const lowerCase = (text: string): string =>
  text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

function datesIn(text: string): PlacedDate[] {
  const found: PlacedDate[] = [];
  for (const [pattern, read] of MATCHERS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      const date = found.some((other) => start < other.end && other.start < end) ? null : read(match.groups ?? {});
      if (date !== null) found.push({ iso: date, start, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Every date of a text with its place, in order; bare years are among them. */
export function findDates(text: string): PlacedDate[] {
  const { text: joined, places } = joinSpread(text);
  return windowsOf(joined).flatMap((window) =>
    datesIn(lowerCase(joined.slice(window.start, window.end))).map(({ iso, ...date }) => {
      const [start, end] = [date.start + window.start, date.end + window.start];
      return { iso, start: places[start] ?? start, end: (places[end - 1] ?? end - 1) + 1 };
    }),
  );
}

/**
 * The date named in `raw`, the most precise one of several; null when no date can be read without guessing.
 *
 * @example parseDeckDate('Stand: 15. März 2026') // '2026-03-15'
 */
export function parseDeckDate(raw: string): string | null {
  const dates = findDates(raw.normalize('NFC')).map(({ iso }) => iso);
  return dates.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
