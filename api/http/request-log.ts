/** Gives each request an id and a logger that carries it, and writes one line per request. */
import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { Logger } from '../../platform/log.ts';
import type { ApiEnv } from '../context.ts';

/** Ids from outside are taken over when they are harmless in a log. */
const REQUEST_ID = /^[\w-]{1,64}$/;

/** The middleware. The id is answered as `x-request-id`. */
export const requestLog = (log: Logger) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    await next();
    c.res.headers.set('x-request-id', requestId);
    const durationMs = Math.round(performance.now() - startedAt);
    c.get('log').debug({ method: c.req.method, path: c.req.path, status: c.res.status, durationMs }, 'request');
  });
