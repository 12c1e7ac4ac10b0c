/**
 * When a fact of a review is the labelled one, topic by topic. A value that both state has to agree; money and shares as numbers.
 */
import type { ReportFact } from '../decks/report.ts';
import { statementOfFact } from '../profile/statement.ts';
import type { ProfileTopic } from '../profile/topics.ts';
import { figuresAgree, sameName, sameStatement, shareFigure, shareWord, type Agreement } from './same-words.ts';
import type { FactLabel } from './topic-labels.ts';

/**
 * `right`: the labelled fact. `partly`: the fact without a value that the label has, with another role, or given as a plan though it has been
 * reached. `wrong`: the fact with another value, or a plan given as reached.
 */
export const PAIR_OUTCOMES = ['right', 'partly', 'wrong'] as const;
export type PairOutcome = (typeof PAIR_OUTCOMES)[number];

/** How far a found fact agrees with a labelled one. */
export interface FactPair {
  readonly outcome: PairOutcome;
  /** From 0 to 1, for the choice between pairs of one outcome. */
  readonly score: number;
}

/** Rounding of amounts and shares: 0.5 % of the amount, half a point of the share. */
const [AMOUNT_ROUNDING, SHARE_ROUNDING] = [0.005, 0.5];
/** Score of a pair that agrees in its figure, and hardly or not in its words. */
const BY_FIGURE = 0.4;
/** Statements with other figures are about one thing from here on; below, they may be two achievements. */
const SURELY_SAME = 0.65;

/** A fact as it is compared. */
type FoundFact = Pick<
  ReportFact,
  'name' | 'value' | 'amount' | 'minAmount' | 'currency' | 'percent' | 'isPlan' | 'evidence'
>;

/** Compares a fact with a label in each of its wordings; null where it is about something else. */
export function pairOf(topic: ProfileTopic, wanted: FactLabel, found: FoundFact): FactPair | null {
  const others = (wanted.also ?? []).map((words) => ({
    ...wanted,
    [wanted.name === undefined ? 'text' : 'name']: words,
  }));
  const pairs = [wanted, ...others].flatMap((label) => pairOfWording(topic, label, found) ?? []);
  const rank = ({ outcome }: FactPair): number => PAIR_OUTCOMES.indexOf(outcome);
  return pairs.toSorted((a, b) => rank(a) - rank(b) || b.score - a.score)[0] ?? null;
}

function pairOfWording(topic: ProfileTopic, wanted: FactLabel, found: FoundFact): FactPair | null {
  switch (topic) {
    case 'offering':
    case 'customers':
    case 'stage':
      return pair('right', sameStatement(wanted.text ?? '', statementOfFact(topic, found)));
    case 'traction':
      return tractionPair(wanted, found);
    case 'team':
      return teamPair(wanted, found);
    case 'competition':
      return pair('right', sameName(wanted.name ?? '', found.name || found.value));
    case 'use_of_funds':
      return usePair(wanted, found);
    case 'market':
      return marketPair(wanted, found);
    case 'ask':
      return askPair(wanted, found);
  }
}

const pair = (outcome: PairOutcome, score: number): FactPair | null => (score > 0 ? { outcome, score } : null);

function tractionPair({ text = '', plan }: FactLabel, found: FoundFact): FactPair | null {
  const statement = statementOfFact('traction', found);
  const isSameFigure = shareFigure(text, statement) && shareWord(text, statement);
  const score = Math.max(isSameFigure ? BY_FIGURE : 0, sameStatement(text, statement));
  if (figuresAgree(text, statement) === 'differ') return score < SURELY_SAME ? null : { outcome: 'wrong', score };
  if (plan === true) return pair(found.isPlan ? 'right' : 'wrong', score);
  return pair(found.isPlan ? 'partly' : 'right', score);
}

function teamPair({ name = '', role = '' }: FactLabel, found: FoundFact): FactPair | null {
  const isSameRole = role === '' || shareWord(role, found.value);
  return pair(isSameRole ? 'right' : 'partly', sameName(name, found.name));
}

function usePair(wanted: FactLabel, found: FoundFact): FactPair | null {
  const { name = '' } = wanted;
  const values = [shareAgrees(wanted, found), moneyAgrees(wanted, found)];
  const hasValue = isNumber(wanted.share) || isNumber(wanted.amount);
  const score = Math.max(sameName(name, found.name), sameStatement(name, found.name));
  if (values.includes('differ')) return pair('wrong', score);
  return pair(hasValue && !values.includes('agree') ? 'partly' : 'right', score);
}

const MARKET_KIND = /(?<!\p{L})(tam|sam|som)(?!\p{L})/giu;
const marketKinds = (text: string): string[] => [...text.matchAll(MARKET_KIND)].map(([kind]) => kind.toLowerCase());

function marketPair(wanted: FactLabel, found: FoundFact): FactPair | null {
  const [words, statement] = [`${wanted.name} ${wanted.text ?? ''}`, statementOfFact('market', found)];
  const [kinds, foundKinds] = [marketKinds(words), marketKinds(statement)];
  if (kinds.length > 0 && foundKinds.length > 0 && !foundKinds.some((kind) => kinds.includes(kind))) return null;
  const name = sameName(wanted.name ?? '', found.name);
  const score = Math.max(name, sameStatement(wanted.name ?? '', found.name), sameStatement(words, statement));
  const money = moneyAgrees(wanted, found);
  if (money === 'agree') return { outcome: 'right', score: Math.max(BY_FIGURE, score) };
  if (money === 'differ') return pair('wrong', score);
  const isRate = found.percent !== null && figuresAgree(words, `${found.percent} %`) === 'agree';
  return byFigures(words, statement, isRate ? Math.max(BY_FIGURE, score) : score, isNumber(wanted.amount));
}

function askPair(wanted: FactLabel, found: FoundFact): FactPair | null {
  const { text = '' } = wanted;
  const words = `${found.name} ${found.value}`.trim();
  const score = Math.max(sameStatement(text, words), sameStatement(text, found.value));
  const money = moneyAgrees(wanted, found);
  if (money === 'agree') return { outcome: 'right', score: Math.max(BY_FIGURE, score) };
  if (money === 'differ') return pair('wrong', score);
  if (isNumber(wanted.amount)) return pair('partly', score);
  return byFigures(text, words, score, false);
}

/** Of statements without amounts to compare: their figures decide. @param hasAmount the label has an amount, so another figure may be one beside it */
function byFigures(text: string, statement: string, score: number, hasAmount: boolean): FactPair | null {
  const figures = figuresAgree(text, statement);
  switch (figures) {
    case 'agree':
      return pair('right', score);
    case 'differ':
      return pair(hasAmount ? 'partly' : 'wrong', score);
    case 'unknown':
      return pair(/\d/u.test(text) && !/\d/u.test(statement) ? 'partly' : 'right', score);
  }
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';

const isClose = (a: number, b: number): boolean =>
  Math.abs(a - b) <= AMOUNT_ROUNDING * Math.max(Math.abs(a), Math.abs(b));

/** Of a range either end agrees. A currency that is not known agrees with every other. */
function moneyAgrees({ amount, currency }: FactLabel, found: FoundFact): Agreement {
  const given = [found.amount, found.minAmount].filter(isNumber);
  if (!isNumber(amount) || given.length === 0) return 'unknown';
  const isCurrency = !currency || found.currency === null || currency === found.currency;
  return isCurrency && given.some((each) => isClose(each, amount)) ? 'agree' : 'differ';
}

function shareAgrees({ share }: FactLabel, { percent }: FoundFact): Agreement {
  if (!isNumber(share) || percent === null) return 'unknown';
  return Math.abs(share - percent) <= SHARE_ROUNDING ? 'agree' : 'differ';
}
