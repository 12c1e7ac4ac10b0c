/** The route of the calibration: where people and the machine differ. */
import type { RouteDeps } from '../context.ts';
import { createRoutes, type Routes } from '../http/routes.ts';
import { readCalibration } from './read.ts';
import { showRoute } from './schemas.ts';

/** The routes of the calibration. */
export function calibrationRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(showRoute, async (c) =>
    c.json(await readCalibration(db, c.get('tenantId'), c.req.valid('query')), 200),
  );
  return routes;
}
