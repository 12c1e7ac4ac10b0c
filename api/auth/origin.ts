/**
 * Which page caused a request. A browser adds the session's cookie to every request of every page, so where something is changed the page has
 * to be our own, or the one foreign page that a route trusts (the Temporal UI, see `trustedOrigin`).
 */
import type { Context } from 'hono';
import type { Config } from '../../platform/config.ts';
import type { ApiEnv } from '../context.ts';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True for methods that change nothing. */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** Whether the Origin header names a page that may act here with a browser's cookie. A request without the header has none. */
export function isTrustedOrigin(c: Context<ApiEnv>, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  if (origin === c.get('trustedOrigin')) return true;
  const ours = publicUrl === undefined ? null : new URL(publicUrl);
  if (ours !== null && origin === ours.origin) return true;
  const host = c.req.header('host');
  // At our public name only the public scheme is ours: an attacker in between may answer on the other one.
  return host !== ours?.host && URL.parse(origin)?.host === host;
}
