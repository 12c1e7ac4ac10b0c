/** Webhooks: what an answer means and when the next try is due, where notifications may go, and the lookup of names. */
import type { LookupFunction } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReceiverUrl, isRefusedAddress } from '../../../activities/webhooks/receiver-url.ts';
import { receiverLookup } from '../../../activities/webhooks/send.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import {
  alertPayload,
  ANALYSIS_EVENTS,
  analysisPayload,
  eventOfStatus,
  judgeStatus,
  LONGEST_RETRY_GAP_MS,
  retryDelayMs,
  wantsEvent,
  WEBHOOK_EVENTS,
} from '../../../domain/webhooks.ts';
import { resolving } from '../../../testing/outside-server.ts';
import { parseRetryAfter } from '../../../domain/retry-after.ts';
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

  it('the next try is never later than the gap after which a delivery counts as forgotten', () => {
    const asked = fc.option(fc.integer({ min: 0, max: 10 ** 12 }));
    const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });
    return forAll([fc.integer({ min: 1, max: 30 }), asked, random], (tries, retryAfterMs, at) => {
      const delayMs = retryDelayMs(tries, retryAfterMs, at);
      expect(delayMs === null || (delayMs >= 1000 && delayMs <= LONGEST_RETRY_GAP_MS)).toBe(true);
    });
  });
});

it('what is told are ids and figures, and the state of the event itself', () => {
  const figures = {
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
    reportUrl: 'https://deckhand.example/api/v1/analyses/a1/report?format=html',
  };
  const type = 'analysis.completed_with_gaps';
  const finishedAt = new Date('2026-11-21T11:59:59Z');
  expect(analysisPayload(type, new Date('2026-11-21T12:00:00Z'), { ...figures, finishedAt })).toEqual({
    type,
    timestamp: '2026-11-21T12:00:00.000Z',
    data: { ...figures, status: 'completed_with_gaps', finishedAt: '2026-11-21T11:59:59.000Z' },
  });
});

it('an alert that is over is told as raised with what was said when it was raised', () => {
  const told = {
    alertId: 'x1',
    rule: 'stuck-boot',
    title: 'Instance does not become ready',
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

// Where notifications may go.
it.each([
  ['https://hooks.example.com/deckhand?team=1', 'https://hooks.example.com/deckhand?team=1'],
  ['http://127.0.0.1:9000/in', 'http://127.0.0.1:9000/in'],
  ['http://10.20.30.40/', 'http://10.20.30.40/'],
  ['http://[fd12:3456::1]/x', 'http://[fd12:3456::1]/x'],
  ['HTTPS://Hooks.Example.COM:443', 'https://hooks.example.com/'],
  ['https://hooks.example.com/a#part', 'https://hooks.example.com/a'],
])('a receiver URL: %s is taken', (text, normal) => expect(checkReceiverUrl(text)).toBe(normal));

it.each([
  'hooks.example.com/deckhand',
  '/deckhand',
  '',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user@hooks.example.com/',
  'https://user:word@hooks.example.com/',
  `https://hooks.example.com/${'a'.repeat(2000)}`,
  'http://169.254.169.254/latest/meta-data/',
  // The same address in every spelling a URL allows.
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/machine?comp=goalstate',
  'http://0.0.0.0:8080/',
  'http://255.255.255.255/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
])('a receiver URL: %s is refused', (text) => {
  expect(() => checkReceiverUrl(text)).toThrow(DeckhandError);
  expect(() => checkReceiverUrl(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
});

it('addresses are judged however they were found', () => {
  const refused = ['169.254.0.1', '::ffff:169.254.169.254', 'fe80::abcd', 'ff02::1', '::'];
  const taken = ['10.0.0.1', '127.0.0.1', '192.168.1.1', '8.8.8.8', '::1', 'hooks.example.com'];
  expect([...refused, ...taken].filter(isRefusedAddress)).toEqual(refused);
});

it.each([
  ['of a public translator', '64:ff9b::a9fe:a9fe', '64:ff9b::6464:64c8', '64:ff9b::168.63.129.16'],
  ['of an own translator', '64:ff9b:1::a9fe:a9fe', '64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:ffff:a9fe:a9:fe00:0'],
  ['compatible', '::169.254.169.254', '::a9fe:a9fe', '0:0:0:0:0:0:a9fe:a9fe', '::2'],
  ['translated', '::ffff:0:169.254.169.254', '::ffff:0:a9fe:a9fe'],
  ['of Teredo', '2001:0:a9fe:a9fe::1', '2001::5601:5601', '2001:0:1:2:3:4:5601:5601'],
  ['of 6to4', '2002:a9fe:a9fe::1', '2002:6464:64c8::1'],
])('an IPv4 address inside an IPv6 one is refused: %s', (_form, ...addresses) => {
  for (const address of addresses) {
    expect(isRefusedAddress(address), address).toBe(true);
    expect(() => checkReceiverUrl(`http://[${address}]/`), address).toThrow(
      expect.objectContaining({ code: 'invalid_request' }) as Error,
    );
  }
});

it('an IPv4 address inside an IPv6 one is accepted where a receiver may be: behind a public translator, mapped, and beside the refused ranges', () => {
  const inside = ['64:ff9b::8.8.8.8', '64:ff9b:2::a9fe:a9fe', '::ffff:10.0.0.1'];
  const beside = ['::1', '2001:db8::1', '2001:4860:4860::8888', '2003::1'];
  expect([...inside, ...beside].filter(isRefusedAddress)).toEqual([]);
});

// A name is judged by the addresses it has when it is connected to.
/** A resolver that knows one answer. */
const resolve = (look: LookupFunction, all: boolean): Promise<unknown> =>
  new Promise((done) => {
    look('receiver.example', { all }, (error, address) => done(error ?? address));
  });

it('leaves out what is refused and takes the rest', async () => {
  const look = receiverLookup(resolving(['169.254.169.254', '10.0.0.7', 'fe80::1']));
  expect(await resolve(look, true)).toEqual([{ address: '10.0.0.7', family: 4 }]);
  expect(await resolve(look, false)).toBe('10.0.0.7');
});

it('connects to nothing when only refused addresses are left', async () => {
  const look = receiverLookup(resolving(['169.254.169.254', '::ffff:169.254.169.254']));
  for (const all of [true, false])
    expect(await resolve(look, all)).toMatchObject({ message: 'receiver.example has only addresses that are refused' });
});
