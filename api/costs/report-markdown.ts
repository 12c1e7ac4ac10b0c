/**
 * A cost report as Markdown. Names of files and machines are untrusted and escaped.
 */
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
import { escaped } from '../document/markdown.ts';
import { documentName, type DeckNames } from './names.ts';

/** An untrusted text, never at the beginning of a line, where a hyphen would make a list. */
const untrusted = (text: string): string => escaped(text).replaceAll(String.raw`\-`, '-');

/** A table; nothing for one without rows. @param numbers count of the last columns, which are right-aligned */
function table(head: readonly string[], rows: readonly (readonly string[])[], numbers: number): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, i) => (i >= head.length - numbers ? '--:' : '---'));
  return [line(head), line(rule), ...rows.map(line), ''];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines];

/** See the file's header. */
export function renderReportMarkdown(report: CostReport, names: DeckNames): string {
  const caution = cautionText(report);
  const whose = report.scope === INSTALLATION_SCOPE ? 'the whole installation' : `tenant ${untrusted(report.scope)}`;
  return [
    `# Costs ${report.period}`,
    '',
    `**${usdText(report.totalUsd)}** for ${whose}: ${changeText(report)}.`,
    '',
    ...(caution === null ? [] : [`> ${caution}`, '']),
    ...facts(report),
    ...section('What the time was spent on', [
      ...table(
        ['kind', 'cost', 'time'],
        report.kinds.map((k) => [k.kind, usdText(k.usd), hoursText(k.hours)]),
        2,
      ),
      ...(report.unattributed.kinds.length === 0
        ? []
        : [
            `Without owner: ${usdText(report.unattributed.usd)} (${report.unattributed.kinds.map((k) => `${k.kind} ${usdText(k.usd)}`).join(', ')}).`,
            '',
          ]),
    ]),
    ...section('Days', days(report)),
    ...section(
      'Unusual days',
      report.anomalies
        .map(
          ({ day, usd, medianUsd, factor, causes }) =>
            `- **${day}** cost ${usdText(usd)}, ${factor} times the median of the days before (${usdText(medianUsd)}): ${causes.map((c) => causeText(c)).join('; ')}`,
        )
        .concat(report.anomalies.length === 0 ? [] : ['']),
    ),
    ...section(
      'Tasks',
      table(
        ['task', 'cost', 'of that at work', 'time at work'],
        report.tasks.map((t) => [t.task ?? NO_TASK, usdText(t.usd), usdText(t.busyUsd), hoursText(t.busyHours)]),
        3,
      ),
    ),
    ...section('Documents', documents(report, names)),
    ...section(
      'Tenants',
      report.scope === INSTALLATION_SCOPE
        ? table(
            ['tenant', 'documents', 'cost'],
            report.tenants.map((t) => [untrusted(t.tenantId), String(t.documents), usdText(t.usd)]),
            2,
          )
        : [],
    ),
    ...section(
      'Machines',
      table(
        ['provider / pool / type / market', 'cost', 'time'],
        report.machines.map((m) => [untrusted(machineText(m)), usdText(m.usd), hoursText(m.hours)]),
        2,
      ),
    ),
    ...section(
      'The provider’s balance',
      report.reconciliation.map((r) => reconciliation(r)).concat(report.reconciliation.length === 0 ? [] : ['']),
    ),
    `_${report.kind}, ${report.from} to ${report.until}, ${report.timezone}; made ${report.madeAt}_`,
    '',
  ].join('\n');
}

function facts(report: CostReport): string[] {
  const { documents: d } = report;
  const spentOn = sharesText(report);
  const sentences = [
    ...(spentOn === null ? [] : [spentOn]),
    ...(d.meanUsd === null ? [] : [`${d.count} documents at ${usdText(d.meanUsd)} on average.`]),
    ...[spotText(report), alwaysOnText(report), forecastText(report)].filter((text) => text !== null),
    ...report.prewarm.map((line) => untrusted(prewarmText(line))),
  ];
  return [...sentences.map((sentence) => `- ${sentence}`), ''];
}

function days(report: CostReport): string[] {
  if (report.days.length < 2) return [];
  return table(
    ['day', 'cost', 'mostly'],
    report.days.map((d) => {
      const [most] = Object.entries(d.kinds).toSorted((a, b) => Number(b[1]) - Number(a[1]));
      return [d.day, usdText(d.usd), most === undefined ? '' : `${most[0]} ${usdText(most[1])}`];
    }),
    2,
  );
}

function documents({ documents: d }: CostReport, names: DeckNames): string[] {
  if (d.meanUsd === null || d.p50Usd === null || d.p95Usd === null) return [];
  return [
    `Mean ${usdText(d.meanUsd)}, half of them up to ${usdText(d.p50Usd)}, 95 % up to ${usdText(d.p95Usd)}${d.deletedUsd === '0' ? '' : `; deleted ones ${usdText(d.deletedUsd)}`}.`,
    '',
    ...table(
      ['most expensive', 'analyses', 'cost'],
      d.dearest.map((line) => [untrusted(documentName(line.deckId, names)), String(line.analyses), usdText(line.usd)]),
      2,
    ),
  ];
}

function reconciliation(r: CostReport['reconciliation'][number]): string {
  return `- **${untrusted(r.provider)}**: ${balanceText(r) ?? r.note ?? r.state}`;
}
