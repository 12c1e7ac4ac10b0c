/**
 * Bodies of the JSON protocol.
 */
import type { z } from 'zod';
import { AwsError } from './errors.ts';

/** Validates a body. @throws AwsError ValidationException that names the first wrong field */
export function jsonInput<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AwsError('ValidationException', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
}
