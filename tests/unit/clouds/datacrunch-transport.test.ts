/**
 * Calls of DataCrunch where it differs from other providers: forms, time limits, and how its call limits are kept and told. The rest is in transport.test.ts.
 */
import { describe, expect, it, vi } from 'vitest';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { clientOf, failureOf, NEW_INSTANCE, scriptedApi, virtualClock } from './scripted-api.ts';

const balance = { amount: 12.5, currency: 'usd' };

it('a token of DataCrunch is asked for as a form where JSON is not understood', async () => {
  const api = await scriptedApi(
    () => ({ body: balance }),
    (request) =>
      request.headers['content-type'] === 'application/x-www-form-urlencoded'
        ? { body: { access_token: 'from-form', expires_in: '3600' } }
        : { status: 400, body: { code: 'invalid_request', message: 'grant_type is missing' } },
  );
  await clientOf(api, virtualClock()).catalogue.balance();
  expect(new URLSearchParams(api.tokenRequests[1]?.body).get('client_id')).toBe('an-id');
  expect(api.seen[0]?.headers.authorization).toBe('Bearer from-form');
});

describe('reads of DataCrunch', () => {
  it.each([
    ['is said to be full by no header', {}],
    ['is full', { ratelimit: '"project";r=300;t=40, "endpoint";r=0;t=2' }],
  ])(
    'wait two seconds where Retry-After says two, if the endpoint %s, and others wait for nothing',
    async (_, named) => {
      const headers = { 'retry-after': '2', ...named };
      const api = await scriptedApi((request, nth) =>
        nth === 1 ? { status: 429, body: '', headers } : { body: request.path === '/balance' ? balance : [] },
      );
      const clock = virtualClock();
      const client = clientOf(api, clock, { random: () => 0 });
      await client.catalogue.balance();
      expect(clock.pauses).toEqual([2_000]);
      const again = await scriptedApi((_request, nth) =>
        nth === 1 ? { status: 429, body: '', headers } : { body: [] },
      );
      const other = clientOf(again, clock, { random: () => 0 });
      await failureOf(other.instances.create(NEW_INSTANCE));
      await other.catalogue.locations();
      expect(clock.pauses).toEqual([2_000]);
    },
  );

  it.each(['2', '14', '29', '60', undefined])(
    'that are refused with 429 again and again (Retry-After: %s) end within 30 s, with route, time and limit',
    async (seconds) => {
      const headers: Record<string, string> = seconds === undefined ? {} : { 'retry-after': seconds };
      const api = await scriptedApi(() => ({ status: 429, body: 'rate limit', headers }));
      const clock = virtualClock();
      const startedAtMs = clock.nowMs;
      const error = await failureOf(clientOf(api, clock).catalogue.instanceTypes());
      expect(clock.nowMs - startedAtMs).toBeLessThanOrEqual(30_000);
      const until = new Date(Math.ceil((clock.nowMs + Number(seconds ?? 5) * 1000) / 1000) * 1000);
      const time = until.toISOString().slice(11, 19);
      const said = `DataCrunch takes no more calls of GET /v1/instance-types until ${time} UTC (60 a minute)`;
      expect([error.code, error.message, error.userMessage]).toEqual(['provider_throttled', said, said]);
    },
  );

  it('name the project and its limit where that is full', async () => {
    const api = await scriptedApi(() => ({
      status: 429,
      headers: { ratelimit: '"project";r=0;t=40, "endpoint";r=3;t=2' },
    }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect(error.message).toBe(
      'DataCrunch takes no more calls of this project, such as GET /v1/balance, until 00:00:40 UTC (500 a minute)',
    );
  });

  it.each([
    ['GET /v1/balance', 'no answer within 14000 ms'],
    ['POST /v1/oauth2/token', 'no answer within 7000 ms'],
  ])('of a provider that is silent on %s end within 30 s over all tries, and name it', async (route, reason) => {
    const clock = virtualClock();
    const startedAtMs = clock.nowMs;
    const limits = vi.spyOn(AbortSignal, 'timeout');
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1/v1' }, clock, {
      fetch: (url) => {
        if (!url.endsWith(route.replace(/^\S+/u, '').trim()))
          return Promise.resolve(Response.json({ access_token: 'a-token', expires_in: 3600 }));
        clock.nowMs += limits.mock.lastCall?.[0] ?? Infinity;
        return Promise.reject(new DOMException('too late', 'TimeoutError'));
      },
    });
    const error = await failureOf(client.catalogue.balance());
    limits.mockRestore();
    expect(clock.nowMs - startedAtMs).toBe(30_000);
    expect(error.userMessage).toBe(`DataCrunch did not answer ${route} at http://127.0.0.1:1: ${reason}`);
  });

  it.each(['1e15', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])('believe no more than a day: %s', async (after) => {
    const api = await scriptedApi(() => ({ status: 429, body: '', headers: { 'retry-after': after } }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect([error.code, error.retryAfterMs]).toEqual(['provider_throttled', 86_400_000]);
  });

  it('always name the client, and the token', async () => {
    const api = await scriptedApi(() => ({ body: balance }));
    await clientOf(api, virtualClock()).catalogue.balance();
    expect(api.seen[0]?.headers['user-agent']).toMatch(/^deckhand\//u);
    expect(api.tokenRequests[0]?.headers['user-agent']).toMatch(/^deckhand\//u);
  });
});

describe('creates at DataCrunch', () => {
  it.each([
    ['an answer without an id', { status: 202, body: '<html></html>' }, 'provider_transient'],
    [
      'no capacity',
      { status: 503, body: { code: 'service_unavailable', message: 'No capacity available' } },
      'provider_capacity',
    ],
    ['a 429', { status: 429, body: 'slow', headers: { 'retry-after': '3' } }, 'provider_throttled'],
  ] as const)('are sent once, also after %s', async (_name, answer, code) => {
    const api = await scriptedApi(() => answer);
    const error = await failureOf(clientOf(api, virtualClock()).instances.create(NEW_INSTANCE));
    expect([error.code, api.seen.length]).toEqual([code, 1]);
  });

  it('end at their time limit with an unknown outcome', async () => {
    const never = new Promise<Response>(() => undefined);
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1/v1' }, virtualClock(), {
      timeoutMs: 20,
      fetch: (url, init) => {
        if (url.endsWith('/oauth2/token'))
          return Promise.resolve(Response.json({ access_token: 'a-token', expires_in: 60 }));
        const gone = new Promise<Response>((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
        });
        return Promise.race([never, gone]);
      },
    });
    const error = await failureOf(client.instances.create(NEW_INSTANCE));
    expect([error.code, error.message]).toEqual(['provider_transient', 'POST /instances: no answer within 20 ms']);
  });
});

it('the call rate limit stands in front of every call: 60 a minute on one path, 120 on the two big lists', async () => {
  const api = await scriptedApi((request) => ({ body: request.path === '/balance' ? balance : [] }));
  const clock = virtualClock();
  const client = clientOf(api, clock);
  for (let i = 0; i < 60; i += 1) await client.catalogue.balance();
  for (let i = 0; i < 120; i += 1) await client.instances.list();
  expect(clock.pauses).toEqual([]);
  // A read does not wait for a minute: it says until when.
  const error = await failureOf(client.catalogue.balance());
  expect([error.code, clock.pauses]).toEqual(['provider_throttled', []]);
  expect(error.retryAfterMs).toBeGreaterThanOrEqual(60_000);
  clock.nowMs += 40_000;
  await client.catalogue.balance();
  expect(clock.pauses).toEqual([(error.retryAfterMs ?? 0) - 40_000]);
  expect(api.seen).toHaveLength(181);
});

it('a create waits for half a minute at most, and is refused before anything is sent', async () => {
  const api = await scriptedApi(() => ({ status: 202, body: 'an-id' }));
  const clock = virtualClock();
  const client = clientOf(api, clock);
  for (let i = 0; i < 60; i += 1) await client.instances.create(NEW_INSTANCE);
  const sent = api.seen.length;
  const error = await failureOf(client.instances.create(NEW_INSTANCE));
  expect([error.code, clock.pauses, api.seen.length]).toEqual(['provider_throttled', [], sent]);
  expect(error.retryAfterMs).toBeGreaterThan(30_000);
});

it('changes wait for the call rate limit as long as it takes', async () => {
  const api = await scriptedApi(() => ({ status: 202, body: '' }));
  const clock = virtualClock();
  const client = clientOf(api, clock);
  for (let i = 0; i < 61; i += 1) await client.instances.act({ action: 'start', ids: ['an-id'] });
  expect(clock.pauses).toEqual([61_000]);
});

it('the call rate limit closes when the provider says 429, for all clients that share it', async () => {
  const api = await scriptedApi((request, nth) =>
    nth === 1
      ? {
          status: 429,
          body: '',
          headers: { 'retry-after': '20', ratelimit: '"project";r=0;t=20, "endpoint";r=5;t=20' },
        }
      : { body: request.path === '/balance' ? balance : [] },
  );
  const clock = virtualClock();
  const rateLimit = createMemoryRateLimit(clock);
  const [first, second] = [clientOf(api, clock, { rateLimit }), clientOf(api, clock, { rateLimit })];
  const error = await failureOf(first.instances.create(NEW_INSTANCE));
  expect(error.code).toBe('provider_throttled');
  await second.catalogue.locations();
  expect(clock.pauses).toEqual([20_000]);
});

it('the call rate limit believes the provider where others use up the account too', async () => {
  const api = await scriptedApi(() => ({
    body: balance,
    headers: { ratelimit: '"project";r=1;t=20, "endpoint";r=40;t=20' },
  }));
  const clock = virtualClock();
  const client = clientOf(api, clock);
  await client.catalogue.balance();
  expect(client.rateLimit()).toEqual({ remaining: 1, resetMs: 20_000 });
  await client.catalogue.balance();
  await client.catalogue.balance();
  expect(clock.pauses[0]).toBe(20_000);
});
