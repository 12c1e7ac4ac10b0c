/**
 * How a question is answered: by the slides and parts of slides that are about it, and by words that answer it wherever they stand. English and
 * German.
 */
import type { Subject } from './subject.ts';
import { anyOf } from './words.ts';

/** What a passage needs that stands at the right place: nothing more, the length of a sentence, a figure, or these words; null = words that say it anywhere. */
export type Need = 'any' | 'sentence' | 'figure' | RegExp | null;

/** The same need under several subjects. */
export const under = (need: Need, ...subjects: readonly Subject[]): Partial<Record<Subject, Need>> =>
  Object.fromEntries(subjects.map((subject) => [subject, need]));

/** The cues of one question. */
export interface Topic {
  /** What slides or parts of slides are about that answer the question, and what a passage needs that stands there. */
  readonly at: Readonly<Partial<Record<Subject, Need>>>;
  /** Words that state an answer. */
  readonly says: RegExp | null;
  /** So many different ones of them, in the passage or what it stands under. */
  readonly least: number;
  /** Words that a passage needs beside those of `says`. */
  readonly with: RegExp | null;
  /** Where `says` counts: everywhere, only on slides without a subject and those of `at`, or only on those of `at`. */
  readonly reach: 'anywhere' | 'unlabelled' | 'there';
  /** Subjects under which the words of `says` mean something else; `at` may still name what counts there. */
  readonly notAt: readonly Subject[];
  /** The passage means something else. */
  readonly not: RegExp | null;
  /** A figure with a unit that belongs to the question; null when the question asks for none. */
  readonly figure: RegExp | null;
  /** True when a passage without such a figure is no answer. */
  readonly figureOnly: boolean;
  /** Words by which the deck itself says that there is none. */
  readonly absent: RegExp | null;
  /** Cues of what bears on the question without answering it in full; asked only where the others find nothing. */
  readonly near: Topic | null;
}

/** A topic from what is said of it; the rest is empty. */
export const topic = (parts: Partial<Topic>): Topic => ({
  at: {},
  says: null,
  least: 1,
  with: null,
  reach: 'anywhere',
  notAt: [],
  not: null,
  figure: null,
  figureOnly: false,
  absent: null,
  near: null,
  ...parts,
});

const CURRENCY = String.raw`(?:us\$|a\$|c\$|nz\$|hk\$|s\$|r\$|[€$£₹¥₦₱₩₺₫₴]|usd|eur(?:os?)?|chf|gbp|inr|sek|nok|dkk|pln|czk|huf|ron|aed|sar|ils|kes|ngn|zar|ghs|ugx|tzs|rwf|brl|mxn|aud|cad|nzd|sgd|hkd|jpy|cny|rmb|krw|idr|thb|vnd|myr|bdt|pkr|rm|ugx|lkr|npr|egp|twd|clp|ars|uah|rs\.?|dollars?|franken)`;
const FACTOR = String.raw`(?:k|m|mm|mn|b|bn|t|mio\.?|mrd\.?|tsd\.?|cr(?:ore)?|lakhs?|million(?:s|en)?|billion(?:s)?|milliarden?|thousand|tausend)`;
/** Source of a pattern for an amount of money. */
export const MONEY = String.raw`(?:${CURRENCY}\s?-?\d[\d.,']*\+?(?:\s?${FACTOR})?|\d[\d.,']*\s?(?:${FACTOR}\s?)?${CURRENCY}|t€\s?\d[\d.,]*|\d[\d.,]*\s?t€)`;
/** Source of a pattern for a span of time. */
export const SPAN = String.raw`(?:\d+(?:\s?[-–]\s?\d+)?|one|two|three|four|five|six|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|acht|neun|zehn|zwölf)\+?[- ](?:days?|weeks?|months?|years?|tagen?|wochen?|monaten?|jahren?)`;
/** Source of a pattern for a share. */
export const PERCENT = String.raw`\d[\d.,]*\s?(?:%|percent|per cent|prozent)`;

export const money: RegExp = anyOf(MONEY);
export const percent: RegExp = /\d[\d.,]*\s?(?:%|(?:percent|per cent|prozent)(?!\p{L}))/giu;
export const moneyOrPercent: RegExp = new RegExp(`${money.source}|${percent.source}`, 'giu');
/** A number that counts or measures something: not a year, not the number of an item. */
export const anyFigure: RegExp =
  /(?<![\p{L}\d.,/-])(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d[\d.,]*(?:\s?[%+x]|(?=\s?\p{L})|(?=\s*[-–:/]))|(?<!\d)(?!(?:19|20)\d\d(?![\d.,]*[\d%]))\d{2,}[\d.,]*/giu;

/** People and organisations that have problems, use and pay. */
export const WHO: RegExp = anyOf(
  'people|patients?|hospitals?|clinics?|doctors?|physicians?|nurses?|clinicians?|radiologists?|caregivers?|compan(?:y|ies)|teams?|customers?|clients?|users?|consumers?|families|parents|employers?|employees|insurers?|farmers?|smes?|smbs?|business(?:es)?|organi[sz]ations?|enterprises?|women|men|adults|children|students?|teachers?|schools?|managers?|operators?|drivers?|practices|pharmac(?:y|ies)|developers|engineers|retailers?|merchants?|brands?|tenants|landlords|residents|investors|creators|freelancers|startups|founders|municipalities|cities|manufacturers?|graduates|athletes|gyms|travell?ers|owners|seniors|youth|individuals',
  'menschen|patient\\p{L}*|klinik\\p{L}*|krankenh\\p{L}*|ärzt\\p{L}*|arzt|pflege(?:kräfte\\p{L}*|nde\\p{L}*|heim\\p{L}*)|unternehmen|firmen|betriebe\\p{L}*|kund\\p{L}*|nutzer\\p{L}*|familien|eltern|angehörige\\p{L}*|arbeitgeber|krankenkassen?|landwirt\\p{L}*|frauen|männer|erwachsene|kinder|mitarbeit\\p{L}*|praxen|apotheken|händler|betroffene\\p{L}*|beschäftigte\\p{L}*|schüler\\p{L}*|student\\p{L}*|studierende\\p{L}*|lehrkräfte|lehrer\\p{L}*|kommunen|städte|mieter\\p{L}*|hersteller|verbraucher\\p{L}*|senior\\p{L}*|jugendliche\\p{L}*',
);
