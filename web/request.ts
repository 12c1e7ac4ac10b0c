/** Requests of the pages to the API, with the types of its routes, and problem documents turned into {@link RequestError}. */
import { createQuerySerializer } from 'openapi-fetch';
import { createCalls } from '../api/client/calls.ts';
import { leave } from './leave.ts';

const PREFIX = '/api/v1';

/** A refused or failed request, with what the API says to people. */
export class RequestError extends Error {
  /** Code of the problem document; `offline` when nothing answered. */
  readonly code: string;
  readonly status: number;
  readonly hint: string | null;

  constructor(
    message: string,
    facts: { readonly code: string; readonly status: number; readonly hint: string | null },
  ) {
    super(message);
    this.name = 'RequestError';
    this.code = facts.code;
    this.status = facts.status;
    this.hint = facts.hint;
  }
}

/** A thrown value as an error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const serialize = createQuerySerializer();
/** Undefined and empty values are left out. */
const queryString = (query: Readonly<Record<string, unknown>>): string =>
  serialize(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')));

/** Path of a route with its query. */
export function apiPath(
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const values = queryString(query);
  return `${PREFIX}${path}${values === '' ? '' : `?${values}`}`;
}

/** A text of a document; undefined where it has none, such as the page of a proxy. */
export const textOf = (body: unknown, name: string): string | undefined => {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** The error of an answer that is not 2xx. Without a session the page leads to the login. @param body its JSON */
export function errorOf(status: number, body: unknown): RequestError {
  if (status === 401) leave.to(`${PREFIX}/session?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new RequestError(textOf(body, 'detail') ?? `HTTP ${status}`, {
    code: textOf(body, 'code') ?? 'internal',
    status,
    hint: textOf(body, 'hint') ?? null,
  });
}

async function ask(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new RequestError(String(error), { code: 'offline', status: 0, hint: null });
  }
}

/** The calls of every route. They throw {@link RequestError}. */
export const api = createCalls(
  { baseUrl: `${location.origin}${PREFIX}`, querySerializer: queryString, fetch: ask },
  ({ status }, body) => errorOf(status, body),
);
