/**
 * Lets one foreign page read the codec server: the Temporal UI. Every other origin gets no header of CORS at all, so its browser keeps the
 * answer from it, and does not send what needs to be asked for first.
 */
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';

/** What the UI sends beside its cookie. */
const HEADERS = 'Content-Type, X-Namespace, Authorization, Authorization-Extras';
/** A browser asks again after this. */
const MAX_AGE_SEC = 600;

/**
 * The middleware; comes before whatever refuses requests, because a browser shows a page only errors that carry the headers too, and asks
 * first without any cookie.
 *
 * @param uiUrl where people reach the UI; undefined = nowhere
 */
export function codecCors(uiUrl: string | undefined) {
  const allowed = uiUrl === undefined ? undefined : new URL(uiUrl).origin;
  return createMiddleware<ApiEnv>(async (c, next) => {
    const trusted = allowed !== undefined && c.req.header('origin') === allowed;
    if (trusted) c.set('trustedOrigin', allowed);
    if (trusted && c.req.method === 'OPTIONS') {
      c.res = new Response(null, { status: 204 });
      c.res.headers.set('access-control-allow-methods', 'GET, POST, DELETE');
      c.res.headers.set('access-control-allow-headers', HEADERS);
      c.res.headers.set('access-control-max-age', String(MAX_AGE_SEC));
    } else await next();
    c.res.headers.append('vary', 'Origin');
    if (!trusted) return;
    c.res.headers.set('access-control-allow-origin', allowed);
    c.res.headers.set('access-control-allow-credentials', 'true');
  });
}
