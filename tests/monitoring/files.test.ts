/** Rules, scrape configuration and dashboard, checked by Prometheus' own tool, and against the metrics there are. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { FROM_ALERT_RULES } from '../../cli/maintenance/prometheus-rules.ts';
import { alertMetricOf, definitionOf, isMetricName } from '../../domain/metrics/catalogue.ts';
import { ALERT_RULES } from '../../prisma/seed/alert-rules.ts';
import {
  CONFIG_FILE,
  labelsGrouped,
  labelsSelected,
  metricsIn,
  readDashboard,
  readRules,
  RULES_FILE,
  RULES_TEST_FILE,
  withoutVariables,
  type Panel,
} from './files.ts';
import { promtool, promtoolBinary, tell } from './promtool.ts';
import { folderPerTest } from '../../testing/per-file.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of the SDK, and of Prometheus itself; whether they are there is seen on a stack that runs. */
const isForeign = (name: string): boolean => name.startsWith('temporal_') || name === 'up';
/** Parts of a histogram are named like it. */
const metricOf = (name: string): string => (isMetricName(name) ? name : name.replace(/_(bucket|sum|count)$/u, ''));

/** Labels of ours that an expression names though the metrics it is about have none of the kind; those of the SDK are not ours to know. */
function strangeLabels(expr: string, shown = ''): string[] {
  const own = metricsIn(expr).map(metricOf);
  if (own.some(isForeign)) return [];
  const known = new Set(own.flatMap((name) => (isMetricName(name) ? definitionOf(name).labels : [])));
  const selected = labelsSelected(expr).flatMap(({ metric, labels }) => {
    const name = metricOf(metric);
    return labels.filter((label) => isMetricName(name) && !definitionOf(name).labels.includes(label));
  });
  const named = [...labelsGrouped(expr).filter((label) => label !== 'le'), ...placeholdersIn(shown)];
  return [...selected, ...named.filter((label) => !known.has(label))];
}
/** Labels that a legend or the words of an alert put in. */
const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/gu)].map((match) => match[1] ?? '');

beforeAll(() => promtoolBinary(tell), 900_000);

describe('the Prometheus alert rules', () => {
  it('are valid, and raise on what they are for and on nothing else', async () => {
    expect(await promtool(['check', 'rules', RULES_FILE])).toMatchObject({ ok: true });
    const verdict = await promtool(['test', 'rules', RULES_TEST_FILE]);
    expect(verdict, verdict.output).toMatchObject({ ok: true });
  });

  it('that only Prometheus judges are each tested, on what raises them and on what does not', () => {
    const tests = readFileSync(RULES_TEST_FILE, 'utf8').split(/^ {2}- interval/mu);
    const generated = new Set(FROM_ALERT_RULES.map(({ alert }) => alert));
    for (const { alert } of readRules().filter((rule) => !generated.has(rule.alert))) {
      const own = tests.filter((test) => test.includes(`alertname: ${alert}\n`)).join('');
      expect(own, alert).toContain('exp_alerts');
      expect([...own.matchAll(/alertname/gu)].length, alert).toBeGreaterThan([...own.matchAll(/exp_alerts/gu)].length);
    }
    expect(readRules().length - generated.size).toBeGreaterThan(10);
  });

  it('that come from alert rules raise at the same value, after the same time, and not before', async () => {
    const rules = ALERT_RULES.flatMap((rule) => {
      const made = FROM_ALERT_RULES.find(
        ({ alert }) => alert.toLowerCase() === `deckhand${rule.id.replaceAll('-', '')}`,
      );
      return made === undefined ? [] : [{ rule, made }];
    });
    // The two that watch no metric of /metrics.
    expect(ALERT_RULES.length - rules.length).toBe(2);
    const tests = rules.map(({ rule: { comparison, raiseAt, raiseForSec }, made: { alert, metric } }) => {
      const good = comparison === 'above' ? raiseAt - 0.01 : raiseAt + 0.01;
      const labels = isMetricName(metric)
        ? definitionOf(metric)
            .labels.map((label) => `${label}="x"`)
            .join(',')
        : '';
      const firing = `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`;
      const at = (seconds: number, value: number) => ({
        expr: firing,
        eval_time: `${seconds}s`,
        exp_samples: [{ labels: '{}', value }],
      });
      return {
        interval: '10s',
        input_series: [{ series: `${metric}{${labels}}`, values: `${good}x29 ${raiseAt}x800` }],
        promql_expr_test: [
          at(290, 0),
          ...(raiseForSec === 0 ? [] : [at(290 + raiseForSec, 0)]),
          at(320 + raiseForSec, 1),
        ],
      };
    });
    const directory = folderPerTest();
    const file = path.join(directory, 'test.yml');
    writeFileSync(file, JSON.stringify({ rule_files: [RULES_FILE], evaluation_interval: '10s', tests }));
    const verdict = await promtool(['test', 'rules', file]);
    expect(verdict, verdict.output).toMatchObject({ ok: true });
  });

  it('that come from alert rules look at a metric over the window of the alert rule', () => {
    const windows = ALERT_RULES.flatMap(({ id, metric, windowSec }) => {
      const window = alertMetricOf(metric)?.alert.windowSec ?? null;
      return window === null || window === windowSec ? [] : [id];
    });
    expect(windows).toEqual([]);
  });

  it('watch metrics that there are', () => {
    for (const { alert, expr } of readRules()) {
      const names = metricsIn(expr);
      expect(names.length, alert).toBeGreaterThan(0);
      for (const name of names) expect(isForeign(name) || isMetricName(metricOf(name)), `${alert}: ${name}`).toBe(true);
    }
  });

  it('ask by labels that those metrics have', () => {
    for (const { alert, expr } of readRules()) expect(strangeLabels(expr), alert).toEqual([]);
    expect(strangeLabels('sum by (poool) (gpu_quarantined{lvl="x"})', '{{pod}}')).toEqual(['lvl', 'poool', 'pod']);
  });

  it('send people to commands that there are', () => {
    const help = execFileSync(process.execPath, [path.join(ROOT, 'cli/main.ts'), '--help'], { encoding: 'utf8' });
    const commands = new Set([...help.matchAll(/^ {2}(\w+)/gmu)].map((match) => match[1]));
    const named = [...readFileSync(RULES_FILE, 'utf8').matchAll(/`(?:\.\/)?deckhand (\w+)/gu)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !commands.has(name))).toEqual([]);
  });
});

describe('the scrape configuration', () => {
  it('is valid', async () => {
    const verdict = await promtool(['check', 'config', '--syntax-only', CONFIG_FILE]);
    expect(verdict, verdict.output).toMatchObject({ ok: true });
  });
});

describe('the Grafana dashboard', () => {
  const dashboard = readDashboard();
  const shown = dashboard.panels.filter(({ type }) => type !== 'row');

  it('has a panel for every part, each once and in its own place', () => {
    expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Targets of the last 30 days',
      'Work',
      'Machines',
      'Health',
      'Money',
      'Temporal SDK',
    ]);
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const [index, panel] of panels.entries()) {
      expect(panel.gridPos.x + panel.gridPos.w).toBeLessThanOrEqual(24);
      expect(
        panels
          .slice(index + 1)
          .filter((other) => overlap(panel, other))
          .map(({ title }) => title),
      ).toEqual([]);
    }
    for (const { targets, title } of shown) expect(targets.length, title).toBeGreaterThan(0);
  });

  it('asks in PromQL that Prometheus understands', async () => {
    const directory = folderPerTest();
    const file = path.join(directory, 'panels.yml');
    const rules = shown.flatMap(({ id, targets }) =>
      targets.map(({ refId, expr }) => ({ record: `panel:${id}:${refId}`, expr: withoutVariables(expr) })),
    );
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    const verdict = await promtool(['check', 'rules', file]);
    expect(verdict, verdict.output).toMatchObject({ ok: true });
    expect(verdict.output).toContain(`${rules.length} rules found`);
  });

  it('shows metrics that there are, from the data source people choose', () => {
    const variables = new Set(dashboard.templating.list.map(({ name }) => name));
    for (const { title, targets } of shown) {
      for (const { expr, datasource } of targets) {
        expect(datasource.uid).toBe('${datasource}');
        const used = [...expr.matchAll(/\$(\w+)/gu)]
          .map((match) => match[1] ?? '')
          .filter((name) => !name.startsWith('__'));
        expect(
          used.filter((name) => !variables.has(name)),
          title,
        ).toEqual([]);
        const names = metricsIn(withoutVariables(expr));
        expect(names.length, expr).toBeGreaterThan(0);
        for (const name of names)
          expect(isForeign(name) || isMetricName(metricOf(name)), `${title}: ${name}`).toBe(true);
      }
    }
  });

  it('asks by labels that those metrics have, and shows those that its sums keep', () => {
    for (const { title, targets } of shown) {
      for (const { expr, legendFormat } of targets) {
        expect(strangeLabels(withoutVariables(expr), legendFormat), title).toEqual([]);
        if (!/\b(?:sum|min|max|avg|histogram_quantile)\b/u.test(expr)) continue;
        const kept = new Set(labelsGrouped(expr));
        expect(
          placeholdersIn(legendFormat).filter((label) => !kept.has(label)),
          title,
        ).toEqual([]);
      }
    }
    for (const { definition } of dashboard.templating.list) {
      if (definition === undefined) continue;
      const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/u.exec(definition) ?? [];
      expect(isMetricName(metric) && definitionOf(metric).labels.includes(label), definition).toBe(true);
    }
  });

  it('says the unit of every panel', () => {
    for (const { title, fieldConfig } of shown) expect(fieldConfig?.defaults.unit, title).toMatch(/\w/u);
  });

  it('rates only what counts, and takes quantiles only of histograms', () => {
    for (const { expr } of shown.flatMap(({ targets }) => targets)) {
      for (const match of expr.matchAll(/\b(?:rate|increase)\((\w+)/gu))
        expect(match[1]).toMatch(/_(total|bucket|sum|count)$/u);
      if (expr.includes('histogram_quantile')) expect(expr).toMatch(/by \(le\b/u);
    }
  });
});

function overlap({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}
