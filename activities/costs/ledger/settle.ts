/**
 * Settles rentals: time whose facts are final becomes ledger entries, once.
 *
 * A rental's row stores how far it is settled and how many entries it has. Both change in the transaction that stores the entries, under a
 * lock of the row, so a repeated or concurrent round continues from there.
 */
import { costLabels } from '../../../domain/metrics/labels.ts';
import { count } from '../../../platform/process-metrics.ts';
import type { Logger } from 'pino';
import type { Accounts } from '../../../clouds/accounts.ts';
import { STATIC } from '../../../clouds/fleet.ts';
import { providerErrorOf } from '../../../clouds/errors.ts';
import { accountRental } from '../../../domain/costs/ledger/account.ts';
import { nanosOf, usdOf } from '../../../domain/costs/ledger/amounts.ts';
import type { BillingInterval, LedgerLine, RentalFacts } from '../../../domain/costs/ledger/facts.ts';
import type { BillPause } from '../../../domain/fleet/provider/billing.ts';
import { correctionOf, settleableUntil, type Settleable } from '../../../domain/costs/ledger/settleable.ts';
import type { PrismaClient, Rental } from '../../../generated/prisma/client.ts';
import { readBilling, billingOfStaticHost, type KnownBilling } from './billing-interval.ts';
import { entryRow } from './entry-row.ts';
import { loadFacts, loadRows } from './rental-facts.ts';
import type { Transaction } from '../../../platform/db.ts';

/** Facts older than this are complete, because histories and calls are stored within seconds. */
export const SETTLE_GRACE_MS = 120_000;
/** Settled in one transaction. */
const MOST_AT_ONCE_MS = 6 * 3_600_000;
/** Rows in one statement; Postgres takes 32,767 parameters. */
const ROWS_AT_ONCE = 1_000;
const SETTLED_WITHIN_MS = 60_000;

/** What one round did. */
export interface SettleCounts {
  readonly entries: number;
  readonly closed: number;
  /** Rentals whose provider did not say when they are billed; the next round asks again. */
  readonly unanswered: number;
}

export interface SettleDeps {
  readonly db: PrismaClient;
  /** Empty for static servers: nothing is rented. */
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Settles every open rental of the fleet's providers, and those of servers that run already. @throws the signal's reason when it fires */
export async function settleRentals(deps: SettleDeps, signal?: AbortSignal): Promise<SettleCounts> {
  const { db, accounts } = deps;
  const providers = [STATIC, ...accounts.names];
  const open = await db.rental.findMany({
    where: { closedAt: null, provider: { in: providers } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  let counts: SettleCounts = { entries: 0, closed: 0, unanswered: 0 };
  for (const rental of open) {
    signal?.throwIfAborted();
    const known = await billOf(deps, rental);
    if (known === null) {
      counts = { ...counts, unanswered: counts.unanswered + 1 };
      continue;
    }
    for (let more = true; more;) {
      const done = await settleOnce(deps, rental.id, known);
      counts = { ...counts, entries: counts.entries + done.entries, closed: counts.closed + (done.closed ? 1 : 0) };
      more = done.more;
    }
  }
  return counts;
}

/** A billing interval as it was known at a time. */
interface AskedBill extends KnownBilling {
  readonly at: Date;
}

async function billOf({ db, accounts, log, now }: SettleDeps, rental: Rental): Promise<AskedBill | null> {
  const at = now();
  const rows = rental.instanceName === null ? [] : await loadRows(db, rental.provider, rental.instanceName);
  if (rental.provider === STATIC) return { ...billingOfStaticHost(rows), at };
  try {
    return { ...(await readBilling(accounts.of(rental.provider), rental, rows, at)), at };
  } catch (error) {
    const { errorClass, message } = providerErrorOf(error);
    log.warn(
      { rental: rental.id, errorClass, message },
      'the provider did not return a billing interval; the next round asks again',
    );
    return null;
  }
}

/** One transaction. `more` = further time can be settled now. */
async function settleOnce(
  { db }: SettleDeps,
  rentalId: string,
  { bill, boundsFrom, at }: AskedBill,
): Promise<{ readonly entries: number; readonly closed: boolean; readonly more: boolean }> {
  const { written, ...outcome } = await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT "id" FROM "Rental" WHERE "id" = ${rentalId} FOR UPDATE`;
      const rental = await tx.rental.findUniqueOrThrow({ where: { id: rentalId } });
      if (rental.closedAt !== null) return { written: [], entries: 0, closed: false, more: false };
      const trueBill = bill.state === 'billed' ? bill : null;
      const endedMs = trueBill?.untilMs ?? null;
      const { facts, due } = await dueOf(tx, rental, at, frozen(rental, trueBill));
      const isFinal = bill.state === 'void' || due?.isFinal === true;
      const lines = due === null ? [] : accountRental(facts, due.untilMs);
      const settledNanos = nanosOf(rental.settledUsd) + sumOf(lines);
      const correction = isFinal ? correctionOf({ ...facts, bill: trueBill }, settledNanos) : null;
      const all = correction === null ? lines : [...lines, correction];
      await writeEntries(tx, rental, all, facts.bill?.pauses ?? []);
      const untilMs = due === null ? facts.settledUntilMs : Math.max(due.untilMs, facts.settledUntilMs ?? due.untilMs);
      await tx.rental.update({
        where: { id: rentalId },
        data: {
          billedFrom: facts.bill === null ? null : new Date(facts.bill.fromMs),
          billedUntil: endedMs === null ? null : new Date(endedMs),
          pauses: trueBill?.pauses?.map((pause) => ({ ...pause })) ?? [],
          boundsFrom,
          settledUntil: untilMs === null ? null : new Date(untilMs),
          settledUsd: usdOf(settledNanos + (correction?.nanoUsd ?? 0n)).toFixed(),
          entryCount: rental.entryCount + all.length,
          closedAt: isFinal ? at : null,
        },
      });
      return { written: all, entries: all.length, closed: isFinal, more: !isFinal && due !== null };
    },
    { timeout: SETTLED_WITHIN_MS, maxWait: SETTLED_WITHIN_MS },
  );
  countCosts(written);
  return outcome;
}

/** A counter never decreases, so refunds of corrections have their own counter. */
function countCosts(lines: readonly LedgerLine[]): void {
  for (const { kind, owner, nanoUsd } of lines) {
    const labels = { kind, ...costLabels(owner?.task ?? null) };
    const usd = usdOf(nanoUsd).toNumber();
    count('cost_usd_total', labels, usd);
    count('cost_refunds_usd_total', labels, -usd);
  }
}

/** Once something is settled, its start stays; an error in it is corrected when the rental is closed. */
function frozen(rental: Rental, bill: BillingInterval | null): BillingInterval | null {
  if (bill === null || rental.settledUntil === null || rental.billedFrom === null) return bill;
  return { ...bill, fromMs: rental.billedFrom.getTime() };
}

/** What can be settled now, with the facts for it. A long time is settled in pieces, each with its own calls. */
async function dueOf(
  tx: Transaction,
  rental: Rental,
  at: Date,
  bill: BillingInterval | null,
): Promise<{ readonly facts: RentalFacts; readonly due: Settleable | null }> {
  const knownUntilMs = at.getTime() - SETTLE_GRACE_MS;
  const fromMs = rental.settledUntil?.getTime() ?? bill?.fromMs ?? knownUntilMs;
  const pieceMs = fromMs + MOST_AT_ONCE_MS;
  if (pieceMs < knownUntilMs) {
    const facts = await loadFacts(tx, rental, at, { bill, callsBefore: new Date(pieceMs) });
    const due = settleableUntil(facts, pieceMs);
    if (due !== null) return { facts, due };
  }
  const facts = await loadFacts(tx, rental, at, { bill });
  return { facts, due: settleableUntil(facts, knownUntilMs) };
}

const sumOf = (lines: readonly LedgerLine[]): bigint => lines.reduce((sum, line) => sum + line.nanoUsd, 0n);

async function writeEntries(
  tx: Transaction,
  rental: Rental,
  lines: readonly LedgerLine[],
  pauses: readonly BillPause[],
): Promise<void> {
  const kept = await decksKept(tx, lines);
  const rows = lines.map((line, index) => entryRow(rental, rental.entryCount + index, line, { pauses, kept }));
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await tx.ledgerEntry.createMany({ data: rows.slice(start, start + ROWS_AT_ONCE) });
}

/**
 * Decks that exist and are not being deleted, locked until this transaction ends: a deletion that starts meanwhile waits, and then finds
 * the entries. Entries of other decks are written without their ids.
 */
async function decksKept(tx: Transaction, lines: readonly LedgerLine[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(lines.flatMap((line) => line.owner?.deckId ?? []))].toSorted();
  if (ids.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ readonly id: string }[]>`
    SELECT "id" FROM "Deck" WHERE "id" = ANY(${ids}) AND "deletingAt" IS NULL ORDER BY "id" FOR SHARE`;
  return new Set(rows.map((row) => row.id));
}
