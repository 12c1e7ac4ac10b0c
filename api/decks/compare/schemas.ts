/** Document of a comparison, and the definition of its route. */
import { createRoute, z } from '@hono/zod-openapi';
import { comparisonSchema } from '../../../domain/decks/compare/comparison.ts';
import { FORMATS, formatParam } from '../../pages/format.ts';
import { problems } from '../../http/definition.ts';

/** Made anew: whether the original knows `openapi` depends on which file was loaded first. */
const comparisonDocumentSchema = z.object(comparisonSchema.shape).openapi('Comparison');

const analysisId = z.string().min(1).max(100);

export const compareRoute = createRoute({
  method: 'get',
  path: '/analyses/{a}/compare/{b}',
  summary: 'What two analyses of one deck say differently, value by value, and what differs in how they were made.',
  request: {
    params: z.object({ a: analysisId, b: analysisId }),
    query: z.object({
      format: formatParam(FORMATS),
      anyDeck: z
        .enum(['true', 'false'])
        .default('false')
        .openapi({ description: 'Compare analyses of two different decks all the same.' }),
    }),
  },
  responses: {
    200: {
      description: 'The comparison. Analyses that are not finished are compared as far as they are.',
      content: { 'application/json': { schema: comparisonDocumentSchema }, 'text/markdown': { schema: z.string() } },
    },
    303: { description: 'HTML: the page of the workspace that compares the two.' },
    ...problems(400, 404, 409),
  },
});
