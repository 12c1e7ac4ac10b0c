/**
 * The fleet as people see it: pools with their last decision, instances with what their gateways say and what they have cost.
 */
import type { FleetInstance, FleetPool, InstanceServing, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { FINAL_PHASES, INSTANCE_PHASES } from '../../domain/fleet/instance-life/types.ts';
import { memberOf } from '../report/parts.ts';
import { costUsd, type PricedRow } from './cost.ts';
import type { FleetDocument, FleetInstanceDocument, InstanceHistoryDocument } from './fleet-schemas.ts';

/** A gateway writes every second or two; one that is quiet for longer is not believed. */
const SERVING_BELIEVED_MS = 15_000;

type InstanceRow = FleetInstance & { readonly serving: InstanceServing | null };

/** Every pool that is kept, with the instances whose life has not ended. */
export async function loadFleetView(db: PrismaClient, now: Date): Promise<FleetDocument> {
  const [pools, instances, history] = await Promise.all([
    db.fleetPool.findMany({ orderBy: { name: 'asc' } }),
    db.fleetInstance.findMany({ include: { serving: true }, orderBy: { createdAt: 'asc' } }),
    db.instanceTransition.findMany({
      orderBy: [{ instanceName: 'asc' }, { position: 'asc' }],
      select: { instanceName: true, at: true, priceUsdPerHour: true },
    }),
  ]);
  const historyOf = Map.groupBy(history, (row) => row.instanceName);
  const documents = instances.map((row) => instanceDocument(row, historyOf.get(row.name) ?? [], now));
  const shown = pools.filter((pool) => isKept(pool) || documents.some((i) => i.pool === pool.name && !isOver(i.phase)));
  return {
    at: now.toISOString(),
    pools: shown.map((pool) =>
      poolDocument(
        pool,
        documents.filter((i) => i.pool === pool.name),
      ),
    ),
    costUsd: documents.reduce((sum, i) => sum + i.costUsd, 0),
  };
}

/** One instance, also one whose life has ended, with its history. @throws DeckhandError `not_found` */
export async function loadInstance(db: PrismaClient, name: string, now: Date): Promise<InstanceHistoryDocument> {
  const row = await db.fleetInstance.findUnique({
    where: { name },
    include: { serving: true, transitions: { orderBy: { position: 'asc' } } },
  });
  if (row === null) {
    throw new DeckhandError('not_found', `no instance ${name}`, {
      userMessage: `There is no instance ${name}.`,
      hint: '`./deckhand fleet` lists them.',
    });
  }
  return {
    ...instanceDocument(row, row.transitions, now),
    transitions: row.transitions.map((t) => ({
      at: t.at.toISOString(),
      from: t.fromPhase,
      to: t.toPhase,
      reason: t.reason,
      priceUsdPerHour: numberOrNull(t.priceUsdPerHour),
      offer: t.offerKey,
      providerId: t.providerId,
    })),
  };
}

function poolDocument(pool: FleetPool, instances: readonly FleetInstanceDocument[]): FleetDocument['pools'][number] {
  const instances = pool.instances.map((row) => instanceDocument(row, row.transitions, now));
  const { name, provider, classes, selector, min, max, target, wish, reasons } = pool;
  return {
    name,
    provider,
    classes,
    selector,
    min,
    max,
    target,
    wish,
    reasons,
    demand: {
      openCalls: pool.openCalls,
      openSeconds: pool.openSeconds,
      oldestAgeMs: pool.oldestAgeMs === null ? null : Number(pool.oldestAgeMs),
    },
    decidedAt: pool.updatedAt.toISOString(),
    nextLookAt: pool.nextLookAt?.toISOString() ?? null,
    costUsd: instances.reduce((sum, i) => sum + i.costUsd, endedCostUsd),
    instances,
  };
}

function instanceDocument(row: InstanceRow, history: readonly PricedRow[], now: Date): FleetInstanceDocument {
  return {
    name: row.name,
    pool: row.pool,
    provider: row.provider,
    // A phase of a later version: under way, as far as this one can tell.
    phase: memberOf(INSTANCE_PHASES, row.phase) ?? 'planned',
    since: row.phaseSince.toISOString(),
    reason: row.reason,
    offer: row.offerKey,
    priceUsdPerHour: numberOrNull(row.priceUsdPerHour),
    attempts: row.attempts,
    costUsd: costUsd(history, row.endedAt ?? now),
    serving: row.serving === null || row.endedAt !== null ? null : servingDocument(row.serving, now),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

function servingDocument(serving: InstanceServing, now: Date): NonNullable<FleetInstanceDocument['serving']> {
  const isBelieved = now.getTime() - serving.seenAt.getTime() < SERVING_BELIEVED_MS;
  return {
    gateway: serving.gateway,
    state: serving.state,
    message: serving.message,
    pullPercent: serving.pullPercent,
    inFlight: isBelieved ? serving.inFlight : null,
    finishedCalls: serving.finishedCalls,
    slots: serving.slots,
    models: serving.models,
    lastCallAt: serving.lastCallAt?.toISOString() ?? null,
    seenAt: serving.seenAt.toISOString(),
  };
}

const numberOrNull = (value: { toString(): string } | null): number | null => (value === null ? null : Number(value));
