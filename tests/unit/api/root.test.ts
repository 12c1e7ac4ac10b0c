/** The address alone, without a path: where a person arrives. */
import { expect, it } from 'vitest';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';

it.each(['keys', 'open'])('leads to the login and its links where keys are %s', async (auth) => {
  const config = loadConfig({ HOME: '/nowhere', DECKHAND_AUTH: auth });
  const log = createLogger('root-test', { logLevel: 'silent' });
  // The root asks neither database nor Temporal.
  const api = createApp({ config, log } as unknown as ApiDeps);
  const headers = { host: '127.0.0.1:8420', accept: 'text/html' };
  const answer = await api.app.request('http://127.0.0.1:8420/', { headers });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/api/v1/session']);
});
