/** Slots of a model host: how many calls are inside its server, also while that number changes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slots } from '../../../activities/models/host/calls-in-flight.ts';
import { forAll } from '../../../testing/property.ts';

const step = fc.oneof(
  fc.constant({ kind: 'begin' as const }),
  fc.constant({ kind: 'end' as const }),
  fc.record({ kind: fc.constant('limit' as const), limit: fc.integer({ min: 1, max: 5 }) }),
);

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('no call begins above the present limit, and none waits below it', () =>
  forAll([fc.array(step, { maxLength: 40 })], async (steps) => {
    const slots = new Slots(3);
    const running: (() => void)[] = [];
    let limit = 3;
    let begun = 0;
    let ended = 0;
    for (const each of steps) {
      const before = running.length;
      if (each.kind === 'begin') {
        begun++;
        void slots.run(new AbortController().signal, () => new Promise<void>((resolve) => running.push(resolve)));
      } else if (each.kind === 'end') {
        const end = running.shift();
        if (end !== undefined) ended++;
        end?.();
      } else {
        ({ limit } = each);
        slots.setLimit(limit);
      }
      await settled();
      const inside = running.length;
      if (inside > before && inside > limit) return false;
      if (inside < limit && inside < begun - ended) return false;
      if (inside !== slots.inUse) return false;
    }
    return true;
  }));

it('a call that has to be alone waits for the others, is not overtaken, and keeps the others out', async () => {
  const slots = new Slots(3);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, alone = false, signal = new AbortController().signal): Promise<void> =>
    slots.run(
      signal,
      () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { alone },
    );
  void start('a');
  void start('b');
  void start('alone', true);
  void start('c');
  const leaving = new AbortController();
  const left = start('leaves', true, leaving.signal);
  void start('d');
  await settled();
  expect(started).toEqual(['a', 'b']);
  ends.get('a')?.();
  await settled();
  expect(started).toEqual(['a', 'b']);
  ends.get('b')?.();
  await settled();
  expect(started).toEqual(['a', 'b', 'alone']);
  ends.get('alone')?.();
  await settled();
  expect(started).toEqual(['a', 'b', 'alone', 'c']);
  leaving.abort(new Error('cancelled'));
  await expect(left).rejects.toThrow('cancelled');
  await settled();
  expect(started).toEqual(['a', 'b', 'alone', 'c', 'd']);
});
