/**
 * A cost report as one self-contained HTML page: no script, no request to anywhere, light and dark.
 *
 * File names are untrusted; `html` templates escape them. Only our own style sheet is put in raw.
 */
import { html } from 'hono/html';
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
} from '../../domain/costs/report/words.ts';
import { usdText } from '../../domain/text/words.ts';
import { dataTable, htmlPage, type Markup } from '../pages/page.ts';
import { CHART_STYLE, dayChart, legend, meter } from './charts.ts';
import { documentName, type DeckNames } from './names.ts';

const STYLE = `${CHART_STYLE}
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; } thead th { border-top: 0; color: var(--soft); font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
p.total { font-size: 2.6rem; font-weight: 700; line-height: 1.1; margin: .3rem 0; }
td:first-child { min-width: 8rem; } td span.note { display: block; min-width: 14rem; }
td span.whole { white-space: nowrap; } section { overflow-x: auto; }
@media (max-width: 40rem) { td .meter { display: none; } }
nav.reports { display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
`;

/** A link to another report. */
export interface ReportLink {
  readonly title: string;
  readonly href: string;
}

type Piece = Markup | '';

/** See the file's header. @param links other reports, shown at the end */
export function renderReportHtml(report: CostReport, names: DeckNames, links: readonly ReportLink[] = []): string {
  const body = html`<main>
    ${header(report)} ${dayCard(report)} ${anomalies(report)} ${kindCard(report)} ${tasks(report)}
    ${documents(report, names)} ${tenants(report)} ${machines(report)} ${reconciliation(report)} ${others(links)}
  </main>`;
  return htmlPage({ language: 'en', title: `Costs ${report.period}`, body, style: STYLE });
}

function header(report: CostReport): Markup {
  const { documents: d, spot } = report;
  const caution = cautionText(report);
  const whose = report.scope === INSTALLATION_SCOPE ? 'the whole installation' : `tenant ${report.scope}`;
  const sentences = [
    sharesText(report),
    d.meanUsd === null ? null : `${d.count} documents at ${usdText(d.meanUsd)} on average.`,
    spot.usd === '0' ? null : `Spot machines cost ${usdText(spot.usd)} and saved ${usdText(spot.savedUsd)}.`,
    alwaysOnText(report),
    forecastText(report),
    ...report.prewarm.map(prewarmText),
  ].filter((sentence) => sentence !== null);
  return html`<header class="card">
    <h1>Costs ${report.period}</h1>
    <p class="total">${usdText(report.totalUsd)}</p>
    <p>For ${whose}: ${changeText(report)}.</p>
    ${caution === null ? '' : html`<p class="notice">${caution}</p>`} ${sentences.map((s) => html`<p>${s}</p>`)}
    <p class="soft">${report.from} to ${report.until}, ${report.timezone}; made ${report.madeAt}</p>
  </header>`;
}

function dayCard(report: CostReport): Piece {
  const chart = dayChart(report);
  const title = report.daysBefore.length === 0 ? 'Days' : 'Days, with those before';
  return chart === ''
    ? ''
    : html`<section>
        <h2>${title}</h2>
        ${chart} ${legend(report.kinds)}
      </section>`;
}

function anomalies({ anomalies: unusual }: CostReport): Piece {
  if (unusual.length === 0) return '';
  return html`<section>
    <h2>Unusual days</h2>
    ${unusual.map(
      ({ day, usd, medianUsd, factor, causes }) =>
        html`<p class="notice bad">
            <strong>${day}</strong> cost ${usdText(usd)}, ${factor} times the median of the days before
            (${usdText(medianUsd)}).
          </p>
          <ul>
            ${causes.map((cause) => html`<li>${causeText(cause)}</li>`)}
          </ul>`,
    )}
  </section>`;
}

/** A table whose last columns are numbers; nothing for one without rows. */
function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | Markup)[])[],
  numbers: number,
  lead: Piece = '',
): Piece {
  if (rows.length === 0 && lead === '') return '';
  return html`<section>
    <h2>${title}</h2>
    ${lead} ${dataTable(head, rows, head.length - numbers)}
  </section>`;
}

function kindCard({ kinds, totalUsd, unattributed }: CostReport): Piece {
  const total = Number(totalUsd);
  const withoutOwner = new Map(unattributed.kinds.map((k) => [k.kind, k.usd]));
  return table(
    'What the time was spent on',
    ['kind', '', 'no owner', 'cost', 'time'],
    kinds.map((k) => [
      k.kind,
      meter(total === 0 ? 0 : Number(k.usd) / total, k.kind),
      usdText(withoutOwner.get(k.kind) ?? '0'),
      usdText(k.usd),
      hoursText(k.hours),
    ]),
    3,
  );
}

function tasks({ tasks: lines }: CostReport): Piece {
  const most = Math.max(0, ...lines.map((t) => Number(t.usd)));
  return table(
    'Tasks',
    ['task', '', 'at work', 'cost', 'time at work'],
    lines.map((t) => [
      t.task ?? html`<span class="absent">${NO_TASK}</span>`,
      meter(most === 0 ? 0 : Number(t.usd) / most),
      usdText(t.busyUsd),
      usdText(t.usd),
      hoursText(t.busyHours),
    ]),
    3,
  );
}

function documents({ documents: d }: CostReport, names: DeckNames): Piece {
  if (d.meanUsd === null || d.p50Usd === null || d.p95Usd === null) return '';
  const lead = html`<p>
    Mean ${usdText(d.meanUsd)}, half of them up to ${usdText(d.p50Usd)}, 95 % up to
    ${usdText(d.p95Usd)}${d.deletedUsd === '0' ? '' : `; deleted ones ${usdText(d.deletedUsd)}`}.
  </p>`;
  const rows = d.dearest.map((line) => [
    names.get(line.deckId ?? '') ?? html`<span class="absent">${documentName(line.deckId, names)}</span>`,
    String(line.analyses),
    usdText(line.usd),
  ]);
  return table('Documents', ['most expensive', 'analyses', 'cost'], rows, 2, lead);
}

function tenants({ scope, tenants: lines }: CostReport): Piece {
  if (scope !== INSTALLATION_SCOPE) return '';
  return table(
    'Tenants',
    ['tenant', 'documents', 'cost'],
    lines.map((t) => [t.tenantId, String(t.documents), usdText(t.usd)]),
    2,
  );
}

function machines({ machines: lines }: CostReport): Piece {
  return table(
    'Machines',
    ['provider / pool / type / market', 'cost', 'time'],
    lines.map((m) => [machineText(m), usdText(m.usd), hoursText(m.hours)]),
    2,
  );
}

function reconciliation({ reconciliation: lines }: CostReport): Piece {
  const text = (usd: string | null): string => (usd === null ? '–' : usdText(usd));
  return table(
    'The provider’s balance',
    ['provider', '', 'fell by', 'paid in', 'ledger', 'in advance', 'difference'],
    lines.map((r) => [
      html`<span class="whole">${r.provider}</span>`,
      html`<span class="note">${balanceText(r) ?? `${r.state}. ${r.note ?? ''}`}</span>`,
      text(r.fellUsd),
      text(r.topUpsUsd),
      text(r.ledgerUsd),
      text(r.prepaidUsd),
      text(r.differenceUsd),
    ]),
    5,
  );
}

function others(links: readonly ReportLink[]): Piece {
  if (links.length === 0) return '';
  return html`<section>
    <h2>Reports</h2>
    <nav class="reports">${links.map(({ title, href }) => html`<a href="${href}">${title}</a>`)}</nav>
  </section>`;
}
