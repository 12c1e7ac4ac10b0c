/**
 * Calls of Google where it differs from other providers: how tokens are asked for, and which answers are none. The rest is in ../transport.test.ts.
 */
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ServiceAccountKey } from '../../../../clouds/google/credentials.ts';
import { signedStatement } from '../../../../clouds/google/http/token.ts';
import { operation, PREPARATION, PROJECT, requestOf, scriptedGoogle, SECRET, ZONE } from './scripted-google.ts';
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

  it('an access token is asked for with the token of a login', async () => {
    const { provider, of } = scriptedGoogle({
      'POST /token': () => ({ body: { access_token: 'a-token' } }),
      [LIST]: () => EMPTY,
    });
    await provider.listInstances();
    expect(of('POST /token')[0]?.body).toEqual({
      grant_type: 'refresh_token',
      client_id: 'an-id',
      client_secret: 'a-very-secret-client-secret',
      refresh_token: SECRET,
    });
  });

  it('access tokens that a login no longer gets are renewed by the hand of its owner', async () => {
    const { provider } = scriptedGoogle({ 'POST /token': () => ({ status: 400, body: { error: 'invalid_grant' } }) });
    const expected = { code: 'provider_auth', hint: expect.stringContaining('Make new credentials') };
    await expect(provider.listInstances()).rejects.toMatchObject(expected);
  });
});

describe('calls to Google', () => {
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

  it('of a login name the project whose calls they are, those of a service account do not', async () => {
    const login = scriptedGoogle({ [LIST]: () => EMPTY });
    await login.provider.listInstances();
    expect(login.of(LIST)[0]?.headers.get('x-goog-user-project')).toBe(PROJECT);
    const account = scriptedGoogle({ [LIST]: () => EMPTY }, { credentials: ACCOUNT });
    await account.provider.listInstances();
    expect(account.of(LIST)[0]?.headers.get('x-goog-user-project')).toBeNull();
  });

  it('of a create do not fail because a look at its operation does', async () => {
    const rig = scriptedGoogle({
      [INSERT]: () => operation({ status: 'RUNNING' }),
      'GET /zones/*/operations/*': () => ({ drop: true }),
    });
    await expect(rig.provider.createInstance(requestOf(), PREPARATION)).resolves.toBe(`${ZONE}/dh-test1-visual-1`);
  });
});
