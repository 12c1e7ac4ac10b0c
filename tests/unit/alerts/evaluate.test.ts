/** When alerts are raised and cleared: thresholds, waits, and what holds for every course of values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, isBad, isGood, judgeRule, type Condition, type Reading } from '../../../domain/alerts/evaluate.ts';
import type { AlertRule } from '../../../domain/alerts/rule.ts';
import { forAll } from '../../../testing/property.ts';

const RULE: AlertRule = {
  id: 'r',
  title: 'R',
  metric: 'boot_seconds',
  comparison: 'above',
  raiseAt: 10,
  clearAt: 5,
  raiseForSec: 60,
  clearForSec: 120,
  windowSec: 3600,
  severity: 'warning',
  advice: '',
  enabled: true,
};
const MINUTE_MS = 60_000;

/** Ids in order, so that two runs of one course give the same. */
function ids(): () => string {
  let made = 0;
  return () => `alert-${(made += 1)}`;
}
const reading = (subject: string, value: number): Reading => ({ subject, value, message: `${subject} is ${value}` });

/** Walks a course of values of one subject, a minute apart; says at which minutes it was raised and cleared. */
function walk(rule: AlertRule, values: readonly number[]): string[] {
  const newId = ids();
  let condition: Condition | null = null;
  return values.flatMap((value, minute) => {
    const verdict = evaluate(rule, condition, { subject: 's', value }, minute * MINUTE_MS, newId);
    condition = verdict.condition;
    return verdict.action === 'nothing' ? [] : [`${minute}: ${verdict.action}`];
  });
}

describe('one subject', () => {
  it.each([
    [
      'raised after a minute at one threshold, cleared after two at the other',
      [10, 10, 4, 4, 4],
      ['1: raise', '4: clear'],
    ],
    ['not raised when it dips meanwhile', [10, 9, 10, 9, 10], []],
    ['not cleared when it wavers between the two', [11, 11, 6, 9, 5, 9, 6], ['1: raise']],
    ['not cleared when it goes up again meanwhile', [11, 11, 4, 5, 4, 4, 11, 4], ['1: raise']],
    ['raised again after it was cleared', [10, 10, 0, 0, 0, 10, 10], ['1: raise', '4: clear', '6: raise']],
  ])('is %s', (_, values, told) => expect(walk(RULE, values)).toEqual(told));

  it('below is the same the other way round, and without waits it is told at once', () => {
    const below = { ...RULE, comparison: 'below', raiseAt: 5, clearAt: 10, raiseForSec: 0, clearForSec: 0 } as const;
    expect(walk(below, [11, 5, 7, 10, 11, 4])).toEqual(['1: raise', '4: clear', '5: raise']);
  });

  it('a clock that is set back starts the wait anew and neither raises nor clears', () => {
    const waiting = { subject: 's', value: 10, beyondSinceMs: 30 * MINUTE_MS, alertId: null };
    const { condition, action } = evaluate(RULE, waiting, { subject: 's', value: 10 }, 0, ids());
    expect([action, condition.beyondSinceMs]).toEqual(['nothing', 0]);
  });
});

const rules = fc
  .record({
    comparison: fc.constantFrom('above' as const, 'below' as const),
    a: fc.double({ min: -100, max: 100, noNaN: true }),
    b: fc.double({ min: -100, max: 100, noNaN: true }),
    raiseForSec: fc.integer({ min: 0, max: 300 }),
    clearForSec: fc.integer({ min: 0, max: 300 }),
    enabled: fc.boolean(),
  })
  .map(({ comparison, a, b, ...waits }): AlertRule => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const [clearAt, raiseAt] = comparison === 'above' ? [low, high] : [high, low];
    return { ...RULE, comparison, raiseAt, clearAt, ...waits };
  });
const SUBJECTS = ['a', 'b', 'c'];
/** Rounds: how long after the one before, and what is read; a subject may be missing. */
const courses = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 200_000 }),
    values: fc.dictionary(fc.constantFrom(...SUBJECTS), fc.double({ min: -120, max: 120, noNaN: true })),
  }),
  { maxLength: 30 },
);

/** Walks rounds as they are stored: gives `look` each round's judgement with what stood before it. */
function rounds(
  rule: AlertRule,
  course: readonly { readonly afterMs: number; readonly values: Readonly<Record<string, number>> }[],
  look: (round: {
    readonly before: readonly Condition[];
    readonly readings: readonly Reading[];
    readonly nowMs: number;
    readonly judged: ReturnType<typeof judgeRule>;
  }) => void,
): void {
  const newId = ids();
  let before: readonly Condition[] = [];
  let nowMs = 0;
  for (const { afterMs, values } of course) {
    nowMs += afterMs;
    const readings = Object.entries(values).map(([subject, value]) => reading(subject, value));
    const judged = judgeRule(rule, before, readings, nowMs, newId);
    look({ before, readings, nowMs, judged });
    before = judged.conditions;
  }
}

describe('over every course of values', () => {
  it('a value is never bad and good at once', () =>
    forAll([rules, fc.double({ noNaN: true })], (rule, value) =>
      expect(isBad(rule, value) && isGood(rule, value)).toBe(false),
    ));

  it('no subject ever has two open alerts, and each alert is cleared at most once and only when open', () =>
    forAll([rules, courses], (rule, course) => {
      const open = new Map<string, string>();
      rounds(rule, course, ({ judged }) => {
        for (const alertId of judged.cleared) {
          const subject = [...open].find(([, id]) => id === alertId)?.[0];
          expect(subject).toBeDefined();
          open.delete(subject ?? '');
        }
        for (const { subject, alertId } of judged.raised) {
          expect(open.has(subject)).toBe(false);
          open.set(subject, alertId);
        }
        // What the conditions say is open is what was told.
        const standing = judged.conditions.flatMap((c) => (c.alertId === null ? [] : [[c.subject, c.alertId]]));
        expect(new Map(standing as [string, string][])).toEqual(open);
      });
    }));

  it('a round that is repeated changes nothing', () =>
    forAll([rules, courses], (rule, course) => {
      rounds(rule, course, ({ readings, nowMs, judged }) => {
        const again = judgeRule(rule, judged.conditions, readings, nowMs, ids());
        expect(again).toEqual({ conditions: again.conditions, raised: [], cleared: [] });
        expect(again.conditions.map((c) => c.alertId)).toEqual(judged.conditions.map((c) => c.alertId));
      });
    }));

  it('inside the hysteresis band nothing is ever told of a subject that stays', () =>
    forAll([rules, courses], (rule, course) => {
      const inBand = (value: number): boolean => !isBad(rule, value) && !isGood(rule, value);
      rounds(rule, course, ({ readings, judged }) => {
        const wavering = new Set(readings.filter((r) => rule.enabled && inBand(r.value)).map((r) => r.subject));
        expect(judged.raised.filter((r) => wavering.has(r.subject))).toEqual([]);
      });
      // However a value wavers in the band after an alert, the alert stays.
      const middle = (rule.raiseAt + rule.clearAt) / 2;
      if (!inBand(middle)) return;
      const standing = { subject: 'a', value: middle, beyondSinceMs: null, alertId: 'x' };
      rounds({ ...rule, enabled: true }, course, ({ nowMs }) => {
        const { condition, action } = evaluate(rule, standing, { subject: 'a', value: middle }, nowMs, ids());
        expect([action, condition.alertId]).toEqual(['nothing', 'x']);
      });
    }));

  it('what is raised was bad for its time, and what is cleared was good for its time or has vanished', () =>
    forAll([rules, courses], (rule, course) => {
      const history = new Map<string, { readonly atMs: number; readonly value: number }[]>();
      /** Values of the last stretch, in which the subject was never missing. */
      const lasted = (subject: string, forSec: number, nowMs: number, holds: (value: number) => boolean): boolean => {
        const seen = history.get(subject) ?? [];
        const broken = seen.findLastIndex(({ value }) => !holds(value));
        const first = seen[broken + 1];
        return first !== undefined && nowMs - first.atMs >= forSec * 1000;
      };
      rounds(rule, course, ({ before, readings, nowMs, judged }) => {
        const present = new Set(readings.map((r) => r.subject));
        for (const subject of history.keys()) if (!present.has(subject)) history.delete(subject);
        for (const { subject, value } of readings) {
          history.set(subject, [...(history.get(subject) ?? []), { atMs: nowMs, value }]);
        }
        for (const { subject } of judged.raised) {
          expect(lasted(subject, rule.raiseForSec, nowMs, (value) => isBad(rule, value))).toBe(true);
        }
        for (const id of judged.cleared) {
          const { subject = '' } = before.find((c) => c.alertId === id) ?? {};
          const vanished = !present.has(subject) || !rule.enabled;
          expect(vanished || lasted(subject, rule.clearForSec, nowMs, (value) => isGood(rule, value))).toBe(true);
        }
      });
    }));

  it('what is not read, or belongs to a rule that is switched off, is over at once and forgotten', () =>
    forAll([rules, courses], (rule, course) => {
      rounds(rule, course, ({ before, readings, judged }) => {
        const left = new Set(rule.enabled ? readings.map((r) => r.subject) : []);
        expect(judged.conditions.map((c) => c.subject).toSorted()).toEqual([...left].toSorted());
        const vanished = before.filter((c) => !left.has(c.subject) && c.alertId !== null).map((c) => c.alertId);
        expect(judged.cleared).toEqual(expect.arrayContaining(vanished));
      });
      const open = [{ subject: 'a', value: 1, beyondSinceMs: null, alertId: 'x' }];
      const off = judgeRule({ ...rule, enabled: false }, open, [reading('a', 1)], 0, ids());
      expect(off).toEqual({ conditions: [], raised: [], cleared: ['x'] });
    }));
});
