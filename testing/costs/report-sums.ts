/** The sums of a stored report in the form that recomputed ones have. */
import type { CostReport } from '../../domain/costs/report/document.ts';
import { sumOf } from '../../domain/costs/report/amount.ts';

/** See the file's header. Days that cost nothing are left out, as rows that are not there are. */
export function sumsOfReport(report: CostReport): Record<string, unknown> {
  const by = (
    lines: readonly { readonly usd: string }[],
    keyOf: (i: number) => string | null,
  ): Record<string, string> => {
    const groups = Map.groupBy(
      lines.map((line, i) => ({ usd: line.usd, key: keyOf(i) })),
      ({ key }) => key,
    );
    return Object.fromEntries(
      [...groups].flatMap(([key, own]) => (key === null ? [] : [[key, sumOf(own.map(({ usd }) => usd)).toFixed()]])),
    );
  };
  const days = report.days.filter(({ usd }) => usd !== '0');
  return {
    totalUsd: report.totalUsd,
    kinds: by(report.kinds, (i) => report.kinds[i]?.kind ?? null),
    tasks: by(report.tasks, (i) => report.tasks[i]?.task ?? 'none'),
    tenants: by(report.tenants, (i) => report.tenants[i]?.tenantId ?? null),
    pools: by(report.machines, (i) => report.machines[i]?.pool ?? null),
    days: by(days, (i) => days[i]?.day ?? null),
    documents: {
      count: report.documents.count,
      p50Usd: report.documents.p50Usd,
      p95Usd: report.documents.p95Usd,
    },
    dearest: report.documents.dearest[0]?.usd ?? null,
    unattributed: report.unattributed.usd,
    deleted: report.documents.deletedUsd,
    spot: report.spot.usd,
    spotSaved: report.spot.savedUsd,
  };
}
