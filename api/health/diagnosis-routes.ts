/** The route of the doctor of GPUs. */
import { diagnoseInstance } from './diagnosis.ts';
import { group } from '../http/routes.ts';
import { gpuDiagnosisSchema, diagnosisRoute } from './health-schemas.ts';

/** Before the routes of requests to an instance, whose path it would fit. */
export const diagnosisRoutes = group(({ db, temporal }, routes) => {
  routes.openapi(diagnosisRoute, async (c) => {
    const report = await diagnoseInstance(db, temporal, c.req.valid('param').name);
    return c.json(gpuDiagnosisSchema.parse(report), 200);
  });
});
