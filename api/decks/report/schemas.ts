/** Document of a report, and the definition of its route. */
import { createRoute, z } from '@hono/zod-openapi';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import { idParam, problems } from '../../http/definition.ts';
import { formatParam, REVIEW_FORMATS } from '../../pages/format.ts';

/** The domain's schema, named for the document. Made anew: whether the original knows `openapi` depends on which file was loaded first. */
const reportDocumentSchema = z.object(analysisReportSchema.shape).openapi('AnalysisReport');

export const reportRoute = createRoute({
  method: 'get',
  path: '/analyses/{id}/report',
  summary: 'The report: what is stored so far, complete when the analysis is finished.',
  request: {
    params: idParam,
    query: z.object({
      format: formatParam(REVIEW_FORMATS),
      images: z
        .enum(['embed', 'none'])
        .default('embed')
        .openapi({ description: 'Slide pictures in the HTML page and in the PDF.' }),
    }),
  },
  responses: {
    200: {
      description: 'The report. People’s verdicts on the deck are part of the forms for people, not of the JSON.',
      content: {
        'application/json': { schema: reportDocumentSchema },
        'text/markdown': { schema: z.string() },
        'text/html': { schema: z.string() },
        'application/pdf': { schema: z.string().openapi({ format: 'binary' }) },
      },
    },
    ...problems(400, 404),
  },
});
