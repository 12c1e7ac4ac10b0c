/**
 * Reads answers: JSON checked against a schema, the id of something new, lists over all pages.
 *
 * There are two kinds of lists. In a list of offers (types, locations, images) each row stands alone: one that cannot be read is left out and
 * reported, because the others are as good without it. A list of what the account holds is read whole or not at all: a machine that is left
 * out would be taken for one that is gone, and a create that is looked for by name would be sent a second time.
 */
import type { z } from 'zod';
import { providerError } from '../../errors.ts';
import { describeNoJson, readJson } from '../../http/text.ts';
import { routeOf, type Call, type WireAnswer } from '../../http/wire.ts';
import { isRecord } from '../../http/refused.ts';
import { readId } from './body.ts';
import type { Transport } from './transport.ts';

/** The document of an answer, its strings cleaned. @throws DeckhandError `provider_transient` for no JSON, such as an HTML page of the edge */
function documentOf(http: Transport, call: Call, { text }: WireAnswer): unknown {
  const json = readJson(text);
  if (json !== undefined) return json;
  const route = routeOf(http.baseUrl, call);
  throw providerError(
    'transient',
    `DataCrunch answered ${route} with something that is no JSON (${describeNoJson(text)})`,
  );
}

/** `at 0.id: Invalid input`: the first thing that a schema finds wrong. */
function faultOf({ issues: [issue] }: z.ZodError): string {
  const where = issue === undefined || issue.path.length === 0 ? '' : `at ${issue.path.join('.')}: `;
  return `${where}${issue?.message ?? 'invalid'}`;
}

/** Checks a document. @throws DeckhandError `provider_transient` */
function checked<T>(http: Transport, call: Call, schema: z.ZodType<T>, json: unknown): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const route = routeOf(http.baseUrl, call);
  throw providerError(
    'transient',
    `DataCrunch answered ${route} with JSON that cannot be read ${faultOf(parsed.error)}`,
  );
}

/** Reads a JSON answer. @throws DeckhandError `provider_transient` for any other answer */
export const jsonOf =
  <T>(http: Transport, call: Call, schema: z.ZodType<T>) =>
  (answer: WireAnswer): T =>
    checked(http, call, schema, documentOf(http, call, answer));

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
  return http.send(call, jsonOf(http, call, schema));
}

/** GET of one thing, which some endpoints wrap in a list of one. */
export async function getOne<T>(http: Transport, path: string, schema: z.ZodType<T>): Promise<T> {
  const call: Call = { kind: 'read', method: 'GET', path };
  return http.send(call, (answer) => {
    const json = documentOf(http, call, answer);
    if (Array.isArray(json) && json.length === 0) throw providerError('gone', `GET ${path}: an empty list`);
    return checked(http, call, schema, Array.isArray(json) ? json[0] : json);
  });
}

/** How the rows of a list of offers are read. */
export interface RowReader<T> {
  readonly row: z.ZodType<T>;
  /** Why a row that its schema takes is still of no use, such as `it has no price`; null = it is. */
  readonly whyUnreadable?: (row: T) => string | null;
  readonly query?: NonNullable<Call['query']>;
}

/**
 * GET of a list of offers: the rows that can be read; the others are reported to the client's `onRows`.
 *
 * @throws DeckhandError `provider_transient` for an answer that is no list, or of which no row can be read
 */
export async function getRows<T>(
  http: Transport,
  path: string,
  { row: schema, whyUnreadable, query = {} }: RowReader<T>,
): Promise<readonly T[]> {
  const call: Call = { kind: 'read', method: 'GET', path, query };
  const { rows, unreadable } = await http.send(call, (answer) => {
    const read: T[] = [];
    const faults: string[] = [];
    for (const [n, item] of rowsOf(http, call, documentOf(http, call, answer)).entries()) {
      const parsed = schema.safeParse(item);
      const fault = parsed.success ? (whyUnreadable?.(parsed.data) ?? null) : faultOf(parsed.error);
      if (parsed.success && fault === null) read.push(parsed.data);
      else faults.push(`${nameOf(item) ?? `row ${n + 1}`}: ${fault}`);
    }
    const [first] = faults;
    if (read.length === 0 && first !== undefined) {
      const route = routeOf(http.baseUrl, call);
      throw providerError('transient', `DataCrunch answered ${route} without a row that can be read (${first})`);
    }
    return { rows: read, unreadable: faults };
  });
  http.onRows(path, unreadable);
  return rows;
}

/** Items of a list; of one location some endpoints answer the row without its list. */
function rowsOf(http: Transport, call: Call, json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json as unknown[];
  if (isRecord(json)) return [json];
  const route = routeOf(http.baseUrl, call);
  throw providerError('transient', `DataCrunch answered ${route} with JSON that is no list`);
}

const NAMES = ['instance_type', 'location_code', 'code', 'image_type', 'type', 'name', 'model', 'id'] as const;
const LONGEST_NAME = 60;

/** What a row calls itself, for messages. */
function nameOf(item: unknown): string | null {
  if (!isRecord(item)) return null;
  const name = NAMES.map((key) => item[key]).find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? name.slice(0, LONGEST_NAME) : null;
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
      items: jsonOf(http, call, row.array())(answer),
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
