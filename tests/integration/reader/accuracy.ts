/** Figures over the decks that the rules read. */
import { expect } from 'vitest';
import type { Field, Outcome } from '../../../domain/evaluation/judge.ts';
import { generateDeck } from '../../../samples/generator/generate.ts';
import type { Trait } from '../../../samples/generator/traits.ts';
import { readByRules, shareOf, type RuleReading, type Share } from '../../../testing/rules-on-decks.ts';

/** One deck of a seed. */
export interface DeckReading {
  readonly seed: number;
  readonly traits: readonly Trait[];
  readonly reading: RuleReading;
}

/** Reads the decks of these seeds. @param traits instead of those that each seed draws */
export async function readSeeds(seeds: readonly number[], traits?: readonly Trait[]): Promise<DeckReading[]> {
  const decks: DeckReading[] = [];
  for (const seed of seeds) {
    const deck = await generateDeck(traits === undefined ? { seed } : { seed, traits });
    decks.push({ seed, traits: deck.traits, reading: await readByRules(deck.pdf, deck.truth) });
  }
  return decks;
}

const JUDGED = ['company', 'offering', 'ask', 'date', 'sector'] as const satisfies readonly Field[];
type Shares = Readonly<Record<(typeof JUDGED)[number] | 'answers' | 'silence' | 'quotes', Share>>;

/**
 * What is right of what is stated; `silence`: of the questions that decks do not answer, those without an answer; of quotes, what is verified
 * of what is quoted.
 */
export function sharesOf(readings: readonly RuleReading[]): Shares {
  const outcomes = readings.flatMap(({ questions }) => [...questions.values()]);
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const sum = (of: (reading: RuleReading) => number): number => readings.reduce((all, one) => all + of(one), 0);
  const [company, offering, ask, date, sector] = JUDGED.map((field) => shareOf(readings, field)) as [
    Share,
    Share,
    Share,
    Share,
    Share,
  ];
  return {
    company,
    offering,
    ask,
    date,
    sector,
    answers: { right: count('right'), of: count('right') + count('missed') },
    silence: { right: count('rightly_none'), of: count('rightly_none') + count('invented') },
    quotes: { right: sum(({ verified }) => verified), of: sum(({ quotes }) => quotes) },
  };
}

/** 0 to 1; 1 where nothing is stated. */
export const accuracyOf = ({ right, of }: Share): number => (of === 0 ? 1 : right / of);

/** These shares are right at least so often, each named by its field. */
export function expectAtLeast(shares: Shares, least: Readonly<Partial<Record<keyof Shares, number>>>): void {
  for (const [field, share] of Object.entries(least))
    expect(accuracyOf(shares[field as keyof Shares]), field).toBeGreaterThanOrEqual(share);
}

/** Values where the deck states none. */
export const invented = (decks: readonly DeckReading[]): string[] => faultsOf(decks, ['invented']);

function faultsOf(decks: readonly DeckReading[], outcomes: readonly Outcome[]): string[] {
  return decks.flatMap(({ seed, traits, reading }) =>
    reading.judgements
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(
        ({ field, outcome, found, wanted }) =>
          `${seed} [${traits.join(' ')}] ${field} ${outcome}: ${String(found)} instead of ${String(wanted)}`,
      ),
  );
}

/** Shares by trait, and what is wrong, as lines of text. */
export function tableOf(decks: readonly DeckReading[]): string {
  const traits = [...new Set(decks.flatMap((deck) => deck.traits))];
  const line = (name: string, some: readonly DeckReading[]): string => {
    const shares = Object.entries(sharesOf(some.map(({ reading }) => reading)));
    return `${name}: ${shares.map(([field, { right, of }]) => `${field} ${right}/${of}`).join(', ')}`;
  };
  return [
    line('all', decks),
    ...traits.map((trait) =>
      line(
        trait,
        decks.filter((deck) => deck.traits.includes(trait)),
      ),
    ),
    ...faultsOf(decks, ['wrong', 'missed', 'invented']),
  ].join('\n');
}
