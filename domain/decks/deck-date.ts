/**
 * Reads the preparation date of a deck from words: "15. März 2026", "March 2026", "03/2026", "Q1 2026", "2026-03-15".
 */

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'jänner'],
  ['february', 'feb', 'februar'],
  ['march', 'mar', 'märz', 'mrz', 'maerz'],
  ['april', 'apr'],
  ['may', 'mai'],
  ['june', 'jun', 'juni'],
  ['july', 'jul', 'juli'],
  ['august', 'aug'],
  ['september', 'sep', 'sept'],
  ['october', 'oct', 'oktober', 'okt'],
  ['november', 'nov'],
  ['december', 'dec', 'dezember', 'dez'],
];

const monthOf = (word: string): number => MONTHS.findIndex((names) => names.includes(word.toLowerCase())) + 1;
const pad = (n: number): string => String(n).padStart(2, '0');
const yearOk = (year: number): boolean => year >= 1990 && year <= 2100;

function isoDay(year: number, month: number, day: number): string | null {
  const valid =
    yearOk(year) && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  return valid ? `${year}-${pad(month)}-${pad(day)}` : null;
}
const isoMonth = (year: number, month: number): string | null =>
  yearOk(year) && month >= 1 && month <= 12 ? `${year}-${pad(month)}` : null;

type Reader = readonly [RegExp, (groups: readonly string[]) => string | null];
const n = (groups: readonly string[], i: number): number => Number(groups[i] ?? Number.NaN);

/** Most precise first; the first that matches decides. */
const READERS: readonly Reader[] = [
  [/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/u, (g) => isoDay(n(g, 1), n(g, 2), n(g, 3))],
  [/\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b/u, (g) => isoDay(n(g, 3), n(g, 2), n(g, 1))],
  [
    /\b(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(\p{L}{3,})\.?,?\s+(\d{4})\b/u,
    (g) => isoDay(n(g, 3), monthOf(g[2] ?? ''), n(g, 1)),
  ],
  [/\b(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b/u, (g) => isoDay(n(g, 3), monthOf(g[1] ?? ''), n(g, 2))],
  // Day and month cannot be told apart in 03/04/2026 unless one of them is above 12.
  [
    /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/u,
    (g) => (n(g, 1) > 12 ? isoDay(n(g, 3), n(g, 2), n(g, 1)) : n(g, 2) > 12 ? isoDay(n(g, 3), n(g, 1), n(g, 2)) : null),
  ],
  [/\b(\p{L}{3,})\.?,?\s+(\d{4})\b/u, (g) => isoMonth(n(g, 2), monthOf(g[1] ?? ''))],
  [/\b(\d{1,2})[/.](\d{4})\b/u, (g) => isoMonth(n(g, 2), n(g, 1))],
  [/\b(\d{4})[-/](\d{1,2})\b/u, (g) => isoMonth(n(g, 1), n(g, 2))],
  [/\bQ([1-4])\s*[/-]?\s*(\d{4})\b/iu, (g) => (yearOk(n(g, 2)) ? isoMonth(n(g, 2), n(g, 1) * 3 - 2) : null)],
  [/\b([1-4])\.\s*Quartal\s+(\d{4})\b/iu, (g) => (yearOk(n(g, 2)) ? isoMonth(n(g, 2), n(g, 1) * 3 - 2) : null)],
  [/\b(\d{4})\b/u, (g) => (yearOk(n(g, 1)) ? String(n(g, 1)) : null)],
];

/**
 * The date named in `raw` with the precision it has: day `2026-03-15`, month `2026-03`, a quarter as its first month (ISO 8601 knows no quarters), year
 * `2026`; null when no date can be read without guessing.
 *
 * @example parseDeckDate('Stand: 15. März 2026') // '2026-03-15'
 */
export function parseDeckDate(raw: string): string | null {
  const text = raw.normalize('NFC');
  for (const [pattern, read] of READERS) {
    const match = pattern.exec(text);
    const date = match === null ? null : read([...match]);
    if (date !== null) return date;
  }
  return null;
}
