/** Decks finish in order: what each run of a line may have scheduled, and what that does to the time until a review is there. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MAX_SCHEDULED_CALLS,
  NO_SHARE,
  sharesOf,
  slotsOf,
  WHOLE_SHARE,
  withReady,
  type LineRun,
} from '../../../../domain/decks/admission/shares.ts';
import { GPU_CLASSES } from '../../../../domain/models/model-tasks.ts';
import { forAll } from '../../../../testing/property.ts';
import { meanMs, reviewModel, run } from './queue-model.ts';

const lineRun = (id: string, visual: number, text: number, isStuck = false): LineRun => ({
  id,
  usable: { 'gpu-visual': visual, 'gpu-text': text },
  isStuck,
});
const share = (visual: number, text: number) => ({ 'gpu-visual': visual, 'gpu-text': text });
const both = (count: number) => ({ 'gpu-visual': 0, 'gpu-text': 0, both: count });

it.each([
  [
    'the first run schedules what it likes and the next ones nothing',
    [lineRun('a', 24, 0), lineRun('b', 24, 0)],
    [NO_SHARE],
  ],
  [
    'the next run gets what the first one leaves',
    [lineRun('a', 0, 3), lineRun('b', 24, 0), lineRun('c', 24, 0)],
    [share(3, 3), NO_SHARE],
  ],
  [
    'a run without a call leaves everything',
    [lineRun('a', 0, 0), lineRun('b', 2, 0), lineRun('c', 24, 0)],
    [share(6, 6), share(4, 4)],
  ],
  [
    'a run that is stuck holds nobody',
    [lineRun('a', 24, 0, true), lineRun('b', 24, 0), lineRun('c', 1, 0)],
    [WHOLE_SHARE, NO_SHARE],
  ],
])('on machines that serve both classes: %s', (_, runs, expected) => {
  expect([...sharesOf(runs, 3, both(6)).values()]).toEqual([WHOLE_SHARE, ...expected]);
});

it('on machines of their own, a deck in its text stages leaves the visual slots to the next one', () => {
  const places = { 'gpu-visual': 4, 'gpu-text': 4, both: 0 };
  const shares = sharesOf([lineRun('a', 0, 30), lineRun('b', 3, 0), lineRun('c', 9, 0)], 3, places);
  expect([...shares.values()]).toEqual([WHOLE_SHARE, share(4, 0), share(1, 0)]);
});

it('holds no run of priority 1', () => {
  const shares = sharesOf([lineRun('a', 30, 0), lineRun('b', 30, 0)], 1, both(1));
  expect([...shares.values()]).toEqual([WHOLE_SHARE, WHOLE_SHARE]);
});

it('counts the slots of one instance where none is ready, and knows nothing where no pool serves a class', () => {
  const visual = { classes: ['gpu-visual'] as const, readySlots: 0, slotsPerInstance: 4 };
  const text = { classes: ['gpu-text'] as const, readySlots: 16, slotsPerInstance: 8 };
  const shared = { classes: GPU_CLASSES, readySlots: 2, slotsPerInstance: 2 };
  expect(slotsOf([visual, text])).toEqual({ 'gpu-visual': 4, 'gpu-text': 16, both: 0 });
  expect(slotsOf([visual, shared])).toEqual({ 'gpu-visual': 0, 'gpu-text': 0, both: 2 });
  expect(slotsOf([visual])).toBeNull();
  expect(slotsOf([])).toBeNull();
});

it('has as many calls ready behind the slots as end between two decisions', () => {
  expect(withReady(both(1), 60_000)).toEqual(both(1));
  expect(withReady(both(1), 500)).toEqual(both(4));
  expect(withReady(both(4), 60_000)).toEqual(both(5));
  expect(withReady(both(4), 1000)).toEqual(both(10));
  expect(withReady(both(4), 1)).toEqual(both(4 + MAX_SCHEDULED_CALLS));
  expect(withReady(both(0), 1000)).toEqual(both(0));
});

const places = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map(both),
  fc.record({
    'gpu-visual': fc.integer({ min: 1, max: 8 }),
    'gpu-text': fc.integer({ min: 1, max: 8 }),
    both: fc.constant(0),
  }),
);
const deck = fc.record({
  pages: fc.integer({ min: 3, max: 30 }),
  questions: fc.integer({ min: 4, max: 34 }),
  readings: fc.constantFrom(0, 0, 3),
});

it('shares are never negative, the first run is never held, and a later one gets no more than an earlier one', async () => {
  const runs = fc.array(fc.record({ visual: fc.nat(60), text: fc.nat(60), isStuck: fc.boolean() }), {
    minLength: 1,
    maxLength: 20,
  });
  await forAll([runs, places], (drawn, free) => {
    const line = drawn.map(({ visual, text, isStuck }, n) => lineRun(String(n), visual, text, isStuck));
    const shares = [...sharesOf(line, 3, free).values()];
    expect(shares[0]).toEqual(WHOLE_SHARE);
    for (const gpuClass of GPU_CLASSES) {
      const counts = shares.map((each) => each[gpuClass]);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
    }
  });
});

it('no slot stands idle while a call waits for it', () =>
  forAll([fc.array(deck, { minLength: 1, maxLength: 8 }), places], { runs: 500 }, (drawn, slots) => {
    const decks = drawn.map((each) => reviewModel(each, 10_000));
    expect(run(decks, slots, 'shares').idleMs).toBe(0);
  }));

it('the mean time to a review is at most 1.1 × that of slots that always serve the earliest deck', () =>
  forAll(
    [
      fc.array(fc.tuple(deck, fc.integer({ min: 0, max: 300 })), { minLength: 1, maxLength: 8 }),
      places,
      fc.integer({ min: 2, max: 60 }),
    ],
    { runs: 600 },
    (drawn, slots, callSeconds) => {
      let startedAtMs = 0;
      const decks = drawn.map(([each, gapSeconds]) => {
        startedAtMs += gapSeconds * 1000;
        return reviewModel(each, callSeconds * 1000, startedAtMs);
      });
      const ordered = meanMs(decks, run(decks, slots, 'shares', 1000));
      expect(ordered / meanMs(decks, run(decks, slots, 'first'))).toBeLessThanOrEqual(1.1);
    },
  ));

it('of 40 decks on two slots at a second a call, the first review is there after the time of one deck, and few are open', () => {
  const decks = Array.from({ length: 40 }, () => reviewModel({ pages: 12, questions: 34, readings: 0 }, 1000));
  const alone = run(decks.slice(0, 1), both(2), 'first').doneAtMs[0] ?? 0;
  const ordered = run(decks, both(2), 'shares', 1000);
  const breadth = run(decks, both(2), 'all');
  expect(ordered.doneAtMs[0]).toBeLessThanOrEqual(1.3 * alone);
  expect(ordered.doneAtMs).toEqual(ordered.doneAtMs.toSorted((a, b) => a - b));
  expect(ordered.mostOpen).toBeLessThanOrEqual(3);
  expect(breadth.doneAtMs[0]).toBeGreaterThan(20 * alone);
});
