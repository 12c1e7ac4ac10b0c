/** Stored cost reports: listed, made for any period, and given as JSON, Markdown, HTML or one flat table. */
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { parsePeriod, REPORT_KINDS } from '../../domain/costs/report/period.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { afterCursor, newestFirst, pageOf, pageQuery } from '../http/paging.ts';
import { answerDocument, REPORT_FORMATS, formatOf, formatParam } from '../pages/format.ts';
import { CSV } from '../http/csv.ts';
import { deckIdsOf, readDeckNames } from './names.ts';
import { renderReportCsv } from './report-csv.ts';
import { costDocument } from './report-document.ts';
import {
  costReportDocumentSchema,
  costReportLine,
  costReportLineSchema,
  costReportPageSchema,
  makeReportSchema,
} from './schemas.ts';
import { knownScopeOf } from './scope.ts';
import { ensureReport, findReport, listReports } from './store.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../http/routes.ts';

const listRoute = createRoute({
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

const makeRoute = createRoute({
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

const reportRoute = createRoute({
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

/** The routes of reports. */
export function costReportRoutes({ db, temporal, config }: RouteDeps): Routes {
  const routes = createRoutes();
  const timezone = (): string => loadFleet(config).accounting.timezone;

  routes.openapi(listRoute, async (c) => {
    const { limit, cursor, kind, period: text, tenant } = c.req.valid('query');
    const scope = await knownScopeOf(db, c.get('identity'), tenant);
    const period = text === undefined ? undefined : parsePeriod(text, timezone(), Date.now());
    const found = await listReports(
      db,
      { scope, kind, period },
      { where: afterCursor(cursor), orderBy: newestFirst, take: limit + 1 },
    );
    const { nextCursor } = pageOf(
      found.map(({ row }) => row),
      limit,
    );
    const items = found.slice(0, limit).map(({ row, report }) => costReportLine(row, report));
    return c.json({ items, nextCursor }, 200);
  });

  routes.openapi(makeRoute, async (c) => {
    const { period, again } = c.req.valid('json');
    const asked = { timezone: timezone(), again, nowMs: Date.now() };
    const { row, report, made } = await ensureReport({ db, temporal }, period, asked);
    c.get('log').info({ costReportId: row.id, period: row.period, made }, 'a cost report was asked for');
    return c.json(costReportLine(row, report), made ? 201 : 200);
  });

  routes.openapi(reportRoute, async (c) => {
    const { report } = await findReport(db, c.req.valid('param').id, visibleScope(c));
    const deckIds = deckIdsOf(report);
    const names = await readDeckNames(db, c.get('tenantId'), deckIds);
    const form = formatOf(c, c.req.valid('query').format, REPORT_FORMATS);
    switch (form) {
      case 'json':
        return c.json(report, 200);
      case 'md':
      case 'html':
        return answerDocument(c, costDocument(report, names), form);
      case 'csv':
        return c.body(renderReportCsv(report, names), 200, CSV);
      default:
        return form satisfies never;
    }
  });
  return routes;
}

/** Whose reports a request may see; null = all. */
function visibleScope(c: Context<ApiEnv>): string | null {
  const { role, tenantId } = c.get('identity');
  return role === 'operator' ? null : tenantId;
}
