/** Costs of any period by day, task, document, analysis or tenant: as JSON, CSV, or a page with charts. */
import { readCosts } from '../../activities/costs/report/breakdown.ts';
import { makeCostReport } from '../../activities/costs/report/make.ts';
import { INSTALLATION_SCOPE } from '../../domain/costs/report/document.ts';
import { firstOfMonth, isDay, localDayOf } from '../../domain/costs/report/local-day.ts';
import { parsePeriod, type ReportPeriod } from '../../domain/costs/report/period.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { LEDGER_KINDS } from '../../domain/costs/ledger/facts.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { API_PREFIX } from '../context.ts';
import { newestFirst } from '../http/paging.ts';
import { CSV, csvOf, type Cell } from '../http/csv.ts';
import { answerDocument } from '../pages/answer.ts';
import { formatOf } from '../pages/format.ts';
import { deckIdsOf, readDeckNames } from './names.ts';
import { costDocument, type ReportLink } from './report-document.ts';
import { costsDocument, type CostsDocument, COST_FORMATS, costsRoute } from './schemas.ts';
import { knownScopeOf } from './scope.ts';
import { listReports } from './store.ts';
import { group } from '../http/routes.ts';

/** Reports that the page links to. */
const LINKED_REPORTS = 30;

/** The days of a request. @throws DeckhandError `invalid_request` */
function daysAsked(
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
  timezone: string,
): ReportPeriod {
  for (const [name, day] of Object.entries(asked)) {
    if (day === undefined || isDay(day)) continue;
    throw new DeckhandError('invalid_request', `${name}=${day} is no day`, {
      userMessage: `${name}: ${JSON.stringify(day)} is no day.`,
      hint: 'Use a date such as 2026-03-29. Both days are included.',
    });
  }
  const nowMs = Date.now();
  const { to = localDayOf(nowMs, timezone) } = asked;
  return parsePeriod(`${asked.from ?? firstOfMonth(to)}/${to}`, timezone, nowMs);
}

/** The route of costs. */
export const costRoutes = group(({ db, config }, routes) => {
  routes.openapi(costsRoute, async (c) => {
    const { by, tenant, limit, format, ...days } = c.req.valid('query');
    const identity = c.get('identity');
    const scope = await knownScopeOf(db, identity, tenant);
    const { accounting, pools } = loadFleet(config);
    const period = daysAsked(days, accounting.timezone);
    const form = formatOf(c, format, COST_FORMATS);
    if (form === 'html') {
      const report = await makeCostReport(db, period, scope, Date.now(), pools);
      const deckIds = deckIdsOf(report);
      const names = await readDeckNames(db, identity.tenantId, deckIds);
      const latest = await listReports(db, { scope }, { where: {}, orderBy: newestFirst, take: LINKED_REPORTS });
      return answerDocument(c, costDocument(report, names, latest.map(linkOf)), 'html');
    }
    const tenantId = scope === INSTALLATION_SCOPE ? null : scope;
    const costs = await readCosts(db, period, { by, tenantId, limit });
    const deckIds = by === 'document' ? costs.lines.flatMap(({ key }) => (key === null ? [] : [key])) : [];
    const names = await readDeckNames(db, identity.tenantId, deckIds);
    const document = costsDocument(costs, { by, scope, period, names });
    return form === 'csv' ? c.body(costsCsv(document), 200, CSV) : c.json(document, 200);
  });
});

const linkOf = ({ row }: Awaited<ReturnType<typeof listReports>>[number]): ReportLink => ({
  link: row.period,
  href: `${API_PREFIX}/costs/reports/${row.id}?format=html`,
});

/** One line for each item, and one for the items that were left out, so that the lines add up to the total. */
function costsCsv({ by, items, more, moreUsd }: CostsDocument): string {
  // A table by tenant has that column already.
  const owner = (tenantId: string | null): Cell[] => (by === 'tenant' ? [] : [tenantId]);
  const rest =
    more === 0 ? [] : [['more', `${more} more`, ...owner(null), moreUsd, null, ...LEDGER_KINDS.map(() => null)]];
  return csvOf(
    [by, 'name', ...(by === 'tenant' ? [] : ['tenant']), 'usd', 'hours', ...LEDGER_KINDS.map((kind) => `${kind}_usd`)],
    [
      ...items.map(({ key, name, tenantId, usd, hours, kinds }) => [
        key,
        name,
        ...owner(tenantId),
        usd,
        hours,
        ...LEDGER_KINDS.map((kind) => kinds[kind] ?? '0'),
      ]),
      ...rest,
    ],
  );
}
