/** The rules over many decks with the traits that their seeds draw, and over each trait alone. */
import { expect, it } from 'vitest';
import { READABLE_TRAITS } from '../../../samples/generator/traits.ts';
import { accuracyOf, invented, readSeeds, sharesOf, tableOf } from './accuracy.ts';

/** Apart from the seeds that the rules were tried on. */
const SEEDS = Array.from({ length: 60 }, (_, index) => 8001 + index);

it('the facts of 60 decks with the traits of real decks', async ({ annotate }) => {
  const decks = await readSeeds(SEEDS);
  await annotate(tableOf(decks));
  const shares = sharesOf(decks.map(({ reading }) => reading));
  expect(accuracyOf(shares.company)).toBeGreaterThanOrEqual(0.98);
  expect(accuracyOf(shares.offering)).toBeGreaterThanOrEqual(0.95);
  expect(accuracyOf(shares.sector)).toBeGreaterThanOrEqual(0.9);
  expect(accuracyOf(shares.date)).toBeGreaterThanOrEqual(0.95);
  expect(accuracyOf(shares.ask)).toBeGreaterThanOrEqual(0.95);
  expect(accuracyOf(shares.answers)).toBeGreaterThanOrEqual(0.65);
  // Single words are still taken for an answer, most often about the team and the yearly costs.
  expect(accuracyOf(shares.silence)).toBeGreaterThanOrEqual(0.8);
  expect(accuracyOf(shares.quotes)).toBeGreaterThanOrEqual(0.99);
  // An amount of an earlier round is taken for the ask where a deck asks for none.
  expect(invented(decks).length).toBeLessThanOrEqual(1);
});

it('no amount and no date is given where 40 further decks state none, and their quotes are verified', async ({
  annotate,
}) => {
  const decks = await readSeeds(Array.from({ length: 40 }, (_, index) => 1000 + index));
  await annotate(tableOf(decks));
  expect(invented(decks).filter((line) => / (?:ask|date) invented/u.test(line))).toEqual([]);
  const { company, offering, sector, ask, date, quotes } = sharesOf(decks.map(({ reading }) => reading));
  for (const share of [company, offering, sector, ask, date]) expect(accuracyOf(share)).toBeGreaterThanOrEqual(0.7);
  expect(quotes.of).toBeGreaterThan(200);
  expect(accuracyOf(quotes)).toBeGreaterThanOrEqual(0.9);
});

it.each(READABLE_TRAITS.map((trait) => [trait]))(
  'the company is found, and the offering but for one deck, with %s',
  async (trait) => {
    const decks = await readSeeds([9001, 9002, 9003, 9004], [trait]);
    const { company, offering } = sharesOf(decks.map(({ reading }) => reading));
    expect(company, tableOf(decks)).toEqual({ right: 4, of: 4 });
    // In deck 9004 a step of the treatment can win, as in one of twenty decks; what a trait hides is lost in each.
    expect(offering.right, tableOf(decks)).toBeGreaterThanOrEqual(3);
  },
  120_000,
);
