/**
 * Requests of the pages to the API: JSON in, JSON out, and problem documents turned into {@link RequestError}. The types of documents come
 * from the API and the domain by `import type`; the server checks what it sends.
 */
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

/** Values of a query; undefined ones are left out, lists are joined by commas. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Path of a route with its query. */
export function apiPath(path: string, query: Query = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '')
      values.set(name, typeof value === 'object' ? value.join(',') : String(value));
  }
  return `${PREFIX}${path}${values.size === 0 ? '' : `?${values.toString()}`}`;
}

/** The error of an answer that is not 2xx. Without a session the page leads to the login. */
export function errorOf(status: number, text: string): RequestError {
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch (error) {
    // An answer of something in between, such as a proxy, is no problem document.
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (status === 401) leave.to(`${PREFIX}/session?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new RequestError(problem.detail ?? `HTTP ${status}`, {
    code: problem.code ?? 'internal',
    status,
    hint: problem.hint ?? null,
  });
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function send(method: Method, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RequestError(String(error), { code: 'offline', status: 0, hint: null });
  }
  if (!response.ok) throw errorOf(response.status, await response.text());
  return response;
}

/** Reads a document. */
export async function getJson<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await (await send('GET', apiPath(path, query), undefined, signal)).json()) as T;
}

/** Sends a document and reads the answer; null for an answer without content. */
export async function sendJson<T>(method: Exclude<Method, 'GET'>, path: string, body?: unknown): Promise<T> {
  const response = await send(method, apiPath(path), body, undefined);
  return (response.status === 204 ? null : await response.json()) as T;
}
