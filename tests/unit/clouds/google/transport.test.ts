/**
 * How calls to Google are sent: tokens, retries, rate limits, and that nothing secret is told.
 */
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ServiceAccountKey } from '../../../../clouds/google/credentials.ts';
import { signedStatement } from '../../../../clouds/google/http/token.ts';
import {
  operation,
  PREPARATION,
  PROJECT,
  refusal,
  requestOf,
  scriptedGoogle,
  SECRET,
  TOKEN,
  ZONE,
} from './scripted-google.ts';
import { failureOf } from '../scripted-api.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ACCOUNT: ServiceAccountKey = {
  kind: 'service_account',
  email: 'deckhand@a-project.iam.gserviceaccount.com',
  keyId: 'k1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  tokenUrl: 'https://oauth2.googleapis.com/token',
};
const EMPTY = { body: { items: {} } };
const LIST = 'GET /aggregated/instances';
const INSERT = 'POST /zones/*/instances';

describe('access tokens', () => {
  it('are asked for with a statement that the service account signs', () => {
    const [header = '', claims = '', signature = ''] = signedStatement(ACCOUNT, 1_790_000_000_500).split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    expect(read(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    expect(read(claims)).toEqual({
      iss: ACCOUNT.email,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1_790_000_000,
      exp: 1_790_003_600,
    });
    expect(createVerify('RSA-SHA256').update(`${header}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(
      true,
    );
  });

  it('cannot be asked for with a key that is none, and the error does not show it', async () => {
    const { provider } = scriptedGoogle({}, { credentials: { ...ACCOUNT, privateKey: 'not-a-key-but-secret' } });
    const error = await failureOf(provider.listInstances());
    expect(error).toMatchObject({ code: 'credentials_missing' });
    expect(`${error.message} ${String(error.cause)}`).not.toContain('not-a-key');
  });

  it('are shared by calls, and renewed a minute before they end', async () => {
    let asked = 0;
    const rig = scriptedGoogle({
      'POST /token': () => {
        asked += 1;
        return { body: { access_token: `token-number-${asked}`, expires_in: 3600 } };
      },
      [LIST]: () => EMPTY,
    });
    await Promise.all([rig.provider.listInstances(), rig.provider.listInstances()]);
    expect(asked).toBe(1);
    rig.clock.nowMs += 3_539_000;
    await rig.provider.listInstances();
    expect(asked).toBe(1);
    rig.clock.nowMs += 2_000;
    await rig.provider.listInstances();
    expect(asked).toBe(2);
    expect(rig.of(LIST).map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer token-number-1',
      'Bearer token-number-1',
      'Bearer token-number-1',
      'Bearer token-number-2',
    ]);
    expect(rig.of('POST /token')[0]?.body).toEqual({
      grant_type: 'refresh_token',
      client_id: 'an-id',
      client_secret: 'a-very-secret-client-secret',
      refresh_token: SECRET,
    });
  });

  it('that are refused are renewed once', async () => {
    const rig = scriptedGoogle({ [LIST]: (_, nth) => (nth === 1 ? refusal(401, 'authError') : EMPTY) });
    await expect(rig.provider.listInstances()).resolves.toEqual([]);
    const always = scriptedGoogle({ [LIST]: () => refusal(401, 'authError') });
    await expect(always.provider.listInstances()).rejects.toMatchObject({ code: 'provider_auth' });
    expect(always.of(LIST)).toHaveLength(2);
  });

  it('that cannot be renewed leave no doubt about a create that was refused', async () => {
    const { provider } = scriptedGoogle({
      'POST /token': (_, nth) => (nth === 1 ? { body: { access_token: TOKEN, expires_in: 3600 } } : { drop: true }),
      [INSERT]: () => refusal(401, 'authError'),
    });
    await expect(provider.createInstance(requestOf(), PREPARATION)).rejects.toMatchObject({ code: 'provider_auth' });
  });

  it('that a login no longer gets are an error of the credentials', async () => {
    const { provider } = scriptedGoogle({
      'POST /token': () => ({ status: 400, body: { error: 'invalid_grant', error_description: `bad ${SECRET}` } }),
    });
    const error = await failureOf(provider.listInstances());
    expect(error).toMatchObject({ code: 'provider_auth', hint: expect.stringContaining('Make new credentials') });
    expect(JSON.stringify([error.message, error.userMessage])).not.toContain(SECRET);
  });
});

describe('calls to Google', () => {
  it('are repeated after faults, unless they create', async () => {
    const flaky = scriptedGoogle({ [LIST]: (_, nth) => (nth < 3 ? { status: 503, body: '<html></html>' } : EMPTY) });
    await expect(flaky.provider.listInstances()).resolves.toEqual([]);
    const lost = scriptedGoogle({ [INSERT]: () => ({ drop: true }) });
    await expect(lost.provider.createInstance(requestOf(), PREPARATION)).rejects.toMatchObject({
      code: 'provider_transient',
    });
    expect(lost.of(INSERT)).toHaveLength(1);
  });

  it.each([
    ['a page', { status: 200, body: '<html>hello</html>' }],
    ['half an answer', { status: 200, body: '{"items": {' }],
    ['a list that is none', { status: 200, body: { items: [1, 2] } }],
    ['a zone that did not answer', { body: { items: {}, unreachables: ['zones/us-east1-b'] } }],
    [
      'a warning that rows may be missing',
      { body: { items: { 'zones/us-east1-b': { warning: { code: 'UNREACHABLE' } } } } },
    ],
    [
      'an instance without a name',
      { body: { items: { [`zones/${ZONE}`]: { instances: [{ name: 'a' }, { status: 'RUNNING' }] } } } },
    ],
  ])('are not answered by %s', async (_what, answer) => {
    const { provider } = scriptedGoogle({ [LIST]: () => answer });
    await expect(provider.listInstances()).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('read all pages, and end where a list has no end', async () => {
    const page = (name: string, token?: string) => ({
      body: {
        items: {
          [`zones/${ZONE}`]: { instances: [{ name }] },
          'zones/us-east1-b': { warning: { code: 'NO_RESULTS_ON_PAGE' } },
        },
        ...(token === undefined ? {} : { nextPageToken: token }),
      },
    });
    const rig = scriptedGoogle({
      [LIST]: ({ query }) => (query.get('pageToken') === 'p2' ? page('b') : page('a', 'p2')),
    });
    expect((await rig.provider.listInstances()).map(({ hostname }) => hostname)).toEqual(['a', 'b']);
    const endless = scriptedGoogle({ [LIST]: () => page('a', 'p1') });
    await expect(endless.provider.listInstances()).rejects.toThrow('its pages have no end');
  });

  it('do not follow a redirect', async () => {
    const { provider } = scriptedGoogle({
      [LIST]: () => ({ status: 302, headers: { location: 'https://elsewhere.example' } }),
    });
    await expect(provider.listInstances()).rejects.toMatchObject({ code: 'provider_config' });
  });

  it('wait as long as the provider says when there are too many', async () => {
    const rig = scriptedGoogle({
      [LIST]: (_, nth) =>
        nth === 1 ? { ...refusal(429, 'rateLimitExceeded'), headers: { 'retry-after': '7' } } : EMPTY,
    });
    await rig.provider.listInstances();
    expect(rig.clock.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(7_000);
  });

  it('of a login name the project whose calls they are, those of a service account do not', async () => {
    const login = scriptedGoogle({ [LIST]: () => EMPTY });
    await login.provider.listInstances();
    expect(login.of(LIST)[0]?.headers.get('x-goog-user-project')).toBe(PROJECT);
    const account = scriptedGoogle({ [LIST]: () => EMPTY }, { credentials: ACCOUNT });
    await account.provider.listInstances();
    expect(account.of(LIST)[0]?.headers.get('x-goog-user-project')).toBeNull();
  });

  it('tell nothing secret in their errors', async () => {
    const { provider } = scriptedGoogle({ [INSERT]: () => refusal(400, 'invalid', `it had ${TOKEN} and ${SECRET}`) });
    const error = await failureOf(provider.createInstance(requestOf(), PREPARATION));
    expect(error.message).toContain('it had [secret] and [secret]');
    expect(JSON.stringify([error.message, error.userMessage, error.hint])).not.toMatch(/a-very-secret/u);
  });

  it('of a create do not fail because a look at its operation does', async () => {
    const rig = scriptedGoogle({
      [INSERT]: () => operation({ status: 'RUNNING' }),
      'GET /zones/*/operations/*': () => ({ drop: true }),
    });
    await expect(rig.provider.createInstance(requestOf(), PREPARATION)).resolves.toBe(`${ZONE}/dh-test1-visual-1`);
  });
});
