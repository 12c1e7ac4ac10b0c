/** When a call ended whose gateway died before it could say so. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { InstancePhase } from '../../../../domain/fleet/phases.ts';
import {
  endOfOpenAttempt,
  LONGEST_CALL_MS,
  type AttemptTraces,
} from '../../../../domain/costs/ledger/open-attempts.ts';
import { forAll } from '../../../../testing/property.ts';

const NOW = 10_000_000;
const START = 9_000_000;
const traces = (changes: Partial<AttemptTraces> = {}): AttemptTraces => ({
  startedAtMs: START,
  nextAttemptAtMs: null,
  serving: { startedAtMs: START - 1000, seenAtMs: NOW - 1000 },
  rows: [{ atMs: START - 60_000, phase: 'ready' }],
  ...changes,
});
const endOf = (changes: Partial<AttemptTraces>): number | null => endOfOpenAttempt(traces(changes), NOW);

it('runs as long as the gateway that was attached when it began is heard of', () => expect(endOf({})).toBeNull());

it('ended when its call was made again, when its gateway was last heard of or replaced, when its machine stopped serving', () => {
  expect(endOf({ nextAttemptAtMs: START + 5000 })).toBe(START + 5000);
  expect(endOf({ serving: { startedAtMs: START - 1000, seenAtMs: START + 7000 } })).toBe(START + 7000);
  expect(endOf({ serving: { startedAtMs: START + 9000, seenAtMs: NOW } })).toBe(START + 9000);
  expect(endOf({ rows: [{ atMs: START + 3000, phase: 'booting' }] })).toBe(START + 3000);
  // A machine that takes no new calls finishes those it has.
  expect(endOf({ rows: [{ atMs: START + 3000, phase: 'cordoned' }] })).toBeNull();
  // An attempt that is never ended gets an estimated end.
  const muchLater = START + LONGEST_CALL_MS + 1;
  const heard = { startedAtMs: START - 1000, seenAtMs: muchLater };
  expect(endOfOpenAttempt(traces({ serving: heard }), muchLater)).toBe(START + LONGEST_CALL_MS);
});

it('never ends before it began nor after now, and never later when more is known', async () => {
  const time = fc.integer({ min: START - 1_000_000, max: NOW });
  const any = fc.record({
    nextAttemptAtMs: fc.option(fc.integer({ min: START + 1, max: NOW })),
    serving: fc.option(fc.record({ startedAtMs: time, seenAtMs: time })),
    rows: fc.array(
      fc.record({ atMs: time, phase: fc.constantFrom<InstancePhase>('ready', 'cordoned', 'booting', 'gone') }),
    ),
  });
  await forAll([any, any], (some, more) => {
    const end = endOf(some);
    if (end === null) return;
    expect(end).toBeGreaterThanOrEqual(START);
    expect(end).toBeLessThanOrEqual(NOW);
    const rows = [...some.rows, ...more.rows].toSorted((a, b) => a.atMs - b.atMs);
    const nextAttemptAtMs = some.nextAttemptAtMs ?? more.nextAttemptAtMs;
    expect(endOf({ ...some, rows, nextAttemptAtMs }) ?? Infinity).toBeLessThanOrEqual(
      endOf({ ...some, rows: some.rows.toSorted((a, b) => a.atMs - b.atMs) }) ?? Infinity,
    );
  });
});
