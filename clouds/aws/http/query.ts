/**
 * The protocols of the services: EC2 and STS by form and XML, SSM and the price list by JSON. Answers are checked against a schema.
 */
import { z } from 'zod';
import { tryJson } from '../../../domain/text/json.ts';
import { providerError } from '../../errors.ts';
import type { AwsService } from './call.ts';
import type { ServiceCallKind, WireAnswer } from '../../http/wire.ts';
import type { RefusedOffer } from './classify.ts';
import type { AwsTransport } from './transport.ts';
import { nullableText, readXml } from './xml.ts';

const VERSIONS = { ec2: '2016-11-15', sts: '2011-06-15' } as const;

/** Fields of a request: nested lists and objects are written flat, as `Filter.1.Name`. Undefined values are left out. */
export type QueryInput = { readonly [name: string]: QueryValue };
type QueryValue = string | number | boolean | undefined | QueryInput | readonly QueryValue[];

/** Writes fields flat, lists counted from 1. */
export function flatten(input: QueryInput): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  const write = (name: string, value: QueryValue): void => {
    if (value === undefined) return;
    if (typeof value !== 'object') fields[name] = String(value);
    else if (isList(value)) value.forEach((one, index) => write(`${name}.${index + 1}`, one));
    else for (const [key, one] of Object.entries(value)) write(name === '' ? key : `${name}.${key}`, one);
  };
  write('', input);
  return fields;
}

const isList = (value: QueryInput | readonly QueryValue[]): value is readonly QueryValue[] => Array.isArray(value);

/** One call of the Query protocol. */
export interface QueryCall {
  /** `ec2` where left out. */
  readonly service?: 'ec2' | 'sts';
  readonly kind: ServiceCallKind;
  readonly region: string;
  readonly action: string;
  readonly input?: QueryInput;
  readonly offer?: RefusedOffer;
}

/** Sends a call and reads the element `<Action>Response`. @throws DeckhandError `provider_*` */
export function query<T>(http: AwsTransport, call: QueryCall, schema: z.ZodType<T>): Promise<T> {
  const { service = 'ec2', kind, region, action, offer } = call;
  const form = { Action: action, Version: VERSIONS[service], ...flatten(call.input ?? {}) };
  return http.send(
    { kind, service, region, action, input: { form }, ...(offer === undefined ? {} : { offer }) },
    (answer) => checked(action, schema, readXml(answer.text)?.[`${action}Response`]),
  );
}

/** Sends a call and ignores the content of its answer. */
export const command = (http: AwsTransport, call: Omit<QueryCall, 'kind'>): Promise<void> =>
  query(http, { ...call, kind: 'change' }, z.unknown()).then(() => undefined);

/** A list has no more pages than this. */
export const MOST_PAGES = 200;

/**
 * Reads a list over all its pages.
 *
 * @param rowsOf schema of an answer that gives its rows
 * @throws DeckhandError `provider_transient` if it has no end: an incomplete list proves nothing
 */
export async function queryAll<T>(
  http: AwsTransport,
  call: Omit<QueryCall, 'kind'>,
  rowsOf: z.ZodType<readonly T[]>,
): Promise<readonly T[]> {
  const page = z.looseObject({ nextToken: nullableText }).transform((answer, context) => {
    const rows = rowsOf.safeParse(answer);
    if (rows.success) return { token: answer.nextToken, rows: rows.data };
    context.addIssue({ code: 'custom', message: rows.error.issues[0]?.message ?? 'no list' });
    return z.NEVER;
  });
  const rows: T[] = [];
  let token: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const input: QueryInput = { ...call.input, ...(token === null ? {} : { NextToken: token }) };
    const answer: { token: string | null; rows: readonly T[] } = await query(
      http,
      { ...call, kind: 'read', input },
      page,
    );
    rows.push(...answer.rows);
    if (answer.token === null) return rows;
    // The same page again would come for ever.
    if (answer.token === token) break;
    token = answer.token;
  }
  throw providerError('transient', `${call.action} in ${call.region}: its pages have no end`);
}

/** Sends a read of a JSON service. `target` = the service's name in the header `x-amz-target`. @throws DeckhandError `provider_*` */
export function readJson<T>(
  http: AwsTransport,
  call: {
    readonly service: AwsService;
    readonly target: string;
    readonly region: string;
    readonly action: string;
    readonly json: unknown;
  },
  schema: z.ZodType<T>,
): Promise<T> {
  const { service, region, action, json, target } = call;
  return http.send({ kind: 'read', service, region, action, input: { json, target } }, (answer: WireAnswer) =>
    checked(action, schema, tryJson(answer.text)),
  );
}

/** @throws DeckhandError `provider_transient` for any other answer, such as a page of a proxy */
function checked<T>(action: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = value === undefined ? undefined : schema.safeParse(value);
  if (parsed?.success === true) return parsed.data;
  const issue = parsed?.error.issues[0];
  const where = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.message}`;
  throw providerError('transient', `${action}: the answer cannot be read${where}`);
}
