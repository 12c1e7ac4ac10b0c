/** Checks that hold of every deck, whatever its model server does. */
import { expect } from 'vitest';
import { type Outcome, sendsOfEach } from '../../testing/scripted-model/review.ts';

/** Most sends of a call that a live server answered, failed or had cut; and of those that were lost on the way. */
const MOST_SENDS = 3;
const MOST_LOST = 5;
/** Checks that hold of every deck. */
export function expectEnded({ report, endedAfterSec, sends }: Outcome): void {
  expect(endedAfterSec, `not ended; sends: ${JSON.stringify(sendsOfEach(sends))}`).not.toBeNull();
  expect(report.status).toMatch(/^(?:completed|failed)/u);
  for (const { answered = 0, failed = 0, cut = 0, reset = 0, lost = 0 } of sendsOfEach(sends)) {
    expect(answered + failed + cut).toBeLessThanOrEqual(MOST_SENDS);
    expect(reset + lost).toBeLessThanOrEqual(MOST_LOST);
  }
  for (const { code, message } of report.gaps) {
    expect(code).not.toBe('internal');
    expect(message).toMatch(/\p{L}{3,}/u);
  }
  // A missing part is named.
  if (report.status !== 'completed') expect([...report.gaps, report.failure]).not.toEqual([null]);
}

/** Nothing is missing. */
export const expectWhole = (outcome: Outcome): void => {
  expectEnded(outcome);
  expect(outcome.report.gaps).toEqual([]);
  expect(outcome.report.status).toBe('completed');
};
