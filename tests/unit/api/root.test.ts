/** Pages of the workspace, and the address alone, where a person arrives. */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { loadConfig } from '../../../platform/config.ts';
import { createLogger } from '../../../platform/log.ts';

/** The answer of an API without services to a browser. A request without a cookie asks no database. */
function ask(auth: 'keys' | 'open', path: string): Response | Promise<Response> {
  const config = loadConfig({ HOME: '/nowhere', DECKHAND_AUTH: auth });
  const log = createLogger('root-test', { logLevel: 'silent' });
  const api = createApp({ config, log } as unknown as ApiDeps);
  const headers = { host: '127.0.0.1:8420', accept: 'text/html' };
  return api.app.request(`http://127.0.0.1:8420${path}`, { headers });
}

const PAGES = ['/', '/?q=robots', '/decks/1?analysis=2', '/compare?analyses=a,b', '/portfolio', '/companies/1'];

describe.each(PAGES)('the page %s', (page) => {
  it('sends a browser without a session to the sign-in page, which leads back', async () => {
    const answer = await ask('keys', page);
    const expected = `/api/v1/session?next=${encodeURIComponent(page)}`;
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expected]);
  });

  it('is there for everybody where the API is open', async () => {
    expect((await ask('open', page)).headers.get('location')).toBeNull();
  });
});
