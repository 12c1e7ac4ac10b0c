/** However the requests of a call end, their number is bounded. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { afterSend, reachedBound, type SendCounts } from '../../../domain/models/send-bounds.ts';
import { forAll } from '../../../testing/property.ts';

const NONE: SendCounts = { sends: 0, lostSends: 0, crashes: 0 };
const end = fc.constantFrom<ErrorCode | null>(null, ...(Object.keys(ERROR_KINDS) as ErrorCode[]));

it('a call is answered, failed or cut at most three times and lost at most five times, in whatever order', () =>
  forAll([fc.array(end, { maxLength: 60 })], (ends) => {
    let counts = NONE;
    for (const code of ends) {
      if (reachedBound(counts) !== null) break;
      counts = afterSend(counts, code);
    }
    return counts.sends <= 3 && counts.lostSends <= 5 && counts.crashes <= 2;
  }));

it.each<[string, readonly (ErrorCode | null)[], ReturnType<typeof reachedBound>]>([
  ['three answers', [null, null, null], 'sends'],
  ['two crashes', ['model_crashed', 'model_crashed'], 'crashes'],
  ['an answer, a stall and a crash', [null, 'model_stalled', 'model_crashed'], 'sends'],
  ['four losses', Array<ErrorCode>(4).fill('model_unreachable'), null],
  ['five losses', Array<ErrorCode>(5).fill('host_not_ready'), 'lost'],
  ['three refusals by a busy server', Array<ErrorCode>(3).fill('model_busy'), 'sends'],
  ['any number that a person took back', Array<ErrorCode>(20).fill('cancelled'), null],
])('%s', (_what, ends, bound) => {
  const counts = ends.reduce<SendCounts>((before, code) => afterSend(before, code), NONE);
  expect(reachedBound(counts)).toBe(bound);
});
