/**
 * Decks reviewed on rented machines while everything they need is killed, wedged, filled up or taken away at random moments, each run from a
 * seed (plan.ts). `deckhand test chaos --runs N --seed S` runs others.
 *
 * Seeds that once failed are kept in regression-seeds.json and run first; a new one is added by the failing run.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { chosenSeeds } from './seeds.ts';
import { describePlan, planOf } from './plan.ts';
import { runPlan } from './run.ts';
import { startWorld } from './world.ts';
import { perFile } from '../../testing/per-file.ts';

const FILE = path.join(import.meta.dirname, 'regression-seeds.json');
const { environment } = loadConfig();
const logFile = environment['DECKHAND_CHAOS_LOG'];
const kept = JSON.parse(readFileSync(FILE, 'utf8')) as number[];

let runs = 0;
const world = perFile(startWorld);

it.each(chosenSeeds(environment, kept))('seed %i', async (seed) => {
  const plan = planOf(seed);
  const verdict = await runPlan(world, plan, (runs += 1));
  if (logFile !== undefined) {
    appendFileSync(logFile, `${JSON.stringify({ at: new Date().toISOString(), seed, ...verdict, plan })}\n`);
  }
  if (verdict.found.length > 0 && !kept.includes(seed)) {
    kept.push(seed);
    writeFileSync(FILE, `${JSON.stringify(kept)}\n`);
  }
  expect(verdict.found, describePlan(plan)).toEqual([]);
});
