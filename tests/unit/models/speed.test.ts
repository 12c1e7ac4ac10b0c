/** Learned speeds follow a machine that gets slower, and do not take cached prompts for speed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpeedBook } from '../../../activities/models/host/speed-book.ts';
import { type AnswerTimes, type MeasuredSpeed, speedAt } from '../../../domain/models/speed.ts';
import { forAll } from '../../../testing/property.ts';

const MODEL = 'any';
const speed: MeasuredSpeed = {
  alone: { readTokensPerSec: 1000, writeTokensPerSec: 50 },
  full: { readTokensPerSec: 400, writeTokensPerSec: 30 },
  slots: 4,
};

/** An answer of a machine that reads at `factor` times the measured speed. */
const answerAt = (factor: number, slotsInUse = 1): AnswerTimes => ({
  promptTokens: 5000,
  readMs: (5000 / (speedAt(speed, slotsInUse).readTokensPerSec * factor)) * 1000,
  outputTokens: 200,
  writeMs: (200 / (speedAt(speed, slotsInUse).writeTokensPerSec * factor)) * 1000,
  slotsInUse,
});

function bookWith(answers: readonly AnswerTimes[]): SpeedBook {
  const book = new SpeedBook();
  book.measured(MODEL, speed);
  for (const answer of answers) book.learned(MODEL, answer);
  return book;
}

const readSpeed = (book: SpeedBook): number => book.of(MODEL)?.alone.readTokensPerSec ?? 0;
const answers = fc.array(
  fc.record({ factor: fc.double({ min: 0.001, max: 1000, noNaN: true }), slots: fc.integer({ min: 1, max: 4 }) }),
  { maxLength: 50 },
);

describe('learned speed', () => {
  it('is never above the measured one, whatever answers say', () =>
    forAll([answers], (all) => {
      const of = readSpeed(bookWith(all.map(({ factor, slots }) => answerAt(factor, slots))));
      return of > 0 && of <= 1000;
    }));

  it('is below twice that of a machine that got slower after three answers', () =>
    forAll([fc.double({ min: 0.1, max: 1, noNaN: true }), fc.integer({ min: 1, max: 4 })], (factor, slots) => {
      const slow = answerAt(factor, slots);
      return readSpeed(bookWith([slow, slow, slow])) <= 2 * 1000 * factor + 125;
    }));

  it('rises again slowly: one fast answer changes little', () => {
    const slow = Array.from({ length: 10 }, () => answerAt(0.2));
    const before = readSpeed(bookWith(slow));
    const after = readSpeed(bookWith([...slow, answerAt(100)]));
    expect(after).toBeGreaterThan(before);
    expect(after).toBeLessThan(before * 1.3);
  });

  it('ignores answers without times or with a prompt of a few words', () => {
    const given = { promptTokens: 3, readMs: 9000, outputTokens: 100, writeMs: null, slotsInUse: 1 };
    expect(bookWith([given]).of(MODEL)).toEqual(speed);
  });

  it('stays unknown without a measurement', () => {
    const book = new SpeedBook();
    book.learned(MODEL, answerAt(1));
    book.unread(MODEL, { promptTokens: 5000, elapsedMs: 60_000, slotsInUse: 1 });
    expect(book.of(MODEL)).toBeNull();
  });

  it('is below what an unread prompt shows', () => {
    const book = bookWith([]);
    book.unread(MODEL, { promptTokens: 6000, elapsedMs: 60_000, slotsInUse: 1 });
    expect(readSpeed(book)).toBe(100);
    book.unread(MODEL, { promptTokens: 6000, elapsedMs: 1000, slotsInUse: 1 });
    expect(readSpeed(book)).toBe(100);
  });

  it('starts anew with the next measurement', () => {
    const book = bookWith([answerAt(0.1)]);
    book.measured(MODEL, speed);
    expect(book.of(MODEL)).toEqual(speed);
  });
});

describe('speed side by side', () => {
  it('goes from that of one call to that of full slots, and is shared beyond', () => {
    expect(speedAt(speed, 1)).toEqual(speed.alone);
    expect(speedAt(speed, 4).readTokensPerSec).toBeCloseTo(400);
    expect(speedAt(speed, 8).readTokensPerSec).toBeCloseTo(200);
    const middle = speedAt(speed, 2).readTokensPerSec;
    expect(middle).toBeGreaterThan(400);
    expect(middle).toBeLessThan(1000);
  });

  it('is shared evenly where only one call was measured', () =>
    expect(speedAt({ ...speed, full: null }, 4)).toEqual({ readTokensPerSec: 250, writeTokensPerSec: 12.5 }));
});
