/**
 * Reads answers: JSON checked against a schema, the id of something new, lists over all pages.
 */
import type { z } from 'zod';
import { providerError } from '../../errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { readId } from './body.ts';
import type { Transport } from './transport.ts';
import type { Call, WireAnswer } from './wire.ts';

/** Reads a JSON answer. @throws DeckhandError `provider_transient` for any other answer, such as an HTML page of the edge */
export const jsonOf =
  <T>(call: Call, schema: z.ZodType<T>) =>
  (answer: WireAnswer): T => {
    const parsed = schema.safeParse(tryJson(answer.text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    throw providerError(
      'transient',
      `${call.method} ${call.path}: the answer cannot be read${where}: ${issue?.message ?? 'not JSON'}`,
    );
  };

/** An id or name as one part of a path. */
export const segment = (value: string): string => encodeURIComponent(value);

/** Sends a GET and reads its JSON. */
export function get<T>(
  http: Transport,
  path: string,
  schema: z.ZodType<T>,
  query: NonNullable<Call['query']> = {},
): Promise<T> {
  const call: Call = { kind: 'read', method: 'GET', path, query };
  return http.send(call, jsonOf(call, schema));
}

/** GET of one thing, which some endpoints wrap in a list of one. */
export async function getOne<T>(http: Transport, path: string, schema: z.ZodType<T>): Promise<T> {
  const call: Call = { kind: 'read', method: 'GET', path };
  return http.send(call, (answer) => {
    const json = tryJson(answer.text);
    const unwrapped = Array.isArray(json) ? json[0] : json;
    if (unwrapped === undefined && Array.isArray(json)) throw providerError('gone', `GET ${path}: an empty list`);
    return jsonOf(call, schema)({ ...answer, text: JSON.stringify(unwrapped) ?? '' });
  });
}

/** Sends a POST that makes something, once, and reads the new id. */
export function create(http: Transport, path: string, body: unknown): Promise<string> {
  return http.send({ kind: 'create', method: 'POST', path, body }, (answer) => {
    const id = readId(answer.text);
    if (id === null) throw providerError('transient', `POST ${path}: accepted (${answer.status}) without an id`);
    return id;
  });
}

/** Sends a call and ignores the content of its answer. */
export const command = (http: Transport, call: Call): Promise<void> => http.send(call, () => undefined);

/** Largest page size of the API. */
const PAGE_SIZE = 100;
const MOST_PAGES = 1_000;

/**
 * Reads a complete list. Some lists come in pages, which may change: the next page is requested as long as the provider counts more rows than
 * came (`X-Total-Count`), or if `paged` is true.
 *
 * @throws DeckhandError `provider_transient` if the provider counts more rows than it returns: an incomplete list proves nothing
 */
export async function listAll<T extends { readonly id: string }>(
  http: Transport,
  path: string,
  row: z.ZodType<T>,
  options: { readonly paged?: boolean; readonly query?: NonNullable<Call['query']> } = {},
): Promise<readonly T[]> {
  const rows = new Map<string, T>();
  let paged = options.paged === true;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const query = { ...options.query, ...(paged ? { page, pageSize: PAGE_SIZE } : {}) };
    const call: Call = { kind: 'read', method: 'GET', path, query };
    const { items, total } = await http.send(call, (answer) => ({
      items: jsonOf(call, row.array())(answer),
      total: totalOf(answer.headers),
    }));
    const before = rows.size;
    for (const item of items) rows.set(item.id, item);
    const complete = total === null ? !paged || items.length < PAGE_SIZE : rows.size >= total;
    if (complete) return [...rows.values()];
    // The same rows again, or none: this list knows no pages.
    if (page > 1 && rows.size === before) {
      if (total === null) return [...rows.values()];
      throw providerError('transient', `GET ${path}: ${rows.size} of ${total} rows came`);
    }
    if (!paged) {
      // Pages of another size than the first answer's: begin again.
      paged = true;
      page = 0;
    }
  }
  throw providerError('transient', `GET ${path}: more than ${MOST_PAGES} pages`);
}

const totalOf = (headers: Headers): number | null => {
  const text = headers.get('x-total-count');
  return text === null || !/^\d+$/u.test(text) ? null : Number(text);
};
