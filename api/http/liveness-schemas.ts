/** Document of health, and the definition of its route. */
import { createRoute, z } from '@hono/zod-openapi';
import { json } from './definition.ts';

export const check = z.enum(['ok', 'unreachable']);
export const healthSchema = z
  .object({ status: z.enum(['ok', 'unavailable']), database: check, temporal: check })
  .openapi('Health');

export const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  summary: 'Whether this API can work.',
  responses: {
    200: json(healthSchema, 'Everything answers.'),
    503: json(healthSchema, 'Something does not answer.'),
  },
});
