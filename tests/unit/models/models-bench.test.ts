/** The figures of `deckhand bench models`, from the rows of a review. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptRow, type CallRow, measuresOf } from '../../../bench/models/measures.ts';
import { forAll } from '../../../testing/property.ts';

const BEGAN_MS = Date.UTC(2026, 0, 1);
const attempt = (fromSec: number, toSec: number, more: Partial<AttemptRow> = {}): AttemptRow => ({
  startedAt: new Date(BEGAN_MS + fromSec * 1000),
  endedAt: new Date(BEGAN_MS + toSec * 1000),
  outcome: 'stored',
  failureCode: null,
  promptTokens: 100,
  outputTokens: 10,
  ...more,
});
const call = (more: Partial<CallRow> = {}): CallRow => ({
  state: 'stored',
  cached: false,
  sends: 1,
  lostSends: 0,
  ...more,
});

describe('figures of a review', () => {
  it('figures of a review are over the time from the first request to the last result', () => {
    const failed = attempt(1, 90, {
      outcome: 'failed',
      failureCode: 'model_crashed',
      promptTokens: 0,
      outputTokens: 0,
    });
    const attempts = [attempt(4, 6), failed, attempt(2, 11), attempt(3, 5)];
    expect(measuresOf({ calls: [call()], attempts, faults: [] })).toMatchObject({
      beganAtMs: BEGAN_MS + 1000,
      endedAtMs: BEGAN_MS + 11_000,
      seconds: 10,
      readPerSec: 30,
      writtenPerSec: 3,
    });
  });

  it('figures of a review count a first answer as valid where one request was enough', () => {
    const calls = [
      call(),
      call({ sends: 2 }),
      call({ lostSends: 1 }),
      call({ state: 'failed' }),
      call({ cached: true, sends: 0 }),
    ];
    expect(measuresOf({ calls, attempts: [attempt(0, 1)], faults: [] })).toMatchObject({
      calls: 4,
      sends: 6,
      firstValid: 0.25,
    });
  });

  it('figures of a review name faults of answers and of servers by their class, and no call twice', () => {
    const failures = ['model_crashed', 'model_output_unparseable', 'model_crashed', 'model_crashed'];
    const attempts = failures.map((failureCode) => attempt(0, 1, { outcome: 'failed', failureCode }));
    const faults = ['truncated', 'invalid_json', 'truncated'];
    expect(measuresOf({ calls: [call()], attempts: [attempt(0, 1), ...attempts], faults }).faults).toEqual([
      ['model_crashed', 3],
      ['truncated', 2],
      ['invalid_json', 1],
    ]);
  });

  it('figures of a review are refused for a review without an answer', () => {
    const attempts = [attempt(0, 1, { outcome: 'cut' })];
    expect(() => measuresOf({ calls: [call()], attempts, faults: [] })).toThrow('no call of the review was answered');
  });

  it('figures of a review are finite, whatever the rows: shares from 0 to 1, speeds of the tokens over the seconds', () => {
    const rows = fc.record({
      fromSec: fc.nat(10_000),
      lengthSec: fc.nat(1000),
      promptTokens: fc.nat(100_000),
      outputTokens: fc.nat(10_000),
    });
    const calls = fc.array(
      fc.record({
        state: fc.constantFrom('stored', 'failed', 'planned'),
        cached: fc.boolean(),
        sends: fc.nat(3),
        lostSends: fc.nat(3),
      }),
    );
    return forAll([fc.array(rows, { minLength: 1 }), calls, fc.array(fc.string())], (stored, others, faults) => {
      const attempts = stored.map(({ fromSec, lengthSec, ...tokens }) => attempt(fromSec, fromSec + lengthSec, tokens));
      const measures = measuresOf({ calls: [call(), ...others], attempts, faults });
      expect(measures.seconds).toBeGreaterThan(0);
      expect(measures.firstValid).toBeGreaterThan(0);
      expect(measures.firstValid).toBeLessThanOrEqual(1);
      const read = stored.reduce((sum, { promptTokens }) => sum + promptTokens, 0);
      expect(measures.readPerSec * measures.seconds).toBeCloseTo(read);
      expect(measures.faults.reduce((sum, [, count]) => sum + count, 0)).toBe(faults.length);
    });
  });
});
