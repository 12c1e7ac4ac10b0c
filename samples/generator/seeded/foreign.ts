/**
 * Decks in languages that the rules do not read. They are short: what counts is that the language is noticed, and that nothing is invented.
 */
import { z } from 'zod';
import { QUESTION_SLUGS, SECTOR_SLUGS } from '../../../domain/evaluation/deck-truth.ts';
import type { DeckSpec, SlideSpec } from '../spec.ts';
import { randomFrom } from '../random.ts';
import stories from './foreign-stories.json' with { type: 'json' };
import { companyName, randomTheme } from './looks.ts';
import { CURRENCIES, grouped } from './money.ts';

const text = z.string();

/** Texts of a deck in one language. Blanks: {company}, {ask}, {n}. */
const storySchema = z.strictObject({
  language: text,
  sector: z.enum(SECTOR_SLUGS),
  offering: text,
  occasion: text,
  /** Months in their order, as they stand before a year, between blanks. */
  months: text.transform((names) => names.split(' ')),
  /** Between month and year. */
  monthOf: text,
  currency: z.enum(CURRENCIES),
  /** Forms of a sum; the blank {m} is the number of millions, {plain} the whole amount in groups of three digits. */
  sums: z.array(text),
  ask: text,
  useOfFunds: text,
  slides: z.array(z.strictObject({ title: text, items: z.array(text), answers: z.array(z.enum(QUESTION_SLUGS)) })),
  thanks: text,
});

/** One for each language. */
const STORIES = z.array(storySchema).parse(stories);

const MILLIONS = [0.8, 1.2, 1.5, 2, 2.5, 3, 4];

/** The deck of a seed in a language other than English and German. */
export function foreignDeck(seed: number): DeckSpec {
  const random = randomFrom(`foreign/${seed}`);
  const story = STORIES[Math.abs(seed) % STORIES.length];
  if (story === undefined) throw new RangeError('there is no story');
  const company = companyName(seed, 'en');
  const millions = random.pick(MILLIONS);
  const amount = Math.round(millions * 1e6);
  const sum = random
    .pick(story.sums)
    .replace('{m}', String(millions).replace('.', ','))
    .replace('{plain}', grouped(amount, ' '));
  const year = random.int(2024, 2026);
  const month = random.int(1, 12);
  const date = `${story.months[month - 1] ?? ''}${story.monthOf}${year}`;
  const say = (text: string): string =>
    text
      .replaceAll('{company}', company)
      .replaceAll('{ask}', sum)
      .replaceAll('{n}', () => String(random.int(12, 90)));
  const middle = story.slides.map(({ title, items, answers }): SlideSpec => ({
    kind: 'content',
    title,
    columns: [[{ type: 'bullets', items: items.map(say) }]],
    answers,
  }));
  const ask = say(story.ask);
  const slides: SlideSpec[] = [
    { kind: 'cover', title: company, subtitle: story.offering, lines: [story.occasion, date] },
    ...random.shuffle(middle),
    { kind: 'statement', text: ask, lines: [story.useOfFunds], answers: ['funding_requirements', 'fund_allocation'] },
    { kind: 'statement', text: story.thanks, lines: [company] },
  ];
  return {
    language: story.language,
    // The standard fonts lack letters of Polish.
    theme: { ...randomTheme(random), font: 'dejavu' },
    metadataTitle: 'Presentation',
    footer: company,
    createdAt: new Date(Date.UTC(year, 0, 1)),
    slides,
    sector: story.sector,
    facts: {
      company,
      offering: story.offering,
      amount,
      currency: story.currency,
      date: `${year}-${String(month).padStart(2, '0')}`,
      datePrecision: 'month',
      places: {
        company: { slide: 1, text: company },
        offering: { slide: 1, text: story.offering },
        amount: { slide: slides.length - 1, text: sum },
        date: { slide: 1, text: date },
      },
    },
  };
}
