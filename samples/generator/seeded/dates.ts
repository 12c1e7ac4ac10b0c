/**
 * The date of a seeded deck and the many ways to write it. Forms that two readers could read differently (03/04/2026) are left out.
 */
import type { Random } from '../random.ts';
import type { DeckFacts } from '../../../domain/evaluation/deck-truth.ts';

/** A date as printed, with what it means. */
export interface PrintedDate extends Required<Pick<DeckFacts, 'date' | 'datePrecision'>> {
  readonly text: string;
}

/** Names of the months by language. */
export const MONTHS = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Writes a day of the given month, that month, or its quarter. */
export function printedDate(year: number, month: number, language: 'en' | 'de', random: Random): PrintedDate {
  const day = random.int(2, 28);
  const name = MONTHS[language][month - 1] ?? '';
  const quarter = Math.ceil(month / 3);
  const isoDay = `${year}-${two(month)}-${two(day)}`;
  const isoMonth = isoDay.slice(0, 7);
  const asDay = (text: string): PrintedDate => ({ text, date: isoDay, datePrecision: 'day' });
  const asMonth = (text: string): PrintedDate => ({ text, date: isoMonth, datePrecision: 'month' });
  const asQuarter = (text: string): PrintedDate => ({
    text,
    date: `${year}-${two(quarter * 3 - 2)}`,
    datePrecision: 'quarter',
  });
  const german = [
    asMonth(`${name} ${year}`),
    asMonth(`Stand: ${name} ${year}`),
    asMonth(`${two(month)}/${year}`),
    asDay(`${day}. ${name} ${year}`),
    asDay(`${two(day)}.${two(month)}.${year}`),
    asDay(`Stand ${two(day)}.${two(month)}.${year}`),
    asDay(isoDay),
    asQuarter(random.chance(0.5) ? `Q${quarter} ${year}` : `${quarter}. Quartal ${year}`),
  ];
  const english = [
    asMonth(`${name} ${year}`),
    asMonth(`${name.slice(0, 3)} ${year}`),
    asMonth(`${two(month)}/${year}`),
    asDay(`${day} ${name} ${year}`),
    asDay(`${name} ${day}, ${year}`),
    asDay(`${name.slice(0, 3)} ${day}, ${year}`),
    asDay(isoDay),
    asQuarter(`Q${quarter} ${year}`),
  ];
  return random.pick(language === 'de' ? german : english);
}
