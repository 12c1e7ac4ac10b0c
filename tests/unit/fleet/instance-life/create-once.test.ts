/**
 * Whatever goes wrong between an instance and its provider, there is never more than one machine, exactly one when it is ready, and none
 * after it was destroyed. Lives that once failed are kept in regression-seeds.json and run first.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it, vi } from 'vitest';
import { lifePlan, lifePlanAt, type LifePlan } from '../../../../testing/fleet/life-plans.ts';
import { AWS, AZURE, GOOGLE, runPlan } from '../../../../testing/fleet/run-plan.ts';
import { forAll } from '../../../../testing/property.ts';

const FILE = path.join(import.meta.dirname, 'regression-seeds.json');

const SEED = 20_261_005;

// Ten thousand lives take more than ten minutes beside other files.
vi.setConfig({ testTimeout: 3_600_000 });

it('an instance never has two machines, has one when ready and none after destroy, under crashes, lost answers, stale lists and duplicates', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LifePlan[];
  const examples = kept.map((plan): [LifePlan] => [plan]);
  await forAll([lifePlan], { runs: 10_000, deepRuns: 2_000, seed: SEED, examples }, async (plan) => {
    await runPlan(plan);
  });
});

it.each([
  // Signatures and XML make one take three times as long.
  ['on AWS, where machines are stopped instead of ended', AWS],
  // Operations that are looked at make one take twice as long.
  ['on Google, where the end of a create shows in its operation', GOOGLE],
  // Each create makes an address and a network interface first, and waits for them.
  ['at Azure, where nothing is left of the five resources of a machine', AZURE],
])('the same holds %s', (_where, cloud) =>
  forAll([lifePlanAt(cloud.calls)], { runs: 10_000, deepRuns: 300, seed: SEED }, async (plan) => {
    await runPlan(plan, cloud);
  }),
);
