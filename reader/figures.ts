/** Figures with their units: money, shares, what counts or measures something. */
import { phrases } from './phrases.ts';
import { either } from './words.ts';

export const money: RegExp = phrases('money');
export const percent: RegExp = /\d[\d.,]*\s?(?:%|(?:percent|per cent|prozent)(?!\p{L}))/giu;
export const moneyOrPercent: RegExp = either(money, percent);
/** A number that counts or measures something: not a year, not the number of an item. */
export const anyFigure: RegExp =
  /(?<![\p{L}\d.,/-])(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d[\d.,]*(?:\s?[%+x]|(?=\s?\p{L})|(?=\s*[-–:/]))|(?<!\d)(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d{2,}[\d.,]*/giu;
