/** Numbers, money, dates and sizes as people write them in English and German. */
import { expect, it } from 'vitest';
import * as format from '../../../web/format.ts';

/** With plain spaces in place of those that do not break. */
const plain = (text: string): string => text.replaceAll(/\s/gu, ' ');

it('Scores have one decimal, and their differences a sign', () => {
  expect([format.formatScore(4.25, 'en'), format.formatScore(4, 'de'), format.formatScore(null, 'en')]).toEqual([
    '4.3',
    '4,0',
    '–',
  ]);
  const signed = [1.2, -0.7, 0, null].map((difference) => format.formatSigned(difference, 'en'));
  expect(signed).toEqual(['+1.2', '−0.7', '0.0', '–']);
});

it('A share is never 100 % for less than all', () => {
  const shares = [0, 0.004, 0.555, 0.999, 1, null].map((share) => plain(format.formatShare(share, 'en')));
  expect(shares).toEqual(['0 %', '0 %', '56 %', '99 %', '100 %', '–']);
});

it('Money is short, with its currency where that is known', () => {
  expect(plain(format.formatMoney(4_200_000, 'EUR', 'en')).toLowerCase()).toBe('€4.2m');
  expect(plain(format.formatMoney(4_200_000, 'EUR', 'de'))).toBe('4,2 Mio. €');
  expect(plain(format.formatMoney(500_000, null, 'en')).toLowerCase()).toBe('500k');
  expect(format.formatMoney(null, 'EUR', 'en')).toBe('–');
});

it('Small costs keep two digits that say something', () => {
  const costs = [0.01234, 0, 1.5, null].map((cost) => format.formatCost(cost, 'en'));
  expect(costs).toEqual(['$0.012', '$0.00', '$1.50', '–']);
});

it('Dates of decks are as exact as they are given', () => {
  const dates = ['2026', '2026-03', '2026-03-14', null].map((date) => format.formatDeckDate(date, 'en'));
  expect(dates).toEqual(['2026', 'March 2026', '14 Mar 2026', '–']);
  expect(format.formatDeckDate('2026-03', 'de')).toBe('März 2026');
  expect(plain(format.formatMonth('2026-03', 'en'))).toBe('Mar 26');
});

it('Moments are days and times, and missing ones a dash', () => {
  const noon = '2026-11-26T12:00:00.000Z';
  expect(format.formatDay(noon, 'en')).toBe('26 Nov 2026');
  expect(format.formatMoment(noon, 'en')).toBe(`26 Nov 2026, ${format.formatTime(noon, 'en')}`);
  expect([format.formatDay(null, 'de'), format.formatMoment(null, 'de')]).toEqual(['–', '–']);
});

it('Sizes are in MB, small ones in kB; names are a sentence', () => {
  expect([format.formatSize(5_242_880, 'en'), format.formatSize(1_600_000, 'de')]).toEqual(['5 MB', '1,5 MB']);
  expect([format.formatSize(1025, 'en'), format.formatSize(0, 'en')]).toEqual(['2 kB', '0 kB']);
  expect(format.formatList(['Acme', 'Bolt', 'Cork'], 'de')).toBe('Acme, Bolt und Cork');
  expect(format.formatCount(1234, 'de')).toBe('1.234');
});
