/** Documents of the sample decks, and the definitions of their routes. */
import { z } from '@hono/zod-openapi';
import { files, json, problems, route } from '../http/definition.ts';

const sampleListSchema = z
  .object({ items: z.array(z.object({ name: z.string(), fileName: z.string(), slides: z.int() })) })
  .openapi('SampleList');
export type SampleList = z.infer<typeof sampleListSchema>;

export const listRoute = route('get', '/samples', {
  summary: 'Sample decks of invented companies, to try a review with.',
  responses: { 200: json(sampleListSchema, 'The samples.') },
});

export const pdfRoute = route('get', '/samples/{name}', {
  summary: 'The PDF of a sample deck.',
  request: { params: z.object({ name: z.string().max(100) }) },
  responses: {
    200: { description: 'The file.', content: files('application/pdf') },
    ...problems(404),
  },
});
