/**
 * Costs so far that are not settled yet, for live views. They follow the rules of the ledger with the facts known now; who shares an idle
 * quarter of an hour may still change.
 */
import type { Decimal } from 'decimal.js';
import { accountRental } from '../../../domain/costs/ledger/account.ts';
import { usdOf } from '../../../domain/costs/ledger/amounts.ts';
import type { LedgerKind, LineOwner, RentalFacts } from '../../../domain/costs/ledger/facts.ts';
import { typeAt } from '../../../domain/fleet/provider/billing.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { Rental } from '../../../generated/prisma/client.ts';
import { leftAtMs } from './billing-interval.ts';
import { secondsOf } from './entry-row.ts';
import { loadFacts, type BilledRental, type PricedRental } from './rental-facts.ts';
import type { Transaction } from '../../../platform/db.ts';

/** An unsettled share of time. */
export interface OpenCost {
  readonly kind: LedgerKind;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly shareSeconds: Decimal;
  readonly amountUsd: Decimal;
  /** Null = no known owner. */
  readonly owner: LineOwner | null;
  readonly provider: string;
  readonly resource: string;
  /** The provider's id. */
  readonly resourceId: string;
  readonly pool: string | null;
  readonly instanceName: string | null;
  readonly instanceType: string | null;
  readonly location: string | null;
  readonly market: string | null;
}

type OpenRental = PricedRental &
  BilledRental &
  Pick<Rental, 'provider' | 'instanceName' | 'pool' | 'instanceType' | 'settledUntil'>;

/**
 * All costs that are not settled at `now`, oldest rentals first.
 *
 * @param instance limits the result to one instance
 */
export async function openCosts(db: Transaction, now: Date, instance?: string): Promise<readonly OpenCost[]> {
  const rentals = await db.rental.findMany({
    where: { closedAt: null, ...(instance === undefined ? {} : { instanceName: instance }) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const costs: OpenCost[] = [];
  for (const rental of [...rentals, ...(await machinesWithoutRental(db, instance))])
    costs.push(...(await costsOf(db, rental, now)));
  return costs;
}

async function costsOf(db: Transaction, rental: OpenRental, now: Date): Promise<readonly OpenCost[]> {
  const facts = await loadFacts(db, rental, now);
  const { provider, resource, resourceId, pool, instanceName, instanceType, location, market } = rental;
  return accountRental(facts, knownUntilMs(facts, now)).map((line) => ({
    kind: line.kind,
    fromMs: line.fromMs,
    untilMs: line.untilMs,
    shareSeconds: secondsOf(line.shareMicros),
    amountUsd: usdOf(line.nanoUsd),
    owner: line.owner,
    provider,
    resource,
    resourceId,
    pool,
    instanceName,
    instanceType: typeAt(instanceType, facts.bill?.pauses ?? [], line.fromMs),
    location,
    market,
  }));
}

/** A machine that its history says is gone is not counted on until the provider has been asked. */
function knownUntilMs({ bill, rows, terms }: RentalFacts, now: Date): number {
  if (bill === null || bill.untilMs !== null) return now.getTime();
  return Math.min(now.getTime(), leftAtMs(rows, terms.resourceId) ?? Infinity);
}

/** Machines that histories name and that are younger than the last round of the ledger. */
async function machinesWithoutRental(db: Transaction, instance: string | undefined): Promise<readonly OpenRental[]> {
  const rows = await db.instanceTransition.findMany({
    where: {
      instance: { endedAt: null },
      providerId: { not: null },
      priceUsdPerHour: { not: null },
      ...(instance === undefined ? {} : { instanceName: instance }),
    },
    orderBy: [{ instanceName: 'asc' }, { position: 'asc' }],
    select: {
      providerId: true,
      at: true,
      priceUsdPerHour: true,
      offerKey: true,
      instance: { select: { name: true, pool: true, provider: true } },
    },
  });
  // It began with its first row; its price is known for certain from its first sight on.
  const machines = new Map<string, { readonly from: Date; readonly last: (typeof rows)[number] }>();
  for (const row of rows) {
    const from = machines.get(row.providerId ?? '')?.from ?? row.at;
    if (row.providerId !== null) machines.set(row.providerId, { from, last: row });
  }
  const known = await db.rental.findMany({
    where: { resource: 'instance', resourceId: { in: [...machines.keys()] } },
    select: { resourceId: true },
  });
  for (const { resourceId } of known) machines.delete(resourceId);
  return [...machines].flatMap(([resourceId, { from, last }]): OpenRental[] => {
    const { priceUsdPerHour, offerKey, instance: owner } = last;
    if (priceUsdPerHour === null) return [];
    const offer = offerKey === null ? null : parseOfferKey(offerKey);
    return [
      {
        provider: owner.provider,
        resource: 'instance',
        resourceId,
        instanceName: owner.name,
        pool: owner.pool,
        location: offer?.location ?? null,
        instanceType: offer?.instanceType ?? null,
        market: offer?.market ?? null,
        priceUsdPerHour,
        onDemandUsdPerHour: null,
        quantumSec: 0,
        refundsUnused: true,
        billedFrom: from,
        billedUntil: null,
        pauses: [],
        settledUntil: null,
      },
    ];
  });
}
