/** Limits of an attempt follow from its tokens and the measured speed: what progresses is never cut, what is dead is cut soon. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptLimits, LIMIT_SETTINGS, promptTokens } from '../../../domain/models/call-limits.ts';
import { type MeasuredSpeed, speedAt } from '../../../domain/models/speed.ts';
import { forAll } from '../../../testing/property.ts';

const rate = (least: number) => fc.double({ min: least, max: 10_000, noNaN: true });
const work = fc.record({
  readTokens: fc.integer({ min: 1, max: 32_000 }),
  writeTokens: fc.integer({ min: 1, max: 4096 }),
});
const calls = fc.integer({ min: 1, max: 8 });
/** How far a machine is from its measured speed at any moment. */
const noise = fc.double({ min: 1 / 3, max: 3, noNaN: true });

/** A server whose slots together never fall below 5 tokens a second. */
const measured = fc
  .record({
    read: rate(40),
    write: rate(40),
    share: fc.double({ min: 0.125, max: 1, noNaN: true }),
    slots: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ read, write, share, slots }): MeasuredSpeed => ({
    alone: { readTokensPerSec: read, writeTokensPerSec: write },
    full: slots === 1 ? null : { readTokensPerSec: read * share, writeTokensPerSec: write * share },
    slots,
  }));

describe('limits of an attempt', () => {
  it('let a server finish that reads and writes at a third to three times its measured speed', () =>
    forAll([work, measured, calls, noise], ({ readTokens, writeTokens }, speed, inUse, factor) => {
      const limits = attemptLimits({ readTokens, writeTokens }, speed, inUse);
      const { readTokensPerSec, writeTokensPerSec } = speedAt(speed, inUse);
      const tokenMs = 1000 / (writeTokensPerSec * factor);
      const readMs = (readTokens / (readTokensPerSec * factor)) * 1000;
      return (
        tooSlow(readTokensPerSec * factor, inUse) ||
        tooSlow(writeTokensPerSec * factor, inUse) ||
        (readMs + tokenMs <= limits.firstTokenMs &&
          tokenMs <= limits.betweenTokensMs &&
          readMs + tokenMs * writeTokens <= limits.totalMs)
      );
    }));

  it('let a server finish whose speed nobody has measured, from 5 tokens a second', () =>
    forAll([work, calls, rate(5)], ({ readTokens, writeTokens }, inUse, tokensPerSec) => {
      const limits = attemptLimits({ readTokens, writeTokens }, null, inUse);
      // It runs one call at a time, and this one comes last.
      const oneMs = ((readTokens + writeTokens) / tokensPerSec) * 1000;
      const firstMs = oneMs * (inUse - 1) + ((readTokens + 1) / tokensPerSec) * 1000;
      return firstMs <= limits.firstTokenMs && firstMs + (writeTokens / tokensPerSec) * 1000 <= limits.totalMs;
    }));

  it('find a dead server as soon as a constant of two minutes did, where its prompt takes less than half a minute', () =>
    forAll([work, measured, calls], (tokens, speed, inUse) => {
      const readMs = (tokens.readTokens / speedAt(speed, inUse).readTokensPerSec) * 1000;
      return readMs > 29_000 || attemptLimits(tokens, speed, inUse).firstTokenMs <= 120_000;
    }));

  it('allow twice the time after a cut where the speed was only assumed, and at a measured speed no more than the slowest needs', () =>
    forAll([work, measured, calls], (tokens, speed, inUse) => {
      const cutAfterMs = attemptLimits(tokens, null, inUse).firstTokenMs;
      const again = { ...tokens, cutAfterMs };
      return (
        attemptLimits(again, null, inUse).firstTokenMs >= 2 * cutAfterMs &&
        attemptLimits(again, speed, inUse).firstTokenMs <= cutAfterMs
      );
    }));

  it('are never longer than without a measurement, and end a server that is slower', () =>
    forAll([work, rate(0.01), calls], (tokens, slow, inUse) => {
      const alone = { readTokensPerSec: slow, writeTokensPerSec: slow };
      const limits = attemptLimits(tokens, { alone, full: null, slots: null }, inUse);
      const unknown = attemptLimits(tokens, null, inUse);
      return limits.firstTokenMs <= unknown.firstTokenMs && limits.totalMs <= unknown.totalMs;
    }));

  it('leave the reading of 6,000 tokens at 18 tokens a second its time', () => {
    const alone = { readTokensPerSec: 18, writeTokensPerSec: 9 };
    const limits = attemptLimits({ readTokens: 6000, writeTokens: 1024 }, { alone, full: null, slots: 1 }, 1);
    expect(limits.firstTokenMs).toBeGreaterThan(4 * 333_000);
    expect(limits.speed).toEqual(alone);
  });
});

const tooSlow = (tokensPerSec: number, inUse: number): boolean =>
  tokensPerSec * inUse < LIMIT_SETTINGS.slowestTokensPerSec;

it('a picture counts as many tokens as any model takes for one, unless they are known', () => {
  expect(promptTokens(['word'], 1) - promptTokens(['word'], 0)).toBe(2880);
  expect(promptTokens(['word'], 2, 260) - promptTokens(['word'], 0)).toBe(520);
});
