/** Activities of the ledger, on queue `accounting`: one round finds rentals, reads their billing intervals and settles them. */
import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { CloudProvider, ProviderParts } from '../../../clouds/provider.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/facts.ts';
import { heartbeating } from '../../support/heartbeat.ts';
import { collectRentals, collectStaticHosts } from './collect.ts';
import { sweepAttempts } from './forgotten-attempts.ts';
import { settleRentals, type SettleCounts, type SettleDeps } from './settle.ts';

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
export interface LedgerDeps extends Omit<SettleDeps, 'now'> {
  readonly installationId: string;
  /** Replaced by tests on a virtual clock. */
  readonly now?: () => Date;
}

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
  const { db, accounts, installationId, log, now = () => new Date() } = deps;
  const foreign = new Map(accounts.names.map((name) => [name, new Set<string>()]));
  return async (signal) => {
    const startedAt = now();
    // Read first, so that they are the balances of this moment. Without one the rentals are settled all the same.
    const balances = await Promise.allSettled(
      accounts.all.map(async (provider) => (await provider.account?.balance()) ?? null),
    );
    let found = await collectStaticHosts(db);
    const failures: unknown[] = [];
    const collected: CloudProvider[] = [];
    for (const [i, provider] of accounts.all.entries()) {
      const balance = balances[i];
      try {
        const currency = await currencyOf(db, provider, balance);
        const known = foreign.get(provider.name) ?? new Set<string>();
        found += await collectRentals({ db, provider, installationId, currency, foreign: known }, startedAt);
        // The balance is where the next round reads on from.
        if (balance?.status === 'rejected') throw balance.reason;
        collected.push(provider);
      } catch (error) {
        // The others are collected and settled all the same.
        if (!(error instanceof DeckhandError)) throw error;
        log.warn({ err: error, provider: provider.name }, 'the rentals of a provider could not be listed');
        failures.push(error);
      }
    }
    const counts = await settleRentals({ db, accounts, log, now }, signal);
    await sweepAttempts(db, startedAt);
    // Last: the next round reads the provider's record from here on.
    for (const [i, provider] of accounts.all.entries()) {
      const balance = balances[i];
      if (balance?.status === 'fulfilled' && balance.value !== null && collected.includes(provider))
        await storeBalance(db, provider, balance.value, startedAt);
    }
    // One provider that does not answer is asked again by the next round; when none does, this round is repeated.
    if (failures.length > 0 && collected.length === 0) throw failures[0];
    return { found, ...counts };
  };
}

type Balance = Awaited<ReturnType<ProviderParts['account']['balance']>>;

/** Currency of the account: as it reports it now, else as it last did. */
async function currencyOf(
  db: PrismaClient,
  provider: CloudProvider,
  balance: PromiseSettledResult<Balance | null> | undefined,
): Promise<string> {
  const said = balance?.status === 'fulfilled' ? balance.value?.currency : undefined;
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
  { amount, currency }: Balance,
  sampledAt: Date,
): Promise<void> {
  const data = { id: randomUUID(), provider: provider.name, amount, currency: currency.toUpperCase(), sampledAt };
  await db.balanceSample.create({ data });
}
