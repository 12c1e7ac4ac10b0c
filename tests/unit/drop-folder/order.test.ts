/**
 * Which jobs are taken next.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimOrder } from '../../../domain/drop-folder/order.ts';
import { forAll } from '../../../testing/property.ts';

const waiting = fc.record({
  name: fc.string({ maxLength: 5 }),
  priority: fc.integer({ min: 1, max: 5 }),
  droppedAtMs: fc.integer({ min: 0, max: 1e8 }),
});

it('the order is the same for every watcher, and keeps every job', () =>
  forAll([fc.uniqueArray(waiting, { selector: (w) => w.name }), fc.integer({ min: 1e8, max: 2e8 })], (jobs, nowMs) => {
    const order = claimOrder(jobs, nowMs);
    expect(claimOrder(jobs.toReversed(), nowMs)).toEqual(order);
    expect(order.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      jobs.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }));

it('urgent first, then the older; what has waited long enough is not overtaken by new work of its rank', () => {
  const job = (name: string, priority: number, droppedAtMs: number) => ({ name, priority, droppedAtMs });
  const names = (nowMs: number, ...jobs: ReturnType<typeof job>[]): string[] =>
    claimOrder(jobs, nowMs).map((j) => j.name);
  expect(names(1000, job('b', 3, 10), job('a', 3, 20), job('c', 1, 30))).toEqual(['c', 'b', 'a']);
  expect(names(10 * 3_600_000, job('new', 2, 10 * 3_600_000), job('old', 5, 0))).toEqual(['old', 'new']);
  expect(names(10 * 3_600_000, job('critical', 1, 10 * 3_600_000), job('old', 5, 0))).toEqual(['critical', 'old']);
});
