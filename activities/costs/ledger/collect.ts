/**
 * Stores rentals: every billed machine and disk gets one row, with the price facts at the time it was first seen. Later catalogue changes have
 * no effect.
 */
import { Decimal } from 'decimal.js';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { BilledResource } from '../../../domain/fleet/provider/billing.ts';
import { LEDGER_CURRENCY } from '../../../domain/costs/ledger/facts.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { discoverRentals, LOOK_BACK_MS, type FoundRental } from './discover.ts';

/** How far back the first round reads the provider's record. */
const FIRST_LOOK_MS = 30 * 24 * 3_600_000;

/** Billing that ended more recently than this is not taken as resumed. */
const CLOSED_LATELY_MS = 10 * 60_000;

/** Dependencies of collecting. */
export interface CollectDeps {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  readonly installationId: string;
  /** ISO 4217 code of the account's currency. */
  readonly currency: string;
  /** Known foreign ids of the account, `<resource>/<id>`; extended by each round. */
  readonly foreign: Set<string>;
}

/** Id of a rental's row. */
export const makeRentalId = (provider: string, resource: BilledResource, resourceId: string): string =>
  `${provider}/${resource}/${resourceId}`;

/** Finds rentals that have no row yet. @returns their number @throws DeckhandError `provider_*` */
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
  // Only the history knows these; new ones may not be listed yet.
  const shownMs = now.getTime() - provider.capabilities.visibilityWindowMs;
  const forgotten = named.machines.filter(
    ({ providerId, at }) =>
      !seen.has(`instance/${providerId}`) && !known.has(`instance/${providerId}`) && at.getTime() <= shownMs,
  );
  // With another currency only the purchase price is in USD, not the price in the history.
  const usdOf = (machine: NamedMachine): Decimal =>
    (currency === LEDGER_CURRENCY ? priceOf(machine) : null) ??
    named.bought.get(machine.providerId) ??
    priceOf(machine) ??
    new Decimal(0);
  const rentals = [...found, ...forgotten.map((machine) => rentalOfHistory(provider, machine, usdOf(machine)))];
  await reopenDisks(db, provider.name, disksThere, now);
  return storeRentals(db, provider.name, rentals);
}

/** A disk that is restored from the trash is billed again. */
async function reopenDisks(db: PrismaClient, provider: string, volumeIds: readonly string[], now: Date): Promise<void> {
  await db.rental.updateMany({
    where: {
      provider,
      resource: 'volume',
      resourceId: { in: [...volumeIds] },
      // Lists may still show what has just ended.
      closedAt: { lt: new Date(now.getTime() - CLOSED_LATELY_MS) },
    },
    data: { closedAt: null },
  });
}

/** Static servers are rentals without a price; their time is accounted for like any other. */
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

/** A valid price, or null. */
const priceOf = ({ priceUsdPerHour }: Pick<NamedMachine, 'priceUsdPerHour'>): Decimal | null =>
  priceUsdPerHour === null || priceUsdPerHour.isZero() ? null : new Decimal(priceUsdPerHour.toString());

/** Machines and disks named in histories and creates. */
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
  // An instance may have had machines at several providers.
  const ofProvider = { offerKey: { startsWith: `${provider}/` } };
  const [rows, intents] = await Promise.all([
    db.instanceTransition.findMany({
      where: { at: { gte: since }, ...ofProvider },
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
      where: { createdAt: { gte: since }, providerId: { not: null }, ...ofProvider },
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
    data: found.map(({ createdAtMs, ...one }) => {
      const pool = poolOf.get(one.instanceName);
      return {
        ...one,
        id: makeRentalId(provider, one.resource, one.resourceId),
        provider,
        // A name that no instance ever had has no owner.
        instanceName: pool === undefined ? null : one.instanceName,
        pool: pool ?? null,
        currency: LEDGER_CURRENCY,
        priceUsdPerHour: one.priceUsdPerHour.toFixed(),
        onDemandUsdPerHour: one.onDemandUsdPerHour?.toFixed() ?? null,
        createdAt: new Date(createdAtMs),
      };
    }),
    skipDuplicates: true,
  });
  return count;
}
