/** Uses of the money with their shares, as entries, cards, rows and lines state them. */
import { isTooShort } from '../../domain/evidence/quote-check.ts';
import { phrases } from '../phrases.ts';
import { countWords, type TextUnit } from '../text.ts';
import { has } from '../words.ts';
import { amountsIn, joined, labelFrom } from './fact.ts';
import { sharesIn, type Use } from './funds-sentences.ts';

/** Rows that sum up, and other terms of a round beside its uses. */
const NO_USE = phrases('no use of funds');

/** Longest quote of a use, in characters. */
export const MOST_QUOTE = 90;
const MOST_NAME = 60;
const MOST_VALUE = 20;
const MOST_NAME_WORDS = 9;
/** Fewer uses make no list. */
export const LEAST_USES = 2;

/** A share of the whole. */
export const SHARE = /(?<![\d.,])\d{1,3}(?:[.,]\d{1,2})?\s?(?:%|percent|prozent)/iu;

/** Words as the name of a use; null where they are none. */
export function nameOf(text: string): string | null {
  const name = labelFrom(text.replaceAll(/\(\s*\)/gu, ' ')).replace(/\.$/u, '');
  const fits = name.length <= MOST_NAME && countWords(name) <= MOST_NAME_WORDS && /\p{L}/u.test(name);
  return fits && !has(name, NO_USE) ? name : null;
}

/** A text as a use of a share or amount that stands in it. */
export function useOf(text: string, value: string, quote: string): Use[] {
  const name = nameOf(text.replace(value, ' '));
  return name === null || value.length > MOST_VALUE ? [] : [{ name, value, quote }];
}

/** Uses with their shares: entries of their own, a share over its caption, several in one line. */
export function sharesOf(block: readonly TextUnit[]): Use[] {
  const [first, second] = block;
  if (first === undefined || first.kind === 'title') return [];
  if (first.kind === 'row') return block.flatMap(rowShare);
  const isAlone = (unit: TextUnit): boolean => labelFrom(unit.text.replace(SHARE, '')) === '' && SHARE.test(unit.text);
  // "50 %" over "Vertrieb und Einführung", or below it.
  if (block.length === 2 && second !== undefined && isAlone(first) !== isAlone(second)) {
    const value = SHARE.exec(isAlone(first) ? first.text : second.text)?.[0] ?? '';
    return useOf(isAlone(first) ? second.text : first.text, value, joined(block));
  }
  // A card of name, share and explanation, or of share, name and explanation.
  const at = block.findIndex(isAlone);
  const name = at === 0 ? second : first;
  if (
    at >= 0 &&
    block.length > 2 &&
    name !== undefined &&
    block.filter(isAlone).length === 1 &&
    nameOf(name.text) !== null
  )
    return useOf(name.text, SHARE.exec(block[at]?.text ?? '')?.[0] ?? '', joined(block.slice(0, Math.max(at, 1) + 1)));
  return block.flatMap(({ text }) => lineShares(text));
}

function rowShare({ cells, text }: TextUnit): Use[] {
  const at = cells.findIndex((cell) => SHARE.test(cell) && labelFrom(cell.replace(SHARE, '')) === '');
  const value = SHARE.exec(cells[at] ?? '')?.[0];
  if (value === undefined) return cells.flatMap((cell) => lineShares(cell));
  const label = cells.find((cell, index) => index !== at && /\p{L}/u.test(cell) && amountsIn(cell).length === 0) ?? '';
  return useOf(label, value, text);
}

/** The uses of one line: "40% growth, 30% engineering", "Vertrieb 20 %", "Mittelverwendung: Zulassung 35 %, Serie 30 %". */
function lineShares(text: string): Use[] {
  const all = [...text.matchAll(new RegExp(SHARE, 'giu'))];
  if (all.length === 0) return [];
  if (all.length === 1) {
    const value = all[0]?.[0] ?? '';
    // A sentence about a share is no entry.
    return /[.!?]$|\p{L}{3,}[.!?]\s/u.test(text) && countWords(text) > MOST_NAME_WORDS ? [] : useOf(text, value, text);
  }
  const told = sharesIn(text).filter(({ name }) => !has(name, NO_USE));
  if (told.length >= LEAST_USES && told.length >= all.length - 1) return told;
  const list = text.replace(/^[^:%]{3,40}:\s/u, '').replace(/\.$/u, '');
  const parts = list.split(/\s?[;·|•+/]\s|,\s(?=\p{L}[^,]*%|\d)/u).filter((part) => SHARE.test(part));
  if (parts.length !== all.length) return [];
  return parts.flatMap((part, at) => useOf(part, SHARE.exec(part)?.[0] ?? '', withNeighbour(text, parts, at)));
}

/** An entry with the next or the one before it: two words prove nothing by themselves. */
function withNeighbour(text: string, parts: readonly string[], at: number): string {
  const [own, other] = [parts[at]?.trim() ?? '', (parts[at + 1] ?? parts[at - 1] ?? '').trim()];
  const places = [text.indexOf(own), text.indexOf(other)];
  const both = text.slice(
    Math.min(...places),
    Math.max((places[0] ?? 0) + own.length, (places[1] ?? 0) + other.length),
  );
  return isTooShort(own) && both.length <= MOST_QUOTE ? both : own;
}
