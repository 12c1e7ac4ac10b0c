/** An OpenAPIHono whose validation errors are problem documents like every other error. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv } from '../context.ts';
import { validationError } from './problem.ts';

/** Makes a group of routes. */
export function createRoutes(): OpenAPIHono<ApiEnv> {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.error.issues, result.target);
    },
  });
}
