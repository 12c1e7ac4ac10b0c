/** What groups of routes are made of: the router, and how the OpenAPI document describes requests and answers. */
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ERROR_KINDS } from '../../domain/errors.ts';
import type { ApiEnv } from '../context.ts';
import { PROBLEM_CONTENT_TYPE, problemSchema, validationError } from './problem.ts';

/** A group of routes. */
export type Routes = OpenAPIHono<ApiEnv>;

/** Makes a group of routes whose validation errors are problem documents like every other error. */
export function createRoutes(): Routes {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.error.issues, result.target);
    },
  });
}

/** Parameter of a path. */
export const pathId = z.string().min(1).max(100);
/** Parameters of a path with an id. */
export const idParam = z.object({ id: pathId });

/** A request body in JSON that may not be left out. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** An answer in JSON. */
export const json = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** Answers with a problem document, for the given error statuses. */
export function problems<S extends number>(
  ...statuses: readonly S[]
): Record<S, { description: string; content: { [PROBLEM_CONTENT_TYPE]: { schema: typeof problemSchema } } }> {
  const entry = (status: S) => {
    const codes = Object.entries(ERROR_KINDS).filter(([, kind]) => kind.httpStatus === status);
    const description = `Problem: ${codes.map(([code]) => code).join(', ')}`;
    return [status, { description, content: { [PROBLEM_CONTENT_TYPE]: { schema: problemSchema } } }] as const;
  };
  // `fromEntries` forgets which keys it was given.
  return Object.fromEntries(statuses.map(entry)) as ReturnType<typeof problems<S>>;
}
