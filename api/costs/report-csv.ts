/**
 * A cost report as one flat table: a line for each sum, `section` says of what. Sections of the same report sum to the same total, so
 * they are not to be added to each other. `hours` is time of machines and disks, never of the calendar.
 */
import type { CostReport } from '../../domain/costs/report/document.ts';
import { csvOf, type Cell } from '../http/csv.ts';
import type { DeckNames } from './names.ts';

const COLUMNS = ['period', 'scope', 'section', 'name', 'detail', 'usd', 'hours', 'count'] as const;

type Line = readonly [section: string, name: Cell, detail: Cell, usd: Cell, hours: Cell, count: Cell];

export function renderReportCsv(report: CostReport, names: DeckNames): string {
  const { documents, alwaysOn, forecast } = report;
  const lines: Line[] = [
    ['total', report.period, report.currency, report.totalUsd, null, null],
    ['previous', report.previous.period, null, report.previous.totalUsd, null, null],
    ...report.days.map((d): Line => ['day', d.day, null, d.usd, null, null]),
    ...report.days.flatMap((d) =>
      Object.entries(d.kinds).map(([kind, usd]): Line => ['day-kind', d.day, kind, usd, null, null]),
    ),
    ...report.kinds.map((k): Line => ['kind', k.kind, null, k.usd, k.hours, null]),
    ...report.tasks.map((t): Line => ['task', t.task, null, t.usd, t.busyHours, null]),
    ...report.machines.map((m): Line => [
      'machine',
      m.pool,
      [m.provider, m.instanceType ?? 'disks', m.market].filter((part) => part !== null).join(' / '),
      m.usd,
      m.hours,
      null,
    ]),
    ...report.tenants.map((t): Line => ['tenant', t.tenantId, null, t.usd, null, t.documents]),
    ['documents', 'all', null, documents.totalUsd, null, documents.count],
    ['documents', 'mean', null, documents.meanUsd, null, null],
    ['documents', 'p50', null, documents.p50Usd, null, null],
    ['documents', 'p95', null, documents.p95Usd, null, null],
    ['documents', 'deleted', null, documents.deletedUsd, null, null],
    ...documents.dearest.map((d): Line => [
      'document',
      d.deckId,
      d.deckId === null ? null : (names.get(d.deckId) ?? null),
      d.usd,
      null,
      d.analyses,
    ]),
    ...report.unattributed.kinds.map((k): Line => ['unattributed', k.kind, null, k.usd, k.hours, null]),
    ['spot', 'spent', null, report.spot.usd, null, null],
    ['spot', 'saved', null, report.spot.savedUsd, null, null],
    ['spot', 'on demand', null, report.spot.onDemandUsd, null, null],
    ['spot', 'evictions', null, report.spot.evictions.usd, null, report.spot.evictions.count],
    ['spot', 'saved in all', null, report.spot.netSavedUsd, null, null],
    ...(alwaysOn === null
      ? []
      : [
          ['always-on', 'would cost', null, alwaysOn.usd, null, null] as const,
          ['always-on', 'saved', null, alwaysOn.savedUsd, null, null] as const,
        ]),
    ...(forecast === null
      ? []
      : [['forecast', forecast.month, forecast.basis, forecast.forecastUsd, null, forecast.basisDays] as const]),
    ...report.prewarm.flatMap((p): Line[] => [
      ['pre-warm', p.pool, 'misses', p.missUsd, null, p.misses],
      ['pre-warm', p.pool, 'hits', p.idleUsd, null, p.hits],
      ['pre-warm', p.pool, `saved ${p.savedSec} s`, p.savedUsd, null, null],
      ['pre-warm', p.pool, 'regret', p.regretUsd, null, null],
    ]),
    ...report.anomalies.map((a): Line => ['anomaly', a.day, `median ${a.medianUsd}`, a.usd, null, null]),
    ...report.reconciliation.map((r): Line => ['reconciliation', r.provider, r.state, r.differenceUsd, null, null]),
  ];
  return csvOf(
    COLUMNS,
    lines.map((line) => [report.period, report.scope, ...line]),
  );
}
