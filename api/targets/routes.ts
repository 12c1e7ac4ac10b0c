/** Routes of targets and performance, for operators: how the whole installation does. */
import { performanceSeries } from '../../domain/metrics/performance.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { readPerformance, stepsOf } from '../../activities/metrics/performance.ts';
import { loadTargets } from './load.ts';
import { spanOf } from './period.ts';
import { group } from '../http/routes.ts';
import { targetsRoute, performanceRoute } from './schemas.ts';

const iso = (atMs: number): string => new Date(atMs).toISOString();

/** The routes. */
export const targetRoutes = group(({ db, config }, routes) => {
  routes.openapi(targetsRoute, async (c) => {
    return c.json(await loadTargets({ db, config }, c.req.valid('query'), new Date()), 200);
  });
  routes.openapi(performanceRoute, async (c) => {
    const { timezone } = loadFleet(config).accounting;
    const { by, bucket, ...period } = c.req.valid('query');
    const span = spanOf(period, timezone, new Date());
    const question = { ...span, by, bucket, timezone };
    const series = performanceSeries(await readPerformance(db, question), stepsOf(question));
    return c.json(
      {
        from: span.from.toISOString(),
        until: span.until.toISOString(),
        timezone,
        by,
        bucket,
        items: series.map(({ points, ...whole }) => ({
          ...whole,
          points: points.map(({ atMs, ...figures }) => ({ at: iso(atMs), ...figures })),
        })),
      },
      200,
    );
  });
});
