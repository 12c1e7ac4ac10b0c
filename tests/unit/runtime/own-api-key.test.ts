/** The data directory's own key, and which key a client shows. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyPrefix, isApiKey, newApiKey } from '../../../platform/api-key.ts';
import { loadConfig } from '../../../platform/config.ts';
import { clientApiKey, ensureOwnKey, ownKeyPath, readOwnKey } from '../../../platform/own-api-key.ts';
import { folderPerTest } from '../../../testing/per-file.ts';

let home: string;
beforeEach(() => {
  home = folderPerTest();
});

it('an API key has 256 random bits and says its role', () => {
  const keys = Array.from({ length: 100 }, () => newApiKey('operator'));
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(key).toMatch(/^dh_o_[\w-]{43}$/);
    expect(isApiKey(key)).toBe(true);
    expect(Buffer.from(key.slice(5), 'base64url')).toHaveLength(32);
  }
  expect(newApiKey('analyst')).toMatch(/^dh_a_/);
  expect(apiKeyPrefix(`dh_o_${'x'.repeat(43)}`)).toBe('dh_o_xxxxxx');
});

it('the own key of a data directory is made once, for its owner alone', () => {
  expect(readOwnKey(home)).toBeUndefined();
  const key = ensureOwnKey(home);
  expect(ensureOwnKey(home)).toBe(key);
  expect(readOwnKey(home)).toBe(key);
  expect(isApiKey(key)).toBe(true);
  expect(statSync(ownKeyPath(home)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'keys')).mode & 0o777).toBe(0o700);
});

it('the own key of a data directory is refused when the file holds something else, which is left alone', () => {
  ensureOwnKey(home);
  writeFileSync(ownKeyPath(home), 'not a key');
  expect(() => ensureOwnKey(home)).toThrowError(expect.objectContaining({ code: 'usage' }));
  expect(readFileSync(ownKeyPath(home), 'utf8')).toBe('not a key');
});

describe('the key that a client shows', () => {
  const keyOf = (environment: Record<string, string>): string | undefined =>
    clientApiKey(loadConfig({ HOME: home, DECKHAND_HOME: home, ...environment }));

  it('is the configured one, else that of the data directory, else none', () => {
    expect(keyOf({})).toBeUndefined();
    const own = ensureOwnKey(home);
    expect(keyOf({})).toBe(own);
    expect(keyOf({ DECKHAND_API_KEY: 'dh_a_other' })).toBe('dh_a_other');
  });

  it('is never this machine’s own for an API of another machine', () => {
    const own = ensureOwnKey(home);
    expect(keyOf({ DECKHAND_API_URL: 'https://deckhand.example' })).toBeUndefined();
    expect(keyOf({ DECKHAND_API_URL: 'http://127.0.0.1:8420' })).toBe(own);
    const theirs = { DECKHAND_API_URL: 'https://deckhand.example', DECKHAND_API_KEY: 'dh_a_x' };
    expect(keyOf(theirs)).toBe('dh_a_x');
    // What is meant for the other machine is not shown here, such as to a runtime that a command starts.
    const config = loadConfig({ HOME: home, DECKHAND_HOME: home, ...theirs });
    expect(clientApiKey(config, 'http://127.0.0.1:8420')).toBe(own);
  });
});
