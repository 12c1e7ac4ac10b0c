/**
 * Whatever goes wrong between an instance and its provider, there is never more than one machine, exactly one when it is ready, and none
 * after it was destroyed. Lives that once failed are kept in regression-seeds.json and run first; a new one is added by the failing run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lifePlan, type LifePlan } from '../../../support/fleet/life-plans.ts';
import { runPlan } from '../../../support/fleet/run-plan.ts';

/** Lives per run of this test. */
const RUNS = 10_000;
const SEED = 20_261_005;
const FILE = path.join(import.meta.dirname, 'regression-seeds.json');

it('an instance never has two machines, has one when ready and none after destroy, under crashes, lost answers, stale lists and duplicates', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LifePlan[];
  const property = fc.asyncProperty(lifePlan, async (plan) => void (await runPlan(plan)));
  const result = await fc.check(property, {
    numRuns: RUNS,
    seed: SEED,
    examples: kept.map((plan): [LifePlan] => [plan]),
  });
  if (!result.failed) return expect(result.numRuns).toBeGreaterThanOrEqual(RUNS);
  const [plan] = result.counterexample ?? [];
  if (plan !== undefined && !kept.some((one) => JSON.stringify(one) === JSON.stringify(plan)))
    writeFileSync(FILE, `${JSON.stringify([...kept, plan], null, 2)}\n`);
  throw new Error(`${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`);
}, 600_000);
