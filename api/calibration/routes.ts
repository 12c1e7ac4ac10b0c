/** The route of the calibration: where people and the machine differ. */
import { createRoute } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, problems, type Routes } from '../http/routes.ts';
import { readCalibration } from './read.ts';
import { calibrationQuery, calibrationSchema } from './schemas.ts';

const showRoute = createRoute({
  method: 'get',
  path: '/calibration',
  summary: 'Where people and the machine differ: scores by question, corrected values by field.',
  description:
    'Of each deck the verdicts that hold count, compared with what the machine said in the analysis that was shown.',
  request: { query: calibrationQuery },
  responses: { 200: json(calibrationSchema, 'The calibration.'), ...problems(400) },
});

/** The routes of the calibration. */
export function calibrationRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(showRoute, async (c) =>
    c.json(await readCalibration(db, c.get('tenantId'), c.req.valid('query')), 200),
  );
  return routes;
}
