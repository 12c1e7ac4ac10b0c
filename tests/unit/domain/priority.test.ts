/** Calls that wait too long move up a class at a time, and never take what is reserved for people's choice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SLA_MS, lateAfterMs, PRIORITIES, priorityAfterWaiting } from '../../../domain/decks/priority.ts';
import { forAll } from '../../../testing/property.ts';

const priority = fc.constantFrom(...PRIORITIES);
const waitMs = fc.integer({ min: 0, max: 200_000_000 });
const slaMs = fc.integer({ min: 1, max: 86_400_000 });

describe('a call that has waited', () => {
  it('stays in its class until it is late, and goes one up then', () => {
    const late = lateAfterMs(DEFAULT_SLA_MS);
    expect(late).toBe(20 * 60_000);
    expect(PRIORITIES.map((p) => priorityAfterWaiting(p, late - 1, DEFAULT_SLA_MS))).toEqual([1, 2, 3, 4, 5]);
    expect(PRIORITIES.map((p) => priorityAfterWaiting(p, late, DEFAULT_SLA_MS))).toEqual([1, 2, 2, 3, 4]);
    expect(PRIORITIES.map((p) => priorityAfterWaiting(p, 2 * late, DEFAULT_SLA_MS))).toEqual([1, 2, 2, 2, 3]);
  });

  it('is in one of the classes, never lower than its own, and critical only by choice', () =>
    forAll([priority, waitMs, slaMs], (own, waited, sla) => {
      const now = priorityAfterWaiting(own, waited, sla);
      expect(PRIORITIES).toContain(now);
      expect(now).toBeLessThanOrEqual(own);
      expect(now === 1).toBe(own === 1);
    }));

  it('never falls back by waiting longer, and moves one class per lateness', () =>
    forAll([priority, waitMs, waitMs, slaMs], (own, waited, longer, sla) => {
      expect(priorityAfterWaiting(own, waited + longer, sla)).toBeLessThanOrEqual(
        priorityAfterWaiting(own, waited, sla),
      );
      const before = priorityAfterWaiting(own, waited, sla);
      expect(before - priorityAfterWaiting(own, waited + lateAfterMs(sla), sla)).toBeLessThanOrEqual(1);
    }));

  it('does not overtake a more urgent one that waits as long', () =>
    forAll([priority, priority, waitMs, slaMs], (a, b, waited, sla) => {
      if (a <= b)
        expect(priorityAfterWaiting(a, waited, sla)).toBeLessThanOrEqual(priorityAfterWaiting(b, waited, sla));
    }));

  it('reaches the class next to critical in the end, whatever its own', () =>
    forAll([fc.constantFrom(2, 3, 4, 5), slaMs], (own, sla) => {
      expect(priorityAfterWaiting(own, 3 * lateAfterMs(sla), sla)).toBe(2);
    }));
});
