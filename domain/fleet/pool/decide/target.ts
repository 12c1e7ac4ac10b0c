/**
 * From the wish to the target: delays against flapping, and the cases that know no delay.
 *
 * Timers are wall-clock times, so a slow loop stretches nothing, and live in the pool's memory, so nothing is forgotten over a restart.
 */
import type { PoolMemory } from '../pool.ts';
import type { PoolConfig } from '../pool-config.ts';
import { durationWords } from '../../../text/words.ts';

/** What the target is decided from. */
export interface TargetInput {
  readonly nowMs: number;
  readonly config: PoolConfig;
  readonly memory: PoolMemory;
  /** Instances the work asks for, within the pool's limits. */
  readonly wish: number;
  /** Instances that recent work kept busy: the pool is not made smaller than this. */
  readonly floor: number;
  /** Instances that work or will soon. */
  readonly capacity: number;
  /** Why there is an emergency; null = none. */
  readonly emergency: string | null;
}

/** The memory with the new target and its timers, the reasons, and when a running delay ends. */
export interface TargetResult {
  readonly memory: PoolMemory;
  readonly reasons: readonly string[];
  /** Times at which the answer may change by itself. */
  readonly dueMs: readonly number[];
}

const NO_RAISE = { raisedSinceMs: null };
const NO_LOWERING = { loweredSinceMs: null, loweredMax: 0 };

/** `count` within the pool's smallest and largest size. */
export const withinLimits = (count: number, { min, max }: PoolConfig): number => Math.max(min, Math.min(max, count));

/** Moves the target. Zero is left to the sleep policy: above one instance only the delay counts. */
export function moveTarget(input: TargetInput): TargetResult {
  const { config, nowMs, emergency } = input;
  const panicUntilMs =
    emergency === null
      ? input.memory.panicUntilMs
      : Math.max(input.memory.panicUntilMs ?? 0, nowMs + config.timing.panicHoldMs);
  // A pool made smaller or larger by its operator changes at once.
  const target = withinLimits(input.memory.target, config);
  const memory: PoolMemory = { ...input.memory, target, panicUntilMs };
  const kept = input.wish < target ? Math.max(input.wish, Math.min(target, input.floor)) : input.wish;
  if (kept > target) return raise(input, memory);
  if (kept < target) return lower(input, memory, kept);
  return { memory: { ...memory, ...NO_RAISE, ...NO_LOWERING }, reasons: [], dueMs: [] };
}

/** True while a move of the target in this direction would turn it round sooner than the down delay allows. */
export const wouldFlip = (memory: PoolMemory, direction: 'up' | 'down', nowMs: number, downDelayMs: number): boolean =>
  memory.lastDirection !== null &&
  memory.lastDirection !== direction &&
  memory.lastChangeAtMs !== null &&
  nowMs - memory.lastChangeAtMs < downDelayMs;

function raise({ nowMs, config, wish, capacity, emergency }: TargetInput, memory: PoolMemory): TargetResult {
  const { upDelayMs, downDelayMs } = config.timing;
  const raisedSinceMs = memory.raisedSinceMs ?? nowMs;
  const waiting: PoolMemory = { ...memory, ...NO_LOWERING, raisedSinceMs };
  const now = (why: string): TargetResult => ({
    memory: { ...waiting, ...NO_RAISE, target: wish, lastDirection: 'up', lastChangeAtMs: nowMs },
    reasons: [`Up from ${memory.target} to ${wish}: ${why}.`],
    dueMs: [],
  });
  const later = (dueMs: number, why: string): TargetResult => ({
    memory: waiting,
    reasons: [
      `The work asks for ${wish}, the target stays ${memory.target} for another ${durationWords(dueMs - nowMs)}: ${why}.`,
    ],
    dueMs: [dueMs],
  });
  if (memory.target === 0 || capacity === 0) return now('there is work and no instance, so there is no delay');
  if (emergency !== null) return now(`${emergency}, so there is no delay`);
  if (nowMs < raisedSinceMs + upDelayMs)
    return later(raisedSinceMs + upDelayMs, `it is raised after ${durationWords(upDelayMs)} of more work`);
  if (wouldFlip(memory, 'up', nowMs, downDelayMs))
    return later((memory.lastChangeAtMs ?? nowMs) + downDelayMs, 'it was lowered a short while ago');
  return now(`the work has asked for more for ${durationWords(nowMs - raisedSinceMs)}`);
}

function lower({ nowMs, config }: TargetInput, memory: PoolMemory, kept: number): TargetResult {
  const { downDelayMs } = config.timing;
  const least = Math.max(1, config.min);
  if (memory.target <= least) return { memory: { ...memory, ...NO_RAISE, ...NO_LOWERING }, reasons: [], dueMs: [] };
  const loweredSinceMs = memory.loweredSinceMs ?? nowMs;
  const loweredMax = withinLimits(Math.max(memory.loweredMax, kept, least), config);
  const waiting: PoolMemory = { ...memory, ...NO_RAISE, loweredSinceMs, loweredMax };
  const dueMs = Math.max(loweredSinceMs + downDelayMs, memory.panicUntilMs ?? 0);
  if (nowMs < dueMs) {
    const held = dueMs > loweredSinceMs + downDelayMs ? 'an emergency is not long over' : 'less work has to last';
    return {
      memory: waiting,
      reasons: [
        `The work asks for ${kept}, the target stays ${memory.target} for another ${durationWords(dueMs - nowMs)}: ${held}.`,
      ],
      dueMs: [dueMs],
    };
  }
  return {
    memory: { ...waiting, ...NO_LOWERING, target: loweredMax, lastDirection: 'down', lastChangeAtMs: nowMs },
    reasons: [
      `Down from ${memory.target} to ${loweredMax}: that was the most the work asked for in ${durationWords(nowMs - loweredSinceMs)}.`,
    ],
    dueMs: [],
  };
}
