/**
 * Which periods targets and figures over time may be asked for.
 */
import { expect, it } from 'vitest';
import { spanOf } from '../../../api/targets/period.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;
const of = (period: string) => spanOf({ period }, 'Europe/Berlin', NOW);

it.each([
  ['24h', '2026-11-21T12:00:00.000Z', NOW.toISOString()],
  ['this-month', '2026-10-31T23:00:00.000Z', NOW.toISOString()],
  ['yesterday', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  ['2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
])('%s is local time, cut off now', (period, from, until) =>
  expect(of(period)).toEqual({ from: new Date(from), until: new Date(until) }),
);

it('without a word it is the last thirty days', () =>
  expect(spanOf({}, 'UTC', NOW)).toEqual({ from: new Date(NOW.getTime() - 30 * DAY_MS), until: NOW }));

it.each([
  ['soon', '"soon" is no period.'],
  ['0h', 'ends where it begins'],
  ['2027-01', '2027-01 has not begun yet.'],
  ['9999d', 'longer than a year'],
])('%s is refused by name, with what may be asked for', (period, userMessage) =>
  expect(() => of(period)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      userMessage: expect.stringContaining(userMessage) as unknown,
      hint: expect.stringContaining('30d') as unknown,
    }),
  ),
);
