/**
 * How the clients of all providers send calls: one token for all, what is sent again and what never, and no secret in what they say.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { query } from '../../../clouds/aws/http/query.ts';
import { getResource, write } from '../../../clouds/azure/http/arm.ts';
import * as aws from './aws/scripted-aws.ts';
import * as azure from './azure/scripted-azure.ts';
import * as google from './google/scripted-google.ts';
import {
  clientOf,
  codeOf,
  failureOf,
  NEW_INSTANCE,
  scriptedApi,
  scriptedServer,
  SECRET,
  virtualClock,
  type ScriptedAnswer,
  type VirtualClock,
} from './scripted-api.ts';

/** The other end of a client. */
interface OtherEnd {
  /** Answers to calls, from 1; null = the right one. */
  readonly answer: (nth: number, authorization: string) => ScriptedAnswer | null;
  /** Answers to requests for tokens, from 1. */
  readonly token: (nth: number) => ScriptedAnswer;
  readonly clock: VirtualClock;
  readonly signal: AbortSignal;
}

/** A client of a scripted other end. */
interface Line {
  readonly read: () => Promise<unknown>;
  readonly create: () => Promise<unknown>;
  /** The header `Authorization` of each call so far, without those for tokens. */
  readonly sent: () => readonly string[];
  readonly tokensAsked: () => number;
}

interface Subject {
  /** Sendings of a read in all. */
  readonly tries: number;
  readonly secret: string;
  /** A refusal as the provider writes it. */
  readonly refused: (message: string, status: number) => ScriptedAnswer;
  readonly open: (end: OtherEnd) => Promise<Line>;
}

/** One whose calls carry a token. */
interface TokenSubject extends Subject {
  readonly renewEarlyMs: number;
  /** A token that is refused. */
  readonly noToken: (message: string) => ScriptedAnswer;
}

const PATH = '/subscriptions/sub-1/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m';
const refusedLogin = (message: string): ScriptedAnswer => ({
  status: 401,
  body: { error: 'invalid_client', error_description: message },
});

const WITH_TOKENS: Readonly<Record<string, TokenSubject>> = {
  DataCrunch: {
    tries: 4,
    secret: SECRET,
    renewEarlyMs: 60_000,
    refused: (message, status) => ({ status, body: { code: 'a_code', message } }),
    noToken: (message) => ({ status: 401, body: { code: 'unauthorized_request', message } }),
    open: async ({ answer, token, clock, signal }) => {
      const api = await scriptedApi(
        ({ method, headers: { authorization = '' } }, nth) =>
          answer(nth, authorization) ??
          (method === 'GET' ? { body: { amount: 1, currency: 'usd' } } : { status: 202, body: 'the-id' }),
        (_request, nth) => token(nth),
      );
      const client = clientOf(api, clock, { signal });
      return {
        read: () => client.catalogue.balance(),
        create: () => client.instances.create(NEW_INSTANCE),
        sent: () => api.seen.map(({ headers }) => headers.authorization ?? ''),
        tokensAsked: () => api.tokenRequests.length,
      };
    },
  },
  Azure: {
    tries: 5,
    secret: azure.SECRET,
    renewEarlyMs: 300_000,
    refused: (message, status) => azure.refusal('ACode', message, status),
    noToken: refusedLogin,
    open: async ({ answer, token, clock, signal }) => {
      const call: azure.AzureScript[string] = ({ headers: { authorization = '' } }, nth) =>
        answer(nth, authorization) ?? { body: {} };
      const api = await azure.scriptedAzure({ 'POST token': (_, nth) => token(nth), 'GET *': call, 'PUT *': call });
      const http = azure.transportOf(api, clock, { signal });
      return {
        read: () => getResource(http, PATH, z.unknown()),
        create: () => write(http, { kind: 'create', method: 'PUT', path: PATH, body: {} }, z.unknown()),
        sent: () => [...api.of('GET *'), ...api.of('PUT *')].map(({ headers }) => headers.authorization ?? ''),
        tokensAsked: () => api.of('POST token').length,
      };
    },
  },
  Google: {
    tries: 4,
    secret: google.SECRET,
    renewEarlyMs: 60_000,
    refused: (message, status) => google.refusal(status, 'aReason', message),
    noToken: refusedLogin,
    open: async ({ answer, token, clock, signal }) => {
      const script: google.GoogleScript = {
        'POST /token': (_, nth) => token(nth),
        'GET /aggregated/instances': ({ headers }, nth) =>
          answer(nth, headers.get('authorization') ?? '') ?? { body: { items: {} } },
        'POST /zones/*/instances': ({ headers }, nth) =>
          answer(nth, headers.get('authorization') ?? '') ?? google.operation(),
      };
      const { provider, seen, of } = google.scriptedGoogle(script, { now: clock.now, pause: clock.pause, signal });
      return {
        read: () => provider.listInstances(),
        create: () => provider.createInstance(google.requestOf(), google.PREPARATION),
        sent: () =>
          seen.flatMap(({ path, headers }) => (path === '/token' ? [] : [headers.get('authorization') ?? ''])),
        tokensAsked: () => of('POST /token').length,
      };
    },
  },
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  ...WITH_TOKENS,
  AWS: {
    tries: 5,
    secret: aws.SECRET,
    refused: (message, status) => aws.refusal('ACode', message, status),
    open: async ({ answer, clock, signal }) => {
      const call =
        (right: string): aws.AwsScript[string] =>
        ({ headers }, nth) =>
          answer(nth, String(headers['x-amz-security-token'])) ?? right;
      const api = await aws.scriptedAws({
        DescribeAvailabilityZones: call(aws.answerOf('DescribeAvailabilityZones', '')),
        RunInstances: call(aws.answerOf('RunInstances', '')),
      });
      const http = aws.transportOf(api, clock, { signal });
      const region = 'eu-west-1';
      return {
        read: () => query(http, { kind: 'read', region, action: 'DescribeAvailabilityZones' }, z.unknown()),
        create: () => query(http, { kind: 'create', region, action: 'RunInstances' }, z.unknown()),
        sent: () => api.seen.map(({ headers }) => headers.authorization ?? ''),
        tokensAsked: () => 0,
      };
    },
  },
};

const tokenNumber = (nth: number): string => `a-secret-access-token-${nth}`;
const openAt = async ({ open }: Subject, end: Partial<OtherEnd> = {}) => {
  const clock = virtualClock();
  const line = await open({
    answer: () => null,
    token: (nth) => ({ body: { access_token: tokenNumber(nth), expires_in: 3600 } }),
    clock,
    signal: new AbortController().signal,
    ...end,
  });
  return { ...line, clock };
};

const FAULTS: readonly (readonly [string, (subject: Subject) => ScriptedAnswer])[] = [
  ['a 502 in HTML', () => ({ status: 502, body: '<html>Bad gateway</html>' })],
  ['a 200 in HTML', () => ({ status: 200, body: '<html>Checking your browser</html>' })],
  ['a lost connection', () => ({ drop: true })],
  ['a fault of the service', ({ refused }) => refused('oops', 500)],
];

describe.each(Object.entries(SUBJECTS))('calls to %s', (name, subject) => {
  it.each(FAULTS)('a read is sent again after %s', async (_fault, faultOf) => {
    const fault = faultOf(subject);
    const { read, sent, clock } = await openAt(subject, { answer: (nth) => (nth < 3 ? fault : null) });
    await read();
    expect(sent()).toHaveLength(3);
    expect(clock.pauses).toEqual([1_000, 2_000]);
  });

  it.each(FAULTS)('a create is sent once, also after %s', async (_fault, faultOf) => {
    const fault = faultOf(subject);
    const { create, sent } = await openAt(subject, { answer: () => fault });
    expect(await codeOf(create())).toBe('provider_transient');
    expect(sent()).toHaveLength(1);
  });

  it('a create is sent once where fetch itself would send it again, after a 421', async () => {
    const { create, sent } = await openAt(subject, { answer: () => ({ status: 421, body: '' }) });
    expect(await codeOf(create())).toMatch(/^provider_/u);
    expect(sent()).toHaveLength(1);
  });

  it('a read ends after a few tries', async () => {
    const { read, sent } = await openAt(subject, { answer: () => ({ status: 503, body: '' }) });
    expect(await failureOf(read())).toMatchObject({
      code: 'provider_transient',
      userMessage: expect.stringMatching(new RegExp(`^${name} refused .*(?:503|: empty$)`, 'u')),
      hint: expect.stringContaining(`status page of ${name}`),
    });
    expect(sent()).toHaveLength(subject.tries);
  });

  it('wait as long as Retry-After says, also when the body is a few letters', async () => {
    const slow = { status: 429, body: 'rate limit', headers: { 'retry-after': '17' } };
    const { read, sent, clock } = await openAt(subject, { answer: (nth) => (nth === 1 ? slow : null) });
    const before = clock.now();
    await read();
    expect(clock.now() - before).toBeGreaterThanOrEqual(17_000);
    expect(clock.now() - before).toBeLessThan(18_000);
    expect(sent()).toHaveLength(2);
  });

  it('a call does not wait for an hour, and its error says how long it would have to', async () => {
    const answer = () => ({ status: 429, body: '', headers: { 'retry-after': '3600' } });
    const { read, sent } = await openAt(subject, { answer });
    const { code, retryAfterMs } = await failureOf(read());
    expect([code, retryAfterMs, sent().length]).toEqual(['provider_throttled', 3_600_000, 1]);
  });

  it('follow no redirect: it would carry secrets elsewhere', async () => {
    let followed = 0;
    const location = await scriptedServer(() => {
      followed += 1;
      return {};
    });
    const { read, sent } = await openAt(subject, { answer: () => ({ status: 307, headers: { location } }) });
    expect(await codeOf(read())).toBe('provider_config');
    expect([sent().length, followed]).toEqual([1, 0]);
  });

  it('end when the process stops', async () => {
    const stop = new AbortController();
    const answer = (): ScriptedAnswer => {
      stop.abort();
      return { status: 502, body: '' };
    };
    const { read, sent } = await openAt(subject, { answer, signal: stop.signal });
    expect(await codeOf(read())).toBe('provider_transient');
    expect(sent()).toHaveLength(1);
  });

  it('no error shows a secret that the other side repeats, nor a part of it across the cut of its text', async () => {
    const { secret } = subject;
    let before = 0;
    const answer = (_nth: number, authorization: string) =>
      subject.refused(`${authorization} ${'x'.repeat(before)}${secret} and more`, 400);
    const { create } = await openAt(subject, { answer });
    for (before of [0, ...Array.from({ length: secret.length + 60 }, (_, n) => 240 - secret.length + n)]) {
      const { message, userMessage, hint, stack } = await failureOf(create());
      const said = `${message} ${userMessage} ${hint} ${stack}`;
      expect(said).not.toContain('access-token');
      expect(said).not.toContain(aws.TOKEN);
      expect(said).not.toContain(`x${secret.slice(0, 3)}`);
      if (before === 0) expect(said).toContain('[secret] [secret] and more');
    }
  });
});

describe.each(Object.entries(WITH_TOKENS))('the access token of %s', (_name, subject) => {
  it('one token is asked for by 50 concurrent calls', async () => {
    const { read, sent, tokensAsked } = await openAt(subject);
    await Promise.all(Array.from({ length: 50 }, read));
    expect(tokensAsked()).toBe(1);
    expect(sent()).toEqual(Array.from({ length: 50 }, () => `Bearer ${tokenNumber(1)}`));
  });

  it('the token is renewed once when 20 concurrent calls are refused with 401', async () => {
    const answer = (_nth: number, authorization: string) =>
      authorization.endsWith(tokenNumber(1)) ? subject.refused('expired', 401) : null;
    const { read, tokensAsked } = await openAt(subject, { answer });
    await Promise.all(Array.from({ length: 20 }, read));
    expect(tokensAsked()).toBe(2);
  });

  it('the token is renewed some minutes before it ends', async () => {
    const { read, tokensAsked, clock } = await openAt(subject);
    await read();
    clock.nowMs += 3_600_000 - subject.renewEarlyMs - 1_000;
    await read();
    expect(tokensAsked()).toBe(1);
    clock.nowMs += 2_000;
    await read();
    expect(tokensAsked()).toBe(2);
  });

  it('a token that is refused twice is an error of the credentials, after one renewal', async () => {
    const { read, sent, tokensAsked } = await openAt(subject, { answer: () => subject.refused('no', 401) });
    expect(await codeOf(read())).toBe('provider_auth');
    expect([tokensAsked(), sent().length]).toEqual([2, 2]);
  });

  it('no token is given for wrong credentials, and the error does not show them', async () => {
    const token = () => subject.noToken(`There is no such client with ${subject.secret}`);
    const { read, tokensAsked } = await openAt(subject, { token });
    const { code, message, userMessage, hint, stack } = await failureOf(read());
    expect(code).toBe('provider_auth');
    expect(message).toContain('There is no such client with [secret]');
    expect(`${message} ${userMessage} ${hint} ${stack}`).not.toContain(subject.secret);
    expect(tokensAsked()).toBe(1);
  });

  it('the token comes before a create, through faults, so that the outcome of the create is not in doubt', async () => {
    const token = (nth: number) =>
      nth < 3 ? { status: 502, body: '' } : { body: { access_token: tokenNumber(nth), expires_in: 60 } };
    const { create, sent } = await openAt(subject, { token });
    await create();
    expect(sent()).toEqual([`Bearer ${tokenNumber(3)}`]);
  });

  it('a token that ends before a create is renewed, and the create is sent again: nothing was done', async () => {
    const { create, sent } = await openAt(subject, { answer: (nth) => (nth === 1 ? subject.refused('', 401) : null) });
    await create();
    expect(sent()).toHaveLength(2);
  });

  it('a token that cannot be renewed leaves no doubt about a create that was refused', async () => {
    const { create } = await openAt(subject, {
      answer: () => subject.refused('', 401),
      token: (nth) => (nth === 1 ? { body: { access_token: tokenNumber(1), expires_in: 3600 } } : { drop: true }),
    });
    expect(await codeOf(create())).toBe('provider_auth');
  });
});
