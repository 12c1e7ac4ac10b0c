/**
 * Whatever becomes of machines, disks and calls: the ledger's lines add up to what the provider charged, however often and whenever it is
 * settled. Lives that once failed are kept in regression-lives.json and run first.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { accountRental } from '../../../../domain/costs/ledger/account.ts';
import { billedTimes } from '../../../../domain/costs/ledger/amounts.ts';
import type { LedgerLine } from '../../../../domain/costs/ledger/facts.ts';
import {
  jumpyLedgerPlan,
  ledgerPlan,
  runLedgerPlan,
  type LedgerLife,
  type LedgerPlan,
} from '../../../../testing/fleet/ledger-lives.ts';
import { nanosIn, type MemoryRental } from '../../../../testing/fleet/memory-ledger.ts';
import { forAll } from '../../../../testing/property.ts';

const SEED = 20_261_122;
const FILE = path.join(import.meta.dirname, 'regression-lives.json');
/** USD. */
const EXACT = 1e-6;

async function checkPlan(plan: LedgerPlan): Promise<void> {
  const all = await runLedgerPlan(plan);
  const { life, ledger } = all;
  const rentals = [...ledger.rentals.values()];
  expect(rentals.filter((rental) => !rental.closed).map((rental) => rental.found.resourceId)).toEqual([]);
  expectBalance(all, rentals);
  for (const rental of rentals) {
    expect(rental.lines.every((line) => line.nanoUsd >= 0n)).toBe(true);
    expectTiled(rental);
    expectSettledOnce(all, rental);
  }
  // Nothing is left to settle, whenever it is tried again.
  const lines = rentals.map((rental) => rental.lines.length);
  await ledger.settle(life.nowMs);
  expect([...ledger.rentals.values()].map((rental) => rental.lines.length)).toEqual(lines);
}

/** Attributed and unattributed together are what was charged. */
function expectBalance(all: LedgerLife, rentals: readonly MemoryRental[]): void {
  const lines = rentals.flatMap((rental) => rental.lines);
  const attributed = nanosIn(lines.filter((line) => line.owner !== null));
  const unattributed = nanosIn(lines.filter((line) => line.owner === null));
  const chargedUsd = all.chargedUsd();
  expect(Math.abs(Number(attributed + unattributed) / 1e9 - chargedUsd)).toBeLessThan(EXACT);
}

/** Every microsecond of the bill is in the lines once, and none lies outside its quarter of an hour. */
function expectTiled({ bill, lines, found }: MemoryRental): void {
  if (bill.state !== 'billed') return expect(lines).toEqual([]);
  const micros = lines.filter((line) => line.kind !== 'unused').reduce((sum, line) => sum + line.shareMicros, 0n);
  const times = billedTimes(bill, { nanoUsdPerHour: 0n });
  const billedMs = times.reduce((sum, { fromMs, untilMs }) => sum + (untilMs ?? 0) - fromMs, 0);
  expect(micros, found.resourceId).toBe(BigInt(billedMs) * 1000n);
  const quarter = (ms: number): number => Math.floor(ms / 900_000);
  expect(lines.every((line) => quarter(line.fromMs) === quarter(line.untilMs - 1))).toBe(true);
}

/** Settled in pieces, at whatever moments, it is the same as settled at once in the end; also from rows that are told twice, in any order. */
function expectSettledOnce({ ledger, life }: LedgerLife, rental: MemoryRental): void {
  const facts = { ...ledger.factsOf(rental, life.nowMs), settledUntilMs: null };
  expect(sums(rental.lines)).toEqual(sums(accountRental(facts, Infinity)));
  const again = { ...facts, rows: facts.rows.flatMap((row) => [row, row]), calls: facts.calls.toReversed() };
  expect(sums(rental.lines)).toEqual(sums(accountRental(again, Infinity)));
}

const sums = (lines: readonly LedgerLine[]): readonly string[] =>
  lines
    .map(({ kind, fromMs, untilMs, owner, nanoUsd, savedNanoUsd, shareMicros }) =>
      JSON.stringify([fromMs, untilMs, kind, owner, String(nanoUsd), String(savedNanoUsd), String(shareMicros)]),
    )
    .toSorted();

it('adds up to what was charged, in whatever pieces it is settled', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LedgerPlan[];
  await forAll(
    [ledgerPlan],
    { runs: 1_000, deepRuns: 500, seed: SEED, examples: kept.map((plan): [LedgerPlan] => [plan]) },
    checkPlan,
  );
});

it('adds up also when histories and calls are written after their time was settled', async () => {
  const check = async (plan: LedgerPlan): Promise<void> => {
    const all = await runLedgerPlan(plan, undefined, 20 * 60_000);
    expectBalance(all, [...all.ledger.rentals.values()]);
  };
  await forAll([ledgerPlan], { runs: 100, seed: SEED }, check);
});

/** What is settled stays, and what it was too much or too little is corrected when the bill has ended. */
it('adds up also when the clock it is settled by is set back and forth', async () => {
  const check = async (plan: LedgerPlan): Promise<void> => {
    const all = await runLedgerPlan(plan);
    // The provider's clock went on: by its own, everything is over.
    await all.ledger.settle(all.life.nowMs);
    await all.ledger.settle(all.life.nowMs + 24 * 3_600_000);
    const rentals = [...all.ledger.rentals.values()];
    expect(rentals.every((rental) => rental.closed)).toBe(true);
    expectBalance(all, rentals);
  };
  await forAll([jumpyLedgerPlan], { runs: 100, seed: SEED }, check);
});
