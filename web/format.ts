/** Numbers, money, dates and sizes as people write them, in the language in use. */
import type { Language } from '../domain/models/model-tasks.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
const ABSENT = '–';
const MEBIBYTE = 1024 * 1024;

/** Keeps what is made for the same language and options: a formatter takes longer to make than to use, and a list has hundreds of numbers. */
function kept<Options extends object, Formatter>(make: (locale: string, options: Options) => Formatter) {
  const made = new Map<string, Formatter>();
  return (language: Language, options: Options): Formatter => {
    const key = language + JSON.stringify(options);
    const formatter = made.get(key) ?? make(LOCALES[language], options);
    made.set(key, formatter);
    return formatter;
  };
}

const numbers = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
const dates = kept((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** A score from 0 to 7 with one decimal: `4.3`. */
export const formatScore = (score: number | null, language: Language): string =>
  score === null ? ABSENT : numbers(language, ONE_DECIMAL).format(score);

/** A difference of scores with its sign: `+1.2`; of counts without a decimal. */
export const formatSigned = (difference: number | null, language: Language, decimals: 0 | 1 = 1): string =>
  difference === null
    ? ABSENT
    : numbers(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
        signDisplay: 'exceptZero',
      })
        .format(difference)
        .replace('-', '−');

/** A share from 0 to 1 as a whole percentage; never 100 % for less than all. */
export function formatShare(share: number | null, language: Language): string {
  if (share === null) return ABSENT;
  const percent = share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
  return `${formatCount(percent, language)} %`;
}

/** A sum of money, shortened: `€4.2M`. A currency that is not known is left out. */
export function formatMoney(amount: number | null, currency: string | null, language: Language): string {
  if (amount === null) return ABSENT;
  const short = { notation: 'compact', maximumFractionDigits: 1 } as const;
  const money = currency === null ? {} : ({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const);
  return numbers(language, { ...money, ...short }).format(amount);
}

/** A cost in US dollars; small ones keep two significant digits. */
export function formatCost(costUsd: number | null, language: Language): string {
  if (costUsd === null) return ABSENT;
  const digits =
    costUsd !== 0 && costUsd < 1
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  return numbers(language, { ...dollars, ...digits }).format(costUsd);
}

/** A number with separators. */
export const formatCount = (count: number, language: Language): string => numbers(language, {}).format(count);

/** Several names in a sentence: `Acme, Bolt and Cork`. */
export const formatList = (items: readonly string[], language: Language): string =>
  new Intl.ListFormat(LOCALES[language], { type: 'conjunction' }).format(items);

/** A size in MiB, with one decimal; what is smaller in KiB. */
export const formatSize = (bytes: number, language: Language): string =>
  bytes < MEBIBYTE / 10
    ? `${formatCount(Math.ceil(bytes / 1024), language)} kB`
    : `${numbers(language, { maximumFractionDigits: 1 }).format(bytes / MEBIBYTE)} MB`;

/** A duration in its largest unit that fits: `50 sec`, `12 min`, `2.5 hr`. */
export function formatDuration(seconds: number, language: Language): string {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  const maximumFractionDigits = unit === 'hour' ? 1 : 0;
  return numbers(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(value);
}

/** A day: `26 Nov 2026`. */
export const formatDay = (iso: string | null, language: Language): string =>
  iso === null ? ABSENT : dates(language, { dateStyle: 'medium' }).format(new Date(iso));

/** A moment: `26 Nov 2026, 10:42`. */
export const formatMoment = (iso: string | null, language: Language): string =>
  iso === null ? ABSENT : dates(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** The time of a moment: `10:42`. */
export const formatTime = (iso: string, language: Language): string =>
  dates(language, { timeStyle: 'short' }).format(new Date(iso));

/** A date as a deck gives it, as exact as it is: `14 Mar 2026`, `March 2026`, `2026`. */
export function formatDeckDate(iso: string | null, language: Language): string {
  if (iso === null) return ABSENT;
  const [year = '', month, day] = iso.split('-');
  if (month === undefined) return year;
  const date = new Date(`${year}-${month}-${day ?? '01'}T00:00:00Z`);
  const options: Intl.DateTimeFormatOptions =
    day === undefined ? { month: 'long', year: 'numeric' } : { day: 'numeric', month: 'short', year: 'numeric' };
  return dates(language, { ...options, timeZone: 'UTC' }).format(date);
}

/** A month such as `2026-03` in as little room as there is: `Mar 26`. */
export const formatMonth = (month: string, language: Language): string =>
  dates(language, { month: 'short', year: '2-digit', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`));
