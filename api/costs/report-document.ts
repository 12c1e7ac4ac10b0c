/** A cost report as a document for people. */
import { INSTALLATION_SCOPE, type CostReport } from '../../domain/costs/report/document.ts';
import {
  alwaysOnText,
  balanceText,
  causeText,
  cautionText,
  changeText,
  forecastText,
  hoursText,
  machineText,
  NO_TASK,
  prewarmText,
  sharesText,
  spotText,
} from '../../domain/costs/report/words.ts';
import { usdText } from '../../domain/text/words.ts';
import {
  type Bar,
  type Block,
  type Document,
  entry,
  listOf,
  notice,
  paragraph,
  type Section,
  section,
  type Span,
  tableOf,
} from '../document/blocks.ts';
import { documentName, type DeckNames } from './names.ts';

/** A link to another report. */
export type ReportLink = Extract<Span, { readonly link: string }>;

/** See the file's header. @param links other reports, shown at the end */
export function costDocument(report: CostReport, names: DeckNames, links: readonly ReportLink[] = []): Document {
  const figure = { name: 'Total', value: usdText(report.totalUsd), unit: null, tone: null, lines: [] } as const;
  return {
    language: 'en',
    title: `Costs ${report.period}`,
    head: { figure, blocks: opening(report) },
    sections: [
      ...days(report),
      ...section('unusual', 'Unusual days', unusualDays(report)),
      ...section('kinds', 'What the time was spent on', kinds(report)),
      ...section('tasks', 'Tasks', tasks(report)),
      ...section('documents', 'Documents', documents(report, names)),
      ...section('tenants', 'Tenants', tenants(report)),
      ...section('machines', 'Machines', machines(report)),
      ...section('balance', 'The provider’s balance', balances(report)),
      ...section('reports', 'Reports', listOf(links.map((link) => entry(link)))),
    ],
  };
}

function opening(report: CostReport): Block[] {
  const { documents: d } = report;
  const caution = cautionText(report);
  const whose = report.scope === INSTALLATION_SCOPE ? 'the whole installation' : `tenant ${report.scope}`;
  const sentences = [
    sharesText(report),
    d.meanUsd === null ? null : `${d.count} documents at ${usdText(d.meanUsd)} on average.`,
    spotText(report),
    alwaysOnText(report),
    forecastText(report),
    ...report.prewarm.map(prewarmText),
  ];
  return [
    paragraph(`For ${whose}: ${changeText(report)}.`),
    ...(caution === null ? [] : [notice(caution)]),
    ...sentences.flatMap((sentence) => (sentence === null ? [] : [paragraph(sentence)])),
    paragraph({
      soft: `${report.kind}, ${report.from} to ${report.until}, ${report.timezone}; made ${report.madeAt}`,
    }),
  ];
}

function days({ days: own, daysBefore, kinds: legend }: CostReport): Section[] {
  const bar = ({ day, usd, kinds: spent }: CostReport['days'][number], faded: boolean) => ({
    name: day,
    label: day.slice(5),
    usd,
    kinds: spent,
    faded,
  });
  const bars = [...daysBefore.map((day) => bar(day, true)), ...own.map((day) => bar(day, false))];
  if (bars.length < 2) return [];
  const title = daysBefore.length === 0 ? 'Days' : 'Days, with those before';
  const head = ['day', 'cost', 'mostly'] as const;
  return section('days', title, [{ is: 'chart', title: 'Costs of each day by kind', head, bars, legend }]);
}

const unusualDays = ({ anomalies }: CostReport): Block[] =>
  anomalies.flatMap(({ day, usd, medianUsd, factor, causes }) => {
    const compared = ` cost ${usdText(usd)}, ${factor} times the median of the days before (${usdText(medianUsd)}).`;
    return [
      { is: 'notice', line: [{ strong: day }, compared], warning: true } as const,
      ...listOf(causes.map((cause) => entry(causeText(cause)))),
    ];
  });

/** Bars of amounts, as shares of an amount. */
const barsOf = (lines: readonly { readonly usd: string }[], whole: number, colours?: readonly Bar['colour'][]): Bar[] =>
  lines.map(({ usd }, i) => ({ share: whole === 0 ? 0 : Number(usd) / whole, colour: colours?.[i] ?? 'busy' }));

function kinds({ kinds: lines, totalUsd, unattributed }: CostReport): Block[] {
  const withoutOwner = new Map(unattributed.kinds.map((k) => [k.kind, k.usd]));
  const rows = lines.map((k) => [k.kind, usdText(withoutOwner.get(k.kind) ?? '0'), usdText(k.usd), hoursText(k.hours)]);
  const colours = lines.map(({ kind }) => kind);
  return [
    ...tableOf(['kind', 'no owner', 'cost', 'time'], rows, 1, barsOf(lines, Number(totalUsd), colours)),
    ...(unattributed.kinds.length === 0
      ? []
      : [
          paragraph(
            `Without owner: ${usdText(unattributed.usd)} (${unattributed.kinds.map((k) => `${k.kind} ${usdText(k.usd)}`).join(', ')}).`,
          ),
        ]),
  ];
}

function tasks({ tasks: lines }: CostReport): Block[] {
  const rows = lines.map((t) => [
    t.task ?? { absent: NO_TASK },
    usdText(t.usd),
    usdText(t.busyUsd),
    hoursText(t.busyHours),
  ]);
  const most = Math.max(0, ...lines.map(({ usd }) => Number(usd)));
  return tableOf(['task', 'cost', 'of that at work', 'time at work'], rows, 1, barsOf(lines, most));
}

function documents({ documents: d }: CostReport, names: DeckNames): Block[] {
  if (d.meanUsd === null || d.p50Usd === null || d.p95Usd === null) return [];
  const deleted = d.deletedUsd === '0' ? '' : `; deleted ones ${usdText(d.deletedUsd)}`;
  const spread = `Mean ${usdText(d.meanUsd)}, half of them up to ${usdText(d.p50Usd)}, 95 % up to ${usdText(d.p95Usd)}`;
  const rows = d.dearest.map((line) => [
    names.get(line.deckId ?? '') ?? { absent: documentName(line.deckId, names) },
    String(line.analyses),
    usdText(line.usd),
  ]);
  return [paragraph(`${spread}${deleted}.`), ...tableOf(['most expensive', 'analyses', 'cost'], rows, 1)];
}

function tenants({ scope, tenants: lines }: CostReport): Block[] {
  if (scope !== INSTALLATION_SCOPE) return [];
  const rows = lines.map((t) => [t.tenantId, String(t.documents), usdText(t.usd)]);
  return tableOf(['tenant', 'documents', 'cost'], rows, 1);
}

function machines({ machines: lines }: CostReport): Block[] {
  const rows = lines.map((m) => [machineText(m), usdText(m.usd), hoursText(m.hours)]);
  return tableOf(['provider / pool / type / market', 'cost', 'time'], rows, 1);
}

function balances({ reconciliation }: CostReport): Block[] {
  const text = (usd: string | null): string => (usd === null ? '–' : usdText(usd));
  const rows = reconciliation.map((r) => [
    r.provider,
    balanceText(r) ?? `${r.state}. ${r.note ?? ''}`,
    ...[r.fellUsd, r.topUpsUsd, r.ledgerUsd, r.prepaidUsd, r.differenceUsd].map(text),
  ]);
  return tableOf(['provider', '', 'fell by', 'paid in', 'ledger', 'in advance', 'difference'], rows, 2);
}
