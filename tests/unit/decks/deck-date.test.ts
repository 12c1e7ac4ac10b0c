/** Dates as decks write them: precision as in the words, ten languages, places in the text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDates, parseDeckDate } from '../../../domain/decks/deck-date.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['2026-03-15', '2026-03-15'],
  ['15.03.2026', '2026-03-15'],
  ['24.06.23', '2023-06-24'],
  ['Stand: 15. März 2026', '2026-03-15'],
  ['12 March 2026', '2026-03-12'],
  ['March 12th, 2026', '2026-03-12'],
  ['Sept. 3, 2025', '2025-09-03'],
  ['11-Jun-2024', '2024-06-11'],
  ['31/12/2025', '2025-12-31'],
  ['12/31/2025', '2025-12-31'],
  ['05/05/2024', '2024-05-05'],
  ['25 DE JUNIO DE 2026', '2026-06-25'],
  ['1er mars 2024', '2024-03-01'],
  ['2026年6月25日', '2026-06-25'],
  ['March 2026', '2026-03'],
  ['Juni 2025', '2025-06'],
  ['Oct ’24', '2024-10'],
  ['03/2026', '2026-03'],
  ['NAME GmbH © 10/2024 Confidential', '2024-10'],
  ['2025-11', '2025-11'],
  ['Q4 2025', '2025'],
  ['2. Quartal 2026', '2026'],
  ['Q1/26', '2026'],
  ['Q1 26', '2026'],
  ["Q3'25", '2025'],
  ['4Q25', '2025'],
  ['H1/26', '2026'],
  ['KW 12/2026', '2026-03'],
  ['KW12/26', '2026-03'],
  ['2026-W12', '2026-03'],
  ['CW 27/2025', '2025'],
  ['3/14/26', '2026-03-14'],
  ['14/3/26', '2026-03-14'],
  ['Dez 25', '2025-12'],
  ['Dec-25', '2025-12'],
  ['Dec. 25', '2025-12'],
  ['Version Mrz. 26', '2026-03'],
  ['Pitch Deck Jänner 26', '2026-01'],
  ['5 Jan 26', '2026-01-05'],
  ['5-Jan-26', '2026-01-05'],
  ['5. Jan. 26', '2026-01-05'],
  ['1.1.26', '2026-01-01'],
  ['Stand: 3.4.26.', '2026-04-03'],
  ['enero 2026', '2026-01'],
  ['Business plan 2026', '2026'],
  ['© 2024 E-Mobility GmbH', '2024'],
  ['Founded 2019, Q1 2026', '2026'],
  ['A P R I L 2 0 2 1', '2021-04'],
  ['P I T C H  D E C K  M A R C H  2 0 2 4', '2024-03'],
  ['Spring 2018', '2018'],
  ['Frühjahr 2024', '2024'],
  ['H1 2025', '2025'],
  ['© 2026', '2026'],
  ['2024, Stand März 2024', '2024-03'],
  // The first of them can be the day or the month.
  ['03/04/2026', '2026'],
])('dates as decks write them: %s', (raw, iso) => expect(parseDeckDate(raw)).toBe(iso));

it.each([
  '2025E',
  '2026F',
  '2027P',
  '2026 (e)',
  'FY27e',
  'FY2027E',
  'FY 2027',
  'Plan 2026',
  'Plan für 2026',
  'Forecast: 2027',
  '2026 plan',
  '2025E 2026E 2027E',
  '2024 2025 2026',
  '2026–2030',
  '2025e–2028e',
  '2025/26',
])('years of a forecast or a span are no date: %s', (raw) => expect(parseDeckDate(raw)).toBeNull());

it.each([
  'Pitch Feb 28',
  'Investor meeting, Sep 29',
  'Jan 20–22',
  'Jan 20 — 22, Berlin',
  'Oct 24 to 26',
  'Okt 20 bis 22',
  'Dec 25 und 26',
  'Oct 20 customers',
  'Oct 20+ customers',
  'Dez 21 Pilotkunden',
  'Thu, Sep 24',
  'Mittwoch, Okt 22',
  'Demo day: Oct 22',
  'Termin: Okt 22',
  'Sep 24, 10:00',
  'Nov 25, 18 Uhr',
  'Nov 18 in Berlin',
])('a day of a month is no year: %s', (raw) => expect(parseDeckDate(raw)).toBeNull());

it.each([
  ['Jan 24 Feb 24 Mar 24', ['2024-01', '2024-02', '2024-03']],
  ['Jan 24 – Dez 25', ['2024-01', '2025-12']],
  ['Sep 24 Confidential', ['2024-09']],
  ['Seed Deck Jan 26 v2', ['2026-01']],
  ['Stand Dez 25 Entwurf', ['2025-12']],
  ['Oct 23, Zürich | Page 3', ['2023-10']],
])('a year of two digits is one where nothing says that it is a day: %s', (text, dates) =>
  expect(findDates(text).map(({ iso }) => iso)).toEqual(dates),
);

it('a month with a number has no year where a word, another day or an hour follows', () =>
  forAll(
    [
      fc.constantFrom('Jan', 'Feb', 'Okt', 'Oct', 'Dez', 'Sep.', 'Nov'),
      fc.integer({ min: 18, max: 27 }),
      fc.constantFrom('customers', 'Kunden', 'users joined', 'neue Pilotkunden', 'in Berlin', 'at noon', 'um 9 Uhr'),
      fc.constantFrom('-', '–', '—', ' - ', ' – ', ' to ', ' bis ', ' & ', ' und ', ' and '),
    ],
    (month, day, words, to) => {
      expect(findDates(`${month} ${day} ${words}`)).toEqual([]);
      expect(findDates(`${month} ${day}${to}${day + 2}`)).toEqual([]);
      expect(findDates(`${month} ${day}`).map(({ precision }) => precision)).toEqual(['month']);
    },
  ));

it.each([
  '03/04/26',
  'KW 1/2026',
  'KW 60/2026',
  'June 31, 2026',
  'on December 25 we met',
  'on Dec 25',
  'December 25',
  'Sept 30',
  'Version 1.1.26',
  'v2.1.14',
  '12/26',
  '24/7 support',
  'Covid-19',
  'Spring',
  'version 3',
  '',
  '13/13',
  '31.02.',
  '2,024 users',
  '$2000',
  '10/24',
  'S E R I E S A',
  '31.02.2026',
])('dates that are not certain are not guessed: %s', (raw) => expect(parseDeckDate(raw)).toBeNull());

it('every date of a text is found with its place', () => {
  const text = 'Founded 2019. Pilot since Mar 2023 – Jun 2024, J U N E  2 0 2 5, 3rd quarter 2026';
  expect(findDates(text).map(({ iso, start, end }) => [text.slice(start, end), iso])).toEqual([
    ['2019', '2019'],
    ['Mar 2023', '2023-03'],
    ['Jun 2024', '2024-06'],
    ['J U N E  2 0 2 5', '2025-06'],
    ['3rd quarter 2026', '2026'],
  ]);
});

describe('properties', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2090-12-31'), noInvalidDate: true });
  const LOCALES = ['en', 'en-GB', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'cs', 'sv', 'da', 'ru', 'ja', 'zh'];

  it('every day reads back in ISO and in German numbers', () =>
    forAll([day], (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [year, month, of] = iso.split('-');
      expect(parseDeckDate(iso)).toBe(iso);
      expect(parseDeckDate(`${of}.${month}.${year}`)).toBe(iso);
    }));

  it('every day and month reads back as each language writes it', () =>
    forAll([day, fc.constantFrom(...LOCALES)], { runs: 2000 }, (date, locale) => {
      const iso = date.toISOString().slice(0, 10);
      const write = (options: Intl.DateTimeFormatOptions): string =>
        new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date);
      expect(parseDeckDate(write({ dateStyle: 'long' }))).toBe(iso);
      expect(parseDeckDate(write({ year: 'numeric', month: 'long' }))).toBe(iso.slice(0, 7));
    }));

  it('every day reads back with a year of two digits, or is not read', () =>
    forAll([day.filter((date) => date.getUTCFullYear() < 2050)], (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [year = '', month = '', of = ''] = iso.split('-');
      const short = year.slice(2);
      const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(date);
      expect(parseDeckDate(`${Number(of)}.${Number(month)}.${short}`)).toBe(iso);
      expect(parseDeckDate(`${Number(of)} ${name} ${short}`)).toBe(iso);
      const american = parseDeckDate(`${Number(month)}/${Number(of)}/${short}`);
      expect([iso, null]).toContain(american);
      if (Number(of) > 12) expect(american).toBe(iso);
    }));

  it('a week is read as the month that all its days are in, or its year', () =>
    forAll([day], (date) => {
      const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
      const monday = new Date(midnight - ((date.getUTCDay() + 6) % 7) * 86_400_000);
      const days = Array.from({ length: 7 }, (_, at) => new Date(monday.getTime() + at * 86_400_000).toISOString());
      const thursday = new Date(monday.getTime() + 3 * 86_400_000);
      const week = Math.ceil((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 0)) / (7 * 86_400_000));
      const found = parseDeckDate(`KW ${week}/${thursday.getUTCFullYear()}`);
      const sharedYear = days.every((each) => each.slice(0, 4) === days[0]?.slice(0, 4));
      const sharedMonth = days.every((each) => each.slice(0, 7) === days[0]?.slice(0, 7));
      expect(found).toBe(sharedMonth ? days[0]?.slice(0, 7) : sharedYear ? days[0]?.slice(0, 4) : null);
    }));

  it('a year of a forecast is never a date, whatever stands before it', () =>
    forAll(
      [
        fc.integer({ min: 2020, max: 2060 }),
        fc.constantFrom('E', 'F', 'P', 'e', 'f', 'p', ' (e)', 'B', ' plan', ' forecast', 'est'),
        fc.constantFrom('', 'Revenue ', 'Umsatz ', 'FY', '| '),
      ],
      (year, mark, before) => expect(parseDeckDate(`${before}${year}${mark}`)).toBeNull(),
    ));

  it('a date in any text stands where it is said to, and lies between 1990 and 2100', () => {
    const words = ['2024', '03', '12', 'March', 'M A R', '2 0 2 4', 'Q1', 'Spring', "'24", 'KW', 'Dez', '26', 'E'];
    const parts = [...Array.from(' ./-年月'), ...words];
    const written = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((words) => words.join(''));
    const anyText = fc.oneof(fc.string({ unit: codePoint, maxLength: 60 }), written);
    return forAll([anyText], { runs: 2000 }, (text) => {
      let last = 0;
      for (const { iso, start, end } of findDates(text)) {
        expect(iso).toMatch(/^(?:199\d|20\d\d|2100)(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?$/u);
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      expect(last).toBeLessThanOrEqual(text.length);
    });
  });
});
