/**
 * Whatever goes wrong between an instance and its provider, there is never more than one machine, exactly one when it is ready, and none
 * after it was destroyed. Lives that once failed are kept in regression-seeds.json and run first.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { it, vi } from 'vitest';
import {
  AWS_CALLS,
  AZURE_CALLS,
  GOOGLE_CALLS,
  lifePlan,
  lifePlanAt,
  type LifePlan,
} from '../../../../testing/fleet/life-plans.ts';
import { AWS, AZURE, GOOGLE, runPlan } from '../../../../testing/fleet/run-plan.ts';
import { assertProperty, forAll } from '../../../../testing/property.ts';

const FILE = path.join(import.meta.dirname, 'regression-seeds.json');

const SEED = 20_261_005;

// Ten thousand lives take more than ten minutes beside other files.
vi.setConfig({ testTimeout: 3_600_000 });

it('an instance never has two machines, has one when ready and none after destroy, under crashes, lost answers, stale lists and duplicates', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LifePlan[];
  const property = fc.asyncProperty(lifePlan, async (plan) => void (await runPlan(plan)));
  await assertProperty(property, {
    runs: 10_000,
    deepRuns: 2_000,
    seed: SEED,
    examples: kept.map((plan): [LifePlan] => [plan]),
  });
});

it('the same holds on AWS, where machines are stopped instead of ended', () =>
  // Signatures and XML make one take three times as long.
  forAll(
    [lifePlanAt(AWS_CALLS)],
    { runs: 10_000, deepRuns: 300, seed: SEED },
    async (plan) => void (await runPlan(plan, AWS)),
  ));

it('the same holds on Google, where the end of a create shows in its operation', () =>
  // Operations that are looked at make one take twice as long.
  forAll(
    [lifePlanAt(GOOGLE_CALLS)],
    { runs: 10_000, deepRuns: 300, seed: SEED },
    async (plan) => void (await runPlan(plan, GOOGLE)),
  ));

it('the same holds at Azure, where nothing is left of the five resources of a machine', () =>
  // Each create makes an address and a network interface first, and waits for them.
  forAll(
    [lifePlanAt(AZURE_CALLS)],
    { runs: 10_000, deepRuns: 300, seed: SEED },
    async (plan) => void (await runPlan(plan, AZURE)),
  ));
