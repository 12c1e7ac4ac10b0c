/**
 * Deckhand's own clock jumps forwards and backwards while everything else goes wrong as well: nothing is lost and nothing doubled. Lives that
 * once failed are kept in regression-jumps.json and run first.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'vitest';
import { jumpyLifePlan, type LifePlan } from '../../../../testing/fleet/life-plans.ts';
import { runPlan } from '../../../../testing/fleet/run-plan.ts';
import { forAll } from '../../../../testing/property.ts';

const FILE = path.join(import.meta.dirname, 'regression-jumps.json');

it('an instance never has two machines, has one when ready and none after destroy, also when its clock jumps', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LifePlan[];
  const examples = kept.map((plan): [LifePlan] => [plan]);
  await forAll([jumpyLifePlan], { runs: 4_000, seed: 20_261_121, examples }, async (plan) => {
    await runPlan(plan);
  });
});
