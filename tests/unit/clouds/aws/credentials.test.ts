/**
 * AWS credentials: where they are looked for, which kinds are refused by name, and how the files are guarded.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AWS_SIMULATOR_CREDENTIALS, findAwsCredentials } from '../../../../clouds/aws/credentials.ts';
import { loadConfig, type Config } from '../../../../platform/config.ts';
import { folderPerTest } from '../../../../testing/per-file.ts';
import { refusalOf } from '../../../../testing/refusal.ts';

/** Files of a home directory, and the settings of a process there. */
function home(
  files: { credentials?: string; config?: string },
  environment: Record<string, string> = {},
): Config['aws'] {
  const folder = folderPerTest();
  mkdirSync(path.join(folder, '.aws'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, '.aws', name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
  }
  return loadConfig({ HOME: folder, ...environment }).aws;
}

const KEYS = '[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = file+secret/=\n';

describe('the search for AWS credentials', () => {
  it('takes the environment before the files, with its session token', () => {
    const config = home(
      { credentials: KEYS },
      { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'env', AWS_SESSION_TOKEN: 'token' },
    );
    expect(findAwsCredentials(config, null)).toEqual({
      credentials: { accessKeyId: 'AKIAENV', secretAccessKey: 'env', sessionToken: 'token' },
      source: 'the environment',
    });
  });

  it('takes a profile that the fleet names before the environment', () => {
    const config = home(
      { credentials: `${KEYS}[work]\naws_access_key_id=AKIAWORK\naws_secret_access_key=w\n` },
      { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 'env' },
    );
    expect(findAwsCredentials(config, 'work').credentials.accessKeyId).toBe('AKIAWORK');
  });

  it('does not mix half an environment with a file', () => {
    const error = refusalOf(() =>
      findAwsCredentials(home({ credentials: KEYS }, { AWS_ACCESS_KEY_ID: 'AKIAENV' }), null),
    );
    expect([error.code, error.message]).toEqual([
      'credentials_missing',
      'AWS_SECRET_ACCESS_KEY is not set although its other half is',
    ]);
  });

  it.each([
    ['the credentials file', { credentials: KEYS }, null, {}],
    ['a profile by AWS_PROFILE', { credentials: KEYS.replace('default', 'work') }, null, { AWS_PROFILE: 'work' }],
    [
      'a profile with a dot in its name',
      { credentials: KEYS.replace('default', 'me@work.example') },
      'me@work.example',
      {},
    ],
    ['the configuration file', { config: KEYS.replace('default', 'profile work') }, 'work', {}],
    ['the default of the configuration file', { config: KEYS }, null, {}],
  ])('reads %s', (_name, files, profile, environment) => {
    expect(findAwsCredentials(home(files, environment), profile).credentials).toEqual({
      accessKeyId: 'AKIAFILE',
      secretAccessKey: 'file+secret/=',
    });
  });

  it('reads the session token of a profile', () => {
    const { credentials } = findAwsCredentials(home({ credentials: `${KEYS}aws_session_token = t\n` }), null);
    expect(credentials.sessionToken).toBe('t');
  });

  it.each([
    ['credential_process', 'credential_process = /usr/bin/keys'],
    ['sso_session', 'sso_session = my-sso\nsso_account_id = 1'],
    ['sso_start_url', 'sso_start_url = https://example.awsapps.com/start'],
    ['role_arn', 'role_arn = arn:aws:iam::1:role/x\nsource_profile = default'],
  ])('refuses a profile with %s by name, and says what to do', (kind, text) => {
    const error = refusalOf(() => findAwsCredentials(home({ config: `[profile work]\n${text}\n` }), 'work'));
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toContain(kind);
    expect(error.hint).toContain('aws configure export-credentials --profile work');
  });

  it.each([
    ['no file', {}, null, /there is no profile default/u],
    ['another profile', { credentials: KEYS }, 'work', /there is no profile work/u],
    ['a profile without keys', { config: '[default]\nregion = eu-west-1\n' }, null, /no keys in the profile default/u],
    ['half of the keys', { credentials: '[default]\naws_access_key_id = a\n' }, null, /no aws_secret_access_key/u],
  ])('says what is wrong with %s', (_name, files, profile, words) => {
    const error = refusalOf(() => findAwsCredentials(home(files), profile));
    expect(error.code).toBe('credentials_missing');
    expect(error.message).toMatch(words);
    expect(error.hint).toContain('aws configure');
  });

  it.each([0o644, 0o640, 0o604])('refuses a file with keys that others may read (%o)', (mode) => {
    const config = home({ credentials: KEYS });
    chmodSync(config.credentialsFile, mode);
    const error = refusalOf(() => findAwsCredentials(config, null));
    expect([error.code, error.hint]).toEqual(['usage', `chmod 600 ${config.credentialsFile}`]);
    expect(JSON.stringify([error.message, error.userMessage])).not.toContain('file+secret');
  });

  it('gives a simulator its default and never the account of the files', () => {
    const config = home({ credentials: KEYS });
    expect(findAwsCredentials(config, 'work', 'http://127.0.0.1:4100/')).toBe(AWS_SIMULATOR_CREDENTIALS);
  });
});
