/**
 * Rentals: every machine and disk that is or was billed gets its row once, with everything that decides its price as it was when it was first
 * seen, whatever becomes of the catalogue.
 */
import { Decimal } from 'decimal.js';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { BilledResource } from '../../../domain/fleet/provider/billing.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/facts.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { discoverRentals, LOOK_BACK_MS, type FoundRental } from './discover.ts';

/** A ledger that never looked before looks this far back. */
const FIRST_LOOK_MS = 30 * 24 * 3_600_000;

/** A bill that ended this lately is not taken for one that goes on again. */
const CLOSED_LATELY_MS = 10 * 60_000;

/** What collecting works with. */
export interface CollectDeps {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  readonly installationId: string;
  /** ISO 4217 code of what the account is billed in. */
  readonly currency: string;
  /** Ids of the account that are not ours, found before: `<resource>/<id>`. Grows. */
  readonly foreign: Set<string>;
}

/** Id of a rental's row. */
export const makeRentalId = (provider: string, resource: BilledResource, resourceId: string): string =>
  `${provider}/${resource}/${resourceId}`;

/** Finds what is rented from the provider and has no row yet. @returns how many it were @throws DeckhandError `provider_*` */
export async function collectRentals(deps: CollectDeps, now: Date): Promise<number> {
  const { db, provider, installationId, currency, foreign } = deps;
  const sinceMs = await lookedAtMs(db, provider.name, now);
  const [named, known] = await Promise.all([
    namedSince(db, provider.name, new Date(sinceMs)),
    knownSince(db, provider.name, new Date(sinceMs)),
  ]);
  const disksThere: string[] = [];
  const found = await discoverRentals(provider, {
    installationId,
    currency,
    boughtAt: (id) => named.bought.get(id) ?? null,
    sinceMs,
    instanceIds: named.machines.map((machine) => machine.providerId),
    volumeIds: named.volumeIds,
    isThere: (id) => void disksThere.push(id),
    isKnown: (resource, id) => known.has(`${resource}/${id}`) || foreign.has(`${resource}/${id}`),
    notOurs: (resource, id) => void foreign.add(`${resource}/${id}`),
  });
  const seen = new Set(found.map((one) => `${one.resource}/${one.resourceId}`));
  // The provider has forgotten them; the history has not. What is young may just not be shown yet.
  const shownMs = now.getTime() - provider.capabilities.visibilityWindowMs;
  const forgotten = named.machines.filter(
    ({ providerId, at }) =>
      !seen.has(`instance/${providerId}`) && !known.has(`instance/${providerId}`) && at.getTime() <= shownMs,
  );
  // In another currency what histories saw is no price in USD; what it was bought for is.
  const usdOf = (machine: NamedMachine): Decimal =>
    (currency === LEDGER_CURRENCY ? priceOf(machine) : null) ??
    named.bought.get(machine.providerId) ??
    priceOf(machine) ??
    new Decimal(0);
  const rentals = [...found, ...forgotten.map((machine) => rentalOfHistory(provider, machine, usdOf(machine)))];
  await reopenDisks(db, provider.name, disksThere, now);
  return storeRentals(db, provider.name, rentals);
}

/** A disk that was taken out of the trash goes on costing; its bill had ended. */
async function reopenDisks(db: PrismaClient, provider: string, volumeIds: readonly string[], now: Date): Promise<void> {
  await db.rental.updateMany({
    where: {
      provider,
      resource: 'volume',
      resourceId: { in: [...volumeIds] },
      // Lists may show for a while what has just ended.
      closedAt: { lt: new Date(now.getTime() - CLOSED_LATELY_MS) },
    },
    data: { closedAt: null },
  });
}

/** Servers that run already are rented for nothing: their time is accounted for like any other. */
export async function collectStaticHosts(db: PrismaClient): Promise<number> {
  const hosts = await db.fleetInstance.findMany({ where: { provider: 'static' }, orderBy: { createdAt: 'asc' } });
  const known = await db.rental.findMany({ where: { provider: 'static' }, select: { resourceId: true } });
  const knownNames = new Set(known.map((rental) => rental.resourceId));
  const rentals = hosts
    .filter((host) => !knownNames.has(host.name))
    .map((host): FoundRental => ({
      resource: 'instance',
      resourceId: host.name,
      instanceName: host.name,
      location: null,
      instanceType: null,
      market: null,
      sizeGib: null,
      priceUsdPerHour: new Decimal(0),
      onDemandUsdPerHour: null,
      quantumSec: 0,
      refundsUnused: true,
      createdAtMs: host.createdAt.getTime(),
    }));
  return storeRentals(db, 'static', rentals);
}

/** From when on the provider's record is read: some time before the last round, which each ends with a look at the balance. */
async function lookedAtMs(db: PrismaClient, provider: string, now: Date): Promise<number> {
  const last = await db.balanceSample.findFirst({ where: { provider }, orderBy: { sampledAt: 'desc' } });
  return last === null ? now.getTime() - FIRST_LOOK_MS : last.sampledAt.getTime() - LOOK_BACK_MS;
}

interface NamedMachine {
  readonly providerId: string;
  readonly instanceName: string;
  readonly offerKey: string | null;
  readonly priceUsdPerHour: Prisma.Decimal | null;
  readonly at: Date;
}

/** A price; null where none was written down, or none that can be. */
const priceOf = ({ priceUsdPerHour }: Pick<NamedMachine, 'priceUsdPerHour'>): Decimal | null =>
  priceUsdPerHour === null || priceUsdPerHour.isZero() ? null : new Decimal(priceUsdPerHour.toString());

/** Machines and disks that histories and creates name. */
async function namedSince(
  db: PrismaClient,
  provider: string,
  since: Date,
): Promise<{
  readonly machines: readonly NamedMachine[];
  readonly volumeIds: readonly string[];
  /** What machines were bought for, by the provider's price list; histories have what they were seen at. */
  readonly bought: ReadonlyMap<string, Decimal | null>;
}> {
  const [rows, intents] = await Promise.all([
    db.instanceTransition.findMany({
      where: { at: { gte: since }, instance: { provider } },
      orderBy: [{ at: 'asc' }, { position: 'asc' }],
      select: {
        providerId: true,
        volumeIds: true,
        instanceName: true,
        offerKey: true,
        priceUsdPerHour: true,
        at: true,
      },
    }),
    db.createIntent.findMany({
      where: { createdAt: { gte: since }, providerId: { not: null }, instance: { provider } },
    }),
  ]);
  const machines = new Map<string, NamedMachine>();
  for (const { providerId, instanceName, offerKey, priceUsdPerHour, at } of rows)
    if (providerId !== null) {
      // It began with its first row; its price is known for certain from its first sight on.
      const begin = machines.get(providerId)?.at ?? at;
      machines.set(providerId, { providerId, instanceName, offerKey, priceUsdPerHour, at: begin });
    }
  for (const { providerId, instanceName, offerKey, priceUsdPerHour, createdAt } of intents)
    if (providerId !== null && !machines.has(providerId))
      machines.set(providerId, { providerId, instanceName, offerKey, priceUsdPerHour, at: createdAt });
  return {
    machines: [...machines.values()],
    volumeIds: [...new Set(rows.flatMap((row) => row.volumeIds))],
    bought: new Map(intents.map((intent) => [intent.providerId ?? '', priceOf(intent)])),
  };
}

/** Rentals that may be met again: those that are open, and those that were collected or ended lately. */
async function knownSince(db: PrismaClient, provider: string, since: Date): Promise<ReadonlySet<string>> {
  const rentals = await db.rental.findMany({
    where: {
      provider,
      OR: [
        { closedAt: null },
        { createdAt: { gte: since } },
        { billedUntil: { gte: since } },
        { closedAt: { gte: since } },
      ],
    },
    select: { resource: true, resourceId: true },
  });
  return new Set(rentals.map(({ resource, resourceId }) => `${resource}/${resourceId}`));
}

function rentalOfHistory(
  { capabilities: { billing } }: CloudProvider,
  machine: NamedMachine,
  priceUsdPerHour: Decimal,
): FoundRental {
  const offer = machine.offerKey === null ? null : parseOfferKey(machine.offerKey);
  return {
    resource: 'instance',
    resourceId: machine.providerId,
    instanceName: machine.instanceName,
    location: offer?.location ?? null,
    instanceType: offer?.instanceType ?? null,
    market: offer?.market ?? null,
    sizeGib: null,
    priceUsdPerHour,
    onDemandUsdPerHour: null,
    quantumSec: billing.quantumSec,
    refundsUnused: billing.refundsUnused,
    createdAtMs: machine.at.getTime(),
  };
}

async function storeRentals(db: PrismaClient, provider: string, found: readonly FoundRental[]): Promise<number> {
  if (found.length === 0) return 0;
  const instances = await db.fleetInstance.findMany({
    where: { name: { in: found.map((one) => one.instanceName) } },
    select: { name: true, pool: true },
  });
  const poolOf = new Map(instances.map(({ name, pool }) => [name, pool]));
  const { count } = await db.rental.createMany({
    data: found.map((one) => {
      const pool = poolOf.get(one.instanceName);
      return {
        id: makeRentalId(provider, one.resource, one.resourceId),
        provider,
        resource: one.resource,
        resourceId: one.resourceId,
        // A name that no instance ever had is nobody's.
        instanceName: pool === undefined ? null : one.instanceName,
        pool: pool ?? null,
        location: one.location,
        instanceType: one.instanceType,
        market: one.market,
        sizeGib: one.sizeGib,
        currency: LEDGER_CURRENCY,
        priceUsdPerHour: one.priceUsdPerHour.toFixed(),
        onDemandUsdPerHour: one.onDemandUsdPerHour?.toFixed() ?? null,
        quantumSec: one.quantumSec,
        refundsUnused: one.refundsUnused,
        createdAt: new Date(one.createdAtMs),
      };
    }),
    skipDuplicates: true,
  });
  return count;
}
