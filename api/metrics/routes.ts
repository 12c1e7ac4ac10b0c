/**
 * What Prometheus asks: `/metrics`, outside the API's prefix, where it looks by itself. An operator's key opens it (`authorization` in the
 * scrape configuration), because names of offers, models and pools stand in it; nothing of a deck does.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { createRoutes } from '../http/validated.ts';
import { Scraper } from './scrape.ts';

/** The text format that every Prometheus reads. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The route, at the root. */
export function metricRoutes(deps: RouteDeps): OpenAPIHono<ApiEnv> {
  const scraper = new Scraper(deps);
  const routes = createRoutes();
  routes.get('/metrics', async (c) => c.body(await scraper.scrape(), 200, { 'content-type': CONTENT_TYPE }));
  return routes;
}
