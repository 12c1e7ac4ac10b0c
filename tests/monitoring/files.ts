/** The files in monitoring/ as tests read them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Where they are. */
export const MONITORING_DIR = path.resolve(import.meta.dirname, '../../monitoring');

export const RULES_FILE = path.join(MONITORING_DIR, 'deckhand.rules.yml');
export const RULES_TEST_FILE = path.join(MONITORING_DIR, 'deckhand.rules.test.yml');
export const CONFIG_FILE = path.join(MONITORING_DIR, 'prometheus.yml');

const targetSchema = z.object({
  refId: z.string(),
  expr: z.string(),
  legendFormat: z.string(),
  datasource: z.object({ uid: z.string() }),
});
const panelSchema = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string().min(1),
  gridPos: z.object({ h: z.int(), w: z.int(), x: z.int().min(0), y: z.int().min(0) }),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().optional() }) }).optional(),
  targets: z.array(targetSchema).default([]),
});
const dashboardSchema = z.object({
  uid: z.string().min(1),
  title: z.string().min(1),
  templating: z.object({ list: z.array(z.object({ name: z.string(), definition: z.string().optional() })) }),
  panels: z.array(panelSchema).min(1),
});
export type Dashboard = z.infer<typeof dashboardSchema>;
export type Panel = Dashboard['panels'][number];

/** The dashboard. */
export const readDashboard = (): Dashboard =>
  dashboardSchema.parse(JSON.parse(readFileSync(path.join(MONITORING_DIR, 'grafana', 'deckhand.json'), 'utf8')));

/** Expressions of the alert rules. */
export function readRules(): { readonly alert: string; readonly expr: string }[] {
  const text = readFileSync(RULES_FILE, 'utf8');
  return [...text.matchAll(/- alert: (\w+)\n +expr: '(.*)'\n/gu)].map(([, alert = '', expr = '']) => ({
    alert,
    expr: expr.replaceAll("''", "'"),
  }));
}

/** An expression without what only Grafana knows. */
export const withoutVariables = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/gu, '.*');

/** Words of PromQL that stand where a metric could. */
const WORDS = new Set([
  'and',
  'or',
  'unless',
  'on',
  'ignoring',
  'by',
  'without',
  'bool',
  'offset',
  'group_left',
  'group_right',
]);

/** Labels that an expression names of a metric: those it selects by. */
export function labelsSelected(expr: string): { readonly metric: string; readonly labels: readonly string[] }[] {
  return [...expr.matchAll(/([A-Za-z_:][\w:]*)\{([^}]*)\}/gu)].map(([, metric = '', inner = '']) => ({
    metric,
    labels: [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/gu)].map((match) => match[1] ?? ''),
  }));
}

/** Labels that an expression groups by. */
export const labelsGrouped = (expr: string): string[] =>
  [...expr.matchAll(/\bby\s*\(([^)]*)\)/gu)].flatMap(([, inner = '']) =>
    inner
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );

/** Names of the metrics in an expression: what is neither a function, nor a word, nor within labels, ranges or quotes. */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/gu, '')
    .replaceAll(/\{[^}]*\}/gu, ' ')
    .replaceAll(/\[[^\]]*\]/gu, ' ')
    .replaceAll(/\boffset\s+\w+/gu, ' ')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/gu, ' ');
  return [...bare.matchAll(/[A-Za-z_:][\w:]*(?!\w*\s*\()/gu)].map((m) => m[0]).filter((name) => !WORDS.has(name));
}
