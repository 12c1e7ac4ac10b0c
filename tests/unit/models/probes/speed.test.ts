/** Speeds and slots from the times of probe answers, and the limits of probes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  expectedMs,
  learnedSlots,
  limitMs,
  meanSpeed,
  REAL_PROMPT_TOKENS,
  settledSlots,
  speedOf,
  speedProbeSize,
  workInterval,
} from '../../../../domain/models/probes/speed.ts';
import type { TrialAnswer } from '../../../../domain/models/probes/judge.ts';
import { assertProperty } from '../../../../testing/property.ts';

const answer = (changes: Partial<TrialAnswer>): TrialAnswer => ({
  text: 'one two',
  thinkingChars: 0,
  isCut: false,
  promptTokens: 1000,
  outputTokens: 100,
  readMs: null,
  writeMs: null,
  firstTokenMs: 500,
  endMs: 1500,
  ...changes,
});

it("a speed is the server's own where it says times, else that of the first token and the end", () => {
  expect(speedOf(answer({}))).toEqual({ readTokensPerSec: 2000, writeTokensPerSec: 100 });
  expect(speedOf(answer({ readMs: 250, writeMs: 500 }))).toEqual({ readTokensPerSec: 4000, writeTokensPerSec: 200 });
});

it('the speed of several calls is the mean of each', () => {
  expect(meanSpeed([answer({}), answer({ readMs: 250, writeMs: 500 })])).toEqual({
    readTokensPerSec: 3000,
    writeTokensPerSec: 150,
  });
  expect(meanSpeed([])).toBeNull();
});

it('a call is worked on from its reading on, not while it waits in the queue of the server', () => {
  expect(workInterval(answer({ readMs: 100, firstTokenMs: 5000, endMs: 6000 }))).toEqual({ fromMs: 4900, toMs: 6000 });
});

it('as many slots are learned as a server has, however many calls are sent, however long each takes, and if answers arrive late', () => {
  const upTo = (max: number) => fc.array(fc.double({ min: 0, max, noNaN: true }), { minLength: 12, maxLength: 12 });
  assertProperty(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 30, max: 5000 }),
      upTo(0.1),
      upTo(0.4),
      (slots, calls, eachMs, jitters, delays) => {
        const freeAtMs = Array.from({ length: slots }, () => 0);
        const intervals = Array.from({ length: calls }, (_, call) => {
          const slot = freeAtMs.indexOf(Math.min(...freeAtMs));
          const fromMs = freeAtMs[slot] ?? 0;
          const toMs = fromMs + eachMs * (1 + (jitters[call] ?? 0));
          freeAtMs[slot] = toMs;
          const lateMs = eachMs * (delays[call] ?? 0);
          return { fromMs: fromMs + lateMs, toMs: toMs + lateMs };
        });
        expect(learnedSlots(intervals)).toBe(Math.min(slots, calls));
      },
    ),
  );
});

it('slots are settled by two rounds that agree, else by the middle of three', () => {
  expect([[2], [2, 3], [2, 2], [3, 2, 3], [2, 4, 3], []].map(settledSlots)).toEqual([null, null, 2, 3, 3, null]);
});

it('calls that are over at once teach nothing', () => expect(learnedSlots([{ fromMs: 0, toMs: 3 }])).toBeNull());

it('a probe has more time than it is expected to take, and more where it is longer or the machine slower', () => {
  const speeds = fc.record({
    readTokensPerSec: fc.double({ min: 1, max: 10_000, noNaN: true }),
    writeTokensPerSec: fc.double({ min: 1, max: 1000, noNaN: true }),
  });
  assertProperty(
    fc.property(
      speeds,
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 500 }),
      (speed, readTokens, writeTokens) => {
        const size = { readTokens, writeTokens };
        expect(limitMs(size, speed)).toBeGreaterThan(expectedMs(size, speed));
        expect(limitMs({ ...size, readTokens: readTokens + 1 }, speed)).toBeGreaterThan(limitMs(size, speed));
        const half = { readTokensPerSec: speed.readTokensPerSec / 2, writeTokensPerSec: speed.writeTokensPerSec / 2 };
        expect(limitMs(size, half)).toBeGreaterThan(limitMs(size, speed));
      },
    ),
  );
});

it('a fast machine reads a real prompt, a slow one as much as the time allows', () => {
  const fast = { readTokensPerSec: 2000, writeTokensPerSec: 100 };
  expect(speedProbeSize(fast, 5000)).toEqual({ readTokens: REAL_PROMPT_TOKENS, writeTokens: 128 });
  expect(speedProbeSize({ readTokensPerSec: 60, writeTokensPerSec: 20 }, 5000)).toEqual({
    readTokens: 200,
    writeTokens: 33,
  });
  expect(speedProbeSize({ readTokensPerSec: 5, writeTokensPerSec: 5 }, 5000)).toEqual({
    readTokens: 128,
    writeTokens: 24,
  });
});
