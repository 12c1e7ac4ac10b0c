/** Document of a report, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { analysisReportSchema } from '../../../domain/decks/report.ts';
import { files, idParam, jsonOr, named, problems, route, texts } from '../../http/definition.ts';
import { formatParam, REVIEW_FORMATS } from '../../pages/format.ts';

const reportDocumentSchema = named(analysisReportSchema, 'AnalysisReport');

export const reportRoute = route('get', '/analyses/{id}/report', {
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
    200: jsonOr(
      reportDocumentSchema,
      'The report. People’s verdicts on the deck are part of the forms for people, not of the JSON.',
      { ...texts('text/markdown', 'text/html'), ...files('application/pdf') },
    ),
    ...problems(400, 404),
  },
});
