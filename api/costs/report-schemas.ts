/** Definitions of the routes of stored cost reports. */
import { createRoute, z } from '@hono/zod-openapi';
import { REPORT_KINDS } from '../../domain/costs/report/period.ts';
import { REPORT_FORMATS, formatParam } from '../pages/format.ts';
import { costReportDocumentSchema, costReportLineSchema, costReportPageSchema, makeReportSchema } from './schemas.ts';
import { idParam, json, jsonBody, problems, pageQuery } from '../http/definition.ts';

export const listRoute = createRoute({
  method: 'get',
  path: '/costs/reports',
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

export const makeRoute = createRoute({
  method: 'post',
  path: '/costs/reports',
  summary: 'The report of a period, and those of all tenants: existing ones, or new ones.',
  request: { body: jsonBody(makeReportSchema) },
  responses: {
    200: json(costReportLineSchema, 'It was there.'),
    201: json(costReportLineSchema, 'It is made.'),
    ...problems(400, 503),
  },
});

export const reportRoute = createRoute({
  method: 'get',
  path: '/costs/reports/{id}',
  summary: 'One cost report.',
  request: {
    params: idParam,
    query: z.object({
      format: formatParam(REPORT_FORMATS),
    }),
  },
  responses: {
    200: {
      description: 'The report.',
      content: {
        'application/json': { schema: costReportDocumentSchema },
        'text/markdown': { schema: z.string() },
        'text/html': { schema: z.string() },
        'text/csv': { schema: z.string() },
      },
    },
    ...problems(400, 404),
  },
});
