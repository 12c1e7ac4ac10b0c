/**
 * The management API (Azure Resource Manager): resources are read, listed over all pages, put, changed and deleted. Answers are checked
 * against a schema.
 *
 * Changes go on after their answer. What becomes of one is seen by looking at its resource; its operation is not asked.
 */
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import { describeNoJson, readJson } from '../../http/text.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { AzureCall } from './call.ts';
import { shortPath } from './refusal.ts';
import type { AzureTransport } from './transport.ts';

/** Versions of the APIs, by what is asked for. */
const API_VERSIONS = {
  'Microsoft.Compute/skus': '2021-07-01',
  'Microsoft.Compute/disks': '2024-03-02',
  'Microsoft.Compute': '2024-07-01',
  'Microsoft.Network': '2024-05-01',
  resources: '2022-12-01',
} as const;

function versionOf(path: string): string {
  const kind = /\/providers\/(Microsoft\.\w+)\/(\w+)/u.exec(path);
  const [, namespace = '', type = ''] = kind ?? [];
  const versions: Readonly<Record<string, string>> = API_VERSIONS;
  return versions[`${namespace}/${type}`] ?? versions[namespace] ?? API_VERSIONS.resources;
}

type Query = NonNullable<AzureCall['query']>;

/** Path of a resource: `/subscriptions/…/resourceGroups/<group>/providers/<type>/<name>`, the name left out for its list. */
export const resourcePath = (
  { subscriptionId }: AzureTransport,
  group: string | null,
  type: string,
  name?: string,
): string => {
  const inGroup = group === null ? '' : `/resourceGroups/${encodeURIComponent(group)}`;
  const last = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `/subscriptions/${subscriptionId}${inGroup}/providers/${type}${last}`;
};

/** Reads one resource. @throws DeckhandError `provider_gone` for one that is not there, other provider codes */
export function getResource<T>(
  http: AzureTransport,
  path: string,
  schema: z.ZodType<T>,
  query: Query = {},
): Promise<T> {
  const call: AzureCall = { kind: 'read', method: 'GET', path, query: { 'api-version': versionOf(path), ...query } };
  return http.send(call, (answer) => checked(path, schema, answer));
}

/** Sends a change, and reads nothing of its answer. */
export function command(http: AzureTransport, method: 'POST' | 'DELETE', path: string): Promise<void> {
  const call: AzureCall = { kind: 'change', method, path, query: { 'api-version': versionOf(path) } };
  return http.send(call, () => undefined);
}

/** Puts or changes a resource, and reads it as it is then. */
export function write<T>(
  http: AzureTransport,
  call: Pick<AzureCall, 'kind' | 'path' | 'headers' | 'offer'> & {
    readonly method: 'PUT' | 'PATCH';
    readonly body: unknown;
  },
  schema: z.ZodType<T>,
): Promise<T> {
  const query = { 'api-version': versionOf(call.path) };
  return http.send({ ...call, query }, (answer) => checked(call.path, schema, answer));
}

/** A list has no more pages than this. */
export const MOST_PAGES = 500;

const pageSchema = z.object({ value: z.array(z.unknown()), nextLink: z.string().nullish() });

/**
 * Reads the rows of a list over all its pages.
 *
 * @throws DeckhandError `provider_transient` if it has no end or goes on at another address: an incomplete list proves nothing
 */
export async function listRows(http: AzureTransport, path: string, query: Query = {}): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  const seen = new Set<string>();
  let next: Pick<AzureCall, 'path' | 'query'> = { path, query: { 'api-version': versionOf(path), ...query } };
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: z.infer<typeof pageSchema> = await http.send({ kind: 'read', method: 'GET', ...next }, (answer) =>
      checked(path, pageSchema, answer),
    );
    rows.push(...page.value);
    const { nextLink } = page;
    if (nextLink === undefined || nextLink === null || nextLink === '') return rows;
    // The same page again would come for ever.
    if (seen.has(nextLink)) break;
    seen.add(nextLink);
    next = linked(http.managementUrl, nextLink, path);
  }
  throw providerError('transient', `GET ${shortPath(path)}: its pages have no end`);
}

/** Path and query of the address at which a list goes on. Calls carry the token, so it is followed nowhere else. */
export function linked(baseUrl: string, link: string, of: string): Pick<AzureCall, 'path' | 'query'> {
  const base = new URL(baseUrl);
  const url = URL.parse(link, baseUrl);
  if (url === null || url.host !== base.host)
    throw providerError('transient', `GET ${shortPath(of)}: its next page is at another address`);
  const prefix = base.pathname.replace(/\/+$/u, '');
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname;
  return { path, query: Object.fromEntries(url.searchParams) };
}

/** Reads a list of what the subscription holds: whole or not at all, because what is left out would be taken for gone. */
export async function listResources<T>(
  http: AzureTransport,
  path: string,
  row: z.ZodType<T>,
  query: Query = {},
): Promise<readonly T[]> {
  const rows = await listRows(http, path, query);
  return rows.map((one, n) => parsed(path, row, one, `${n}.`));
}

/**
 * Reads those rows of a list of offers that can be read, each by itself; the others are reported to the client's `onRows`.
 *
 * @param whyUnreadable why a row that its schema takes is still of no use; null = it is
 */
export function readOffers<T>(
  http: AzureTransport,
  route: string,
  rows: readonly unknown[],
  row: z.ZodType<T>,
  whyUnreadable: (row: T) => string | null = () => null,
): readonly T[] {
  const faults: string[] = [];
  const read = rows.flatMap((one, n): readonly T[] => {
    const result = row.safeParse(one);
    const fault = result.success ? whyUnreadable(result.data) : faultOf(result.error);
    if (result.success && fault === null) return [result.data];
    faults.push(`${nameOf(one) ?? `row ${n + 1}`}: ${fault}`);
    return [];
  });
  http.onRows(route, faults);
  return read;
}

const named = z.object({ name: z.string().min(1).max(80) });
const nameOf = (row: unknown): string | null => named.safeParse(row).data?.name ?? null;

/** `at id: Invalid input`: the first thing that a schema finds wrong. */
function faultOf({ issues: [issue] }: z.ZodError, before = ''): string {
  const where = [before.replace(/\.$/u, ''), ...(issue?.path ?? [])].filter((part) => part !== '').join('.');
  return `${where === '' ? '' : `at ${where}: `}${issue?.message ?? 'invalid'}`;
}

/** @throws DeckhandError `provider_transient` for any other answer, such as a page of a proxy */
export function checked<T>(path: string, schema: z.ZodType<T>, { text }: WireAnswer): T {
  const json = readJson(text);
  if (json !== undefined) return parsed(path, schema, json);
  throw providerError('transient', `${shortPath(path)}: the answer is no JSON (${describeNoJson(text)})`);
}

function parsed<T>(path: string, schema: z.ZodType<T>, value: unknown, before = ''): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw providerError('transient', `${shortPath(path)}: the answer cannot be read ${faultOf(result.error, before)}`);
}
