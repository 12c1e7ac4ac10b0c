/**
 * Asks of a review while it goes on what a plan says, again and again until each request is accepted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isFinished } from '../../domain/decks/report.ts';
import { insist } from './insist.ts';
import type { PlannedPause, PlannedPriority, PlannedSteering } from './plan.ts';
import type { ChaosWorld } from './world.ts';

/** A review that was held. */
export interface Hold {
  /** When its row was first seen to say so; null when its run did not come to it, or had ended. */
  readonly seenAtMs: number | null;
  /** From then on it may go on: its end was asked for. */
  readonly releasedAtMs: number;
}

/** A priority that a run has heard of. */
export interface GivenPriority {
  readonly priority: number;
  readonly heardAtMs: number;
}

/** What a review was asked for; null = nothing, or it had ended before. */
export interface Steered {
  readonly hold: Hold | null;
  readonly given: GivenPriority | null;
}

const LOOK_MS = 100;

/** Steers a review as planned. Resolves when everything was heard. */
export async function steer(
  world: ChaosWorld,
  analysisId: string,
  { pause, priority }: PlannedSteering,
  startedMs: number,
): Promise<Steered> {
  const [hold, given] = await Promise.all([
    pause === null ? null : holdFor(world, analysisId, pause, startedMs),
    priority === null ? null : give(world, analysisId, priority, startedMs),
  ]);
  return { hold, given };
}

async function holdFor(
  world: ChaosWorld,
  analysisId: string,
  { atMs, lastsMs }: PlannedPause,
  startedMs: number,
): Promise<Hold | null> {
  const { client } = world.rig;
  await untilTime(startedMs + atMs);
  if (
    !(await isHeard(world, analysisId, 'pause', () =>
      client.POST('/analyses/{id}/pause', { params: { path: { id: analysisId } } }),
    ))
  )
    return null;
  const seenAtMs = await firstSeenHeld(world, analysisId, Date.now() + lastsMs);
  const releasedAtMs = Date.now();
  await isHeard(world, analysisId, 'resumption', () =>
    client.POST('/analyses/{id}/resume', { params: { path: { id: analysisId } } }),
  );
  return { seenAtMs, releasedAtMs };
}

async function give(
  world: ChaosWorld,
  analysisId: string,
  { atMs, priority }: PlannedPriority,
  startedMs: number,
): Promise<GivenPriority | null> {
  await untilTime(startedMs + atMs);
  const told = await isHeard(world, analysisId, 'priority', () =>
    world.rig.client.POST('/analyses/{id}/priority', { params: { path: { id: analysisId } }, body: { priority } }),
  );
  return told ? { priority, heardAtMs: Date.now() } : null;
}

/** Asks until the request is accepted. False when the review had ended before. */
function isHeard(
  { rig: { client } }: ChaosWorld,
  analysisId: string,
  what: string,
  ask: () => Promise<unknown>,
): Promise<boolean> {
  return insist(`${what} of ${analysisId}`, async () => {
    try {
      await ask();
      return true;
    } catch (error) {
      if (isFinished((await client.GET('/analyses/{id}', { params: { path: { id: analysisId } } })).status))
        return false;
      throw error;
    }
  });
}

/** Looks at the row until a time, which always passes; later where the database is away. */
async function firstSeenHeld({ rig: { db } }: ChaosWorld, analysisId: string, untilMs: number): Promise<number | null> {
  let seenAtMs: number | null = null;
  while (Date.now() < untilMs && seenAtMs === null) {
    const row = await insist(`row of ${analysisId}`, () =>
      db.analysis.findUniqueOrThrow({ where: { id: analysisId }, select: { pausedAt: true } }),
    );
    if (row.pausedAt !== null) seenAtMs = Date.now();
    else await delay(LOOK_MS);
  }
  await untilTime(untilMs);
  return seenAtMs;
}

const untilTime = (atMs: number): Promise<void> => delay(Math.max(0, atMs - Date.now()));
