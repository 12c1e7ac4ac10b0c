/** What the history of an instance says about its boots and wakes. */
import { describe, expect, it } from 'vitest';
import { provisioningEnded, wakeEnded, type LifeStep } from '../../../domain/metrics/life.ts';

const OFFER = 'datacrunch/FIN-01/1H100/spot';

/** A history: phases, each with `@` and the second at which it began. */
const historyOf = (path: string, offerKey: string | null = OFFER): LifeStep[] => {
  const steps = path.split(' ').map((step) => step.split('@'));
  return steps.map(([to = '', seconds], index) => ({
    from: steps[index - 1]?.[0] ?? null,
    to,
    atMs: Number(seconds) * 1000,
    offerKey,
  }));
};

/** Every boot that ended in a history. */
const boots = (...args: Parameters<typeof historyOf>) => {
  const steps = historyOf(...args);
  return steps.flatMap((step, index) => provisioningEnded(steps.slice(0, index), step) ?? []);
};

describe('the time until a machine serves', () => {
  it('runs from the order that was answered', () =>
    expect(boots('planned@0 creating@5 creating@20 booting@25 ready@100')).toEqual([
      { outcome: 'ready', offerKey: OFFER, seconds: 80 },
    ]));

  it('is counted of machines that were given up, and of those not wanted any more', () =>
    expect(boots('creating@0 booting@10 creating@60 booting@70 destroying@90')).toEqual([
      { outcome: 'failed', offerKey: OFFER, seconds: 60 },
      { outcome: 'ended', offerKey: OFFER, seconds: 30 },
    ]));

  it('does not include repairs, nor servers that were not ordered', () => {
    const repaired = boots('creating@0 booting@10 ready@20 booting@500 ready@560');
    expect(repaired).toEqual([{ outcome: 'ready', offerKey: OFFER, seconds: 20 }]);
    expect(boots('planned@0 booting@1 ready@2', null)).toEqual([]);
  });

  it('is never negative, when a clock was set back', () =>
    expect(boots('creating@50 booting@10 ready@20')).toMatchObject([{ outcome: 'ready', seconds: 0 }]));
});

it.for([
  ['booting', 'disk', 120, 'kept_disk'],
  ['booting', null, 120, 'fresh'],
  // The order is that of its first boot: the machine was only stopped.
  ['booting', null, 0, 'started'],
  ['suspended', 'disk', 120, 'given_up'],
] as const)('a wake to %s with disk %s, ordered after %i s, is %s', ([end, fromVolumeId, orderedAt, step]) => {
  const steps = historyOf(`suspended@0 waking@100 ${end}@160`);
  const last = steps[2];
  if (last === undefined) throw new Error('no last step');
  const order = { createdAtMs: orderedAt * 1000, fromVolumeId };
  expect(wakeEnded(steps.slice(0, 2), last, order)).toBe(step);
  expect(wakeEnded(steps.slice(0, 1), steps[1] ?? last, order)).toBeNull();
});
