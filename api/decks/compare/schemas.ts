/** Document of a comparison, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { comparisonSchema } from '../../../domain/decks/compare/comparison.ts';
import { FORMATS, formatParam } from '../../pages/format.ts';
import { jsonOr, named, pathId, problems, route, texts } from '../../http/definition.ts';

const comparisonDocumentSchema = named(comparisonSchema, 'Comparison');

export const compareRoute = route('get', '/analyses/{a}/compare/{b}', {
  summary: 'What two analyses of one deck say differently, value by value, and what differs in how they were made.',
  request: {
    params: z.object({ a: pathId, b: pathId }),
    query: z.object({
      format: formatParam(FORMATS),
      anyDeck: z
        .enum(['true', 'false'])
        .default('false')
        .openapi({ description: 'Compare analyses of two different decks all the same.' }),
    }),
  },
  responses: {
    200: jsonOr(
      comparisonDocumentSchema,
      'The comparison. Analyses that are not finished are compared as far as they are.',
      texts('text/markdown'),
    ),
    303: { description: 'HTML: the page of the workspace that compares the two.' },
    ...problems(400, 404, 409),
  },
});
