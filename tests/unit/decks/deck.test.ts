/** Facts of a deck: its date, its label, the priority of its calls and how scores roll up. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deckLabel } from '../../../domain/decks/deck-label.ts';
import { DEFAULT_SLA_MS, lateAfterMs, PRIORITIES, priorityAfterWaiting } from '../../../domain/decks/priority.ts';
import { coverage, MAX_SCORE, rollUp } from '../../../domain/decks/scoring.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['pulsara.pdf', null, 'pulsara.pdf'],
  ['pulsara.pdf', 12, 'pulsara.pdf · 12 pages'],
  ['one.pdf', 1, 'one.pdf · 1 page'],
])('the label of a deck of %s with %s pages is %s', (fileName, pageCount, label) =>
  expect(deckLabel(fileName, pageCount)).toBe(label),
);

it('the label of a deck keeps beginning and end of a long name, and fits a summary whatever it is made of', async () => {
  expect(deckLabel(`Pulsara${'-'.repeat(300)}final-v7.pdf`, 3)).toMatch(/^Pulsara-+…-+final-v7\.pdf · 3 pages$/u);
  await forAll([fc.string({ unit: 'grapheme', maxLength: 400 })], (name) => {
    const label = deckLabel(name, 500);
    expect(Buffer.byteLength(label)).toBeLessThanOrEqual(140 + Buffer.byteLength(' · 500 pages'));
    expect(label.isWellFormed()).toBe(true);
  });
});

// Calls that wait too long move up a class at a time, and never take what is reserved for people's choice.
const priority = fc.constantFrom(...PRIORITIES);
const waitMs = fc.integer({ min: 0, max: 200_000_000 });
const slaMs = fc.integer({ min: 1, max: 86_400_000 });

it('a call that has waited stays in its class until it is late, and goes one up then', () => {
  const late = lateAfterMs(DEFAULT_SLA_MS);
  expect(late).toBe(20 * 60_000);
  expect(PRIORITIES.map((p) => priorityAfterWaiting(p, late - 1, DEFAULT_SLA_MS))).toEqual([1, 2, 3, 4, 5]);
  expect(PRIORITIES.map((p) => priorityAfterWaiting(p, late, DEFAULT_SLA_MS))).toEqual([1, 2, 2, 3, 4]);
  expect(PRIORITIES.map((p) => priorityAfterWaiting(p, 2 * late, DEFAULT_SLA_MS))).toEqual([1, 2, 2, 2, 3]);
});

it('a call that has waited is in one of the classes, never lower than its own, and critical only by choice', () =>
  forAll([priority, waitMs, slaMs], (own, waited, sla) => {
    const now = priorityAfterWaiting(own, waited, sla);
    expect(PRIORITIES).toContain(now);
    expect(now).toBeLessThanOrEqual(own);
    expect(now === 1).toBe(own === 1);
  }));

it('a call that has waited never falls back by waiting longer, and moves one class per lateness', () =>
  forAll([priority, waitMs, waitMs, slaMs], (own, waited, longer, sla) => {
    expect(priorityAfterWaiting(own, waited + longer, sla)).toBeLessThanOrEqual(priorityAfterWaiting(own, waited, sla));
    const before = priorityAfterWaiting(own, waited, sla);
    expect(before - priorityAfterWaiting(own, waited + lateAfterMs(sla), sla)).toBeLessThanOrEqual(1);
  }));

it('a call that has waited does not overtake a more urgent one that waits as long', () =>
  forAll([priority, priority, waitMs, slaMs], (a, b, waited, sla) => {
    if (a <= b) expect(priorityAfterWaiting(a, waited, sla)).toBeLessThanOrEqual(priorityAfterWaiting(b, waited, sla));
  }));

it('a call that has waited reaches the class next to critical in the end, whatever its own', () =>
  forAll([fc.constantFrom(2, 3, 4, 5), slaMs], (own, sla) =>
    expect(priorityAfterWaiting(own, 3 * lateAfterMs(sla), sla)).toBe(2),
  ));

const item = fc.record({
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
  score: fc.option(fc.integer({ min: 0, max: MAX_SCORE })),
});

it('what was not scored enters no mean', () => {
  const expected = { score: 4, scored: 2, asked: 3 };
  expect(
    rollUp([
      { weight: 1, score: 6 },
      { weight: 1, score: null },
      { weight: 1, score: 2 },
    ]),
  ).toEqual(expected);
  expect(rollUp([{ weight: 1, score: null }])).toEqual({ score: null, scored: 0, asked: 1 });
});

it('weights count', () =>
  expect(
    rollUp([
      { weight: 3, score: 7 },
      { weight: 1, score: 3 },
    ]).score,
  ).toBe(6));

it('a mean lies between the lowest and the highest score, and does not depend on order', () =>
  forAll([fc.array(item, { maxLength: 40 })], (items) => {
    const { score, scored, asked } = rollUp(items);
    const scores = items.flatMap((i) => (i.score === null ? [] : [i.score]));
    expect(asked).toBe(items.length);
    expect(scored).toBe(scores.length);
    if (score === null) return scores.length === 0;
    expect(rollUp([...items].reverse()).score).toBeCloseTo(score, 9);
    return score >= Math.min(...scores) - 1e-9 && score <= Math.max(...scores) + 1e-9;
  }));

it('coverage is a share', () => {
  expect(coverage(0, 0)).toBe(0);
  expect(coverage(17, 34)).toBe(0.5);
});
