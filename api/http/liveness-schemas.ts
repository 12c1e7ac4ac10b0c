/** Documents of health and of the proof, and the definitions of their routes. */
import { createRoute, z } from '@hono/zod-openapi';
import { NONCE } from '../../platform/api-proof.ts';
import { json, problems } from './definition.ts';

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

const proofSchema = z.object({ proof: z.string() }).openapi('HomeProof');

export const proofRoute = createRoute({
  method: 'get',
  path: '/health/proof',
  summary: 'Proves that this API holds its data directory.',
  description: 'HMAC-SHA256 over the port that was asked and the nonce, under a secret of the data directory.',
  request: { query: z.object({ nonce: z.string().regex(NONCE, 'must be 32 bytes in base64url') }) },
  responses: { 200: json(proofSchema, 'The proof.'), ...problems(400) },
});
