/**
 * Deckhand's own clock jumps forwards and backwards while everything else goes wrong as well: nothing is lost and nothing doubled. Lives that
 * once failed are kept in regression-jumps.json and run first; a new one is added by the failing run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jumpyLifePlan, type LifePlan } from '../../../support/fleet/life-plans.ts';
import { runPlan } from '../../../support/fleet/run-plan.ts';

const RUNS = 4000;
const SEED = 20_261_121;
const FILE = path.join(import.meta.dirname, 'regression-jumps.json');

it('an instance never has two machines, has one when ready and none after destroy, also when its clock jumps', async () => {
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as LifePlan[];
  const property = fc.asyncProperty(jumpyLifePlan, async (plan) => void (await runPlan(plan)));
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
