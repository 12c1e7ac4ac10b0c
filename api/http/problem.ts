/**
 * Problem documents (RFC 9457): the one shape of every error the API answers, made in one place from the error table.
 *
 * Clients get the user message and the hint; the internal message and the cause go only to the log.
 */
import type { IncomingMessage } from 'node:http';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { asDeckhandError, DeckhandError, ERROR_KINDS } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { isDatabaseAway } from '../../platform/db.ts';
import type { ApiEnv } from '../context.ts';
import { PROBLEM_CONTENT_TYPE, type Problem } from './definition.ts';

/** `pdf_too_large` → `Pdf too large`: the same for every occurrence of a code, as the RFC asks. */
const titleOf = (code: ErrorCode): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');

/** The document of an error. */
export function problemOf(error: DeckhandError, instance: string): Problem {
  return {
    type: `urn:deckhand:problem:${error.code}`,
    title: titleOf(error.code),
    status: ERROR_KINDS[error.code].httpStatus,
    detail: error.userMessage,
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    instance,
  };
}

/** Hono's own refusals, such as of a body that is not JSON. */
function fromHttpException(error: HTTPException): DeckhandError {
  const code: ErrorCode = error.status === 404 ? 'not_found' : error.status < 500 ? 'invalid_request' : 'internal';
  return new DeckhandError(code, error.message === '' ? titleOf(code) : error.message, { cause: error });
}

/** Postgres refuses a text with the character NUL by this code. */
const nulRefused = z.object({
  driverAdapterError: z.object({ cause: z.object({ originalCode: z.literal('22021') }) }),
});

/** Time after which a request should be repeated when the database is unavailable: it starts in about a second. */
const DATABASE_RETRY_MS = 2000;

/** An unavailable database, and its refusal of a NUL, which only a request can bring. Null for every other error. */
function fromDatabase(error: Error): DeckhandError | null {
  if (isDatabaseAway(error)) {
    return new DeckhandError('service_unavailable', `the database does not answer: ${error.message.trim()}`, {
      userMessage: 'The database of Deckhand does not answer.',
      hint: 'Try again in a moment. Running analyses continue once it is back.',
      retryAfterMs: DATABASE_RETRY_MS,
      cause: error,
    });
  }
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || !nulRefused.safeParse(error.meta).success)
    return null;
  return new DeckhandError('invalid_request', 'a text of the request holds NUL', {
    userMessage: 'A text of this request holds the character NUL, which cannot be stored.',
    cause: error,
  });
}

/** A request whose client disconnected while sending: the error of its stream. Null for every other error. */
function fromBrokenOff(error: Error, { complete, errored }: IncomingMessage): DeckhandError | null {
  if (complete || error !== errored) return null;
  return new DeckhandError('invalid_request', 'the client broke off', {
    userMessage: 'The request ended before it was complete.',
    cause: error,
  });
}

/**
 * Turns anything thrown by a route into its problem document and logs it: 5xx as errors with their stack, a service that is away as one line,
 * the rest as information.
 */
export function handleError(thrown: Error, c: Context<ApiEnv>): Response {
  const error =
    thrown instanceof HTTPException
      ? fromHttpException(thrown)
      : (fromBrokenOff(thrown, c.env.incoming) ?? fromDatabase(thrown) ?? asDeckhandError(thrown));
  const problem = problemOf(error, c.req.path);
  const { code } = error;
  const { status } = problem;
  // A refused request is not a fault: its message is enough, and stacks would hide real faults.
  if (code === 'service_unavailable') c.get('log').warn({ code, status }, error.message);
  else if (status >= 500) c.get('log').error({ err: error, code, status }, error.message);
  else c.get('log').info({ code, status }, error.message);
  const response = problemResponse(problem);
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) response.headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  // The rest of a refused upload is not read, so the connection cannot be used again; the client must know.
  if (!c.env.incoming.complete) response.headers.set('connection', 'close');
  return response;
}

/** The HTTP response of a problem. */
export function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': PROBLEM_CONTENT_TYPE,
      'cache-control': 'no-store',
      ...(problem.status === 401 ? { 'www-authenticate': 'Bearer realm="deckhand"' } : {}),
    },
  });
}

/** Says that a path does not exist. */
export function noSuchRoute(c: Context<ApiEnv>): DeckhandError {
  return new DeckhandError('not_found', `no route ${c.req.method} ${c.req.path}`, {
    userMessage: `There is no ${c.req.method} ${c.req.path}.`,
    hint: 'The routes are listed at /api/v1/openapi.json.',
  });
}

/** Answer to a path that does not exist. */
export function handleNotFound(c: Context<ApiEnv>): Response {
  return problemResponse(problemOf(noSuchRoute(c), c.req.path));
}

/** One line that names each wrong field. */
export function validationError(issues: readonly z.core.$ZodIssue[], where: string): DeckhandError {
  const text = issues.map((i) => `${i.path.length === 0 ? where : i.path.join('.')}: ${i.message}`).join('; ');
  return new DeckhandError('invalid_request', `invalid ${where}: ${text}`, { userMessage: text });
}
