/** Documents of the sample decks, and the definitions of their routes. */
import { createRoute, z } from '@hono/zod-openapi';
import { json, problems } from '../http/definition.ts';

const sampleListSchema = z
  .object({ items: z.array(z.object({ name: z.string(), fileName: z.string(), slides: z.int() })) })
  .openapi('SampleList');
export type SampleList = z.infer<typeof sampleListSchema>;

export const listRoute = createRoute({
  method: 'get',
  path: '/samples',
  summary: 'Sample decks of invented companies, to try a review with.',
  responses: { 200: json(sampleListSchema, 'The samples.') },
});

export const pdfRoute = createRoute({
  method: 'get',
  path: '/samples/{name}',
  summary: 'The PDF of a sample deck.',
  request: { params: z.object({ name: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The file.',
      content: { 'application/pdf': { schema: z.string().openapi({ format: 'binary' }) } },
    },
    ...problems(404),
  },
});
