/**
 * The client over real sockets: one token for all, what is sent again and what never, and no secret in what it says.
 */
import { describe, expect, it, vi } from 'vitest';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { providerErrorOf } from '../../../clouds/errors.ts';
import { clientOf, scriptedApi, SECRET, virtualClock, failureOf } from './scripted-api.ts';

/** The error a call ends with. */
const balance = { amount: 12.5, currency: 'usd' };
const newInstance = {
  instance_type: '1H100.80S.30V',
  image: 'ubuntu-24.04',
  hostname: 'h',
  description: 'd',
  location_code: 'FIN-01',
  is_spot: false,
};

describe('the access token of DataCrunch', () => {
  it('is asked for once by 50 concurrent calls', async () => {
    const api = await scriptedApi(() => ({ body: balance }));
    const client = clientOf(api, virtualClock());
    await Promise.all(Array.from({ length: 50 }, () => client.catalogue.balance()));
    expect(api.tokenRequests).toHaveLength(1);
    expect(api.seen).toHaveLength(50);
    expect(new Set(api.seen.map((r) => r.headers.authorization))).toEqual(new Set(['Bearer access-token-1']));
  });

  it('is renewed once when 20 concurrent calls are refused with 401', async () => {
    const api = await scriptedApi((request) =>
      request.headers.authorization === 'Bearer access-token-1'
        ? { status: 401, body: { code: 'unauthorized_request', message: 'Token expired' } }
        : { body: balance },
    );
    const client = clientOf(api, virtualClock());
    await Promise.all(Array.from({ length: 20 }, () => client.catalogue.balance()));
    expect(api.tokenRequests).toHaveLength(2);
  });

  it('is renewed a minute before it ends', async () => {
    const api = await scriptedApi(() => ({ body: balance }));
    const clock = virtualClock();
    const client = clientOf(api, clock);
    await client.catalogue.balance();
    clock.nowMs += 3_539_000;
    await client.catalogue.balance();
    expect(api.tokenRequests).toHaveLength(1);
    clock.nowMs += 2_000;
    await client.catalogue.balance();
    expect(api.tokenRequests).toHaveLength(2);
  });

  it('that is refused twice is an error of the credentials, after one renewal', async () => {
    const api = await scriptedApi(() => ({ status: 401, body: { code: 'unauthorized_request', message: 'no' } }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect(error.code).toBe('provider_auth');
    expect([api.tokenRequests.length, api.seen.length]).toEqual([2, 2]);
  });

  it('is asked for as a form where JSON is not understood', async () => {
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

  it('cannot be had with wrong credentials, and that is said without them', async () => {
    const api = await scriptedApi(
      () => ({}),
      () => ({
        status: 401,
        body: { code: 'unauthorized_request', message: `Invalid client id or client secret ${SECRET}` },
      }),
    );
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect(error.code).toBe('provider_auth');
    expect(error.message).toContain('Invalid client id or client secret');
    expect(JSON.stringify([error.message, error.userMessage, error.hint, error.stack])).not.toContain(SECRET);
    expect(api.tokenRequests).toHaveLength(1);
  });

  it('never appears in an error, even where the other side repeats it', async () => {
    const api = await scriptedApi((request) => ({
      status: 400,
      body: { code: 'invalid_request', message: `bad header ${request.headers.authorization}` },
    }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.locations());
    expect(`${error.message} ${error.userMessage} ${error.stack}`).not.toContain('access-token');
  });
});

it('a refusal shows no part of a secret across the cut of its text', async () => {
  for (let before = 299 - SECRET.length; before < 300; before += 1) {
    const message = `${'x'.repeat(before)}${SECRET} and more`;
    const api = await scriptedApi(() => ({ status: 400, body: { code: 'invalid_request', message } }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.locations());
    expect(`${error.message} ${error.userMessage}`).not.toContain(SECRET.slice(0, 3));
  }
});

describe('reads of DataCrunch', () => {
  it.each([
    ['a 502 in HTML', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a 200 in HTML', { status: 200, body: '<html>Checking your browser</html>' }],
    ['a lost connection', { drop: true }],
    ['a 500', { status: 500, body: { code: 'server_error', message: 'oops' } }],
  ])('are sent again after %s', async (_name, fault) => {
    const api = await scriptedApi((_request, nth) => (nth < 3 ? fault : { body: balance }));
    const clock = virtualClock();
    expect(await clientOf(api, clock).catalogue.balance()).toMatchObject(balance);
    expect(api.seen).toHaveLength(3);
    expect(clock.pauses).toEqual([1_000, 2_000]);
  });

  it('end after a few tries', async () => {
    const api = await scriptedApi(() => ({ status: 504, body: '<html>Gateway time-out</html>' }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect(providerErrorOf(error).errorClass).toBe('transient');
    expect(api.seen).toHaveLength(4);
    expect(error.userMessage).toContain('DataCrunch refused GET /balance with status 504');
    expect(error.hint).toContain('status page of DataCrunch');
  });

  it('wait as long as Retry-After says, also when the body is a few letters', async () => {
    const api = await scriptedApi((_request, nth) =>
      nth === 1 ? { status: 429, body: 'rate limit', headers: { 'retry-after': '17' } } : { body: balance },
    );
    const clock = virtualClock();
    await clientOf(api, clock).catalogue.balance();
    expect(clock.pauses[0]).toBeGreaterThanOrEqual(17_000);
    expect(api.seen).toHaveLength(2);
  });

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
      await failureOf(other.instances.create(newInstance));
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

  it('do not wait for an hour', async () => {
    const api = await scriptedApi(() => ({ status: 429, body: '', headers: { 'retry-after': '3600' } }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect([error.code, error.retryAfterMs, api.seen.length]).toEqual(['provider_throttled', 3_600_000, 1]);
  });

  it('always name the client, and the token', async () => {
    const api = await scriptedApi(() => ({ body: balance }));
    await clientOf(api, virtualClock()).catalogue.balance();
    expect(api.seen[0]?.headers['user-agent']).toMatch(/^deckhand\//u);
    expect(api.tokenRequests[0]?.headers['user-agent']).toMatch(/^deckhand\//u);
  });

  it('follow no redirect: it would carry secrets elsewhere', async () => {
    const other = await scriptedApi(() => ({ body: balance }));
    const api = await scriptedApi(() => ({ status: 307, headers: { location: `${other.baseUrl}/balance` } }));
    const error = await failureOf(clientOf(api, virtualClock()).catalogue.balance());
    expect([error.code, other.seen.length]).toEqual(['provider_config', 0]);
  });

  it('end when the process stops', async () => {
    const stop = new AbortController();
    const api = await scriptedApi(() => {
      stop.abort();
      return { status: 502, body: '' };
    });
    const error = await failureOf(clientOf(api, virtualClock(), { signal: stop.signal }).catalogue.balance());
    expect([error.code, api.seen.length]).toEqual(['provider_transient', 1]);
  });
});

describe('creates at DataCrunch', () => {
  it.each([
    ['a 500', { status: 500, body: { code: 'server_error', message: 'oops' } }, 'provider_transient'],
    ['a lost connection', { drop: true }, 'provider_transient'],
    ['an answer without an id', { status: 202, body: '<html></html>' }, 'provider_transient'],
    [
      'no capacity',
      { status: 503, body: { code: 'service_unavailable', message: 'No capacity available' } },
      'provider_capacity',
    ],
    ['a 429', { status: 429, body: 'slow', headers: { 'retry-after': '3' } }, 'provider_throttled'],
  ] as const)('are sent once, also after %s', async (_name, answer, code) => {
    const api = await scriptedApi(() => answer);
    const error = await failureOf(clientOf(api, virtualClock()).instances.create(newInstance));
    expect([error.code, api.seen.length]).toEqual([code, 1]);
  });

  it('are sent again after a 401, which says that nothing was done', async () => {
    const api = await scriptedApi((_request, nth) =>
      nth === 1 ? { status: 401, body: '' } : { status: 202, body: 'the-id' },
    );
    expect(await clientOf(api, virtualClock()).instances.create(newInstance)).toBe('the-id');
    expect(api.seen).toHaveLength(2);
  });

  it('wait for a token through faults of the token endpoint', async () => {
    const api = await scriptedApi(
      () => ({ status: 202, body: 'the-id' }),
      (_request, nth) =>
        nth < 3 ? { status: 502, body: '' } : { body: { access_token: 'late-token', expires_in: 60 } },
    );
    expect(await clientOf(api, virtualClock()).instances.create(newInstance)).toBe('the-id');
    expect(api.seen).toHaveLength(1);
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
    const error = await failureOf(client.instances.create(newInstance));
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
  for (let i = 0; i < 60; i += 1) await client.instances.create(newInstance);
  const sent = api.seen.length;
  const error = await failureOf(client.instances.create(newInstance));
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
  const error = await failureOf(first.instances.create(newInstance));
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
