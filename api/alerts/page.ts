/**
 * Open alerts and the targets as one self-contained HTML page for operators: no script, no request to anywhere.
 *
 * Messages hold untrusted text, such as the answer of a provider; `html` templates escape it.
 */
import { html } from 'hono/html';
import type { MetricUnit } from '../../domain/metrics/catalogue.ts';
import { judgedWords, valueWords } from '../../domain/alerts/words.ts';
import { durationWords } from '../../domain/text/words.ts';
import { figureWords, limitWords, STATE_WORDS } from '../../domain/metrics/target-words.ts';
import { htmlPage } from '../pages/page.ts';
import type { Markup } from '../pages/page.ts';
import type { TargetList } from '../targets/schemas.ts';
import type { AlertDocument, AlertPage } from './schemas.ts';

const STYLE = `
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; } thead th { border-top: 0; color: var(--soft); font-weight: 500; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
article { border-top: 1px solid var(--line); padding: .6rem 0; } article:first-of-type { border-top: 0; }
`;

/** Colours of the report's style sheet. */
const COLOURS: Readonly<Record<AlertDocument['severity'], string>> = {
  critical: 'weak',
  warning: 'medium',
  info: 'none',
};
const STATE_COLOURS = { met: 'good', not_met: 'weak', no_data: 'none', told: 'none' } as const;

/** What the page shows. */
interface AlertsView {
  readonly alerts: AlertPage;
  /** Whether those that are over are among them. */
  readonly all: boolean;
  readonly targets: Pick<TargetList, 'from' | 'until' | 'items'>;
  readonly nowMs: number;
  /** The same page with, or without, those that are over. */
  readonly otherHref: string;
  /** The next page; null on the last. */
  readonly nextHref: string | null;
}

/** See the file's header. */
export function renderAlertsHtml(view: AlertsView): string {
  const { alerts, all, nowMs } = view;
  const body = html`<main>
    <header class="card">
      <h1>${alerts.open === 0 ? 'Nothing is wrong' : openWords(alerts.open)}</h1>
      <p class="soft">${judgedWords(alerts.judgedAt, nowMs)}</p>
    </header>
    <section>
      <h2>${all ? 'Alerts, newest first' : 'Open alerts'}</h2>
      ${alerts.items.length === 0 ? html`<p class="absent">None.</p>` : ''}
      ${alerts.items.map((alert) => alertPart(alert, nowMs))}
      <p>
        <a href="${view.otherHref}">${all ? 'Only open ones' : 'Also those that are over'}</a>
        ${view.nextHref === null ? '' : html` · <a href="${view.nextHref}">Older ones</a>`}
      </p>
    </section>
    ${targetsPart(view.targets)}
  </main>`;
  return htmlPage({ language: 'en', title: 'Deckhand: alerts and targets', body, style: STYLE });
}

const openWords = (open: number): string => (open === 1 ? 'One open alert' : `${open} open alerts`);

function alertPart(alert: AlertDocument, nowMs: number): Markup {
  const { severity, title, subject, message, advice, rule, raisedAt, clearedAt, currentValue, unit } = alert;
  const sinceMs = Date.parse(raisedAt);
  const age =
    clearedAt === null
      ? `open for ${durationWords(Math.max(0, nowMs - sinceMs))}`
      : `over after ${durationWords(Date.parse(clearedAt) - sinceMs)}, at ${clearedAt}`;
  const now =
    currentValue === null || currentValue === alert.value || unit === null
      ? ''
      : ` Now: ${valueWords(currentValue, unit as MetricUnit)}.`;
  return html`<article>
    <h3>
      <span class="mark score ${COLOURS[severity]}">${severity}</span> ${title}${subject === '*' ? '' : ` · ${subject}`}
    </h3>
    <p>${message}${now}</p>
    ${clearedAt === null && advice !== '' ? html`<p>${advice}</p>` : ''}
    <p class="soft">${rule}, ${age}; raised ${raisedAt}</p>
  </article>`;
}

function targetsPart({ from, until, items }: AlertsView['targets']): Markup {
  return html`<section>
    <h2>Targets</h2>
    <p class="soft">${from} to ${until}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Target</th>
          <th scope="col" class="number">Figure</th>
          <th scope="col">Limit</th>
          <th scope="col">State</th>
          <th scope="col">Made of</th>
        </tr>
      </thead>
      <tbody>
        ${items.map(
          ({ title, value, unit, limit, state, samples, sampleOf }) =>
            html`<tr>
              <td>${title}</td>
              <td class="number">${figureWords(value, unit)}</td>
              <td>${limitWords(limit, unit)}</td>
              <td class="${STATE_COLOURS[state]}">${STATE_WORDS[state]}</td>
              <td>${samples} ${sampleOf}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
