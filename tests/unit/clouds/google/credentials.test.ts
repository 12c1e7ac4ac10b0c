/**
 * Where the credentials of a Google Cloud project are found, and which are refused.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findGoogleCredentials,
  GOOGLE_SIMULATOR_CREDENTIALS,
  projectOf,
  readGoogleCredentials,
} from '../../../../clouds/google/credentials.ts';
import { loadConfig } from '../../../../platform/config.ts';
import { folderPerTest } from '../../../../testing/per-file.ts';
import { refusalOf } from '../../../../testing/refusal.ts';

const SERVICE_ACCOUNT = {
  type: 'service_account',
  project_id: 'a-project',
  private_key_id: 'k1',
  private_key: '-----BEGIN PRIVATE KEY-----\nsecret-secret\n-----END PRIVATE KEY-----\n',
  client_email: 'deckhand@a-project.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const LOGIN = {
  type: 'authorized_user',
  client_id: 'an-id',
  client_secret: 'a-secret-of-gcloud',
  refresh_token: 'a-refresh-token',
  quota_project_id: 'b-project',
};

function file(content: unknown, mode = 0o600): string {
  const at = path.join(folderPerTest(), 'credentials.json');
  writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(at, mode);
  return at;
}

describe('credentials of Google', () => {
  it('are the key of a service account in the file that the environment names', () => {
    const credentialsFile = file(SERVICE_ACCOUNT);
    const { google } = loadConfig({ GOOGLE_APPLICATION_CREDENTIALS: credentialsFile });
    expect(findGoogleCredentials(google)).toEqual({
      credentials: {
        kind: 'service_account',
        email: SERVICE_ACCOUNT.client_email,
        keyId: 'k1',
        privateKey: SERVICE_ACCOUNT.private_key.trim(),
        tokenUrl: SERVICE_ACCOUNT.token_uri,
      },
      project: 'a-project',
      source: credentialsFile,
    });
  });

  it('are the login of gcloud where the environment names no file', () => {
    const folder = folderPerTest();
    const login = path.join(folder, 'application_default_credentials.json');
    writeFileSync(login, JSON.stringify(LOGIN), { mode: 0o600 });
    const { google } = loadConfig({ CLOUDSDK_CONFIG: folder });
    expect(findGoogleCredentials(google)).toMatchObject({
      credentials: { kind: 'authorized_user', refreshToken: 'a-refresh-token', tokenUrl: SERVICE_ACCOUNT.token_uri },
      project: 'b-project',
      source: login,
    });
  });

  it('are its own for a simulator on this machine, whatever gcloud has', () => {
    const folder = folderPerTest();
    writeFileSync(path.join(folder, 'application_default_credentials.json'), JSON.stringify(LOGIN), { mode: 0o600 });
    const { google } = loadConfig({ CLOUDSDK_CONFIG: folder });
    expect(findGoogleCredentials(google, 'http://127.0.0.1:8427')).toBe(GOOGLE_SIMULATOR_CREDENTIALS);
  });

  it('are refused from a file that others may read', () => {
    const at = file(SERVICE_ACCOUNT, 0o640);
    expect(refusalOf(() => readGoogleCredentials(at))).toMatchObject({ code: 'usage', hint: `chmod 600 ${at}` });
  });

  it('are missing where there is no file', () => {
    expect(refusalOf(() => readGoogleCredentials(path.join(folderPerTest(), 'none.json')))).toMatchObject({
      code: 'credentials_missing',
      userMessage: 'There are no Google credentials.',
    });
  });

  it.each(['external_account', 'impersonated_service_account', 'gdch_service_account'])(
    'of the kind %s are not supported',
    (type) => {
      expect(refusalOf(() => readGoogleCredentials(file({ type })))).toMatchObject({ code: 'credentials_missing' });
    },
  );

  it.each<readonly [string, unknown]>([
    ['no JSON', '{"type": "service_account", "private_key": "secret-secret"'],
    ['another kind', { type: 'toaster', private_key: 'secret-secret' }],
    ['a key without an account', { ...SERVICE_ACCOUNT, client_email: undefined }],
    ['an empty token', { ...LOGIN, refresh_token: ' ' }],
    ['another token server', { ...SERVICE_ACCOUNT, token_uri: 'https://googleapis.com.example/token' }],
    ['a token server without encryption', { ...SERVICE_ACCOUNT, token_uri: 'http://oauth2.googleapis.com/token' }],
  ])('are refused with %s, without showing them', (_what, content) => {
    const error = refusalOf(() => readGoogleCredentials(file(content)));
    expect(error).toMatchObject({ code: 'credentials_missing' });
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-secret');
  });
});

describe('the project', () => {
  const found = { project: 'of-credentials' };

  it('is that of the fleet file, else of the environment, else of the credentials', () => {
    expect(projectOf({ project: 'of-file' }, { project: 'of-environment' }, found)).toBe('of-file');
    expect(projectOf({ project: null }, { project: 'of-environment' }, found)).toBe('of-environment');
    expect(projectOf({ project: null }, { project: null }, found)).toBe('of-credentials');
  });

  it('has to be named somewhere', () => {
    expect(refusalOf(() => projectOf({ project: null }, { project: null }, { project: null }))).toMatchObject({
      code: 'usage',
    });
  });
});
