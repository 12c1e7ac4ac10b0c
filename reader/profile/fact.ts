/** Facts as the rules of the profile find them. */
import type { Answering } from '../../domain/evidence/answering.ts';
import { findMoney } from '../../domain/evidence/money.ts';
import type { ProfileFactOutput } from '../../domain/profile/schema.ts';
import type { ReadSlide } from '../prompt.ts';
import type { TextUnit } from '../text.ts';

/** A fact with the reader's own judgement of its quote. */
export interface Fact extends ProfileFactOutput {
  readonly answering: Answering;
}

/** Units of a slide that are no footer, by block, in order. */
export const blocksOf = (slide: ReadSlide): TextUnit[][] => [
  ...Map.groupBy(
    slide.units.filter((unit) => !unit.running),
    (unit) => unit.block,
  ).values(),
];

/** Words of units of one block as they are quoted together. */
export const joined = (units: readonly TextUnit[]): string => units.map(({ text }) => text).join(' ');

/** Headline of a slide with the labels above it; the first words of a slide without one. */
export function headingsOf(slide: ReadSlide): string[] {
  const worded = slide.units.filter(({ running, text }) => !running && /\p{L}{2}/u.test(text));
  const title = worded.findIndex(({ kind }) => kind === 'title');
  const labels = worded
    .slice(0, Math.max(title, 1))
    .filter(({ words, kind }) => words <= MOST_HEADING_WORDS && kind !== 'item');
  return [...new Set([slide.title, ...labels.map(({ text }) => text)])].filter((text) => text !== '');
}
const MOST_HEADING_WORDS = 9;

/** Shortest beginning of a statement that is worth quoting. */
const LEAST_QUOTE = 30;

/** The words as a quote of at most so many characters, cut only where a clause ends; null where they have no such beginning. */
export function fitQuote(text: string, most: number): string | null {
  if (text.length <= most) return text;
  const ends = [...text.slice(0, most + 1).matchAll(/[.;,:–—](?=\s)|\s(?=\()/gu)].map(({ index, 0: sign }) =>
    sign.trim() === '' || /[–—:,]/u.test(sign) ? index : index + 1,
  );
  const end = ends.findLast((at) => at >= LEAST_QUOTE);
  return end === undefined ? null : text.slice(0, end).trim();
}

/** An amount of money in words of the deck, with what is left of the text around it. */
export interface StatedAmount {
  readonly words: string;
  readonly amount: number;
  readonly rest: string;
}

/** The amounts of a text, in order. */
export const amountsIn = (text: string): StatedAmount[] =>
  findMoney(text).map(({ money, start, end }) => ({
    words: text.slice(start, end).trim(),
    amount: money.amount,
    rest: labelFrom(`${text.slice(0, start)} ${text.slice(end)}`),
  }));

/** Words of a label without marks, connecting words and brackets at their ends. */
export const labelFrom = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^(?:[\s:;,.–—|•·(+~≈]|-\s|for\b|für\b|of\b|the\b|davon\b|approx\b\.?|ca\b\.?)+|[\s:;,–—|•·(]+$/giu, '')
    .replace(/^\(([^()]*)\)$/u, '$1')
    .trim();

/** Facts without those that say again what one before says, at most so many. */
export function once(facts: readonly Fact[], most: number): Fact[] {
  const seen = new Set<string>();
  return facts
    .filter(({ name, value, quote }) => {
      const key = `${name} ${value === '' ? (name === '' ? quote : '') : value}`
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, most);
}
