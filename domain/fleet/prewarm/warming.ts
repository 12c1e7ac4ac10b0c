/**
 * What a pool does with its outlook at a look: when a time that pays comes near and nothing is awake, its minimum is one until that time has
 * passed or a deck has come. All else follows: the instance is woken or created as for any minimum, below the maximum and within the budgets,
 * and afterwards its sleep policy alone decides.
 */
import { hasWork } from '../pool/demand.ts';
import type { Observation } from '../pool/pool.ts';
import { isCapacity } from '../phases.ts';
import type { Outlook } from './outlook.ts';

/** Begin of the reason of every transition by which an instance is warmed: the ledger's reports find it by that. */
export const PREWARM_PREFIX = 'pre-warm:';

/** A boot that takes longer is given up: the time that it was meant for has passed. */
const LATEST_MS = 15 * 60_000;

/** What a pool remembers. Plain JSON. */
export interface PrewarmMemory {
  /** When an outlook was last asked for. */
  readonly askedAtMs: number;
  /** Null = none was ever made. */
  readonly outlook: Outlook | null;
  /** The time that an instance was last warmed for; null = none yet. */
  readonly warmed: WarmedFor | null;
}

/** See {@link PrewarmMemory.warmed}. */
export interface WarmedFor {
  readonly readyAtMs: number;
  readonly keptUntilMs: number;
  readonly chance: number;
  /** A deck came, or its time has passed. */
  readonly isOver: boolean;
}

/** What a look makes of it. */
export interface WarmingStep {
  readonly memory: PrewarmMemory;
  /** Instances that are to be warm: 0 or 1. */
  readonly min: 0 | 1;
  /** Why, for the instance's history; null = none is. */
  readonly reason: string | null;
  /** When the next instance is due. */
  readonly dueMs: readonly number[];
}

/** See the file's header. @param observation all instances of the pool */
export function stepWarming(memory: PrewarmMemory, { atMs, demand, instances }: Observation): WarmingStep {
  const { outlook } = memory;
  const isQuiet = demand !== null && !hasWork(demand);
  const isReady = instances.some(({ phase }) => phase === 'ready');
  let { warmed } = memory;
  if (warmed?.isOver === false && (!isQuiet || hasPassed(warmed, atMs, isReady))) warmed = { ...warmed, isOver: true };
  const windows = outlook?.windows ?? [];
  if (isQuiet && (warmed === null || warmed.isOver) && !instances.some(({ phase }) => isCapacity(phase))) {
    const last = warmed?.readyAtMs ?? -Infinity;
    const due = windows.find((w) => w.wakeAtMs <= atMs && atMs < w.readyAtMs && w.readyAtMs > last);
    if (due !== undefined) {
      const { readyAtMs, keptUntilMs, chance } = due;
      warmed = { readyAtMs, keptUntilMs, chance, isOver: false };
    }
  }
  const isWarming = warmed?.isOver === false;
  return {
    memory: { ...memory, warmed },
    min: isWarming ? 1 : 0,
    reason: isWarming && warmed !== null ? reasonOf(warmed) : null,
    dueMs: windows.map((w) => w.wakeAtMs).filter((wakeAtMs) => wakeAtMs > atMs),
  };
}

const hasPassed = ({ readyAtMs, keptUntilMs }: WarmedFor, atMs: number, isReady: boolean): boolean =>
  atMs >= keptUntilMs && (isReady || atMs >= readyAtMs + LATEST_MS);

const reasonOf = ({ readyAtMs, chance }: WarmedFor): string =>
  `${PREWARM_PREFIX} a deck is expected from ${new Date(readyAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC on (${Math.round(chance * 100)} %)`;
