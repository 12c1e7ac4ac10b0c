/**
 * Sums that a sentence or label of a deck asks for. Taken only where the words that ask stand beside the sum and nothing says that it is
 * another round, another time or another hand: a sum that is missed costs nothing, a wrong one makes a false contradiction.
 */
import { lowerCase } from '../text/lower-case.ts';
import { countsNothing, FOR_SHARE, isMoneyByWords } from './money-words.ts';
import { findBareAmounts, findMoney, type Money } from './money.ts';

/** A sum that is asked for. */
export interface StatedAsk {
  /** Name of the round, `seed`; empty where none is named. */
  readonly round: string;
  readonly money: Money;
  /** As written. */
  readonly value: string;
  /** True for "€2M+". */
  readonly atLeast: boolean;
}

/** Words that put a sum into another round, another time or another hand. */
const OTHER_ROUND =
  /(?<!\p{L})(?:raised|closed|secured|received|committed|commitments?|soft|previous(?:ly)?|prior|earlier|last|next|later|future|follow[- ]on|upcoming|subsequent|then|after|already|first|second|third|tranches?|phase|stage|milestone|step|remaining|further|additional|another|matching|grants?|loan|debt|each|per|competitors?|launched|crowdfund\p{L}*|indiegogo|kickstarter|bisher\p{L}*|bereits|eingeworben|zugesagt|nächste\p{L}*|spätere\p{L}*|folge\p{L}*|erste\p{L}*|zweite\p{L}*|weitere\p{L}*|zusätzlich\p{L}*|phase|tranche\p{L}*|fördermittel)(?!\p{L})/u;
const ASK_BEFORE =
  /(?:^(?:funding|raise|round|investment|finanzierung|kapital) ?[:–-] ?|(?<!\p{L})(?:raising|(?:seeking|asking for|looking for|looking to raise|want to raise|need to raise|to raise)|(?:our|the|funding|investment) ask|ask(?=:)|funding (?:need(?:ed)?|required|requirement|sought|target)|capital (?:need(?:ed)?|required|requirement)|round size|target raise|raise target|we need|kapitalbedarf|finanzierungsbedarf|investitionsbedarf|(?:wir )?suchen|gesucht(?:es kapital)?|wir benötigen|rundenvolumen|finanzierungsrunde von|finanzierungsrunde über)(?!\p{L})[^\d€$£₹]{0,30})$/u;

/** Behind a sum: what is given for it, or that it is the round. */
const ASK_AFTER = new RegExp(
  String.raw`${FOR_SHARE} (?:of )?(?:the )?(?:company|equity|stake|shares?|ownership|der anteile|anteile|beteiligung)|^ (?:(?:pre-?seed|seed|series [a-e]|bridge)[ -])?(?:funding |financing |investment )?(?:round|raise|ask)(?!\p{L})`,
  'u',
);
/** A label that asks for what stands below it. */
const LABEL =
  /^(?:(?:the|our|funding|investment|seed|capital) )?(?:ask|funding (?:required|needed|sought|requirement)|raise|we(?:'re| are) (?:raising|seeking)|raising|seeking|wir suchen|kapitalbedarf|finanzierungsbedarf|gesucht)[:.]?$/u;
const ROUND = /(?<!\p{L})(?:pre-?seed|seed|series [a-e]|serie [a-e]|bridge)(?!\p{L})/u;
/** Multipliers that are mostly said of money. */
const RUPEES = /crore|lakh|lac|cr$/iu;

const LEAST = 10_000;
/** Letters before a sum in which the words that ask are looked for. */
const REACH = 70;
/** A sum with a round behind it asks in a label; a longer sentence may tell of any round. */
const MAX_LABEL_WORDS = 8;
/** Words beside a sum that stands below a label. */
const MAX_WORDS_BESIDE = 3;

function amountsOf(sentence: string): { money: Money; start: number; end: number }[] {
  const bare = findBareAmounts(sentence)
    .filter((place) => {
      const isRupees = RUPEES.test(sentence.slice(place.start, place.end));
      return isMoneyByWords(sentence, place, []) || (isRupees && countsNothing(sentence.slice(place.end)));
    })
    .map(({ amount, ...place }) => ({
      ...place,
      money: { amount, currency: null, kind: 'exact', minAmount: null } as const,
    }));
  return [...findMoney(sentence), ...bare];
}

/**
 * The sums that a sentence asks for.
 * @param before the sentence or label above it on its page; empty for the first
 */
export function statedAsks(sentence: string, before: string): StatedAsk[] {
  const lower = lowerCase(sentence);
  if (OTHER_ROUND.test(lower)) return [];
  const round = ROUND.exec(lower)?.[0].replace('-', '') ?? '';
  const amounts = amountsOf(sentence).filter(({ money }) => money.amount >= LEAST);
  const words = lower.split(/\s+/u).length;
  return amounts.flatMap(({ money, start, end }) => {
    const [lead, rest] = [lower.slice(Math.max(0, start - REACH), start), lower.slice(end)];
    const beside = `${lower.slice(0, start)} ${rest}`.match(/\p{L}+/gu)?.length ?? 0;
    const below = LABEL.test(before.trim().toLowerCase()) && beside <= MAX_WORDS_BESIDE && amounts.length === 1;
    const asks = ASK_BEFORE.test(lead) || below || (words <= MAX_LABEL_WORDS && ASK_AFTER.test(rest));
    return asks
      ? [{ round, money, value: sentence.slice(start, end), atLeast: /^\s?\+/u.test(sentence.slice(end)) }]
      : [];
  });
}
