/** Documents of volumes, and the definitions of their routes. */
import { z } from '@hono/zod-openapi';
import { json, jsonBody, problems, route } from '../http/definition.ts';

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

export const listRoute = route('get', '/fleet/volumes', {
  summary: 'Volumes in the accounts of the fleet, those of others included.',
  responses: { 200: json(volumeListSchema, 'The volumes.'), ...problems(...PROBLEMS) },
});

export const attachRoute = route('post', '/fleet/volumes/attach', {
  summary: 'Attach a data volume that the fleet file names to an instance.',
  request: { body: jsonBody(z.strictObject({ volume: volumeId, instance: instanceName })) },
  responses: { 200: json(volumeSchema, 'The volume as it is now.'), ...problems(...PROBLEMS) },
});

export const detachRoute = route('post', '/fleet/volumes/detach', {
  summary: 'Detach a data volume from an instance.',
  request: { body: jsonBody(z.strictObject({ volume: volumeId, instance: instanceName.nullable().default(null) })) },
  responses: { 200: json(volumeSchema, 'The volume as it is now.'), ...problems(...PROBLEMS) },
});
