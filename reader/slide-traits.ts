/** What the form of a slide tells of its subject where no headline does: marks of a comparison, people with their roles, numbers with captions. */
import type { TextUnit } from './text.ts';
import { money } from './figures.ts';
import { phrases } from './phrases.ts';
import { countDistinct, has } from './words.ts';

/** Signs that a comparison table says yes or no with. */
const MARK = /[✓✔☑✗✘✕❌✅●◐◑○◯]/gu;
/** A cell that holds nothing but such a sign, or a word for it. */
const MARK_CELL = /^\(?\s*(?:[✓✔☑✗✘✕❌✅●◐◑○◯×–—-]|yes|no|partly|partial|ja|nein|teilweise|teils)\s*\)?$/iu;
/** Fewest marks of a comparison; a list of tasks that are done has fewer in a row. */
const FEWEST_MARKS = 6;

/** True for a slide that compares: rows with two marks or more, or as many marks that stand apart. */
export function isComparison(units: readonly TextUnit[]): boolean {
  const rows = units.filter((unit) => unit.kind === 'row');
  if (rows.length >= 3 && rows.some((row) => /^(?:us|we|wir|uns)$/iu.test(row.cells[0]?.trim() ?? ''))) return true;
  const marked = units.filter((unit) => unit.kind === 'row' && marksIn(unit.cells) >= 2);
  if (marked.length >= 2) return marked.some((unit) => MARK.test(unit.text) || /yes|ja/iu.test(unit.text));
  const apart = units.filter((unit) => MARK_CELL.test(unit.text.trim()));
  return apart.length >= FEWEST_MARKS && apart.some((unit) => has(unit.text, MARK));
}

const marksIn = (cells: readonly string[]): number => cells.filter((cell) => MARK_CELL.test(cell.trim())).length;

const ROLES = phrases('roles beside names');
const JOBS = phrases('jobs');
/** An earlier employer: "ex Acme", "formerly Acme". */
const EARLIER = /(?<!\p{L})(?:[Ee]x|[Ff]ormerly|[Pp]reviously|[Ee]hemals|[Zz]uvor)(?:-\s?|\s)(?:at |bei )?\p{Lu}/gu;
/** A title or a span of years at work. */
const STANDING = /(?<!\p{L})(?:Dr|Prof)\.|PhD|\d+\s(?:years?|y|yrs|Jahren?)(?!\p{L})/gu;
/** Words of a person's way: a degree, a former task, where somebody grew up. */
const BIOGRAPHY = phrases('biography');
/** Fewest of them on a slide of people without roles. */
const FEWEST_BIOGRAPHIES = 3;
const NAME = /^(?:(?:Dr|Prof)\.?(?:-Ing\.)?\s)*\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}.'’-]*){1,3}$/u;

/** A person's full name and, in small letters, what they do or did. */
const INTRODUCED = /^(?:(?:Dr|Prof)\.?\s)*\p{Lu}\p{Ll}+(?:\s\p{Lu}[\p{Ll}.]+){1,2},?\s\p{Ll}{2}/u;

/** True for a slide that introduces people: roles, jobs, earlier employers, or names with what they did. */
export function isPeople(units: readonly TextUnit[]): boolean {
  const text = units.map((unit) => unit.text).join('\n');
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const jobs = units.filter((unit) => unit.words <= 8 && has(unit.text, JOBS)).length;
  const roles = units.filter((unit) => unit.kind !== 'row' && has(unit.text, ROLES)).length;
  if (roles >= 2 || countDistinct(text, ROLES) >= 2 || jobs >= 3 || count(EARLIER) >= 2) return true;
  const introduced = units.filter((unit) => unit.words <= 14 && INTRODUCED.test(unit.text.trim())).length;
  if (introduced >= 2 && count(BIOGRAPHY) + count(EARLIER) + count(ROLES) + jobs > 0) return true;
  const names = units.filter((unit) => NAME.test(unit.text.trim())).length;
  if (names >= 2 && count(BIOGRAPHY) + count(EARLIER) >= FEWEST_BIOGRAPHIES) return true;
  return names >= 2 && count(ROLES) + count(EARLIER) + count(STANDING) >= 2;
}

/** A number with its unit, alone or before a short caption. */
const NUMBER_CARD = /^[€$£₹]?\s?\d[\d.,]*\s?(?:%|[kmb]n?|[€$£]|T€|Mio\.?|\+)?(?!\p{L})/iu;
/** What such numbers count on a slide about what the company has reached. */
const REACHED_UNIT = phrases('units of reach');

/** True for a slide of large numbers that count customers or sales. */
export function isReached(units: readonly TextUnit[]): boolean {
  const numbers = units.filter((unit) => unit.words <= 8 && NUMBER_CARD.test(unit.text.trim())).length;
  return numbers >= 3 && new Set(units.flatMap((unit) => unit.text.toLowerCase().match(REACHED_UNIT) ?? [])).size >= 2;
}

/** The price of one thing, alone or after its name. */
const PRICE_CARD = /^(?:\p{L}[^\d]{2,40}\s)?(?:[€$£]\s?\d{1,4}(?:[.,]\d\d)?|\d{1,4}(?:[.,]\d\d)?\s?(?:€|EUR|CHF))$/iu;

/** True for a list of things with their prices. */
export const isPriceList = (units: readonly TextUnit[]): boolean =>
  units.filter((unit) => PRICE_CARD.test(unit.text.trim())).length >= 3;

/** Roles that several parties have in a purchase. */
const BUYING = phrases('buying');
/** Fewest of them on a slide on who buys. */
const FEWEST_BUYING = 4;

/** True for a slide that tells who wants, decides and pays. */
export const isBuying = (units: readonly TextUnit[]): boolean => distinctIn(units, BUYING) >= FEWEST_BUYING;

const distinctIn = (units: readonly TextUnit[], pattern: RegExp): number =>
  countDistinct(units.map((unit) => unit.text).join('\n'), pattern);

/** Words of a round that is raised. */
const ROUND = phrases('words of a round');

/** An amount that is looked for. */
const SOUGHT = phrases('sought');

/** True for a slide whose headline names an amount beside words of a round, or which says that one is looked for. */
export function isRound(headline: string, units: readonly TextUnit[]): boolean {
  if (units.some((unit) => has(unit.text, SOUGHT))) return true;
  return has(headline, money) && distinctIn(units, ROUND) >= 1;
}

/** Somebody's words, in quotation marks; the first sentence of them where they are several. */
export const VOICE = /^[“„"«]\p{L}[^“”„"«»]{12,}/u;

/** True for a slide of what people say. */
export const isVoices = (units: readonly TextUnit[]): boolean =>
  units.filter((unit) => VOICE.test(unit.text.trim())).length >= 2;

/** A line that begins with its date: "Q3 2026", "2027", "Oct 2026". */
const DATED =
  /^(?:(?:Q[1-4]|H[12])(?: ?['’]?\d{2,4})?|(?:early |mid |late |Anfang |Mitte |Ende )?(?:\p{L}{3,9}\.? )?20[2-4]\d)(?!\d)/u;

/** True for a slide of three dates or more, each with what it brings. */
export const isSchedule = (units: readonly TextUnit[]): boolean =>
  units.filter((unit) => unit.words >= 2 && unit.words <= 16 && DATED.test(unit.text.trim())).length >= 3;

/** Names what things cost. */
const PRICED = phrases('priced');

/** True for a table of prices: a column or two rows that are called so. */
export function isPriceTable(units: readonly TextUnit[]): boolean {
  const rows = units.filter((unit) => unit.kind === 'row');
  if (rows.length < 3 || isComparison(units)) return false;
  const isPriced = (cell: string): boolean => cell.split(/\s+/u).length <= 3 && has(cell, PRICED);
  return (rows[0]?.cells ?? []).some(isPriced) || rows.filter(({ cells }) => isPriced(cells[0] ?? '')).length >= 2;
}

/** A row that ends with figures side by side: "Days until treated 19 4". */
const MEASURED_ROW = /^\p{L}.*?\d[\d.,]*\s?\S{0,4}\s+(?:\S{1,4}\s)?\d[\d.,]*\s?\S{0,4}$/u;

/** True for a table of results, two figures in each of two rows or more; years over the columns make it a plan. */
export function isMeasured(units: readonly TextUnit[]): boolean {
  const rows = units.filter((unit) => unit.kind === 'row');
  return (
    !rows.some((row) => /(?<!\d)20\d\d(?!\d)/u.test(row.text)) &&
    rows.filter((row) => MEASURED_ROW.test(row.text)).length >= 2
  );
}
