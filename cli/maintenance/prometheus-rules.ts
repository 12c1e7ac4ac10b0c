/**
 * The alert rules for Prometheus, `monitoring/deckhand.rules.yml`: one for each alert rule that an installation starts with, with the same
 * threshold, and those that only Prometheus can judge, such as that Deckhand does not answer.
 */
import type { Severity } from '../../domain/alerts/rule.ts';
import { alertMetricOf, isMetricName, type MetricUnit } from '../../domain/metrics/catalogue.ts';
import { ALERT_RULES } from '../../prisma/seed/alert-rules.ts';

/** A rule in the words of Prometheus. */
interface PrometheusRule {
  readonly alert: string;
  readonly expr: string;
  readonly forSec: number;
  readonly severity: Severity;
  readonly summary: string;
  readonly advice: string;
}

/**
 * What a counter grew by. A series that is new begins with what it has counted, and `increase` does not see that: then its value counts, unless
 * Prometheus had not scraped Deckhand before.
 */
const added = (counter: string, window: string): string =>
  `(${counter} unless ${counter} offset ${window} and on () (deckhand_metrics_read{group="fleet"} offset ${window} == 1) or increase(${counter}[${window}]))`;

const ONLY_PROMETHEUS: readonly PrometheusRule[] = [
  {
    alert: 'DeckhandDown',
    expr: 'up{job="deckhand"} == 0',
    forSec: 120,
    severity: 'critical',
    summary: 'Deckhand does not answer.',
    advice: 'Check its log; `./deckhand up` starts it. A revoked key cannot read /metrics.',
  },
  {
    alert: 'DeckhandMetricsMissing',
    expr: 'deckhand_metrics_read == 0',
    forSec: 300,
    severity: 'warning',
    summary: 'The metrics of group {{ $labels.group }} cannot be read.',
    advice: 'The log of the API has the reason.',
  },
  {
    alert: 'DeckhandWorkerDown',
    expr: 'deckhand_worker_up == 0',
    forSec: 300,
    severity: 'warning',
    summary: 'The worker {{ $labels.process }} does not answer.',
    advice: 'Check its log.',
  },
  {
    alert: 'DeckhandSlotsTaken',
    expr: 'min by (process, worker_type, task_queue) (temporal_worker_task_slots_available{worker_type="WorkflowWorker"}) == 0',
    forSec: 600,
    severity: 'warning',
    summary: 'The worker {{ $labels.process }} has had no free workflow task slot for 10 minutes.',
    advice: 'Start a second control worker, or look for workflows that fail repeatedly.',
  },
  {
    alert: 'DeckhandOwnAlert',
    expr: 'deckhand_alerts_open{severity="critical"} > 0',
    forSec: 0,
    severity: 'critical',
    summary: 'Deckhand has raised the alert {{ $labels.rule }}.',
    advice: '`deckhand alerts` shows what it is about and what to do.',
  },
  {
    alert: 'DeckhandPoolSilent',
    expr: 'time() - pool_decided_timestamp_seconds > 600',
    forSec: 300,
    severity: 'critical',
    summary: 'Pool {{ $labels.pool }} has made no decision for {{ $value | humanizeDuration }}.',
    advice: 'Its workflow `pool/{{ $labels.pool }}` in the Temporal UI shows the reason.',
  },
  {
    alert: 'DeckhandDeliveriesPile',
    expr: 'deckhand_webhook_deliveries_open > 100',
    forSec: 1800,
    severity: 'warning',
    summary: '{{ $value }} webhook deliveries wait to be sent.',
    advice: '`deckhand webhooks deliveries` shows for which webhook.',
  },
  {
    alert: 'DeckhandGpuHot',
    expr: 'gpu_margin_celsius <= 5',
    forSec: 300,
    severity: 'warning',
    summary:
      'GPU {{ $labels.gpu }} of {{ $labels.instance }} is {{ $value }} °C below the temperature at which it slows down.',
    advice: 'If it stays hot, the machine is badly cooled; `deckhand fleet destroy` replaces it.',
  },
  {
    alert: 'DeckhandXid',
    expr: `sum by (xid) (${added('gpu_xid_total', '15m')}) > 0`,
    forSec: 0,
    severity: 'warning',
    summary: 'A GPU logged XID {{ $labels.xid }}.',
    advice: '`deckhand fleet` shows on which machine.',
  },
  {
    alert: 'DeckhandBootsFail',
    expr: `sum(${added('gpu_provision_seconds_count{outcome="failed"}', '1h')}) / sum(${added('gpu_provision_seconds_count', '1h')}) > 0.5 and sum(${added('gpu_provision_seconds_count', '1h')}) >= 3`,
    forSec: 0,
    severity: 'warning',
    summary: 'More than half of the machines of the last hour did not become ready.',
    advice: '`deckhand fleet` shows their histories, `deckhand plan` the other offers.',
  },
  {
    alert: 'DeckhandTargetMissed',
    expr: 'deckhand_target_met == 0',
    forSec: 3600,
    severity: 'info',
    summary: 'The target {{ $labels.target }} of the last 30 days is not met.',
    advice: '`deckhand targets` shows the figures.',
  },
];

const VALUES: Partial<Record<MetricUnit, string>> = {
  ratio: '{{ $value | humanizePercentage }}',
  seconds: '{{ $value | humanizeDuration }}',
  times: '{{ $value | printf "%.2f" }} times',
  count: '{{ $value }}',
};

/** The alert rules of the seed as Prometheus judges them. Two of them watch no metric of `/metrics`, and have none. */
export const FROM_ALERT_RULES: readonly (PrometheusRule & { readonly metric: string })[] = ALERT_RULES.flatMap(
  ({ id, metric, comparison, raiseAt, raiseForSec, severity, title, advice }) => {
    const definition = alertMetricOf(metric);
    if (definition === undefined || !isMetricName(metric)) return [];
    const subject = definition.alert.subject.map((label) => `{{ $labels.${label} }}`).join('/');
    const value = VALUES[definition.unit];
    return [
      {
        alert: `Deckhand${id.replaceAll(/(?:^|-)(.)/gu, (_, first: string) => first.toUpperCase())}`,
        metric,
        expr: `${metric} ${comparison === 'above' ? '>=' : '<='} ${raiseAt}`,
        forSec: raiseForSec,
        severity,
        summary: [title, subject, value].filter((part) => part !== undefined && part !== '').join(': '),
        advice,
      },
    ];
  },
);

/** A string of YAML. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const ruleText = ({ alert, expr, forSec, severity, summary, advice }: PrometheusRule): string =>
  [
    `      - alert: ${alert}`,
    `        expr: ${quoted(expr)}`,
    ...(forSec === 0 ? [] : [`        for: ${forSec}s`]),
    `        labels: { severity: ${severity} }`,
    '        annotations:',
    `          summary: ${quoted(summary)}`,
    `          advice: ${quoted(advice)}`,
    '',
  ].join('\n');

/** Text of the file. */
export const prometheusRules = (): string =>
  `# When Prometheus should raise an alert. Written by \`npm run examples\` from Deckhand's own alert rules: the thresholds are the same.
groups:
  - name: deckhand-itself
    rules:
${ONLY_PROMETHEUS.map(ruleText).join('')}
  - name: deckhand-alerts
    rules:
${FROM_ALERT_RULES.map(ruleText).join('')}`;
