/** How budgets limit a pool: which machines are ended, and which are left for `decide()`. */
import { describe, expect, it } from 'vitest';
import { INSTANCE_PHASES, isRented, type InstancePhase } from '../../../../domain/fleet/phases.ts';
import type { PoolConfig } from '../../../../domain/fleet/pool/pool-config.ts';
import type { InstanceView } from '../../../../domain/fleet/pool/pool.ts';
import { budgetAsks, underBudget, type PoolBudget } from '../../../../domain/fleet/pool/budget.ts';
import { instanceOf, pool } from '../../../../testing/fleet/made-up-pools.ts';

const FREE: PoolBudget = { unpaid: [], urgentOnly: false, onlyOverBudget: false, message: null, limited: [] };
const config = (min: number, max: number): PoolConfig => pool({ min, max });
const view = (name: string, phase: InstancePhase, inFlight = 0): InstanceView => instanceOf(name, { phase, inFlight });
const countsAgainstMax = (i: InstanceView): boolean => isRented(i, 0, 60_000);
const unpaid = (instance: string, phase: InstancePhase): PoolBudget => ({
  ...FREE,
  unpaid: [{ instance, phase, reason: 'no money is left' }],
});

it('without budgets, and below all of them, nothing changes', () => {
  const pool = { config: config(1, 3), instances: [view('a', 'ready')] };
  for (const money of [undefined, FREE]) {
    expect(underBudget(pool, money, countsAgainstMax)).toEqual(pool);
    expect(budgetAsks(pool.config, pool.instances, money)).toEqual([]);
  }
});

describe('an instance whose reservation is used up', () => {
  const asked: Partial<Record<InstancePhase, string>> = {
    ready: 'suspend',
    cordoned: 'suspend',
    booting: 'destroy',
    waking: 'destroy',
    suspended: 'destroy',
  };
  it.each(INSTANCE_PHASES)('%s: finishes its calls and sleeps, or ends where it is not ready', (phase) => {
    const asks = budgetAsks(config(0, 3), [view('a', phase), view('b', 'ready')], unpaid('a', phase));
    const request = asked[phase];
    expect(asks).toEqual(request === undefined ? [] : [{ instance: 'a', request, reason: 'no money is left' }]);
  });

  it('is not asked again while it finishes its calls', () =>
    expect(budgetAsks(config(0, 3), [view('a', 'cordoned', 2)], unpaid('a', 'cordoned'))).toEqual([]));

  it('is left out of the decision, and counts against the maximum while it runs', () => {
    const pool = { config: config(2, 2), instances: [view('a', 'ready'), view('b', 'ready')] };
    const expected = { config: { min: 1, max: 1 }, instances: [{ name: 'b' }] };
    expect(underBudget(pool, unpaid('a', 'ready'), countsAgainstMax)).toMatchObject(expected);
    const asleep = { config: config(0, 2), instances: [view('a', 'suspended')] };
    expect(underBudget(asleep, unpaid('a', 'suspended'), countsAgainstMax)).toMatchObject({
      config: { max: 2 },
      instances: [],
    });
  });
});

it('above a soft cap nothing is bought for the minimum', () => {
  const pool = { config: config(2, 3), instances: [] };
  expect(underBudget(pool, { ...FREE, urgentOnly: true }, countsAgainstMax).config).toMatchObject({ min: 0, max: 3 });
});

it('machines are not kept for work that is over its budget, unless the pool has a minimum', () => {
  const over = { ...FREE, onlyOverBudget: true, limited: ['of tenant acme'] };
  const instances = [view('a', 'ready', 3), view('b', 'booting')];
  expect(budgetAsks(config(0, 3), instances, over)).toEqual([
    { instance: 'a', request: 'suspend', reason: 'of tenant acme' },
  ]);
  expect(budgetAsks(config(1, 3), instances, over)).toEqual([]);
});
