/**
 * `/metrics` for Prometheus: outside the API's prefix, at its default path. An operator's key opens it (`authorization` in the
 * scrape configuration), because it holds names of offers, models and pools. It holds nothing of a deck.
 */
import { METRICS_PATH } from '../auth/access-rules.ts';
import { Scraper } from './scrape.ts';
import { route, texts } from '../http/definition.ts';
import { group } from '../http/routes.ts';

/** The text format that every Prometheus reads. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const metricsRoute = route('get', METRICS_PATH, {
  summary: 'Metrics of the installation, for Prometheus.',
  responses: { 200: { description: 'In the text format.', content: texts('text/plain') } },
});

/** The route, at the root. */
export const metricRoutes = group((deps, routes) => {
  const scraper = new Scraper(deps);
  // Described here, handled by hand: the type of the answer names the version of the format, too.
  routes.openAPIRegistry.registerPath(metricsRoute);
  routes.get(METRICS_PATH, async (c) => c.body(await scraper.scrape(), 200, { 'content-type': CONTENT_TYPE }));
});
