/** Each fault of an answer leads to a next attempt with a remedy of its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptBase,
  type AttemptPlan,
  type FailedAttempt,
  nextAttempt,
  THINKING,
  type Thinking,
} from '../../../domain/models/attempt-plan.ts';
import type { OutputFault } from '../../../domain/models/model-output.ts';
import { forAll } from '../../../testing/property.ts';

const BASE: AttemptBase = {
  temperature: 0.1,
  seed: 9,
  windowTokens: 8192,
  promptTokens: 4000,
  outputTokens: 500,
  thinking: null,
  schema: { type: 'object', title: 'name', required: ['name'] },
  schemaName: 'name',
};
const ONLY_THINKING: OutputFault = { kind: 'only_thinking', tokens: 90 };
const WHITESPACE: OutputFault = { kind: 'whitespace', length: 65 };
const CUT: OutputFault = { kind: 'truncated', tokens: 500 };
const NO_JSON: OutputFault = { kind: 'invalid_json', detail: 'no JSON object' };
const REPEATED: OutputFault = { kind: 'repetition', phrase: 'and so on', times: 27 };

/** The attempts of a call whose answers have these faults, and the one after them. */
function attempts(faults: readonly OutputFault[], changes: Partial<AttemptBase> = {}): AttemptPlan[] {
  const base = { ...BASE, ...changes };
  const failed: FailedAttempt[] = [];
  for (const fault of faults) failed.push({ plan: nextAttempt(base, failed), fault });
  return [...failed.map(({ plan }) => plan), nextAttempt(base, failed)];
}

it('the first attempt is as asked', () =>
  expect(attempts([])).toEqual([
    { temperature: 0.1, seed: 9, outputTokens: 500, thinking: null, schema: BASE.schema, correction: null },
  ]));

describe('a model that thinks', () => {
  const ways = (faults: readonly OutputFault[], thinking: Thinking | null): (Thinking | null)[] =>
    attempts(faults, { thinking }).map((plan) => plan.thinking);

  it('is asked in each way once while it only thinks', () => {
    expect(ways([ONLY_THINKING, ONLY_THINKING], 'off')).toEqual(['off', 'low', 'leave']);
    expect(ways([ONLY_THINKING, ONLY_THINKING], 'leave')).toEqual(['leave', 'off', 'low']);
  });

  it('is asked another way when nothing enforces JSON while it is told not to think', () =>
    expect(ways([NO_JSON, NO_JSON], 'off')).toEqual(['off', 'low', 'low']));

  it('is asked the same way after every other fault', () =>
    expect(ways([CUT, REPEATED], 'off')).toEqual(['off', 'off', 'off']));

  it('gets room for its thoughts', () =>
    expect(attempts([ONLY_THINKING], { thinking: 'off' }).map((plan) => plan.outputTokens)).toEqual([500, 1000]));

  it('is never asked about thinking when it cannot think', () =>
    expect(ways([ONLY_THINKING, ONLY_THINKING], null)).toEqual([null, null, null]));

  it('is asked another way when the server refuses one', () => {
    const base = { ...BASE, thinking: 'low' as const };
    const plan = nextAttempt(base, []);
    expect(nextAttempt(base, [{ plan, fault: null, isThinkingRefused: true }]).thinking).toBe('off');
  });
});

it('an answer that was cut off gets twice the room each time, and no more than the window has', () => {
  expect(attempts([CUT, CUT]).map((plan) => plan.outputTokens)).toEqual([500, 1000, 2000]);
  expect(attempts([CUT, CUT], { windowTokens: 5400 }).map((plan) => plan.outputTokens)).toEqual([500, 1000, 1200]);
  expect(attempts([CUT], { windowTokens: 4300 }).map((plan) => plan.outputTokens)).toEqual([500, 500]);
});

it('after the second run of white space any object may be written, and the schema is in words', () => {
  const [first, second, third] = attempts([WHITESPACE, WHITESPACE]);
  expect([first?.schema, second?.schema]).toEqual([BASE.schema, BASE.schema]);
  expect(third?.schema).toEqual({ title: 'name', type: 'object' });
  expect(second?.correction).toContain('compact JSON');
  expect(third?.correction).toContain('"required":["name"]');
});

it('white space after another fault keeps the grammar', () =>
  expect(attempts([REPEATED, WHITESPACE]).every(({ schema }) => schema === BASE.schema)).toBe(true));

const anyFault = fc.constantFrom(ONLY_THINKING, WHITESPACE, CUT, NO_JSON, REPEATED);

it('no attempt repeats the one before it, whatever the faults were', () =>
  forAll(
    [
      fc.array(anyFault, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(null, ...THINKING),
      fc.integer({ min: 1000, max: 40_000 }),
    ],
    (faults, thinking, windowTokens) => {
      const plans = attempts(faults, { thinking, windowTokens });
      for (const [index, plan] of plans.entries()) {
        expect(plan.outputTokens).toBeGreaterThanOrEqual(BASE.outputTokens);
        expect(plan.thinking === null).toBe(thinking === null);
        if (index === 0) continue;
        expect(plan.seed).not.toBe(plans[index - 1]?.seed);
        expect(plan.correction).not.toBeNull();
      }
    },
  ));
