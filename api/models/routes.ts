/** Routes of models: which one answers which task, and the digest it is pinned to. Operators remove pins here. */
import { createRoute, z } from '@hono/zod-openapi';
import { MODEL_PROFILES } from '../../domain/models/model-tasks.ts';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, problems, type Routes } from '../http/routes.ts';

export const modelListSchema = z
  .object({
    items: z.array(
      z.object({
        profile: z.enum(MODEL_PROFILES),
        task: z.string(),
        model: z.string(),
        /** Null until a host has shown the model. */
        pinnedDigest: z.string().nullable(),
        pinnedAt: z.iso.datetime().nullable(),
        numCtx: z.int(),
        numPredict: z.int(),
        temperature: z.number(),
      }),
    ),
  })
  .openapi('ModelList');
export type ModelList = z.infer<typeof modelListSchema>;

const listRoute = createRoute({
  method: 'get',
  path: '/models',
  summary: 'Which model answers which task.',
  responses: {
    200: json(modelListSchema, 'The model configuration.'),
  },
});

const unpinRoute = createRoute({
  method: 'delete',
  path: '/models/{profile}/pins',
  summary:
    'Accept the models of the hosts: removes the pinned digests of a profile; the gateway then pins those it finds.',
  request: { params: z.object({ profile: z.enum(MODEL_PROFILES) }) },
  responses: {
    200: json(modelListSchema, 'Removed. Analyses wait until a host has shown its models.'),
    ...problems(400),
  },
});

/** The model configuration of a tenant. */
async function listModels(db: RouteDeps['db'], tenantId: string): Promise<ModelList> {
  const rows = await db.modelConfiguration.findMany({
    where: { tenantId },
    orderBy: [{ profile: 'asc' }, { task: 'asc' }],
  });
  return {
    items: rows.map((row) => ({
      profile: z.enum(MODEL_PROFILES).parse(row.profile),
      task: row.task,
      model: row.modelName,
      pinnedDigest: row.pinnedDigest,
      pinnedAt: row.pinnedAt?.toISOString() ?? null,
      numCtx: row.numCtx,
      numPredict: row.numPredict,
      temperature: row.temperature,
    })),
  };
}

/** The routes of models. */
export function modelRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => c.json(await listModels(db, c.get('tenantId')), 200));
  routes.openapi(unpinRoute, async (c) => {
    const { profile } = c.req.valid('param');
    // Of all tenants: one machine serves them all, and holds one version of a model.
    await db.modelConfiguration.updateMany({ where: { profile }, data: { pinnedDigest: null, pinnedAt: null } });
    return c.json(await listModels(db, c.get('tenantId')), 200);
  });
  return routes;
}
