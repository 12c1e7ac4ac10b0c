/** Documents of the models, and the definitions of their routes. */
import { z } from '@hono/zod-openapi';
import { MODEL_PROFILES } from '../../domain/models/model-tasks.ts';
import { json, problems, route } from '../http/definition.ts';

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

export const listRoute = route('get', '/models', {
  summary: 'Which model answers which task.',
  responses: { 200: json(modelListSchema, 'The model configuration.') },
});

export const unpinRoute = route('delete', '/models/{profile}/pins', {
  summary:
    'Accept the models of the hosts: removes the pinned digests of a profile; the gateway then pins those it finds.',
  request: { params: z.object({ profile: z.enum(MODEL_PROFILES) }) },
  responses: {
    200: json(modelListSchema, 'Removed. Analyses wait until a host has shown its models.'),
    ...problems(400),
  },
});
