/**
 * The truth about a sample deck: what a careful human reader finds in it, as written to `<deck>.json`.
 *
 * The truth is written down together with the slides, never read back from a PDF, so that it can judge a reader. A fact the deck does
 * not state is null: a reader that gives a value there has invented it.
 */
import { z } from 'zod';
import { SECTOR_SLUGS } from '../models/result-schemas.ts';

export { SECTOR_SLUGS };

/** The 34 questions of the Seven-Chapter review. */
export const QUESTION_SLUGS = [
  'target_problem',
  'problem_nature',
  'pain_points',
  'problem_quantification',
  'solution_description',
  'differentiation',
  'current_solutions',
  'competitive_landscape',
  'quantified_advantage',
  'paying_customers',
  'pilot_customers',
  'customer_acquisition',
  'customer_satisfaction',
  'churn_analysis',
  'payer_identification',
  'payer_vs_user',
  'decision_making',
  'sales_cycle',
  'pricing_strategy',
  'unit_economics',
  'monthly_burn',
  'monthly_sales',
  'financial_fluctuations',
  'annual_burn',
  'funding_requirements',
  'fund_allocation',
  'priority_deficits',
  'investment_strategy',
  'future_state',
  'team_experience',
  'organizational_maturity',
  'team_composition',
  'skill_gaps',
  'urgent_hiring',
] as const;

/** One question of the Seven-Chapter review. */
export type QuestionSlug = (typeof QUESTION_SLUGS)[number];

/** Where a fact is stated: the slide (counted from 1) and the words as printed on it. */
const FactPlace = z.object({ slide: z.int().min(1), text: z.string().min(1) });
/** Where a fact is stated on the slides. */
export type FactPlace = z.infer<typeof FactPlace>;

/** ISO 8601 date as precise as the deck is: `2026-03-15`, `2026-03` (only a month is given) or `2026` (only a year is given). */
const IsoDate = z.string().regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/);

/** ISO 4217 code. */
const CurrencyCode = z.string().regex(/^[A-Z]{3}$/u);

const topicText = z.object({ text: z.string().min(1) });

/** One fact of each topic, without its places. A topic holds a list of them. */
export const TOPIC_FACTS = {
  /** A group that the deck names as a target: users, segments, payers. */
  customers: topicText,
  /** A use of the money sought. `share` in percent, `amount` in whole units; null where the deck gives none. */
  use_of_funds: z.object({
    name: z.string().min(1),
    share: z.number().nullable(),
    amount: z.number().nullable(),
    currency: CurrencyCode.nullable(),
  }),
  /** An achievement; `plan` where it is only planned, targeted or still to be signed. */
  traction: topicText.extend({ plan: z.boolean() }),
  /** `role` as written, empty where there is none. */
  team: z.object({ name: z.string().min(1), role: z.string() }),
  /** A figure of market size in whole units; `amount` is null for a rate or where no sum of money is meant. */
  market: z.object({
    name: z.string().min(1),
    amount: z.number().nullable(),
    currency: CurrencyCode.nullable(),
    text: z.string().min(1),
  }),
  /** A competitor or an alternative that the deck names. */
  competition: z.object({ name: z.string().min(1) }),
  /** The round by its name, and the state of product or company. */
  stage: topicText,
} as const;

/** A topic of which the truth names the facts. */
export type TopicName = keyof typeof TOPIC_FACTS;
/** All topics of which the truth names facts. */
export const TOPIC_NAMES = Object.keys(TOPIC_FACTS) as readonly TopicName[];
/** A fact of a topic without its places. */
export type TopicFact<T extends TopicName = TopicName> = z.infer<(typeof TOPIC_FACTS)[T]>;

const fraction = z.number().min(0).max(1);
/**
 * A slide (counted from 1) that states a fact, and the part of the page where it does: left, top, right and bottom as fractions of the page
 * from its top left corner.
 */
export const TopicPlace = z.object({
  slide: z.int().min(1),
  box: z.tuple([fraction, fraction, fraction, fraction]).optional(),
});
/** Where a fact of a topic is stated. */
export type TopicPlace = z.infer<typeof TopicPlace>;

const places = { places: z.array(TopicPlace).min(1) };

/** The facts of topics with their places, the best first. A topic that is not a key is not judged; an empty list: the deck states none. */
export const DeckTopics = z
  .object({
    customers: z.array(TOPIC_FACTS.customers.extend(places)),
    use_of_funds: z.array(TOPIC_FACTS.use_of_funds.extend(places)),
    traction: z.array(TOPIC_FACTS.traction.extend(places)),
    team: z.array(TOPIC_FACTS.team.extend(places)),
    market: z.array(TOPIC_FACTS.market.extend(places)),
    competition: z.array(TOPIC_FACTS.competition.extend(places)),
    stage: z.array(TOPIC_FACTS.stage.extend(places)),
  })
  .partial();
/** The facts of topics with their places. */
export type DeckTopics = z.infer<typeof DeckTopics>;

const facts = {
  /** Name of the company as it calls itself, without its legal form. */
  company: z.string().min(1).nullable(),
  /** What the company offers, in one short phrase without its name. */
  offering: z.string().min(1).nullable(),
  sector: z.enum(SECTOR_SLUGS).nullable(),
  /** Sum asked for in this round, in whole units of `currency`; null when the deck asks for none. */
  amount: z.int().positive().nullable(),
  /** ISO 4217 code of the sum asked for. */
  currency: CurrencyCode.nullable(),
  /** Date of the deck at the precision the deck gives. A quarter is written as its first month, with `datePrecision` "quarter". */
  date: IsoDate.nullable(),
  datePrecision: z.enum(['day', 'month', 'quarter', 'year']).nullable(),
  /** Question slug → slides (counted from 1) that answer it. A question that is not a key is not answered by the deck. */
  answered: z.partialRecord(z.enum(QUESTION_SLUGS), z.array(z.int().min(1)).min(1)),
  /** Where company, offering, amount and date are stated, word for word. */
  places: z.object({
    company: FactPlace.nullable(),
    offering: FactPlace.nullable(),
    amount: FactPlace.nullable(),
    date: FactPlace.nullable(),
  }),
  /** Facts of the topics that the deck states. Absent: the topics of the deck are not written down. */
  topics: DeckTopics.optional(),
};

/** What the slides of a deck state. */
export const DeckFacts = z.object(facts);
/** What the slides of a deck state. */
export type DeckFacts = z.infer<typeof DeckFacts>;

/**
 * Truth of one deck. What cannot be read in the text layer is null: in an image-only deck each fact (`answered` is empty), in another one
 * perhaps the company alone. `visionOnly` then says what a reader of the pictures finds.
 */
export const DeckTruth = z.object({
  ...facts,
  /** ISO 639-1. */
  language: z.string().regex(/^[a-z]{2}$/u),
  slides: z.int().min(1),
  visionOnly: DeckFacts.optional(),
});
/** Truth of one deck, as stored in `<deck>.json`. */
export type DeckTruth = z.infer<typeof DeckTruth>;

/** The truth of a deck of which a text reader can say nothing, with what its pictures state. */
export function asVisionOnly({ language, slides, ...seen }: DeckTruth): DeckTruth {
  return {
    company: null,
    offering: null,
    sector: null,
    amount: null,
    currency: null,
    date: null,
    datePrecision: null,
    answered: {},
    places: { company: null, offering: null, amount: null, date: null },
    language,
    slides,
    visionOnly: seen,
  };
}

/** Words that name a quarter, for its number; "Q1/26", "3. Quartal 2026", "second quarter". */
const QUARTER = /(?<!\p{L})q ?(?<q>[1-4])(?!\d)|(?<nth>[1-4])(?:st|nd|rd|th|\.)? ?(?:quarter|quartal)(?!\p{L})/iu;

function quarterNamed(words: string): number | null {
  const { q, nth } = QUARTER.exec(words)?.groups ?? {};
  const digit = q ?? nth;
  return digit === undefined ? null : Number(digit);
}

/**
 * Whether a date a reader found agrees with the truth: equal up to the coarser of both precisions, but never coarser than a month where
 * the truth has one. For a quarter every month of it is right, and its year only where the words found name that quarter: ISO 8601 knows no
 * quarter, so a reader of "Q2 2026" can give no more than the year, but a reader that found the year alone has missed what the deck says.
 * A value where the truth has none is wrong, and so is no value where it has one.
 *
 * @param words the date in the words of the deck; null where the reader gives none
 */
export function dateAgrees(
  truth: Pick<DeckFacts, 'date' | 'datePrecision'>,
  found: string | null,
  words: string | null = null,
): boolean {
  if (truth.date === null || found === null) return truth.date === found;
  if (truth.datePrecision === 'year') return found.slice(0, 4) === truth.date;
  if (truth.datePrecision === 'quarter') {
    const quarterOf = (iso: string): number => Math.ceil(Number(iso.slice(5, 7)) / 3);
    if (found.slice(0, 4) !== truth.date.slice(0, 4)) return false;
    return (found.length === 4 ? quarterNamed(words ?? '') : quarterOf(found)) === quarterOf(truth.date);
  }
  const precision = Math.min(truth.date.length, found.length);
  return precision >= 7 && found.slice(0, precision) === truth.date.slice(0, precision);
}
