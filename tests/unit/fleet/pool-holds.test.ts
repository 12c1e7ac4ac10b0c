/** What operators ask of instances, and how long it overrides the pool. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { Demand, InstanceView } from '../../../domain/fleet/pool/pool.ts';
import { INSTANCE_PHASES, isRented, type InstancePhase } from '../../../domain/fleet/phases.ts';
import type { Hold, OperatorRequest } from '../../../domain/fleet/pool/pool-state.ts';
import {
  applyAsk,
  currentHolds,
  drainedAndIdle,
  heldTooLong,
  takenOutAndServing,
  underHolds,
} from '../../../domain/fleet/pool/holds.ts';
import { forAll } from '../../../testing/property.ts';
import { instanceOf, NO_DEMAND, pool } from '../../../testing/fleet/made-up-pools.ts';

const DOWN_DELAY_MS = 600_000;
const NO_WORK: Demand = { ...NO_DEMAND, byClass: [] };
const WORK: Demand = { ...NO_WORK, openCalls: 1, openSeconds: 15, oldestAgeMs: 0 };
const config = (min: number, max: number): PoolConfig => pool({ min, max });
const view = (name: string, phase: InstancePhase, inFlight: number | null = 0): InstanceView =>
  instanceOf(name, { phase, inFlight });
const takesPlace = (i: InstanceView): boolean => isRented(i, 0, 60_000);
const ask = (request: OperatorRequest) => ({ instance: 'a', request, by: 'the operator' });

describe('a cordoned instance', () => {
  const { holds, request } = applyAsk({}, ask('cordon'), 0, DOWN_DELAY_MS);

  it('is told so, and stays so whatever work there is', () => {
    expect(request).toBe('cordon');
    expect(currentHolds(holds, new Set(['a']), WORK, 10 * DOWN_DELAY_MS)).toEqual(holds);
  });

  it('is not at the disposal of the pool and takes a place of its maximum while it runs', () => {
    const under = underHolds(config(1, 2), [view('a', 'cordoned'), view('b', 'ready')], holds, takesPlace);
    expect(under.instances.map((i) => i.name)).toEqual(['b']);
    expect(under.config).toMatchObject({ min: 1, max: 1 });
  });

  it('leaves no place when it is the only one allowed', () => {
    const expected = { min: 0, max: 0 };
    expect(underHolds(config(1, 1), [view('a', 'cordoned')], holds, takesPlace).config).toMatchObject(expected);
  });

  it('is free again when it is uncordoned or woken, and forgotten when it is gone', () => {
    for (const lift of ['uncordon', 'wake'] as const)
      expect(applyAsk(holds, ask(lift), 1, DOWN_DELAY_MS)).toEqual({ holds: {}, request: lift });
    expect(currentHolds(holds, new Set(), NO_WORK, 1)).toEqual({});
  });
});

describe('a drained instance', () => {
  const { holds, request } = applyAsk({}, ask('drain'), 0, DOWN_DELAY_MS);

  it('is cordoned, and put to sleep when its last call has ended', () => {
    expect(request).toBe('cordon');
    expect(drainedAndIdle([view('a', 'ready', 2)], holds)).toEqual([]);
    expect(drainedAndIdle([view('a', 'cordoned', 2)], holds)).toEqual([]);
    expect(drainedAndIdle([view('a', 'cordoned', null)], holds)).toEqual([]);
    expect(drainedAndIdle([view('a', 'cordoned', 0)], holds)).toEqual(['a']);
  });

  it('is taken out again when it came back from something that was under way', () => {
    expect(takenOutAndServing([view('a', 'ready')], holds, 0)).toEqual([]);
    expect(takenOutAndServing([view('a', 'ready'), view('b', 'ready')], holds, 1)).toEqual(['a']);
    expect(takenOutAndServing([view('a', 'cordoned')], holds, 1)).toEqual([]);
  });

  it('asleep it takes no place, and work does not wake it', () => {
    const under = underHolds(config(0, 1), [view('a', 'suspended')], holds, takesPlace);
    expect(under).toMatchObject({ instances: [], config: { max: 1 } });
    expect(currentHolds(holds, new Set(['a']), WORK, 1)).toEqual(holds);
  });
});

it.each(['suspend', 'destroy'] as const)(
  'a suspended or destroyed instance: %s: a minimum alone does not bring one back, for a while',
  (request) => {
    const { holds } = applyAsk({}, ask(request), 0, DOWN_DELAY_MS);
    expect(underHolds(config(1, 2), [], holds, takesPlace).config).toMatchObject({ min: 0, max: 2 });
    expect(currentHolds(holds, new Set(), NO_WORK, DOWN_DELAY_MS - 1)).toEqual(holds);
    expect(currentHolds(holds, new Set(), NO_WORK, DOWN_DELAY_MS)).toEqual({});
  },
);

it('a suspended or destroyed instance work brings one back at once; work that is not known does not', () => {
  const { holds } = applyAsk({}, ask('suspend'), 0, DOWN_DELAY_MS);
  expect(currentHolds(holds, new Set(['a']), WORK, 1)).toEqual({});
  expect(currentHolds(holds, new Set(['a']), null, 1)).toEqual(holds);
});

it('whatever is held: limits stay within the configured ones, and held machines and the rest together within the maximum', async () => {
  const holdOf = fc.constantFrom<Hold['kind'] | null>('cordoned', 'drained', 'asleep', null);
  const instanceOf = fc.record({ phase: fc.constantFrom(...INSTANCE_PHASES), hold: holdOf });
  await forAll([fc.array(instanceOf, { maxLength: 8 }), fc.nat(4), fc.nat(4)], (items, min, more) => {
    const instances = items.map(({ phase }, index) => view(`i${index}`, phase));
    const holds = Object.fromEntries(
      items.flatMap(({ hold }, index): [string, Hold][] =>
        hold === null ? [] : [[`i${index}`, { kind: hold, by: 'x', sinceMs: 0, untilMs: null }]],
      ),
    );
    const before = config(min, min + more);
    const under = underHolds(before, instances, holds, takesPlace);
    expect(under.config.min).toBeLessThanOrEqual(under.config.max);
    expect(under.config.min).toBeLessThanOrEqual(before.min);
    const hidden = instances.length - under.instances.length;
    expect(under.config.max).toBeGreaterThanOrEqual(Math.max(0, before.max - hidden));
    expect(under.config.max).toBeLessThanOrEqual(before.max);
  });
});

describe('a kept disk under a hold', () => {
  const { holds } = applyAsk({}, ask('drain'), 0, DOWN_DELAY_MS);
  const limitMs = config(0, 1).maxKeptVolumeAgeHours * 3_600_000;

  it('is given up when it is older than the pool keeps any, and not before', () => {
    expect(heldTooLong(config(0, 1), [view('a', 'suspended')], holds, limitMs)).toEqual([]);
    expect(heldTooLong(config(0, 1), [view('a', 'suspended')], holds, limitMs + 1)).toEqual(['a']);
  });

  it('leaves alone what is awake, and what no hold hides from the pool', () => {
    expect(heldTooLong(config(0, 1), [view('a', 'cordoned')], holds, limitMs + 1)).toEqual([]);
    expect(heldTooLong(config(0, 1), [view('b', 'suspended')], holds, limitMs + 1)).toEqual([]);
  });
});
