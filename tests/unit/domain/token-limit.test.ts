import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clipToTotal, deckTokenLimit } from '../../../domain/models/token-limit.ts';
import { forAll } from '../../../testing/property.ts';

const texts = fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 30 });

it('never exceeds the total length and keeps every text a prefix of itself', () =>
  forAll([texts, fc.nat({ max: 5000 })], (all, maxChars) => {
    const clipped = clipToTotal(all, maxChars);
    const total = clipped.reduce((sum, t) => sum + t.length, 0);
    return total <= maxChars && clipped.every((t, i) => (all[i] ?? '').startsWith(t));
  }));

it('keeps everything that fits', () =>
  forAll([texts], (all) => expect(clipToTotal(all, all.join('').length)).toEqual(all)));

it('keeps short texts whole and cuts the long ones', () =>
  expect(clipToTotal(['short', 'x'.repeat(100)], 55)).toEqual(['short', 'x'.repeat(50)]));

it('leaves room for answer and instructions', () => {
  expect(deckTokenLimit({ numCtx: 16_384, numPredict: 1024, overheadTokens: 1000 })).toBeLessThan(16_384 - 2024);
  expect(deckTokenLimit({ numCtx: 1024, numPredict: 1024, overheadTokens: 1000 })).toBe(0);
});
