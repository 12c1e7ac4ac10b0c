/** The page after a login: only one of this API, for any link. */
import { API_PREFIX } from '../context.ts';

/** The login page. */
export const SESSION_PATH = `${API_PREFIX}/session`;

/** Placeholder for our own origin. */
const HERE = 'http://here.invalid';

/** Path and query of a page of ours; the login page itself for anything else. */
export function safeNext(next: string | undefined): string {
  const url = next === undefined ? null : URL.parse(next, HERE);
  if (url === null || url.origin !== HERE || !url.pathname.startsWith(`${API_PREFIX}/`)) return SESSION_PATH;
  return `${url.pathname}${url.search}`;
}

/** The login page that leads to a page of ours. */
export function loginPath(next: string): string {
  return `${SESSION_PATH}?next=${encodeURIComponent(next)}`;
}
