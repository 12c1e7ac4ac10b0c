/** The router of a group of routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../context.ts';
import { validationError } from './problem.ts';

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
