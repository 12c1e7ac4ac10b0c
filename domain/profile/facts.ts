/** Typed values of the facts of a profile, and the check of a fact against the quote that carries it. */
import { findMoney, parseAmount, type Money } from '../evidence/money.ts';
import type { QuoteCheck } from '../evidence/quote-check.ts';
import { checkNamingQuote, containsNumbers, containsWords } from '../evidence/value-check.ts';
import type { PageLayout } from '../pages/page.ts';
import { isPlanned } from './plans.ts';
import type { ProfileFactOutput } from './schema.ts';
import type { ProfileTopic } from './topics.ts';

/** Value of a fact in one form for all wordings. */
export interface TypedValue {
  /** Set for an amount of money, in units of its currency (ISO 4217); `minAmount` is the lower end of a range. */
  readonly amount: number | null;
  readonly minAmount: number | null;
  readonly currency: string | null;
  /** Set for a share, in percent. */
  readonly percent: number | null;
  /** True for something that is only planned. */
  readonly isPlan: boolean;
}

const SHARE = /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:%|percent|prozent)/iu;

/** Topics whose facts say what has been reached: plan words make a plan of them. */
const REACHED: readonly ProfileTopic[] = ['traction'];

/** Reads the value of a fact by rule; its words stand beside it. */
export function typedValue(topic: ProfileTopic, { quote, name, value }: ProfileFactOutput): TypedValue {
  const money = hasAmount(topic) ? moneyOf(value) : null;
  const share = topic === 'use_of_funds' || topic === 'market' ? SHARE.exec(value)?.[1] : undefined;
  return {
    amount: money?.amount ?? null,
    minAmount: money?.minAmount ?? null,
    currency: money?.currency ?? null,
    percent: share === undefined ? null : Number(share.replace(',', '.')),
    isPlan: REACHED.includes(topic) && isPlanned(name, quote),
  };
}

const hasAmount = (topic: ProfileTopic): boolean => topic === 'ask' || topic === 'use_of_funds' || topic === 'market';

/** A bare number of a value is no amount. */
const moneyOf = (value: string): Money | null => (findMoney(value).length > 0 ? parseAmount(value) : null);

/** Letters and digits alone: a name may be broken over two lines of its cell. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Verdict on the quote of a fact: the page must say it, and it must carry the fact. Names of people and competitors stand in it word for word;
 * of everything else its numbers do, because other words may be the model's own.
 */
export function checkFact(
  topic: ProfileTopic,
  { name, value }: Pick<ProfileFactOutput, 'name' | 'value'>,
  quote: string,
  layout: PageLayout | null,
): QuoteCheck {
  const isNamed = topic === 'team' || topic === 'competition';
  return checkNamingQuote('fact', quote, layout, () =>
    isNamed
      ? containsWords(quote, name) || lettersOf(quote).includes(lettersOf(name))
      : containsNumbers(quote, value === '' ? name : value),
  );
}
