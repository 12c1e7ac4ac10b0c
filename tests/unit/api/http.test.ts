import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countSlides } from '../../../api/decks/analyses/progress.ts';
import { idOfKey } from '../../../api/decks/analyses/start.ts';
import { readEvents } from '../../../api/client/decks.ts';
import { isLoopbackHost } from '../../../platform/loopback.ts';
import { problemOf } from '../../../api/http/problem.ts';
import { DeckhandError, ERROR_KINDS } from '../../../domain/errors.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { assertProperty } from '../../../testing/property.ts';

it('a host is one of this machine by its own names alone', () => {
  for (const host of ['127.0.0.1', '127.0.0.1:8420', 'localhost:8420', 'LOCALHOST', '[::1]:8420', '127.1.2.3']) {
    expect(isLoopbackHost(host), host).toBe(true);
  }
  for (const host of [
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    '0.0.0.0',
    '10.0.0.1:8420',
    'a/localhost',
    '[::2]',
  ]) {
    expect(isLoopbackHost(host), host).toBe(false);
  }
});

it('a problem document has the status of the table and the user message for every code', () => {
  for (const code of Object.keys(ERROR_KINDS) as ErrorCode[]) {
    const problem = problemOf(
      new DeckhandError(code, 'internal detail', { userMessage: 'For people.', hint: 'Do this.' }),
      '/x',
    );
    expect(problem).toMatchObject({
      status: ERROR_KINDS[code].httpStatus,
      code,
      detail: 'For people.',
      hint: 'Do this.',
      instance: '/x',
    });
    expect(JSON.stringify(problem)).not.toContain('internal detail');
  }
});

it('an idempotency key makes one id of UUID form per tenant and key', () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
  assertProperty(
    fc.property(fc.string(), fc.string(), (tenant, key) => {
      expect(idOfKey(tenant, key)).toMatch(form);
      expect(idOfKey(tenant, key)).toBe(idOfKey(tenant, key));
      expect(idOfKey(`${tenant}x`, key)).not.toBe(idOfKey(tenant, `x${key}`));
    }),
  );
});

it('an event stream gives the same events however it is cut into chunks', async () => {
  const text =
    ': comment\n\nretry: 5\n\nevent: progress\nid: 1\ndata: {"a":"ü"}\n\ndata: one\r\ndata: two\r\n\r\nevent: empty\n\ndata: lost';
  const bytes = Buffer.from(text);
  const chunks = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
  await assertProperty(
    fc.asyncProperty(chunks, async (sizes) => {
      async function* body(): AsyncGenerator<Uint8Array> {
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          yield bytes.subarray(at, at + size);
          at += size;
        }
      }
      const events = [];
      for await (const event of readEvents(ReadableStream.from(body()))) events.push(event);
      expect(events).toEqual([
        { event: 'progress', data: '{"a":"ü"}', id: '1' },
        { event: undefined, data: 'one\ntwo', id: undefined },
      ]);
    }),
  );
});

it('a slide is counted once from stored calls, as done when all are stored', () => {
  const calls = [
    { slideNumber: 1, state: 'stored' },
    { slideNumber: 2, state: 'stored' },
    { slideNumber: 2, state: 'planned' },
    { slideNumber: 3, state: 'stored' },
    { slideNumber: 3, state: 'failed' },
    { slideNumber: null, state: 'stored' },
  ];
  expect(countSlides(calls, 5)).toEqual({ done: 1, failed: 1, total: 5 });
});
