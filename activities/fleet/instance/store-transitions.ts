/**
 * The history of an instance, append-only, and the row that shows where it stands.
 *
 * Idempotent by (instance, position): a repetition, or an attempt that comes late, changes nothing.
 */
import { countSteps } from '../../metrics/counting.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transition } from '../../../domain/fleet/instance-life/types.ts';
import { isFinal } from '../../../domain/fleet/phases.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { InstanceRow, StoreTransitionsInput } from './contract.ts';
import type { Transaction } from '../../../platform/db.ts';

export async function storeTransitions(db: PrismaClient, input: StoreTransitionsInput): Promise<void> {
  const { row, pool, position, transitions } = input;
  const isNew = await db.$transaction(async (tx) => {
    await ensurePool(tx, pool, row.provider);
    const known = await tx.fleetInstance.findUnique({ where: { name: row.name } });
    if (known !== null) {
      const stored = await tx.instanceTransition.count({ where: { instanceName: row.name } });
      if (stored > position) return false;
    }
    const data = columnsOf(input, known);
    await tx.fleetInstance.upsert({
      where: { name: row.name },
      create: { name: row.name, pool: pool.name, ...data, createdAt: new Date(input.atMs) },
      update: data,
    });
    await tx.instanceTransition.createMany({
      data: transitions.map((transition, index) => transitionRow(row.name, position + index, transition)),
      skipDuplicates: true,
    });
    await closeIntents(tx, row, input.atMs);
    return true;
  });
  if (isNew) await countSteps(db, row.name, position);
}

/** An instance's pool stands in the database before it; its own workflow fills the row. */
async function ensurePool(tx: Transaction, pool: PoolConfig, provider: string): Promise<void> {
  const { name, classes, selector, min, max } = pool;
  await tx.fleetPool.createMany({
    data: [{ name, provider, classes: [...classes], selector, min, max, reasons: [] }],
    skipDuplicates: true,
  });
}

interface KnownColumns {
  readonly providerId: string | null;
  readonly billedSince: Date | null;
  readonly hostKeySha256: string | null;
}

function columnsOf({ row, atMs, transitions }: StoreTransitionsInput, known: KnownColumns | null) {
  const sameMachine = known !== null && known.providerId === row.providerId;
  const ready = transitions.findLast((t) => t.to === 'ready' && t.from !== 'ready');
  const { name: _name, hostnames: _hostnames, freshDisk, phaseSinceMs, ...columns } = row;
  return {
    ...columns,
    phaseSince: new Date(phaseSinceMs),
    billedSince: row.providerId === null ? null : sameMachine ? known.billedSince : new Date(atMs),
    // Another disk has another host key; a machine that woke from the same disk has the same.
    ...(!sameMachine && row.providerId !== null && freshDisk ? { hostKeySha256: null } : {}),
    ...(ready === undefined ? {} : { readyAt: new Date(ready.atMs) }),
    endedAt: isFinal(row.phase) ? new Date(phaseSinceMs) : null,
  };
}

const transitionRow = (instanceName: string, position: number, transition: Transition) => ({
  id: `${instanceName}/${position}`,
  instanceName,
  position,
  at: new Date(transition.atMs),
  fromPhase: transition.from,
  toPhase: transition.to,
  reason: transition.reason,
  priceUsdPerHour: transition.priceUsdPerHour,
  offerKey: transition.offer,
  providerId: transition.providerId,
  // Rows that were on their way when Deckhand was brought up to date have neither.
  volumeIds: [...((transition as Partial<Transition>).volumeIds ?? [])],
  loadMs: (transition as Partial<Transition>).loadMs ?? null,
});

/** Creates whose machine is known not to exist any more. */
async function closeIntents(tx: Transaction, row: InstanceRow, atMs: number): Promise<void> {
  await tx.createIntent.updateMany({
    where: {
      instanceName: row.name,
      state: { in: ['created', 'unknown'] },
      hostname: { notIn: [...row.hostnames] },
    },
    data: { state: 'gone', settledAt: new Date(atMs) },
  });
}
