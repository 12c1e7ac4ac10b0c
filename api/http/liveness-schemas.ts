/** Document of health, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { json, route } from './definition.ts';

export const check = z.enum(['ok', 'unreachable']);
export const healthSchema = z
  .object({ status: z.enum(['ok', 'unavailable']), database: check, temporal: check })
  .openapi('Health');

export const healthRoute = route('get', '/health', {
  summary: 'Whether this API can work.',
  responses: { 200: json(healthSchema, 'Everything answers.'), 503: json(healthSchema, 'Something does not answer.') },
});
