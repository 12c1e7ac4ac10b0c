/** Volumes in the accounts of the fleet; data volumes are attached to instances and detached from them. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  attachToInstance,
  detachFromInstance,
  listFleetVolumes,
  type ListedVolume,
  type VolumeDeps,
} from '../../activities/fleet/volumes.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, jsonBody, problems, type Routes } from '../http/routes.ts';
import { staticFleet } from './open-selection.ts';

const volumeId = z.string().min(1).max(200);
const instanceName = z.string().min(1).max(100);

const volumeSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    location: z.string(),
    status: z.enum(['attached', 'detached', 'changing', 'trashed', 'deleted']),
    isOsVolume: z.boolean(),
    owner: z.enum(['system', 'data', 'foreign']).openapi({
      description:
        '`system`: a disk that an instance boots from; `data`: named in the fleet file; `foreign`: any other.',
    }),
    isShared: z.boolean().openapi({ description: 'A filesystem that several machines mount at a time.' }),
    attachedTo: z.array(z.object({ providerId: z.string(), instance: z.string().nullable() })),
    sizeGib: z.number(),
    usdPerMonth: z.number(),
  })
  .openapi('FleetVolume');
export type FleetVolumeDocument = z.infer<typeof volumeSchema>;

const volumeListSchema = z
  .object({
    items: z.array(volumeSchema),
    unanswered: z
      .array(z.object({ provider: z.string(), message: z.string() }))
      .openapi({ description: 'Providers that did not answer: their volumes are not among the items.' }),
  })
  .openapi('FleetVolumeList');
export type FleetVolumeListDocument = z.infer<typeof volumeListSchema>;

const PROBLEMS = [400, 402, 403, 404, 409, 422, 500, 502, 503] as const;

const listRoute = createRoute({
  method: 'get',
  path: '/fleet/volumes',
  summary: 'Volumes in the accounts of the fleet, those of others included.',
  responses: { 200: json(volumeListSchema, 'The volumes.'), ...problems(...PROBLEMS) },
});

const attachRoute = createRoute({
  method: 'post',
  path: '/fleet/volumes/attach',
  summary: 'Attach a data volume that the fleet file names to an instance.',
  request: { body: jsonBody(z.strictObject({ volume: volumeId, instance: instanceName })) },
  responses: { 200: json(volumeSchema, 'The volume as it is now.'), ...problems(...PROBLEMS) },
});

const detachRoute = createRoute({
  method: 'post',
  path: '/fleet/volumes/detach',
  summary: 'Detach a data volume from an instance.',
  request: { body: jsonBody(z.strictObject({ volume: volumeId, instance: instanceName.nullable().default(null) })) },
  responses: { 200: json(volumeSchema, 'The volume as it is now.'), ...problems(...PROBLEMS) },
});

const documentOf = ({ attachedTo, ...volume }: ListedVolume): FleetVolumeDocument => ({
  ...volume,
  attachedTo: [...attachedTo],
});

/** The routes of volumes. */
export function volumeRoutes({ db, config, selection }: RouteDeps): Routes {
  const open = (): VolumeDeps => {
    if (selection === undefined) throw staticFleet(config.fleetFile);
    return { db, accounts: selection().accounts, fleet: loadFleet(config) };
  };
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => {
    const { items, unanswered } = await listFleetVolumes(open());
    return c.json({ items: items.map(documentOf), unanswered: [...unanswered] }, 200);
  });
  routes.openapi(attachRoute, async (c) => {
    const { volume, instance } = c.req.valid('json');
    const changed = await attachToInstance(open(), volume, instance);
    c.get('log').info({ volume, instance }, 'an operator attached a volume');
    return c.json(documentOf(changed), 200);
  });
  routes.openapi(detachRoute, async (c) => {
    const { volume, instance } = c.req.valid('json');
    const changed = await detachFromInstance(open(), volume, instance);
    c.get('log').info({ volume, instance }, 'an operator detached a volume');
    return c.json(documentOf(changed), 200);
  });
  return routes;
}
