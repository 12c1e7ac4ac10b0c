/** The router of a group of routes. */
import { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, RouteDeps } from '../context.ts';
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

/** A group of routes that `define` adds for the parts that the app is made of. */
export const group =
  (define: (deps: RouteDeps, routes: Routes) => void) =>
  (deps: RouteDeps): Routes => {
    const routes = createRoutes();
    define(deps, routes);
    return routes;
  };
