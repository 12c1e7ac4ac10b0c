/** The route of the calibration: where people and the machine differ. */
import { group } from '../http/routes.ts';
import { readCalibration } from './read.ts';
import { showRoute } from './schemas.ts';

/** The routes of the calibration. */
export const calibrationRoutes = group(({ db }, routes) => {
  routes.openapi(showRoute, async (c) =>
    c.json(await readCalibration(db, c.get('tenantId'), c.req.valid('query')), 200),
  );
});
