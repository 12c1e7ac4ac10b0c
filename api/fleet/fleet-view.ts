/**
 * The documents of the fleet: pools with their last decision, instances with the reports of their gateways and their cost.
 */
import { readStandingBlocks } from '../../activities/fleet/selection/offer-blocks.ts';
import { providersOfPool } from '../../clouds/fleet.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { OfferMemory } from '../../domain/fleet/selection/ladder.ts';
import { SERVING_BELIEVED_MS } from '../../domain/fleet/pool/serving.ts';
import type { FleetInstance, InstanceHealth, InstanceServing, PrismaClient } from '../../generated/prisma/client.ts';
import { isAwake, isFinal, phaseOf, phasesThat } from '../../domain/fleet/phases.ts';
import { countOpenAlerts } from '../alerts/store.ts';
import { healthDocument } from '../health/health-view.ts';
import { loadCosts, type FleetCosts } from './cost.ts';
import { documentOf } from '../http/definition.ts';
import {
  type FleetDocument,
  type FleetInstanceDocument,
  fleetInstanceSchema,
  type InstanceHistoryDocument,
  type OfferBlockDocument,
  offerBlockSchema,
  poolSchema,
  servingSchema,
} from './fleet-schemas.ts';
import { noInstance } from './no-instance.ts';

type HistoryRow = { readonly offerKey: string | null };
type InstanceRow = FleetInstance & { readonly serving: InstanceServing | null; readonly health: InstanceHealth | null };

/** Every pool, with the instances that are not gone or failed. @param configured the pools of the fleet file */
export async function loadFleetView(
  db: PrismaClient,
  now: Date,
  configured: readonly Pick<PoolConfig, 'name' | 'providers'>[] = [],
): Promise<FleetDocument> {
  const [rows, costs, openAlerts, blocks] = await Promise.all([
    db.fleetPool.findMany({
      orderBy: { name: 'asc' },
      include: {
        instances: {
          where: { phase: { notIn: phasesThat(isFinal) } },
          orderBy: { createdAt: 'asc' },
          include: { serving: true, health: true, transitions: { orderBy: { position: 'asc' } } },
        },
      },
    }),
    loadCosts(db, now),
    countOpenAlerts(db),
    readStandingBlocks(db, now),
  ]);
  const named = new Map(configured.map(({ name, providers }) => [name, providers]));
  const all = rows.map((row) => {
    const providers = providersOfPool({ providers: named.get(row.name) ?? [] }, row.provider);
    return documentOf(poolSchema, {
      ...row,
      providers: [...providers],
      demand: documentOf(poolSchema.shape.demand, row),
      decidedAt: row.updatedAt,
      costUsd: costs.ofPool(row.name),
      instances: row.instances.map((each) => instanceDocument(each, each.transitions, costs, now)),
    });
  });
  return {
    at: now.toISOString(),
    // A pool that has ended looks no more.
    pools: all.filter((pool) => pool.nextLookAt !== null || pool.instances.length > 0),
    costUsd: all.reduce((sum, pool) => sum + pool.costUsd, 0),
    blocks: blocks.map(blockDocument),
    openAlerts,
  };
}

/** A block as it is shown. */
export const blockDocument = (block: OfferMemory): OfferBlockDocument =>
  documentOf(offerBlockSchema, {
    ...block,
    scope: block.scopeKey,
    lastFailureAt: new Date(block.lastFailureAtMs),
    blockedUntil: new Date(block.blockedUntilMs),
  });

/** One instance with its history, also a gone or failed one. @throws DeckhandError `not_found` */
export async function loadInstance(db: PrismaClient, name: string, now: Date): Promise<InstanceHistoryDocument> {
  const row = await db.fleetInstance.findUnique({
    where: { name },
    include: { serving: true, health: true, transitions: { orderBy: { position: 'asc' } } },
  });
  if (row === null) throw noInstance(name);
  return {
    ...instanceDocument(row, row.transitions, await loadCosts(db, now, name), now),
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

function instanceDocument(
  row: InstanceRow,
  history: readonly HistoryRow[],
  costs: FleetCosts,
  now: Date,
): FleetInstanceDocument {
  return documentOf(fleetInstanceSchema, {
    ...row,
    phase: phaseOf(row.phase),
    since: row.phaseSince,
    // A suspended instance has no machine: its history has the last one.
    offer: row.offerKey ?? history.findLast((h) => h.offerKey !== null)?.offerKey ?? null,
    priceUsdPerHour: numberOrNull(row.priceUsdPerHour),
    costUsd: costs.ofInstance(row.name),
    serving: row.serving === null || row.endedAt !== null ? null : servingDocument(row.serving, now),
    // What was judged before it last became ready was of another boot, or of another machine.
    health: row.health === null || !isAwake(row.phase) ? null : healthDocument(row.health),
  });
}

function servingDocument(serving: InstanceServing, now: Date): NonNullable<FleetInstanceDocument['serving']> {
  const isBelieved = now.getTime() - serving.seenAt.getTime() < SERVING_BELIEVED_MS;
  return documentOf(servingSchema, { ...serving, inFlight: isBelieved ? serving.inFlight : null });
}

const numberOrNull = (value: { toString(): string } | null): number | null => (value === null ? null : Number(value));
