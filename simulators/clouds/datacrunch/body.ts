/**
 * Bodies of calls: checked with zod, refused in the provider's words.
 */
import { z } from 'zod';
import { ApiError } from './errors.ts';

/** The body as a schema wants it. @throws ApiError 400 that names the first wrong field */
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

/** As Python's SDK sends fields that are not set. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const tagInput = z.object({
  key: z.string().min(1).max(63),
  value: optional(z.string().max(127)),
});

/** RFC 3339 with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
