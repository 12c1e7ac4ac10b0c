/**
 * One chaos run from its plan to its verdict.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { happen, type Fault } from './faults.ts';
import { insist } from './insist.ts';
import {
  checkCalls,
  checkDeleted,
  checkDeliveries,
  checkReplays,
  checkReviews,
  checkSteering,
  checkWorkflows,
  untilAtRest,
} from './invariants.ts';
import type { ChaosPlan } from './plan.ts';
import type { CallCount } from './reader-calls.ts';
import { beginAnew, deleteOne, doReviews, replaysOf } from './work.ts';
import type { ChaosWorld } from './world.ts';

/** What a run came to. */
export interface ChaosVerdict {
  readonly seconds: number;
  /** Seconds until the last review and replay had ended and the last fault was over. */
  readonly reviewSeconds: number;
  /** Seconds until every machine slept. */
  readonly restSeconds: number;
  readonly count: CallCount | null;
  /** Repeated calls that the faults allow. */
  readonly allowed: number;
  /** What does not hold; empty = all is well. */
  readonly found: readonly string[];
}

/** Runs a plan. @param run number of this run in its world */
export async function runPlan(world: ChaosWorld, plan: ChaosPlan, run: number): Promise<ChaosVerdict> {
  await beginAnew(world, run);
  const startedMs = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedMs) / 100) / 10;
  const found: string[] = [];
  let reviewSeconds = 0;
  let restSeconds = 0;
  let count: CallCount | null = null;
  let allowed = 0;
  try {
    const happening = allFaults(world, plan, startedMs);
    const working = Promise.all([doReviews(world, plan, run, startedMs), deleteOne(world, plan, run, startedMs)]);
    const [worked, happened] = await Promise.allSettled([working, happening]);
    reviewSeconds = seconds();
    if (worked.status === 'rejected') throw worked.reason;
    if (happened.status === 'rejected') throw happened.reason;
    const [reviews, deletedDeck] = worked.value;
    const faults = happened.value;
    await untilAtRest(world);
    restSeconds = seconds();
    const analyses = [...reviews, ...replaysOf(reviews)];
    const alone = plan.decks.length === 1 && plan.deletion === null;
    const calls = insist('the model calls', () => checkCalls(world, analyses, faults, startedMs));
    const checks = await Promise.all([
      checkReviews(world, analyses),
      checkDeliveries(world, analyses, faults),
      checkSteering(world, reviews, { alone, startedMs }),
      checkReplays(world, reviews),
      calls.then((checked) => checked.found),
      checkWorkflows(world, new Date(startedMs)),
    ]);
    ({ count, allowed } = await calls);
    found.push(...checks.flat(), ...checkDeleted(world, deletedDeck));
  } catch (error) {
    found.push(error instanceof Error ? error.message : String(error));
  }
  return { seconds: seconds(), reviewSeconds, restSeconds, count, allowed, found };
}

async function allFaults(world: ChaosWorld, plan: ChaosPlan, startedMs: number): Promise<Fault[]> {
  const all = plan.faults.map(async (planned) => {
    await delay(startedMs + planned.atMs - Date.now());
    return happen(world, planned);
  });
  // All end before a failure of one is reported: the next run begins without faults.
  const ends = await Promise.allSettled(all);
  return ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason as Error;
    return end.value;
  });
}
