/**
 * The ledger in a real database: over whole lives its entries are those of the pure accounting and add up to what the provider charged,
 * with rounds that come at any moment, fail on the way, come twice and at the same time.
 */
import { expect } from 'vitest';
import { usdOf } from '../../../../domain/costs/ledger/amounts.ts';
import type { LedgerLine } from '../../../../domain/costs/ledger/facts.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { ledgerPlan, runLedgerPlan, type LedgerLife, type LedgerPlan } from '../../../../testing/fleet/ledger-lives.ts';
import { forAll } from '../../../../testing/property.ts';
import { emptyLedger, roundsOf, storeAttempts, storeDecks, storeHistory } from './ledger-database.ts';

/** USD. */
const EXACT = 1e-6;

it.beforeEach(({ db }) => emptyLedger(db));

async function storeAll(db: PrismaClient, { life, attempts }: LedgerLife): Promise<void> {
  await storeHistory(db, life);
  await storeAttempts(db, life.state.name, attempts);
}

/** Lives this plan with rounds of the ledger in between, and compares the stored entries with the pure ledger. */
async function comparePlan(db: PrismaClient, plan: LedgerPlan): Promise<void> {
  await emptyLedger(db);
  await storeDecks(db);
  const all = await runLedgerPlan(plan, async (now) => {
    await storeAll(db, now);
    const round = roundsOf(db, now.life);
    // Two processes at once, then the same again.
    const both = await Promise.allSettled([round(), round()]);
    await storeAll(db, now);
    for (const one of both) if (one.status === 'rejected') throw one.reason;
    await round();
  });
  const rentals = await db.rental.findMany({ include: { entries: { orderBy: { position: 'asc' } } } });
  const entries = rentals.flatMap((rental) => rental.entries);
  const total = entries.reduce((sum, entry) => sum + Number(entry.amountUsd), 0);
  expect(Math.abs(total - all.chargedUsd())).toBeLessThan(EXACT);
  for (const rental of rentals) {
    expect(rental).toMatchObject({ boundsFrom: 'provider', entryCount: rental.entries.length });
    expect(rental.closedAt).not.toBeNull();
    expect(rental.entries.map((entry) => entry.position)).toEqual(rental.entries.map((_, index) => index));
    const sum = rental.entries.reduce(
      (acc, entry) => acc.plus(entry.amountUsd),
      rental.settledUsd.minus(rental.settledUsd),
    );
    expect(sum.toFixed()).toBe(rental.settledUsd.toFixed());
  }
  // The pure ledger settles everything at once in the end, and comes to the same.
  await all.ledger.settle(all.life.ownMs);
  const lines = [...all.ledger.rentals.values()].flatMap(({ found, lines: own }) =>
    own.map((line) => textOf(found.resourceId, line)),
  );
  const stored = rentals.flatMap((rental) =>
    rental.entries.map((entry) =>
      JSON.stringify([
        rental.resourceId,
        entry.kind,
        entry.fromAt.getTime(),
        entry.untilAt.getTime(),
        entry.amountUsd.toFixed(),
        entry.tenantId,
        entry.analysisId,
        entry.task,
        entry.callId,
      ]),
    ),
  );
  expect(stored.toSorted()).toEqual(lines.toSorted());
}

const textOf = (resourceId: string, { kind, fromMs, untilMs, nanoUsd, owner }: LedgerLine): string =>
  JSON.stringify([
    resourceId,
    kind,
    fromMs,
    untilMs,
    usdOf(nanoUsd).toFixed(),
    owner?.tenantId ?? null,
    owner?.analysisId ?? null,
    owner?.task ?? null,
    owner?.callId ?? null,
  ]);

it('the stored ledger is the pure ledger, entry by entry, and adds up to what was charged', async ({ db }) => {
  await forAll([ledgerPlan], { runs: 40, seed: 42, endOnFailure: true }, (plan) => comparePlan(db, plan));
});
