/** Targets: met, not met, or no data, from the figures of a period. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTargets, TARGET_NAMES, type TargetFacts, type TargetName } from '../../../domain/metrics/targets.ts';
import { forAll } from '../../../testing/property.ts';

const SETTINGS = { monthlyUsd: 100, perDocumentUsd: 0.1, slaMs: 600_000 };
const DAY_MS = 86_400_000;
const MONTH = { fromMs: 0, untilMs: 30 * DAY_MS };

const NOTHING: TargetFacts = {
  waits: { count: 0, meanSeconds: 0, within10Min: 0 },
  done: { count: 0, withinSla: 0 },
  calls: { ended: 0, stored: 0 },
  analyses: { ended: 0, reviewed: 0 },
  machines: { rented: 0, failed: 0 },
  wakes: { count: 0, meanSeconds: 0 },
  boots: { count: 0, meanSeconds: 0 },
  responses: { count: 0, meanSeconds: 0 },
  looks: { count: 0, answered: 0 },
  saving: { rentals: 0, share: null },
  costs: { totalUsd: new Decimal(0), visionUsd: new Decimal(0), visionDocuments: 0, documents: 0, entries: 0 },
};

const stateOf = (target: TargetName, facts: Partial<TargetFacts>, span = MONTH) =>
  judgeTargets({ ...NOTHING, ...facts }, SETTINGS, span).find((v) => v.target === target);

describe('targets', () => {
  it('have no data where nothing happened', () => {
    const verdicts = judgeTargets(NOTHING, SETTINGS, MONTH);
    expect(verdicts.map((v) => v.target)).toEqual(TARGET_NAMES);
    expect(verdicts.every((v) => v.state === 'no_data' && v.value === null && v.samples === 0)).toBe(true);
  });

  it.each<[TargetName, Partial<TargetFacts>, string]>([
    ['wait_mean', { waits: { count: 4, meanSeconds: 299.9, within10Min: 4 } }, 'met'],
    ['wait_mean', { waits: { count: 4, meanSeconds: 300, within10Min: 4 } }, 'not_met'],
    ['wait_within_10_min', { waits: { count: 100, meanSeconds: 1, within10Min: 95 } }, 'met'],
    ['wait_within_10_min', { waits: { count: 100, meanSeconds: 1, within10Min: 94 } }, 'not_met'],
    ['done_within_sla', { done: { count: 20, withinSla: 19 } }, 'met'],
    ['done_within_sla', { done: { count: 20, withinSla: 18 } }, 'not_met'],
    ['call_success', { calls: { ended: 1000, stored: 991 } }, 'met'],
    ['call_success', { calls: { ended: 100, stored: 99 } }, 'not_met'],
    ['analysis_success', { analyses: { ended: 1, reviewed: 1 } }, 'met'],
    ['instance_failure', { machines: { rented: 101, failed: 1 } }, 'met'],
    ['instance_failure', { machines: { rented: 100, failed: 1 } }, 'not_met'],
    ['machine_start', { wakes: { count: 3, meanSeconds: 119 } }, 'met'],
    ['machine_start', { wakes: { count: 3, meanSeconds: 120 } }, 'not_met'],
    ['provisioning', { boots: { count: 1, meanSeconds: 299 } }, 'met'],
    ['provisioning', { boots: { count: 1, meanSeconds: 301 } }, 'not_met'],
    ['scaling_response', { responses: { count: 2, meanSeconds: 5 } }, 'met'],
    ['availability', { looks: { count: 1000, answered: 995 } }, 'met'],
    ['availability', { looks: { count: 1000, answered: 994 } }, 'not_met'],
    ['saving', { saving: { rentals: 2, share: 0.3 } }, 'met'],
    ['saving', { saving: { rentals: 2, share: -0.1 } }, 'not_met'],
  ])('%s of %j is %s', (target, facts, state) => expect(stateOf(target, facts)?.state).toBe(state));

  it('hold costs against their limits exactly', () => {
    const counts = { visionDocuments: 3, documents: 4, entries: 2 };
    const costs = (totalUsd: string, visionUsd: string) => ({
      costs: { totalUsd: new Decimal(totalUsd), visionUsd: new Decimal(visionUsd), ...counts },
    });
    expect(stateOf('cost_per_month', costs('99.999999999', '0'))?.state).toBe('met');
    expect(stateOf('cost_per_month', costs('100', '0'))?.state).toBe('not_met');
    expect(stateOf('cost_per_document_vision', costs('1', '0.299999999'))).toMatchObject({ state: 'met', samples: 3 });
    expect(stateOf('cost_per_document_vision', costs('1', '0.3'))?.state).toBe('not_met');
    const expected = { state: 'told', value: 0.25, limit: null };
    expect(stateOf('cost_per_document_total', costs('1', '0.3'))).toMatchObject(expected);
  });

  it('tell the cost of a longer period per month', () => {
    const costs = { ...NOTHING.costs, totalUsd: new Decimal(1200), entries: 1 };
    const year = { fromMs: 0, untilMs: 365.25 * DAY_MS };
    expect(stateOf('cost_per_month', { costs }, year)?.value).toBeCloseTo(100, 9);
  });

  it('have a verdict for all figures, and shares between 0 and 1', async () => {
    const whole = fc.integer({ min: 0, max: 1000 });
    const part = whole.chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 0, max: all })));
    await forAll([part, part, part, part, part, fc.float({ min: 0, max: 1e6, noNaN: true })], (w, d, c, a, m, mean) => {
      const verdicts = judgeTargets(
        {
          ...NOTHING,
          waits: { count: w[0], meanSeconds: mean, within10Min: w[1] },
          done: { count: d[0], withinSla: d[1] },
          calls: { ended: c[0], stored: c[1] },
          analyses: { ended: a[0], reviewed: a[1] },
          machines: { rented: m[0], failed: m[1] },
        },
        SETTINGS,
        MONTH,
      );
      for (const { unit, value, state, samples } of verdicts) {
        expect(state === 'no_data').toBe(value === null);
        expect(value === null).toBe(samples === 0);
        if (unit === 'ratio' && value !== null) expect(value >= 0 && value <= 1).toBe(true);
      }
    });
  });
});
