/**
 * How calls go to Azure: with a token that is asked for once, again after faults as far as that is safe, and without a secret in any error.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { command, getResource, write } from '../../../../clouds/azure/http/arm.ts';
import { refusalCode } from '../../../../clouds/http/refused.ts';
import { virtualClock, failureOf } from '../scripted-api.ts';
import {
  refusal,
  scriptedAzure,
  SECRET,
  TOKEN,
  transportOf,
  type AzureScript,
  type AzureAnswer,
} from './scripted-azure.ts';

const PATH = '/subscriptions/sub-1/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/m';
const ROUTE = 'virtualMachines/m';
const anything = z.unknown();
const read = (api: { readonly baseUrl: string }, clock = virtualClock()) =>
  getResource(transportOf(api, clock), PATH, anything);
const create = (api: { readonly baseUrl: string }) =>
  write(transportOf(api), { kind: 'create', method: 'PUT', path: PATH, body: {} }, anything);

/** These answers in turn; the last one stays. */
const inTurn =
  (...answers: readonly AzureAnswer[]) =>
  (_call: unknown, nth: number): AzureAnswer =>
    answers[Math.min(nth, answers.length) - 1] ?? {};

describe('the token', () => {
  it('is asked for once by calls at the same time, with the client secret in the body only', async () => {
    const api = await scriptedAzure({ [`GET ${ROUTE}`]: () => ({ body: {} }) });
    const http = transportOf(api);
    await Promise.all([1, 2, 3].map(() => getResource(http, PATH, anything)));
    const [asked, ...others] = api.of('POST token');
    expect(others).toEqual([]);
    expect(asked?.url.pathname).toBe('/tenant-1/oauth2/v2.0/token');
    expect(Object.fromEntries(new URLSearchParams(asked?.text))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client-1',
      client_secret: SECRET,
      scope: 'https://management.azure.com/.default',
    });
    expect(api.of(`GET ${ROUTE}`).map(({ headers }) => headers.authorization)).toEqual(
      [1, 2, 3].map(() => `Bearer ${TOKEN}`),
    );
  });

  it('is renewed before it ends, and once when it is refused', async () => {
    const clock = virtualClock();
    const api = await scriptedAzure({
      [`GET ${ROUTE}`]: inTurn({ body: {} }, { body: {} }, refusal('ExpiredAuthenticationToken', 'old', 401), {
        body: {},
      }),
    });
    const http = transportOf(api, clock);
    await getResource(http, PATH, anything);
    clock.nowMs += 3_400_000;
    await getResource(http, PATH, anything);
    expect(api.of('POST token')).toHaveLength(2);
    await getResource(http, PATH, anything);
    expect(api.of('POST token')).toHaveLength(3);
  });

  it('that is refused twice is an error of the credentials', async () => {
    const api = await scriptedAzure({ [`GET ${ROUTE}`]: () => refusal('InvalidAuthenticationToken', 'no', 401) });
    expect(await failureOf(read(api))).toMatchObject({ code: 'provider_auth' });
    expect(api.of(`GET ${ROUTE}`)).toHaveLength(2);
  });

  it.each([
    ['invalid_client', 401, 'provider_auth', 'az ad sp credential reset'],
    ['unauthorized_client', 400, 'provider_auth', 'AZURE_CLIENT_ID'],
    ['invalid_request', 400, 'provider_auth', 'deckhand credentials test azure'],
  ])('is not given: %s', async (error, status, code, hint) => {
    const body = { error, error_description: 'AADSTS7000215: Invalid client secret provided.' };
    const api = await scriptedAzure({ 'POST token': () => ({ status, body }) });
    const failure = await failureOf(read(api));
    expect(failure).toMatchObject({ code, hint: expect.stringContaining(hint) });
    expect(refusalCode(failure)).toBe(error);
  });
});

describe('a call', () => {
  const faults: readonly AzureAnswer[] = [
    { status: 500, body: { error: { code: 'InternalServerError', message: 'no' } } },
    { status: 502, text: '<html>Bad gateway</html>' },
    { drop: true },
    { text: 'no json' },
  ];

  it.each(faults)('that reads is sent again after %j', async (fault) => {
    const api = await scriptedAzure({ [`GET ${ROUTE}`]: inTurn(fault, { body: {} }) });
    await expect(read(api)).resolves.toEqual({});
  });

  it.each(faults)('that creates is not, after %j', async (fault) => {
    const api = await scriptedAzure({ [`PUT ${ROUTE}`]: inTurn(fault, { body: {} }) });
    expect(await failureOf(create(api))).toMatchObject({ code: 'provider_transient' });
    expect(api.of(`PUT ${ROUTE}`)).toHaveLength(1);
  });

  it('that creates has its token before it is sent, so that its outcome is not in doubt', async () => {
    const token: AzureScript = { 'POST token': inTurn({ status: 503, text: '' }, { body: { access_token: 't' } }) };
    const api = await scriptedAzure({ ...token, [`PUT ${ROUTE}`]: () => ({ body: {} }) });
    await create(api);
    expect(api.seen.map(({ route }) => route)).toEqual(['POST token', 'POST token', `PUT ${ROUTE}`]);
  });

  it('is given up after five times', async () => {
    const api = await scriptedAzure({ [`GET ${ROUTE}`]: () => ({ status: 503, text: '' }) });
    expect(await failureOf(read(api))).toMatchObject({ code: 'provider_transient' });
    expect(api.of(`GET ${ROUTE}`)).toHaveLength(5);
  });

  it('waits as long as it is told when there are too many', async () => {
    const clock = virtualClock();
    const busy = {
      status: 429,
      headers: { 'retry-after': '11' },
      body: { error: { code: 'TooManyRequests', message: 'slow down' } },
    };
    const api = await scriptedAzure({ [`GET ${ROUTE}`]: inTurn(busy, { body: {} }) });
    const before = clock.now();
    await read(api, clock);
    expect(clock.now() - before).toBeGreaterThanOrEqual(11_000);
  });

  it('follows no redirect', async () => {
    const api = await scriptedAzure({
      [`GET ${ROUTE}`]: () => ({ status: 302, headers: { location: 'https://elsewhere.example' } }),
    });
    expect(await failureOf(read(api))).toMatchObject({ code: 'provider_config' });
  });

  it('ends with an error in which no secret is', async () => {
    const words = `token ${TOKEN} and secret ${SECRET}`;
    const api = await scriptedAzure({ [`DELETE ${ROUTE}`]: () => refusal('Weird', words, 400) });
    const failure = await failureOf(command(transportOf(api), 'DELETE', PATH));
    expect(`${failure.message} ${failure.userMessage}`).toContain('token [secret] and secret [secret]');
    expect(`${failure.message} ${failure.userMessage} ${failure.hint}`).not.toMatch(/very-secret/u);
    // Nor the subscription, which stands in every path.
    expect(failure.message).toContain('DELETE …/virtualMachines/m: Weird');
  });
});
