/** The state of the GPUs of a class, in a sentence for a run that waits for them. */
import { readFullWindows } from '../../fleet/call-rate-limit.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import {
  isCapacity,
  isFinal,
  isPresent,
  phaseOf,
  phasesThat,
  type InstancePhase,
} from '../../../domain/fleet/phases.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';
import { durationWords } from '../../../domain/text/words.ts';

/** What is read of a pool to explain a wait. */
export interface PoolCapacity {
  readonly name: string;
  readonly classes: readonly string[];
  /** Of its last decision. */
  readonly reasons: readonly string[];
  readonly nextLookAtMs: number | null;
  /** Why a budget keeps it from buying; absent or null = none does. */
  readonly budgetMessage?: string | null;
  /** Until when its provider takes no more calls; absent or null = it takes them. */
  readonly callsFullUntilMs?: number | null;
  readonly instances: readonly {
    readonly name: string;
    readonly phase: InstancePhase;
    readonly phaseSinceMs: number;
    readonly reason: string;
  }[];
}

/** Phases by how near they are to serving, nearest first. */
const NEAREST_FIRST: readonly InstancePhase[] = [
  'ready',
  'waking',
  'booting',
  'creating',
  'planned',
  'suspending',
  'cordoned',
  'suspended',
  'destroying',
];

/** The pools that are kept, with their instances. */
export async function capacityOf(db: PrismaClient): Promise<PoolCapacity[]> {
  const [rows, fullWindows] = await Promise.all([
    db.fleetPool.findMany({
      where: { nextLookAt: { not: null } },
      include: { instances: { where: { phase: { notIn: phasesThat(isFinal) } } } },
      orderBy: { name: 'asc' },
    }),
    readFullWindows(db, new Date()),
  ]);
  return rows.map(({ name, provider, classes, reasons, nextLookAt, budgetMessage, instances }) => ({
    name,
    classes,
    reasons,
    nextLookAtMs: nextLookAt?.getTime() ?? null,
    budgetMessage,
    callsFullUntilMs: fullWindows.get(provider) ?? null,
    instances: instances.map((i) => ({
      name: i.name,
      phase: phaseOf(i.phase),
      phaseSinceMs: i.phaseSince.getTime(),
      reason: i.reason,
    })),
  }));
}

/** True when a machine that serves the class is there. */
export const isServed = (pools: readonly PoolCapacity[], gpuClass: GpuClass): boolean =>
  pools.some((pool) => pool.classes.includes(gpuClass) && pool.instances.some((i) => i.phase === 'ready'));

/**
 * What the instance nearest to serving a class is doing, or why there is none; null when no pool is known at all.
 *
 * @param limit why nothing is bought for this run; null = only what the pools report
 */
export function capacityReason(
  pools: readonly PoolCapacity[],
  gpuClass: GpuClass,
  nowMs: number,
  limit: string | null = null,
): string | null {
  if (pools.length === 0) return null;
  const serving = pools.filter((pool) => pool.classes.includes(gpuClass));
  const [first] = serving;
  if (first === undefined) return `no pool serves ${gpuClass}; name one in the fleet file`;
  const instances = serving.flatMap((pool) => pool.instances.map((instance) => ({ pool, ...instance })));
  const nearest = NEAREST_FIRST.flatMap((phase) => instances.filter((i) => i.phase === phase))[0];
  const held = limit ?? serving.flatMap(({ budgetMessage }) => budgetMessage ?? [])[0] ?? null;
  if (held !== null && (nearest === undefined || !(isPresent(nearest.phase) && isCapacity(nearest.phase))))
    return held.replace(/\.$/u, '');
  if (nearest === undefined) return noInstance(first, nowMs);
  const { name, phase, reason } = nearest;
  const lasting = durationWords(nowMs - nearest.phaseSinceMs);
  switch (phase) {
    case 'ready':
      return `a free place at ${name}`;
    case 'waking':
      return `${name} is waking (${lasting} so far: ${reason})`;
    case 'booting':
      return `${name} is booting (${lasting} so far: ${reason})`;
    case 'planned':
    case 'creating':
      return `${name} is being rented (${lasting} so far: ${throttled(nearest.pool, nowMs) ?? reason})`;
    case 'suspending':
      return `${name} is being put to sleep and wakes afterwards`;
    case 'cordoned':
      return `${name} is cordoned (${reason})`;
    case 'suspended':
    case 'destroying':
    case 'gone':
    case 'failed':
      return noInstance(nearest.pool, nowMs);
    default:
      return phase satisfies never;
  }
}

/** A wait for the provider's call rate gives no reason of its own: it includes the create and the lookup before it. */
function throttled({ callsFullUntilMs = null }: PoolCapacity, nowMs: number): string | null {
  if (callsFullUntilMs === null || callsFullUntilMs <= nowMs) return null;
  const rest = durationWords(callsFullUntilMs - nowMs);
  return `the provider takes no more calls for another ${rest}, its limit of calls is reached`;
}

function noInstance({ name, reasons, nextLookAtMs }: PoolCapacity, nowMs: number): string {
  const why = reasons[0] ?? 'it has not decided anything yet';
  const next = nextLookAtMs === null ? '' : `; it looks again in ${durationWords(nextLookAtMs - nowMs)}`;
  return `pool ${name} has no instance awake (${why.replace(/\.$/u, '')})${next}`;
}
