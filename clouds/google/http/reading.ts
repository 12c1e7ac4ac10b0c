/**
 * Reads answers: JSON checked against a schema, and lists over all pages and zones.
 *
 * Only names are required. Any other field that is missing or odd gets a harmless value: one odd field must not hide an instance that costs
 * money. A list is read whole or not at all.
 */
import { z } from 'zod';
import { providerError } from '../../errors.ts';
import { describeNoJson, readJson } from '../../http/text.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { ZonalId } from '../settings.ts';
import type { GoogleCall, GoogleTransport } from './transport.ts';

/** Text; '' where there is none. */
export const text = z.string().catch('');
/** Text or null. */
export const nullableText = z.string().min(1).nullable().catch(null);
/** A number, or one written as text, as whole numbers of 64 bits are; 0 where there is none. */
export const number = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number())
  .catch(0);
/** True only where it says true. */
export const flag = z.boolean().catch(false);
/** Time as ms since 1970; null where there is none. */
export const nullableTime = z
  .string()
  .transform((iso) => Date.parse(iso))
  .pipe(z.number())
  .nullable()
  .catch(null);
/** Labels as key → value. */
export const labels = z.record(z.string(), text).catch({});
/** Last part of a URL: the name of the resource that it points to. '' where there is none. */
export const nameInUrl = text.transform((url) => url.slice(url.lastIndexOf('/') + 1));

/** A list with every item, each read with the schema; none where the field is missing. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);

/** Reads a JSON answer. @throws DeckhandError `provider_transient` for any other answer, such as a page of a proxy */
export const jsonOf =
  <T>({ method, path }: Pick<GoogleCall, 'method' | 'path'>, schema: z.ZodType<T>) =>
  (answer: WireAnswer): T => {
    const json = readJson(answer.text);
    const where = `Google answered ${method} ${path}`;
    if (json === undefined)
      throw providerError('transient', `${where} with something that is no JSON (${describeNoJson(answer.text)})`);
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
    throw providerError('transient', `${where} with JSON that cannot be read${at}: ${issue?.message ?? 'invalid'}`);
  };

/** Sends a GET and reads its JSON. */
export function get<T>(
  http: GoogleTransport,
  path: string,
  schema: z.ZodType<T>,
  query: NonNullable<GoogleCall['query']> = {},
): Promise<T> {
  const call = { kind: 'read', method: 'GET', path, query } as const;
  return http.send(call, jsonOf(call, schema));
}

/** A list has no more pages than this. */
const MOST_PAGES = 500;

/**
 * Reads a list over all its pages.
 *
 * @param rowsOf schema of an answer that gives its rows
 * @throws DeckhandError `provider_transient` if it has no end: an incomplete list proves nothing
 */
export async function getAll<T>(
  http: GoogleTransport,
  call: Pick<GoogleCall, 'path' | 'query' | 'service' | 'timeoutMs'>,
  rowsOf: z.ZodType<readonly T[]>,
): Promise<readonly T[]> {
  const page = z.looseObject({ nextPageToken: nullableText }).transform((answer, context) => {
    const rows = rowsOf.safeParse(answer);
    if (rows.success) return { rows: rows.data, token: answer.nextPageToken };
    const [issue] = rows.error.issues;
    context.addIssue({ code: 'custom', path: issue?.path ?? [], message: issue?.message ?? 'no list' });
    return z.NEVER;
  });
  const rows: T[] = [];
  let token: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = { ...call.query, ...(token === null ? {} : { pageToken: token }) };
    const one = { ...call, kind: 'read', method: 'GET', query } as const;
    const answer: { token: string | null; rows: readonly T[] } = await http.send(one, jsonOf(one, page));
    rows.push(...answer.rows);
    if (answer.token === null) return rows;
    // The same page again would come for ever.
    if (answer.token === token) break;
    token = answer.token;
  }
  throw providerError('transient', `GET ${call.path}: its pages have no end`);
}

/** Warnings of a scope that has no rows, or of fields that are not needed. Any other may mean that rows are missing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'NO_RESULTS_ON_PAGE',
  'DEPRECATED_RESOURCE_USED',
  'FIELD_VALUE_OVERRIDEN',
]);

/**
 * Rows of a list over all zones. A zone that did not answer fails the whole list.
 *
 * @param field name of the rows in each zone, such as `instances`
 */
const aggregated = <T>(field: string, item: z.ZodType<T>): z.ZodType<readonly T[]> =>
  z
    .looseObject({
      items: z
        .record(z.string(), z.looseObject({ warning: z.object({ code: text }).nullable().catch(null) }))
        .default({}),
      unreachables: z.array(z.string()).catch([]),
      warning: z.object({ code: text }).nullable().catch(null),
    })
    .transform(({ items, unreachables, warning }, context): readonly T[] => {
      const warnings = [warning, ...Object.values(items).map((scope) => scope.warning)];
      const bad = warnings.find((one) => one !== null && !HARMLESS.has(one.code));
      if (bad !== null && bad !== undefined) context.addIssue({ code: 'custom', message: `warning ${bad.code}` });
      if (unreachables.length > 0)
        context.addIssue({ code: 'custom', message: `no answer from ${unreachables.slice(0, 3).join(', ')}` });
      return Object.entries(items).flatMap(([scope, inside]) => {
        const rows = z.array(item).optional().safeParse(inside[field]);
        if (rows.success) return rows.data ?? [];
        const [issue] = rows.error.issues;
        context.addIssue({
          code: 'custom',
          path: [scope, field, ...(issue?.path ?? [])],
          message: issue?.message ?? 'invalid',
        });
        return [];
      });
    });

/** A list over all zones of the project. @param field as of {@link aggregated} */
export const getAggregated = <T>(
  http: GoogleTransport,
  field: string,
  item: z.ZodType<T>,
  query: NonNullable<GoogleCall['query']> = {},
): Promise<readonly T[]> =>
  getAll(
    http,
    { path: `/projects/${http.project}/aggregated/${field}`, query: { ...query, maxResults: 500 } },
    aggregated(field, item),
  );

/** Path of a resource of a zone. */
export const zonalPath = (
  { project }: Pick<GoogleTransport, 'project'>,
  kind: 'instances' | 'disks',
  { zone, name }: ZonalId,
): string => `/projects/${project}/zones/${zone}/${kind}/${name}`;
