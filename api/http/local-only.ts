/**
 * Lets only this machine's own clients in, as long as there are no API keys.
 *
 * Listening on loopback is not enough: a web page can make a browser send requests to 127.0.0.1, or rebind its own name to it. So the
 * Host header has to be loopback, and a request that a foreign page caused (Origin, Sec-Fetch-Site) is refused.
 */
import { createMiddleware } from 'hono/factory';
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';

/** True for a host, with or without port, that is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  const url = URL.parse(`http://${host}`);
  if (url === null || url.host === '' || url.pathname !== '/' || url.username !== '') return false;
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname);
}

function isForeign(origin: string | undefined, fetchSite: string | undefined): boolean {
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') return true;
  if (origin === undefined) return false;
  const url = URL.parse(origin);
  return url === null || !isLoopbackHost(url.host);
}

/** The middleware. */
export const localOnly = createMiddleware<ApiEnv>(async (c, next) => {
  const host = c.req.header('host') ?? '';
  if (!isLoopbackHost(host) || isForeign(c.req.header('origin'), c.req.header('sec-fetch-site'))) {
    throw new DeckhandError('invalid_request', `refused host ${host}, origin ${c.req.header('origin') ?? 'none'}`, {
      userMessage: 'Deckhand answers only to this machine.',
      hint: 'Use http://127.0.0.1 or http://localhost with the port of the API.',
    });
  }
  return next();
});
