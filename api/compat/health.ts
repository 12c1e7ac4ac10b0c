/** Health as the container document asks for it: whether the services answer, which models are served, and what waits. */
import type { z } from '@hono/zod-openapi';
import { SERVING_BELIEVED_MS } from '../../domain/fleet/pool/serving.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { compatibleHealthSchema } from './schemas.ts';

type Health = z.infer<typeof compatibleHealthSchema>;

/** Models that are served now, with the number of hosts, and the open calls of a tenant. */
export async function modelsAndQueue(
  db: PrismaClient,
  tenantId: string,
  now: Date,
): Promise<Pick<Health, 'models' | 'queue'>> {
  const [serving, waiting] = await Promise.all([
    db.instanceServing.findMany({
      where: { state: 'serving', seenAt: { gte: new Date(now.getTime() - SERVING_BELIEVED_MS) } },
      select: { models: true },
    }),
    db.modelCall.groupBy({
      by: ['gpuClass'],
      where: { tenantId, state: 'planned' },
      _count: { _all: true },
    }),
  ]);
  const hosts = new Map<string, number>();
  for (const name of serving.flatMap(({ models }) => models)) hosts.set(name, (hosts.get(name) ?? 0) + 1);
  return {
    models: [...hosts].map(([name, count]) => ({ name, hosts: count })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    queue: GPU_CLASSES.map((gpuClass) => ({
      class: gpuClass,
      waiting: waiting.find((row) => row.gpuClass === gpuClass)?._count._all ?? 0,
    })),
  };
}
