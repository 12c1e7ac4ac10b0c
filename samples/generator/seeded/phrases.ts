/**
 * The shape of a language's phrase pools, and the filling of their blanks.
 *
 * A phrase may hold blanks: `{12-60}` a whole number, `{%3-9}` a percentage, `{=7400}` a sum, `{$20000-90000}` a random sum of two digits'
 * precision in the deck's currency, `{word}` a named word of the deck. An unknown name throws, so that no blank is printed.
 */
import type { Random } from '../random.ts';
import type { QuestionSlug } from '../../../domain/evaluation/deck-truth.ts';
import { money, type Currency } from './money.ts';

/** Questions whose answer does not depend on the kind of business, with several wordings each. */
export type GenericSlug = Extract<
  QuestionSlug,
  | 'paying_customers'
  | 'pilot_customers'
  | 'customer_acquisition'
  | 'customer_satisfaction'
  | 'churn_analysis'
  | 'payer_identification'
  | 'payer_vs_user'
  | 'decision_making'
  | 'sales_cycle'
  | 'pricing_strategy'
  | 'unit_economics'
  | 'monthly_burn'
  | 'monthly_sales'
  | 'financial_fluctuations'
  | 'annual_burn'
  | 'priority_deficits'
  | 'investment_strategy'
  | 'future_state'
  | 'organizational_maturity'
  | 'team_composition'
  | 'skill_gaps'
  | 'urgent_hiring'
>;

/** Slides of a seeded deck by subject. */
export type SlideSubject =
  | 'problem'
  | 'solution'
  | 'proof'
  | 'market'
  | 'competition'
  | 'traction'
  | 'customers'
  | 'model'
  | 'financials'
  | 'ask'
  | 'team'
  | 'roadmap';

/** Everything a seeded deck says in one language that is not about its business idea. */
export interface Phrases {
  readonly answers: Readonly<Record<GenericSlug, readonly string[]>>;
  readonly titles: Readonly<Record<SlideSubject, readonly string[]>>;
  /** How the sum is asked for; the blank is {ask}. */
  readonly asks: readonly string[];
  /** Label beside the sum when it stands alone in large type. */
  readonly askLabels: readonly string[];
  /** Labels of two parts of a round and of their total. */
  readonly askParts: readonly (readonly [first: string, second: string, total: string])[];
  /** How a cover or a footer asks, in a few words; the blank is {ask}. */
  readonly shortAsks: readonly string[];
  /** Behind the name in a footer with ©. */
  readonly rights: readonly string[];
  /** Short titles of cards. */
  readonly cardTitles: readonly string[];
  /** What a deck that names no sum says about its financing. */
  readonly noAsk: readonly string[];
  /** How the offering is stated; blanks {company} and {offering}. */
  readonly offers: readonly string[];
  /** How the cover names the occasion, without a date. */
  readonly occasions: readonly string[];
  /** Earlier rounds: sums that are not the ask. */
  readonly earlierRounds: readonly string[];
  readonly marketSizes: readonly string[];
  readonly milestones: readonly string[];
  readonly taglines: readonly string[];
  readonly closings: readonly string[];
  readonly roles: readonly [string, string, string, string];
  readonly staff: readonly string[];
  readonly uses: readonly string[];
  readonly months: readonly string[];
  readonly cities: readonly string[];
  readonly customers: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly words: Readonly<
    Record<
      | 'useOfFunds'
      | 'revenue'
      | 'costs'
      | 'inThousands'
      | 'confidential'
      | 'founded'
      | 'us'
      | 'price'
      | 'speed'
      | 'service'
      | 'yes'
      | 'no'
      | 'partly'
      | 'plan'
      | 'quarterly'
      | 'round'
      | 'sum'
      | 'runway'
      | 'monthsWord'
      | 'criterion'
      | 'person'
      | 'role'
      | 'background',
      string
    >
  >;
}

/** What blanks are filled from. */
export interface Blanks {
  readonly random: Random;
  readonly language: 'en' | 'de';
  readonly currency: Currency;
  readonly words: Readonly<Record<string, string>>;
}

/** A phrase with its blanks filled. */
export function fill(phrase: string, { random, language, currency, words }: Blanks): string {
  return phrase.replace(/\{([^}]+)\}/g, (_, blank: string) => {
    const range = /^([%$]?)(\d+)-(\d+)$/.exec(blank);
    if (range) {
      const value = random.int(Number(range[2]), Number(range[3]));
      if (range[1] === '$') return money(Number(value.toPrecision(2)), currency, language);
      if (range[1] === '%') return language === 'de' ? `${value} %` : `${value}%`;
      return String(value);
    }
    if (blank.startsWith('=')) return money(Number(blank.slice(1)), currency, language);
    const word = words[blank];
    if (word === undefined) throw new RangeError(`unknown blank {${blank}} in: ${phrase}`);
    return word;
  });
}
