/** The route of the doctor of GPUs. */
import { createRoute, z } from '@hono/zod-openapi';
import { ENGINE_NAMES } from '../../domain/health/gpu/diagnosis/engines.ts';
import { FINDING_AREAS, FINDING_LEVELS } from '../../domain/health/gpu/diagnosis/finding.ts';
import type { RouteDeps } from '../context.ts';
import { diagnoseInstance } from './diagnosis.ts';
import { createRoutes, json, pathId, problems, type Routes } from '../http/routes.ts';

export const gpuDiagnosisSchema = z
  .object({
    target: z.string(),
    atMs: z.number(),
    level: z.enum(['ok', 'warn', 'fail']).openapi({ description: 'The worst of its findings.' }),
    findings: z.array(
      z.object({
        area: z.enum(FINDING_AREAS),
        name: z.string(),
        level: z.enum(FINDING_LEVELS),
        found: z.string(),
        fix: z.string().nullable(),
        share: z.number().nullable().openapi({ description: 'How much of what there is is used or needed; 1 = all.' }),
      }),
    ),
    engines: z
      .array(
        z.object({
          engine: z.enum(ENGINE_NAMES),
          title: z.string(),
          version: z.string(),
          needs: z.object({
            driver: z.number().openapi({ description: 'Least branch of the NVIDIA driver.' }),
            cuda: z.string().openapi({ description: 'CUDA version that the driver has to support at least.' }),
            computeCapability: z.number(),
          }),
          has: z.object({
            driver: z.string().nullable(),
            cuda: z.string().nullable(),
            gpus: z.array(z.object({ name: z.string(), computeCapability: z.number().nullable() })),
          }),
          amd: z
            .object({
              needs: z.object({
                rocm: z.string().openapi({ description: 'Least version of ROCm.' }),
                targets: z.array(z.string()).openapi({ description: 'Instruction sets that the engine is built for.' }),
              }),
              has: z.object({
                gpus: z.array(z.object({ name: z.string(), target: z.string().nullable() })),
                driver: z.string().nullable(),
                rocm: z.string().nullable(),
              }),
            })
            .optional()
            .openapi({ description: 'Instead of needs and has on a machine with GPUs of AMD and none of NVIDIA.' }),
          suffices: z.boolean().nullable().openapi({ description: 'Null = not known.' }),
          reason: z.string().nullable(),
          next: z.string().nullable().openapi({ description: 'What to do when it does not suffice.' }),
        }),
      )
      .openapi({ description: 'Whether each engine runs on the machine; says nothing of the level.' }),
  })
  .openapi('GpuDiagnosis');
export type GpuDiagnosisDocument = z.infer<typeof gpuDiagnosisSchema>;

const diagnosisRoute = createRoute({
  method: 'post',
  path: '/fleet/instances/{name}/diagnosis',
  summary: 'Look into an instance: driver, CUDA, GPU, model server and its settings, disk, and whether the models fit.',
  description: 'Its gateway looks, and has a model generate where a slot is free. Nothing is changed.',
  request: { params: z.object({ name: pathId }) },
  responses: {
    200: json(gpuDiagnosisSchema, 'What was found.'),
    ...problems(400, 404, 409, 500, 503),
  },
});

/** Before the routes of requests to an instance, whose path it would fit. */
export function diagnosisRoutes({ db, temporal }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(diagnosisRoute, async (c) => {
    const report = await diagnoseInstance(db, temporal, c.req.valid('param').name);
    return c.json(gpuDiagnosisSchema.parse(report), 200);
  });
  return routes;
}
