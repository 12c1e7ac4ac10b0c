/** The page after a sign-in: only one of this installation, for any link. */
import { API_PREFIX } from '../context.ts';
import { isWorkspacePage, START_PAGE } from './access-rules.ts';

/** The sign-in page. */
export const SESSION_PATH = `${API_PREFIX}/session`;

/** Placeholder for our own origin. */
const HERE = 'http://here.invalid';

/** Path and query of a page of ours; null for anything else. */
export function ownPage(address: string): string | null {
  const url = URL.parse(address, HERE);
  if (url === null || url.origin !== HERE) return null;
  const { pathname, search } = url;
  return pathname.startsWith(`${API_PREFIX}/`) || isWorkspacePage(pathname) ? `${pathname}${search}` : null;
}

/** Path and query of a page of ours; the start page for anything else. */
export const safeNext = (next: string | undefined): string => ownPage(next ?? START_PAGE) ?? START_PAGE;

/** The sign-in page that leads to a page of ours. */
export function signInPath(next: string): string {
  return `${SESSION_PATH}?next=${encodeURIComponent(next)}`;
}
