/** Figures with their units: money, shares, spans of time. The upper-case ones are sources of patterns that others are made of. */
import { anyOf, either } from './words.ts';

const CURRENCY = String.raw`(?:us\$|a\$|c\$|nz\$|hk\$|s\$|r\$|[€$£₹¥₦₱₩₺₫₴]|usd|eur(?:os?)?|chf|gbp|inr|sek|nok|dkk|pln|czk|huf|ron|aed|sar|ils|kes|ngn|zar|ghs|ugx|tzs|rwf|brl|mxn|aud|cad|nzd|sgd|hkd|jpy|cny|rmb|krw|idr|thb|vnd|myr|bdt|pkr|rm|ugx|lkr|npr|egp|twd|clp|ars|uah|rs\.?|dollars?|franken)`;
const FACTOR = String.raw`(?:k|m|mm|mn|b|bn|t|mio\.?|mrd\.?|tsd\.?|cr(?:ore)?|lakhs?|million(?:s|en)?|billion(?:s)?|milliarden?|thousand|tausend)`;
/** An amount of money. */
export const MONEY = String.raw`(?:${CURRENCY}\s?-?\d[\d.,']*\+?(?:\s?${FACTOR})?|\d[\d.,']*\s?(?:${FACTOR}\s?)?${CURRENCY}|t€\s?\d[\d.,]*|\d[\d.,]*\s?t€)`;
/** A span of time. */
export const SPAN = String.raw`(?:\d+(?:\s?[-–]\s?\d+)?|one|two|three|four|five|six|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|acht|neun|zehn|zwölf)\+?[- ](?:days?|weeks?|months?|years?|tagen?|wochen?|monaten?|jahren?)`;
/** A share. */
export const PERCENT = String.raw`\d[\d.,]*\s?(?:%|percent|per cent|prozent)`;

export const money: RegExp = anyOf(MONEY);
export const percent: RegExp = /\d[\d.,]*\s?(?:%|(?:percent|per cent|prozent)(?!\p{L}))/giu;
export const moneyOrPercent: RegExp = either(money, percent);
/** A number that counts or measures something: not a year, not the number of an item. */
export const anyFigure: RegExp =
  /(?<![\p{L}\d.,/-])(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d[\d.,]*(?:\s?[%+x]|(?=\s?\p{L})|(?=\s*[-–:/]))|(?<!\d)(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d{2,}[\d.,]*/giu;
