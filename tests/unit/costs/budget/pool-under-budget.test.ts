/** What budgets change of a pool: which machines are sent away, and what is left to decide on. */
import { describe, expect, it } from 'vitest';
import type { PoolMoney } from '../../../../domain/fleet/pool/money.ts';
import { INSTANCE_PHASES, isRented, type InstancePhase } from '../../../../domain/fleet/phases.ts';
import type { PoolConfig } from '../../../../domain/fleet/pool/pool-config.ts';
import type { InstanceView } from '../../../../domain/fleet/pool/pool.ts';
import { asksForMoney, moneyReasons, underBudget } from '../../../../domain/fleet/pool/money.ts';
import { instanceOf, pool } from '../../fleet/decide-fixtures.ts';

const FREE: PoolMoney = { unpaid: [], urgentOnly: false, onlyOverBudget: false, message: null, limited: [] };
const config = (min: number, max: number): PoolConfig => pool({ min, max });
const view = (name: string, phase: InstancePhase, inFlight: number | null = 0): InstanceView =>
  instanceOf(name, { phase, inFlight });
const takesPlace = (i: InstanceView): boolean => isRented(i, 0, 60_000);
const without = (instance: string, phase: InstancePhase): PoolMoney => ({
  ...FREE,
  unpaid: [{ instance, phase, reason: 'no money is left' }],
});

it('without budgets, and below all of them, nothing changes', () => {
  const pool = { config: config(1, 3), instances: [view('a', 'ready')] };
  for (const money of [undefined, FREE]) {
    expect(underBudget(pool, money, takesPlace)).toEqual(pool);
    expect(asksForMoney(pool.config, pool.instances, money)).toEqual([]);
    expect(moneyReasons(money)).toEqual({ first: [], last: [] });
  }
});

describe('an instance whose money is used up', () => {
  const asked: Partial<Record<InstancePhase, string>> = {
    ready: 'suspend',
    cordoned: 'suspend',
    booting: 'destroy',
    waking: 'destroy',
    suspended: 'destroy',
  };
  it.each(INSTANCE_PHASES)('%s: finishes its calls and sleeps, or ends where it is not ready', (phase) => {
    const asks = asksForMoney(config(0, 3), [view('a', phase), view('b', 'ready')], without('a', phase));
    const request = asked[phase];
    expect(asks).toEqual(request === undefined ? [] : [{ instance: 'a', request, reason: 'no money is left' }]);
  });

  it('is not asked again while it finishes its calls', () =>
    expect(asksForMoney(config(0, 3), [view('a', 'cordoned', 2)], without('a', 'cordoned'))).toEqual([]));

  it('is not at the disposal of the pool, and takes a place of its maximum while it runs', () => {
    const pool = { config: config(2, 2), instances: [view('a', 'ready'), view('b', 'ready')] };
    const expected = { config: { min: 1, max: 1 }, instances: [{ name: 'b' }] };
    expect(underBudget(pool, without('a', 'ready'), takesPlace)).toMatchObject(expected);
    const asleep = { config: config(0, 2), instances: [view('a', 'suspended')] };
    expect(underBudget(asleep, without('a', 'suspended'), takesPlace)).toMatchObject({
      config: { max: 2 },
      instances: [],
    });
  });
});

it('beyond a soft cap a minimum is no reason to buy', () => {
  const pool = { config: config(2, 3), instances: [] };
  expect(underBudget(pool, { ...FREE, urgentOnly: true }, takesPlace).config).toMatchObject({ min: 0, max: 3 });
});

it('machines are not kept for work that is over its budget, unless the pool is to have them anyway', () => {
  const over = { ...FREE, onlyOverBudget: true, limited: ['of tenant acme'] };
  const instances = [view('a', 'ready', 3), view('b', 'booting')];
  expect(asksForMoney(config(0, 3), instances, over)).toEqual([
    { instance: 'a', request: 'suspend', reason: 'of tenant acme' },
  ]);
  expect(asksForMoney(config(1, 3), instances, over)).toEqual([]);
});

it('why nothing is bought comes first, whose work has nothing bought last', () =>
  expect(moneyReasons({ ...FREE, message: 'hard', limited: ['soft'] })).toEqual({ first: ['hard'], last: ['soft'] }));
