/**
 * The phrase pools of each language, and the filling of their blanks.
 *
 * A phrase may hold blanks: `{12-60}` a whole number, `{%3-9}` a percentage, `{=7400}` a sum, `{$20000-90000}` a random sum of two digits'
 * precision in the deck's currency, `{word}` a named word of the deck. An unknown name throws, so that no blank is printed.
 */
import { z } from 'zod';
import type { Random } from '../random.ts';
import { QUESTION_SLUGS } from '../../../domain/evaluation/deck-truth.ts';
import { listOf, texts } from '../spec.ts';
import { money, type Currency } from './money.ts';
import german from './phrases.de.json' with { type: 'json' };
import english from './phrases.en.json' with { type: 'json' };

const genericSlug = z
  .enum(QUESTION_SLUGS)
  .exclude([
    'target_problem',
    'problem_nature',
    'pain_points',
    'problem_quantification',
    'solution_description',
    'differentiation',
    'current_solutions',
    'competitive_landscape',
    'quantified_advantage',
    'funding_requirements',
    'fund_allocation',
    'team_experience',
  ]);
/** A question whose answer does not depend on the kind of business. */
export type GenericSlug = z.infer<typeof genericSlug>;

/** Subjects of slides of a seeded deck. */
export const slideSubject = z.enum([
  'problem',
  'solution',
  'proof',
  'market',
  'competition',
  'traction',
  'customers',
  'model',
  'financials',
  'ask',
  'team',
  'roadmap',
]);
/** The subject of a slide. */
export type SlideSubject = z.infer<typeof slideSubject>;

const text = z.string();

const phrasesSchema = z.strictObject({
  /** Several wordings of each answer. */
  answers: z.record(genericSlug, texts),
  titles: z.record(slideSubject, texts),
  /** How the sum is asked for; the blank is {ask}. */
  asks: texts,
  /** Label beside the sum when it stands alone in large type. */
  askLabels: texts,
  /** Labels of two parts of a round and of their total. */
  askParts: listOf(z.tuple([text, text, text])),
  /** How a cover or a footer asks, in a few words; the blank is {ask}. */
  shortAsks: texts,
  /** Behind the name in a footer with ©. */
  rights: texts,
  /** Short titles of cards. */
  cardTitles: texts,
  /** What a deck that names no sum says about its financing. */
  noAsk: texts,
  /** How the offering is stated; blanks {company} and {offering}. */
  offers: texts,
  /** How the cover names the occasion, without a date. */
  occasions: texts,
  /** Earlier rounds: sums that are not the ask. */
  earlierRounds: texts,
  marketSizes: texts,
  milestones: texts,
  taglines: texts,
  closings: texts,
  roles: z.tuple([text, text, text, text]),
  staff: texts,
  uses: texts,
  cities: texts,
  customers: texts,
  firstNames: texts,
  lastNames: texts,
  words: z.strictObject({
    useOfFunds: text,
    revenue: text,
    costs: text,
    inThousands: text,
    confidential: text,
    founded: text,
    us: text,
    price: text,
    speed: text,
    service: text,
    yes: text,
    no: text,
    partly: text,
    plan: text,
    quarterly: text,
    round: text,
    sum: text,
    runway: text,
    monthsWord: text,
    criterion: text,
    person: text,
    role: text,
    background: text,
  }),
});
/** Everything a seeded deck says in one language that is not about its business idea. */
export type Phrases = z.infer<typeof phrasesSchema>;

/** Phrases of seeded decks, by language. */
export const PHRASES: Readonly<Record<'en' | 'de', Phrases>> = {
  en: phrasesSchema.parse(english),
  de: phrasesSchema.parse(german),
};

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
