/** Limits of request bodies, which are read into memory. Uploads are streamed to a file and have a limit of their own. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { DeckhandError } from '../../domain/errors.ts';
import { API_PREFIX } from '../context.ts';
import type { ApiEnv } from '../context.ts';
import { RequestBody } from '../decks/request-body.ts';

const MEBIBYTE = 1024 * 1024;
/** Far more than any document of a route. */
const MAX_DOCUMENT_BYTES = MEBIBYTE;
/** Routes with a limit of their own, below the prefix. */
const OWN_LIMIT = [/^\/decks$/u, /^\/codec\//u, /^\/session$/u];

/**
 * A limit for the routes after it.
 *
 * @param what is sent, for people: `The payloads`; or the refusal of what is larger
 */
export function limitBody(maxBytes: number, what: string | (() => DeckhandError)): MiddlewareHandler {
  const onError = async (c: Context): Promise<never> => {
    const { body } = c.req.raw;
    // A client that is still sending would see its connection break, and never the reason.
    if (body !== null && !body.locked) await new RequestBody(body).discard();
    if (typeof what !== 'string') throw what();
    throw new DeckhandError('invalid_request', `body of more than ${maxBytes} bytes`, {
      userMessage: `${what} may not be larger than ${maxBytes / MEBIBYTE} MiB.`,
      hint: 'Send less at once.',
    });
  };
  return bodyLimit({ maxSize: maxBytes, onError });
}

const documents = limitBody(MAX_DOCUMENT_BYTES, 'What is sent');

/** The limit of every route that has none of its own. */
export const limitBodies = createMiddleware<ApiEnv>(async (c, next) => {
  const { method, path } = c.req;
  // Everything outside has a limit of its own: the compatibility layer takes whole files.
  if (!path.startsWith(`${API_PREFIX}/`)) return next();
  const below = path.slice(API_PREFIX.length);
  if (method === 'GET' || method === 'HEAD' || OWN_LIMIT.some((pattern) => pattern.test(below))) return next();
  return documents(c, next);
});
