/** Stored cost reports: listed, made for any period, and given as JSON, Markdown, HTML or one flat table. */
import type { Context } from 'hono';
import { parsePeriod } from '../../domain/costs/report/period.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { ApiEnv } from '../context.ts';
import { afterCursor, newestFirst, pageOf } from '../http/paging.ts';
import { answerDocument } from '../pages/answer.ts';
import { REPORT_FORMATS, formatOf } from '../pages/format.ts';
import { CSV } from '../http/csv.ts';
import { deckIdsOf, readDeckNames } from './names.ts';
import { renderReportCsv } from './report-csv.ts';
import { costDocument } from './report-document.ts';
import { costReportLine } from './schemas.ts';
import { knownScopeOf } from './scope.ts';
import { ensureReport, findReport, listReports } from './store.ts';
import { group } from '../http/routes.ts';
import { listRoute, makeRoute, reportRoute } from './report-schemas.ts';

/** The routes of reports. */
export const costReportRoutes = group(({ db, temporal, config }, routes) => {
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
});

/** Whose reports a request may see; null = all. */
function visibleScope(c: Context<ApiEnv>): string | null {
  const { role, tenantId } = c.get('identity');
  return role === 'operator' ? null : tenantId;
}
