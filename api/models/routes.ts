/** Routes of models: which one answers which task, and the digest it is pinned to. Operators remove pins here. */
import { z } from '@hono/zod-openapi';
import { MODEL_PROFILES } from '../../domain/models/model-tasks.ts';
import type { RouteDeps } from '../context.ts';
import { group } from '../http/routes.ts';
import { type ModelList, listRoute, unpinRoute } from './schemas.ts';

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
export const modelRoutes = group(({ db }, routes) => {
  routes.openapi(listRoute, async (c) => c.json(await listModels(db, c.get('tenantId')), 200));
  routes.openapi(unpinRoute, async (c) => {
    const { profile } = c.req.valid('param');
    // Of all tenants: one machine serves them all, and holds one version of a model.
    await db.modelConfiguration.updateMany({ where: { profile }, data: { pinnedDigest: null, pinnedAt: null } });
    return c.json(await listModels(db, c.get('tenantId')), 200);
  });
});
