/** HEAD: answered by the route of GET, whose body nobody reads. */
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';

/** Ends the body of an answer to HEAD: a file or a stream of events that nobody reads would stay open for ever. */
export const endUnreadBody = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
});
