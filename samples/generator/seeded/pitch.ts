/**
 * What one seeded deck is going to say: its business, name, sum and date, decided once before any slide is written.
 */
import { randomFrom, type Random } from '../random.ts';
import type { QuestionSlug } from '../../../domain/evaluation/deck-truth.ts';
import { MONTHS, printedDate, type PrintedDate } from './dates.ts';
import { companyName, legalName } from './looks.ts';
import { askedSum, OTHER_CURRENCIES, type Currency } from './money.ts';
import { fill, type GenericSlug, PHRASES, type Phrases } from './phrases.ts';
import type { Trait } from '../traits.ts';
import { type Venture, VENTURES } from './ventures.ts';

/** Everything the slides of one deck draw on. */
export interface Pitch {
  readonly seed: number;
  readonly traits: ReadonlySet<Trait>;
  readonly random: Random;
  readonly language: 'en' | 'de';
  readonly venture: Venture;
  readonly phrases: Phrases;
  readonly company: string;
  readonly legal: string;
  readonly city: string;
  readonly currency: Currency;
  /** The sum asked for, as number and as printed; null when the deck asks for none. */
  readonly ask: { readonly amount: number; readonly text: string } | null;
  /** The printed date; null when the deck carries none. */
  readonly date: PrintedDate | null;
  readonly year: number;
  /** Share of optional statements the deck makes. */
  readonly openness: number;
  /** Where the company's name stands first. */
  readonly nameAt: 'title' | 'subtitle' | 'footer' | 'domain' | 'picture' | 'logo';
  /** The company's web domain. */
  readonly domain: string;
  /** Whether the offering stands on the cover or on the slide about the solution. */
  readonly offerAt: 'cover' | 'solution';
  readonly dateAt: 'cover' | 'footer' | 'closing';
  /** Fills the blanks of a phrase. */
  say(phrase: string): string;
}

const SUMS = [
  400e3, 500e3, 600e3, 750e3, 850e3, 1e6, 1.2e6, 1.5e6, 1.8e6, 2e6, 2.4e6, 2.5e6, 3e6, 3.2e6, 3.5e6, 4e6, 4.5e6, 5e6,
  6.5e6, 7e6, 8e6, 10e6, 12e6,
];

/** Upper-cases the first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Traits of decks that ask for a sum. */
const ASKING: readonly Trait[] = [
  'ask_on_cover',
  'ask_in_footer',
  'parts_of_ask',
  'other_currency',
  'legend_beside_pie',
];
/** Traits of decks that say much, so that there is something to lay out. */
const OPEN: readonly Trait[] = ['columns', 'number_boxes', 'card_grid', 'tables'];

/** Decides a deck. Equal seeds and traits give equal stories. */
export function pitchOf(seed: number, traits: ReadonlySet<Trait> = new Set()): Pitch {
  const anyOf = (wanted: readonly Trait[]): boolean => wanted.some((trait) => traits.has(trait));
  const random = randomFrom(seed);
  const place = (((seed * 12 + 5) % VENTURES.length) + VENTURES.length) % VENTURES.length;
  const { venture, language } = VENTURES[place] ?? random.pick(VENTURES);
  const phrases = PHRASES[language];
  const currencies: readonly Currency[] =
    language === 'de' ? ['EUR', 'EUR', 'EUR', 'CHF'] : ['EUR', 'USD', 'USD', 'GBP', 'CHF'];
  const other = traits.has('other_currency') ? random.pick(Object.entries(OTHER_CURRENCIES)) : undefined;
  const currency = other === undefined ? random.pick(currencies) : (other[0] as Currency);
  const company = companyName(seed, language);
  const amount = random.pick(SUMS) * (other?.[1] ?? 1);
  const year = random.int(2024, 2026);
  const month = random.int(1, year === 2026 ? 6 : 12);
  const [rivalOne, rivalTwo] = venture.rivals;
  const [customer = '', pilot = ''] = random.sample(phrases.customers, 2);
  const words: Record<string, string> = {
    company,
    offering: venture.offering,
    users: venture.users,
    payers: venture.payers,
    Users: capital(venture.users),
    Payers: capital(venture.payers),
    unit: venture.unit,
    market: venture.market,
    rivalOne,
    rivalTwo,
    customer,
    pilot,
    month: random.pick(MONTHS[language]),
    pastYear: String(year - random.int(1, 2)),
    ...Object.fromEntries([1, 2, 4, 5].map((years) => [`year+${years}`, String(year + years)])),
    'year-1': String(year - 1),
  };
  const asks = random.chance(0.78) || anyOf(ASKING);
  const ask = asks ? { amount, text: askedSum(amount, currency, language, random) } : null;
  if (ask !== null) words['ask'] = ask.text;
  const hiddenName = traits.has('name_only_in_domain')
    ? ('domain' as const)
    : traits.has('name_only_in_picture')
      ? ('picture' as const)
      : traits.has('white_logo')
        ? ('logo' as const)
        : undefined;
  return {
    seed,
    traits,
    random,
    language,
    venture,
    phrases,
    company,
    legal: legalName(company, currency, language, random),
    city: random.pick(phrases.cities),
    currency,
    ask,
    date: random.chance(0.8) || traits.has('running_footer') ? printedDate(year, month, language, random) : null,
    year,
    openness: anyOf(OPEN) ? 1 : 0.45 + random.next() * 0.5,
    nameAt: hiddenName ?? random.pick(['title', 'title', 'title', 'subtitle', 'footer'] as const),
    domain: `${company.toLowerCase().replaceAll(/[^\p{L}]/gu, '')}.example`,
    offerAt: random.chance(0.5) ? 'cover' : 'solution',
    dateAt: traits.has('running_footer')
      ? 'footer'
      : random.pick(['cover', 'cover', 'cover', 'footer', 'closing'] as const),
    // A sum may end in an abbreviation's full stop, and so may the sentence.
    say: (phrase) => fill(phrase, { random, language, currency, words }).replace(/\.\.(?=\s|$)/g, '.'),
  };
}

/** Collects the questions a slide answers while its statements are written. */
export class Statements {
  readonly answers: QuestionSlug[] = [];
  readonly #pitch: Pitch;

  constructor(pitch: Pitch) {
    this.#pitch = pitch;
  }

  /** A statement from the business idea that answers the given questions. */
  own(text: string, ...slugs: readonly QuestionSlug[]): string {
    this.answers.push(...slugs);
    return this.#pitch.say(text);
  }

  /** One wording of the answer to a general question. */
  answer(slug: GenericSlug): string {
    this.answers.push(slug);
    return this.#pitch.say(this.#pitch.random.pick(this.#pitch.phrases.answers[slug]));
  }

  /** Answers to those of the questions this deck is open about. */
  some(...slugs: readonly GenericSlug[]): string[] {
    return slugs.filter(() => this.#pitch.random.chance(this.#pitch.openness)).map((slug) => this.answer(slug));
  }

  /** Whether an optional statement is made. */
  open(): boolean {
    return this.#pitch.random.chance(this.#pitch.openness);
  }
}
