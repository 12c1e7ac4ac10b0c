/** Answers that a browser keeps for itself and asks for again by their tag (RFC 9111, RFC 9110 section 13). */
import type { Context } from 'hono';

/** How long a browser may show what it has without asking: a deck that was deleted should not stay in it for long. */
const MAX_AGE_S = 24 * 3600;

/**
 * Sets the headers of such an answer. True when the client has this content already: the answer is 304 without a body.
 *
 * @param tag of the content, without quotes: other content has another tag
 * @param isFixed the content under this address never changes
 */
export function isKnown(c: Context, tag: string, isFixed: boolean): boolean {
  const quoted = `"${tag}"`;
  c.header('etag', quoted);
  c.header('cache-control', isFixed ? `private, max-age=${MAX_AGE_S}, immutable` : 'private, no-cache');
  const asked = c.req.header('if-none-match')?.split(',') ?? [];
  return asked.some((each) => each.trim().replace(/^W\//u, '') === quoted);
}
