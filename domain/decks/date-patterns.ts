/**
 * How decks write dates: names of months, orders of day, month and year, quarters, weeks, and years that are no date. `deck-date.ts` finds
 * them in text.
 */

/** From the most exact to the least. A `part` of a year is a quarter, a half-year, a season, or a week in two months. */
export const PRECISIONS = ['day', 'month', 'part', 'year'] as const;
export type Precision = (typeof PRECISIONS)[number];

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
/** True for the name of a month, also a short one: "Dez", "June". */
export const isMonth = (word: string): boolean => monthOf(word) > 0;
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
/** Years of two digits. */
const century = (text: string | undefined): number => 2000 + number(text);

/** The month of an ISO week, or its year where the week lies in two months; null where it lies in two years, or there is no such week. */
function isoWeek(year: number, week: number): string | null {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = Date.UTC(year, 0, 4 - ((fourth.getUTCDay() + 6) % 7) + 7 * (week - 1));
  const [first, last] = [new Date(monday), new Date(monday + 6 * 86_400_000)].map((day) => day.toISOString());
  if (first?.slice(0, 4) !== String(year) || last?.slice(0, 4) !== String(year)) return null;
  return first.slice(0, 7) === last.slice(0, 7) ? isoMonth(year, Number(first.slice(5, 7))) : isoYear(year);
}

/** "3/14/26" and "14/3/26" are certain, "03/04/26" is not. */
function isoShortOrder(first: number, second: number, year: number): string | null {
  const date = isoEitherOrder(first, second, year);
  return date === null || date.length < 10 ? NONE : date;
}

/**
 * A month without its year, "Dec 25", may be a day in December: its number is a year where it can be one of a deck, and no word that it may
 * count stands behind it: "Oct 20 customers".
 */
function isoShortMonth({ word, short, next }: Groups): string | null {
  if (monthOf(word) === 0) return null;
  const isYear = next === undefined || monthOf(next) > 0 || COVER_WORDS.test(next);
  return isYear ? (isoMonth(century(short), monthOf(word)) ?? NONE) : NONE;
}
/** Words that stand behind the date of a deck on its cover and in its footers. */
const COVER_WORDS =
  /^(?:v|ver|version|draft|entwurf|update|edition|ausgabe|deck|pitch\p{L}*|investor\p{L}*|presentation|präsentation|(?:strictly|streng)|confidential|vertraulich|private|proprietary|page|seite|slide|folie|seed|series|copyright|all)$/u;

/** Read as a date that is none: what stands there is not looked at again. */
export const NONE = '';

/** A mark that makes a year one of a forecast column: "2025E", "2026F", "2027 (e)". */
const COLUMN = String.raw`(?:(?:[abefp]|est|exp|proj|fc|plan)(?!\p{L})|\s?\([abefp]\))`;
const YEAR = String.raw`(?<year>(?:19|20)\d{2})(?!\d|[.,]\d|${COLUMN})`;
/** Years of two digits that decks have; in "Jan 26" a larger number is more likely a day. */
const SHORT = String.raw`(?<short>[0-4]\d)(?![\d\p{L}%]|[.,:/-]\d)`;
/** A day with more days or an hour behind it: "Jan 20–22", "Jan 20 to 22", "Sep 24, 10:00", "Sep 24 at 6 pm". */
const MORE_DAYS = String.raw`\s?(?:[-‐‑‒–—−~&+]|(?:to|and|or|bis|und|oder)(?!\p{L}))\s?\d|,?\s(?:at |um )?\d{1,2}(?::\d|\s?(?:am|pm|uhr|h)(?!\p{L}))`;
/** Years of decks; from 28 on a number behind a month is a day. */
const SHORT_ALONE = String.raw`(?<short>1[89]|2[0-7])(?![\d\p{L}%+]|[.,:/-]\d|\s?(?:[,–-]\s?)?(?:19|20)\d{2}|${MORE_DAYS})(?=(?:\s(?<next>\p{L}+))?)`;
const WORD = String.raw`(?<word>\p{L}{3,})`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?`;
const OF = String.raw`(?:,?\s?|\.,?\s|\s(?:of|de|del|di|d['’])\s)`;
const SEASONS =
  'spring|summer|autumn|fall|winter|frühjahr|frühling|sommer|herbst|printemps|été|automne|hiver|primavera|verano|otoño|invierno|verão|outono|inverno';
const QUARTER = String.raw`(?:[qtk][1-4]|[1-4]q|[1-4](?:\.\s?quartal|(?:st|nd|rd|th) quarter)|h[12]|[12]h|[12]\.\s?halbjahr)`;
/** Words of a plan before or after a year. A business plan has a date of its own. */
const PLANNED = String.raw`(?<!business[\s-])(?:plan(?:ung|ned|jahr)?|budget|forecast|projection|projected|prognose|estimate[ds]?|expected|target|ziel|geplant|erwartet|fc|bp|fy|gj)(?:\s(?:for|für|of))?`;
/** Before a number that is a day or a version: "on Dec 25", "Version 1.2.26". */
const NOT_BEFORE = String.raw`(?<!(?<!\p{L})(?:on|until|till|by|before|after|since|the|am|vom|zum|bis|ab)\s)`;
/** Before a number that is the day of an event: "Thu, Sep 24", "Demo day: Oct 22". */
const NO_EVENT = String.raw`(?<!(?<!\p{L})(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so|meeting|call|demo day|event|conference|webinar|workshop|deadline|termin|treffen|konferenz|messe|veranstaltung|frist)\.?(?:\s?[,:]|\s[–-])?\s)`;
const NO_VERSION = String.raw`(?<!(?<!\p{L})(?:v|ver|vers|version|release|rev|no|nr|kapitel|section|§)\.?\s?)`;
/** English names of months that are written out: a number behind them is a day. */
const WRITTEN_OUT = 'january|february|march|june|july|october|december|april|august|september|november|may';

/** The date that the groups of a match name; null where they name none, and another pattern may. */
type Read = (groups: Groups) => string | null;

/** For text in lower case: matching without regard to case costs too much. Most precise first; a later pattern does not look into what an earlier one has read. */
const PATTERNS: readonly (readonly [source: string, read: Read, precision?: Precision])[] = [
  [
    String.raw`(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?:(?:kw|cw|kalenderwoche|calendar week|week)\s?(?<week>\d{1,2})(?:\s?[/.,-]\s?|\s(?:in |of )?)(?:${YEAR}|['’]?${SHORT})|(?<y>(?:19|20)\d{2})\s?-?\s?(?:w|kw|cw)\s?(?<w>\d{2})(?![\d\p{L}]))`,
    (g) =>
      isoWeek(
        g['short'] === undefined ? number(g['year'] ?? g['y']) : century(g['short']),
        number(g['week'] ?? g['w']),
      ) ?? NONE,
  ],
  [
    String.raw`(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?${YEAR}`,
    (g) => isoDay(number(g['year']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`${NO_VERSION}(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?['’]?(?<short>[0-4]\d)(?![\d%\p{L}]|[.,]\d)`,
    (g) => isoDay(century(g['short']), number(g['month']), number(g['day'])),
  ],
  [
    String.raw`(?<first>\d{1,2})([/-])(?<second>\d{1,2})\2${YEAR}`,
    (g) => isoEitherOrder(number(g['first']), number(g['second']), number(g['year'])),
  ],
  [
    String.raw`(?<first>\d{1,2})/(?<second>\d{1,2})/(?<short>[0-4]\d)(?![\d\p{L}/%]|[.,]\d)`,
    (g) => isoShortOrder(number(g['first']), number(g['second']), century(g['short'])),
  ],
  [
    String.raw`${DAY}\s?(?:(?:of|de)\s|-)?${WORD}(?:-|${OF})${YEAR}`,
    (g) =>
      monthOf(g['word']) === 0 ? null : (isoDay(number(g['year']), monthOf(g['word']), number(g['day'])) ?? NONE),
  ],
  [
    // Behind a month the number is its year, as in the columns "Jan 24", "Feb 24".
    String.raw`(?<=(?:(?<before>\p{L}{3,})\.?\s)?)${DAY}(?:\s?-\s?|\s)?${WORD}\.?(?:\s?[-/]\s?|\s)['’]?${SHORT}`,
    (g) => (monthOf(g['before']) > 0 ? null : isoDay(century(g['short']), monthOf(g['word']), number(g['day']))),
  ],
  [
    String.raw`${WORD}\.?\s?${DAY},?\s${YEAR}`,
    (g) =>
      monthOf(g['word']) === 0 ? null : (isoDay(number(g['year']), monthOf(g['word']), number(g['day'])) ?? NONE),
  ],
  [
    String.raw`(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]`,
    (g) => isoMonth(number(g['year']), number(g['month'])),
  ],
  [String.raw`${WORD}(?:\s?[-/]\s?|${OF})${YEAR}`, (g) => isoMonth(number(g['year']), monthOf(g['word']))],
  [
    String.raw`${WORD}\.?\s?(?:['’]\s?|/\s?)(?<short>\d{2})(?!\d)`,
    (g) => isoMonth(century(g['short']), monthOf(g['word'])),
  ],
  [String.raw`${WORD}\s?-\s?${SHORT}(?!${MORE_DAYS})`, isoShortMonth],
  [String.raw`${NOT_BEFORE}${NO_EVENT}(?!(?:${WRITTEN_OUT})\s)${WORD}\.?\s${SHORT_ALONE}`, isoShortMonth],
  [String.raw`${YEAR}\s?[-/,]?\s?${WORD}(?!\p{L})`, (g) => isoMonth(number(g['year']), monthOf(g['word']))],
  [String.raw`(?<month>\d{1,2})\s?[/.-]\s?${YEAR}`, (g) => isoMonth(number(g['year']), number(g['month']))],
  [String.raw`${YEAR}[-/](?<month>\d{2})(?!\d)`, (g) => isoMonth(number(g['year']), number(g['month']))],
  [
    String.raw`(?:${QUARTER}|${SEASONS})(?:\s?[-/,]?\s?|\s(?:of|de|del)\s)(?:${YEAR}|['’]?${SHORT})`,
    (g) => isoYear(g['short'] === undefined ? number(g['year']) : century(g['short'])),
    'part',
  ],
  [String.raw`${YEAR}\s?[-/,]?\s?(?:[qh][1-4])(?![\d\p{L}])`, (g) => isoYear(number(g['year'])), 'part'],
  [String.raw`${PLANNED}\s?:?\s?(?:19|20)\d{2}(?:\s?[-–—/]\s?(?:20)?\d{2})?(?!\d)`, () => NONE],
  [
    String.raw`(?:19|20)\d{2}(?:\s?[-–—/]\s?(?:(?:19|20)\d{2}${COLUMN}?|\d{2})(?!\d|[.,-]\d)|\s${PLANNED}(?!\p{L})|${COLUMN})`,
    () => NONE,
  ],
  [String.raw`(?<![$€£¥₹])${YEAR}(?!\s?[$€£¥₹%+])`, (g) => isoYear(number(g['year']))],
];
/** Patterns of dates in lower case, the most precise first, with what a match names: a date, null for another
 * pattern to read, or `NONE`. */
export const MATCHERS: readonly (readonly [pattern: RegExp, read: Read, precision: Precision | undefined])[] =
  PATTERNS.map(
    ([source, read, precision]) =>
      [new RegExp(String.raw`(?<![\p{L}\d]|\d[.,/-])${source}`, 'gu'), read, precision] as const,
  );
