/**
 * Activities of the ledger, on queue `accounting`: one round finds rentals, reads their billing intervals and settles them.
 */
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { CloudProvider } from '../../../clouds/provider.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/facts.ts';
import { heartbeating } from '../../support/heartbeat.ts';
import { collectRentals, collectStaticHosts } from './collect.ts';
import { sweepAttempts } from './forgotten-attempts.ts';
import { settleRentals, type SettleCounts } from './settle.ts';

/** What one round did. */
export interface SettleReport extends SettleCounts {
  /** Machines and disks seen for the first time. */
  readonly found: number;
}

export interface LedgerActivities {
  /** Settles the ledger up to now, as far as everything is known. Repeating it, also at the same time elsewhere, changes nothing. */
  settleLedger(): Promise<SettleReport>;
}

/** Dependencies of the ledger. */
export interface LedgerDeps {
  readonly db: PrismaClient;
  /** Null for static servers: nothing is rented. */
  readonly provider: CloudProvider | null;
  readonly installationId: string;
  readonly log: Logger;
  /** Replaced by tests on a virtual clock. */
  readonly now?: () => Date;
}

/** See the file's header. */
export function createLedgerActivities(deps: LedgerDeps): LedgerActivities {
  const round = ledgerRound(deps);
  return heartbeating<LedgerActivities>({ settleLedger: () => round(Context.current().cancellationSignal) });
}

/**
 * Makes the function that runs a round, also outside an activity. The signal ends a round between two rentals.
 *
 * @throws DeckhandError `provider_*` when the provider cannot be listed
 */
export function ledgerRound(deps: LedgerDeps): (signal?: AbortSignal) => Promise<SettleReport> {
  const { db, provider, installationId, log, now = () => new Date() } = deps;
  const foreign = new Set<string>();
  return async (signal) => {
    const startedAt = now();
    // Read first, so that it is the balance of this moment. Without it the rentals are settled all the same.
    const [balance] = await Promise.allSettled([provider?.balance()]);
    let found = await collectStaticHosts(db);
    if (provider !== null) {
      const currency = await currencyOf(db, provider, balance);
      found += await collectRentals({ db, provider, installationId, currency, foreign }, startedAt);
    }
    const counts = await settleRentals({ db, provider, log, now }, signal);
    await sweepAttempts(db, startedAt);
    if (balance.status === 'rejected') throw balance.reason;
    // Last: the next round reads the provider's record from here on.
    if (provider !== null && balance.value) await storeBalance(db, provider, balance.value, startedAt);
    return { found, ...counts };
  };
}

type Balance = Awaited<ReturnType<CloudProvider['balance']>>;

/** Currency of the account: as it reports it now, else as it last did. */
async function currencyOf(
  db: PrismaClient,
  provider: CloudProvider,
  balance: PromiseSettledResult<Balance | undefined>,
): Promise<string> {
  const said = balance.status === 'fulfilled' ? balance.value?.currency : undefined;
  if (said !== undefined && said !== '') return said.toUpperCase();
  const last = await db.balanceSample.findFirst({
    where: { provider: provider.name, currency: { not: '' } },
    orderBy: { sampledAt: 'desc' },
  });
  return last?.currency ?? LEDGER_CURRENCY;
}

async function storeBalance(
  db: PrismaClient,
  provider: CloudProvider,
  { amount, currency }: NonNullable<Balance>,
  sampledAt: Date,
): Promise<void> {
  const data = { id: randomUUID(), provider: provider.name, amount, currency: currency.toUpperCase(), sampledAt };
  await db.balanceSample.create({ data });
}
