/** What a receiver's answer means, when the next try is due, and what is told. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alertPayload,
  ANALYSIS_EVENTS,
  analysisPayload,
  eventOfStatus,
  judgeStatus,
  LONGEST_RETRY_GAP_MS,
  parseRetryAfter,
  retryDelayMs,
  wantsEvent,
  WEBHOOK_EVENTS,
} from '../../../domain/webhooks.ts';
import { forAll } from '../../../testing/property.ts';

const HOUR_MS = 3_600_000;

it('events: every final state but cancelled has one', () => {
  const expected = [...ANALYSIS_EVENTS, null];
  expect((['completed', 'completed_with_gaps', 'failed', 'cancelled'] as const).map(eventOfStatus)).toEqual(expected);
});

it('events: a webhook without a list wants all ends of analyses and nothing of the installation, one with a list what is in it', () => {
  expect(WEBHOOK_EVENTS.filter((event) => wantsEvent([], event))).toEqual(ANALYSIS_EVENTS);
  for (const one of WEBHOOK_EVENTS) expect(WEBHOOK_EVENTS.filter((event) => wantsEvent([one], event))).toEqual([one]);
});

it.each([
  [[200, 201, 202, 204, 299], 'taken'],
  [[410], 'gone'],
  [[400, 401, 403, 404, 405, 413, 422, 451], 'refused'],
  [[408, 425, 429], 'later'],
  [[500, 502, 503, 504, 599], 'later'],
  // A redirect is not followed; it may go away again.
  [[300, 301, 302, 307, 308], 'later'],
] as const)('the answer of a receiver: %j: %s', (statuses, verdict) =>
  expect(statuses.map(judgeStatus)).toEqual(statuses.map(() => verdict)),
);

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');

  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['Sat, 21 Nov 2026 12:05:00 GMT', 300_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['2026-11-21', null],
    ['', null],
    [null, null],
  ])('%j asks for %j ms', (header, expected) => expect(parseRetryAfter(header, nowMs)).toBe(expected));

  it('never asks for something negative or odd, whatever it says', () =>
    forAll([fc.string()], (header) => {
      const askedMs = parseRetryAfter(header, nowMs);
      expect(askedMs === null || (Number.isFinite(askedMs) && askedMs >= 0)).toBe(true);
    }));
});

describe('the next try', () => {
  const delays = (random: number): number[] => {
    const all: number[] = [];
    for (let tries = 1; ; tries += 1) {
      const delayMs = retryDelayMs(tries, null, random);
      if (delayMs === null) return all;
      all.push(delayMs);
    }
  };

  it('comes later each time, and the last about a day after the first', () => {
    const waits = delays(0);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    const sum = waits.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(20 * HOUR_MS);
    expect(sum).toBeLessThan(28 * HOUR_MS);
  });

  it('is due when the receiver asks for it, within bounds, and there is none after the last', () => {
    expect(retryDelayMs(1, 90_000, 0)).toBe(90_000);
    expect(retryDelayMs(9, 90_000, 0)).toBe(90_000);
    expect(retryDelayMs(1, 0, 0)).toBe(1000);
    expect(retryDelayMs(1, 365 * 24 * HOUR_MS, 0)).toBe(8 * HOUR_MS);
    expect(retryDelayMs(delays(0).length + 1, 90_000, 0)).toBeNull();
  });

  it('is never later than the gap after which a delivery counts as forgotten', () =>
    forAll(
      [
        fc.integer({ min: 1, max: 30 }),
        fc.option(fc.integer({ min: 0, max: 10 ** 12 })),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      ],
      (tries, retryAfterMs, random) => {
        const delayMs = retryDelayMs(tries, retryAfterMs, random);
        expect(delayMs === null || (delayMs >= 1000 && delayMs <= LONGEST_RETRY_GAP_MS)).toBe(true);
      },
    ));
});

it('what is told are ids and figures, and the state of the event itself', () => {
  const told = analysisPayload('analysis.completed_with_gaps', new Date('2026-11-21T12:00:00Z'), {
    tenantId: 'default',
    analysisId: 'a1',
    deckId: 'd1',
    fileName: 'deck.pdf',
    taskType: null,
    overallScore: 4.5,
    scoredQuestions: 30,
    askedQuestions: 34,
    gaps: 2,
    failureCode: null,
    finishedAt: new Date('2026-11-21T11:59:59Z'),
    reportUrl: 'https://deckhand.example/api/v1/analyses/a1/report?format=html',
  });
  expect(told).toEqual({
    type: 'analysis.completed_with_gaps',
    timestamp: '2026-11-21T12:00:00.000Z',
    data: {
      tenantId: 'default',
      analysisId: 'a1',
      deckId: 'd1',
      fileName: 'deck.pdf',
      taskType: null,
      status: 'completed_with_gaps',
      overallScore: 4.5,
      scoredQuestions: 30,
      askedQuestions: 34,
      gaps: 2,
      failureCode: null,
      finishedAt: '2026-11-21T11:59:59.000Z',
      reportUrl: 'https://deckhand.example/api/v1/analyses/a1/report?format=html',
    },
  });
});

it('an alert that is over is told as raised with what was said when it was raised', () => {
  const told = {
    alertId: 'x1',
    rule: 'stuck-boot',
    title: 'An instance does not come up',
    subject: 'visual-3',
    severity: 'warning',
    message: 'visual-3 has been booting for 21 min',
    advice: 'Look at it.',
    value: 1260,
    raisedAt: new Date('2026-11-21T12:00:00Z'),
    clearedAt: null,
  };
  const at = new Date('2026-11-21T12:00:00Z');
  const raised = alertPayload('alert.raised', at, told);
  const expected = { type: 'alert.raised', data: { raisedAt: '2026-11-21T12:00:00.000Z', clearedAt: null } };
  expect(raised).toMatchObject(expected);
  // A raise that is tried again after its end says the same.
  const over = { ...told, clearedAt: new Date('2026-11-21T13:00:00Z') };
  expect(alertPayload('alert.raised', at, over)).toEqual(raised);
  expect(alertPayload('alert.cleared', at, over)).toMatchObject({ data: { clearedAt: '2026-11-21T13:00:00.000Z' } });
});
