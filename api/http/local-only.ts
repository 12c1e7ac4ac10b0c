/**
 * What is asked of a request that shows no key: it has to be meant for this API and, where the API is open, come from this machine.
 *
 * Listening on loopback is not enough: a web page can make a browser send requests to 127.0.0.1, or rebind its own name to it. So the
 * Host header has to be loopback, and where no key protects the API, a request that a foreign page caused (Origin, Sec-Fetch-Site) is refused.
 */
import type { Context } from 'hono';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackHost } from '../../platform/loopback.ts';
import type { ApiEnv } from '../context.ts';

/** Whether a foreign page caused a request. A person who follows a link there reads the answer himself; the page does not. */
function isForeign(c: Context<ApiEnv>): boolean {
  // The one page from elsewhere that may: the Temporal UI, on the routes that were made for it.
  if (c.get('trustedOrigin') !== undefined) return false;
  const site = c.req.header('sec-fetch-site');
  const navigates = c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document';
  if ((site === 'cross-site' || site === 'same-site') && !navigates) return true;
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || !isLoopbackHost(url.host);
}

/** Throws `invalid_request` unless a request without a key may come here. */
export function refuseForeign(c: Context<ApiEnv>, config: Pick<Config, 'auth' | 'apiHost' | 'publicUrl'>): void {
  const host = c.req.header('host') ?? '';
  const { auth, apiHost, publicUrl } = config;
  // Beyond loopback nobody knows by which names it is called; there are keys there.
  const isOurs =
    isLoopbackHost(host) ||
    (auth === 'keys' && (!isLoopbackHost(apiHost) || (publicUrl !== undefined && new URL(publicUrl).host === host)));
  if (isOurs && (auth === 'keys' || !isForeign(c))) return;
  throw new DeckhandError('invalid_request', `refused host ${host}, origin ${c.req.header('origin') ?? 'none'}`, {
    userMessage: 'Without a key Deckhand answers only to this machine.',
    hint:
      auth === 'open'
        ? 'Use http://127.0.0.1 or http://localhost with the port of the API.'
        : 'Show a key, use http://127.0.0.1 with the port of the API, or set DECKHAND_PUBLIC_URL to the address people use.',
  });
}
