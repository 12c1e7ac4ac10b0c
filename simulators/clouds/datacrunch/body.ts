/** Bodies of calls: validated with zod, refused with the provider's messages. */
import { z } from 'zod';
import { ApiError } from './errors.ts';
import type { Context } from 'hono';
import type { Env, Simulation } from './account.ts';

/** Validates the body. @throws ApiError 400 that names the first wrong field */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  const what = issue?.code === 'invalid_type' ? `should be ${issue.expected}` : (issue?.message ?? 'is not valid');
  throw new ApiError('invalid_request', field === '' ? 'Invalid request body' : `${field} ${what}`);
}

/** One value or a list of them; null and absent give an empty list. */
export const oneOrMany = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .transform((value): readonly string[] => (value === null || value === undefined ? [] : [value].flat()));

/** A field that may be null, as the provider's Python SDK sends unset fields. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const tagInput = z.object({
  key: z.string().min(1).max(63),
  value: optional(z.string().max(127)),
});

/** RFC 3339 with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

const DEFAULT_PAGE_SIZE = 10;
const MOST_PER_PAGE = 100;

function wholeNumber(text: string | undefined, name: string, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new ApiError('invalid_request', `${name} must be a whole number from 1 to ${most}`);
  return value;
}

/** The requested page of a list. @throws ApiError 400 for an invalid page */
export function pageOf<Item>(c: Context<Env>, items: readonly Item[], payload: (item: Item) => unknown): Response {
  const page = wholeNumber(c.req.query('page'), 'page', 1, Number.MAX_SAFE_INTEGER);
  const size = wholeNumber(c.req.query('pageSize'), 'pageSize', DEFAULT_PAGE_SIZE, MOST_PER_PAGE);
  const slice = items.slice((page - 1) * size, page * size).map(payload);
  c.header('X-Page', String(page));
  c.header('X-Page-Size', String(size));
  c.header('X-Total-Count', String(items.length));
  return c.json(slice);
}

export function idAnswer({ dialect }: Simulation, id: string, status: number): Response {
  const quoted = dialect.idAnswer === 'quoted';
  return new Response(quoted ? JSON.stringify(id) : id, {
    status,
    headers: { 'content-type': quoted ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8' },
  });
}
