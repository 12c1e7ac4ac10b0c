/** What each phase means. Three groups were written down differently in several places; each of the three has a test that says which is right. */
import { describe, expect, it } from 'vitest';
import type { FleetDocument } from '../../../api/client.ts';
import { healthOfAll } from '../../../cli/health/health-table.ts';
import * as phases from '../../../domain/fleet/phases.ts';
import { underBudget } from '../../../domain/fleet/pool/budget.ts';
import { instanceOf, pool } from '../../../testing/fleet/made-up-pools.ts';

const { isFinal, isLeaving, isRented, phasesThat } = phases;
const ALARM_MS = 60_000;

it('groups the phases', () => {
  const groups = Object.entries(phases).flatMap(([name, value]) =>
    name.startsWith('is') && name !== 'isRented'
      ? [`${name.slice(2)}: ${phasesThat(value as (phase: string) => boolean).join(', ')}`]
      : [],
  );
  expect(groups.toSorted()).toEqual([
    'Acquiring: planned, creating, waking',
    'Awake: ready, cordoned',
    'Capacity: planned, creating, booting, ready, waking',
    'ComingUp: creating, booting, waking',
    'Final: gone, failed',
    'Leaving: suspending, destroying',
    'Present: booting, ready, cordoned',
  ]);
});

it('takes a phase of a later version for one that is under way', () => {
  expect(phases.phaseOf('dreaming')).toBe('planned');
  expect(isFinal('dreaming')).toBe(false);
});

describe('an instance counts against the maximum of its pool', () => {
  const rented = (phase: phases.InstancePhase, nowMs = 0): boolean =>
    isRented({ phase, phaseSinceMs: 0 }, nowMs, ALARM_MS);

  it('from when it is planned, because it may order a machine at any moment', () => {
    const going = { instance: 'a', phase: 'planned' as const, reason: 'no money is left' };
    const money = { unpaid: [going], urgentOnly: false, onlyOverBudget: false, message: null, limited: [] };
    const before = { config: pool({ max: 1 }), instances: [instanceOf('a', { phase: 'planned' })] };
    expect(rented('planned')).toBe(true);
    expect(underBudget(before, money, (i) => rented(i.phase)).config.max).toBe(0);
  });

  it('until its end is confirmed, but not for ever when the provider does not end it', () => {
    expect(phases.INSTANCE_PHASES.filter((phase) => !rented(phase))).toEqual(['suspended', 'gone', 'failed']);
    expect(rented('destroying', ALARM_MS)).toBe(true);
    expect(rented('destroying', ALARM_MS + 1)).toBe(false);
  });
});

it('health is shown as metrics and alerts count it: from the readiness check on, not of the boot before it', () => {
  const health = { level: 'unhealthy', since: new Date(0).toISOString(), reason: 'of the machine before' };
  const rowOf = (phase: string) => ({ name: 'visual-1', phase, health: phases.isAwake(phase) ? health : null });
  const lineOf = (phase: string) =>
    healthOfAll({ at: health.since, pools: [{ instances: [rowOf(phase)] }] } as unknown as FleetDocument, 120);
  expect(lineOf('ready')).toContain('unhealthy');
  expect(lineOf('cordoned')).toContain('unhealthy');
  expect(lineOf('booting')).toMatch(/–.*not judged yet/u);
});

it('a cordoned machine is not leaving: it is paid for and may be put back to work, so its budget is looked after', () => {
  expect(isLeaving('cordoned')).toBe(false);
  expect(isRented({ phase: 'cordoned', phaseSinceMs: 0 }, 0, ALARM_MS)).toBe(true);
});
