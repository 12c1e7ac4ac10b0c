/** The route of the doctor of GPUs. */
import type { RouteDeps } from '../context.ts';
import { diagnoseInstance } from './diagnosis.ts';
import { createRoutes, type Routes } from '../http/routes.ts';
import { gpuDiagnosisSchema, diagnosisRoute } from './health-schemas.ts';

/** Before the routes of requests to an instance, whose path it would fit. */
export function diagnosisRoutes({ db, temporal }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(diagnosisRoute, async (c) => {
    const report = await diagnoseInstance(db, temporal, c.req.valid('param').name);
    return c.json(gpuDiagnosisSchema.parse(report), 200);
  });
  return routes;
}
