/** Definitions of the routes of stored cost reports. */
import { z } from '@hono/zod-openapi';
import { REPORT_KINDS } from '../../domain/costs/report/period.ts';
import { REPORT_FORMATS, formatParam } from '../pages/format.ts';
import { costReportDocumentSchema, costReportLineSchema, costReportPageSchema, makeReportSchema } from './schemas.ts';
import { idParam, json, jsonBody, jsonOr, pageQuery, problems, route, texts } from '../http/definition.ts';

export const listRoute = route('get', '/costs/reports', {
  summary: 'Stored cost reports, newest first: of the installation for operators, otherwise of the own tenant.',
  request: {
    query: pageQuery.extend({
      kind: z.enum(REPORT_KINDS).optional(),
      period: z.string().min(1).max(100).optional().openapi({ description: 'Only the report of this period.' }),
      tenant: z.string().min(1).max(100).optional().openapi({ description: 'Reports of this tenant.' }),
    }),
  },
  responses: { 200: json(costReportPageSchema, 'One page.'), ...problems(400, 403, 404) },
});

export const makeRoute = route('post', '/costs/reports', {
  summary: 'The report of a period, and those of all tenants: existing ones, or new ones.',
  request: { body: jsonBody(makeReportSchema) },
  responses: {
    200: json(costReportLineSchema, 'It was there.'),
    201: json(costReportLineSchema, 'It is made.'),
    ...problems(400, 503),
  },
});

export const reportRoute = route('get', '/costs/reports/{id}', {
  summary: 'One cost report.',
  request: {
    params: idParam,
    query: z.object({ format: formatParam(REPORT_FORMATS) }),
  },
  responses: {
    200: jsonOr(costReportDocumentSchema, 'The report.', texts('text/markdown', 'text/html', 'text/csv')),
    ...problems(400, 404),
  },
});
