/** Alerts and their rules as a person reads them in a terminal. */
import type { AlertDocument, AlertPage, AlertRuleDetails, AlertRuleDocument } from '../../api/client.ts';
import type { MetricUnit } from '../../domain/alerts/metrics.ts';
import { clearWords, raiseWords, spanWords, valueWords } from '../../domain/alerts/words.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { TableStyle } from '../fleet/fleet-table.ts';
import { clean } from '../terminal-text.ts';

const INDENT = '  ';
const BAR_CELLS = 20;

type Severity = AlertDocument['severity'];

const COLOURS: Readonly<Record<Severity, number>> = { critical: 31, warning: 33, info: 36 };

const paint = (text: string, code: number, { colours }: TableStyle): string =>
  colours ? `\u001B[${code}m${text}\u001B[${code < 10 ? 22 : 39}m` : text;
const bold = (text: string, style: TableStyle): string => paint(text, 1, style);
const dim = (text: string, style: TableStyle): string => paint(text, 2, style);

/** A unit as this version knows it; a number by itself otherwise. */
const unitOf = (unit: string | null): MetricUnit => (unit ?? 'count') as MetricUnit;

/** A page of alerts, without a trailing newline. */
export function renderAlerts(page: AlertPage, all: boolean, nowMs: number, style: TableStyle): string {
  const foot = dim(judgedWords(page.judgedAt, nowMs), style);
  if (page.items.length === 0) return `${all ? 'There were no alerts.' : 'There is no open alert.'}\n${foot}`;
  const more =
    page.nextCursor === null ? [] : [dim('There are more: --json gives a cursor, --limit up to 200.', style)];
  return [...page.items.map((alert) => renderAlert(alert, nowMs, style)), ...more, foot].join('\n\n');
}

function judgedWords(judgedAt: string | null, nowMs: number): string {
  if (judgedAt === null) return 'The rules have not been judged yet.';
  return `The rules were last judged ${durationWords(nowMs - Date.parse(judgedAt))} ago.`;
}

/** One alert: how bad, for how long, what, and what to do. */
export function renderAlert(alert: AlertDocument, nowMs: number, style: TableStyle): string {
  const { severity, title, rule, subject, message, advice, raisedAt, clearedAt, id } = alert;
  const since = Date.parse(raisedAt);
  const age =
    clearedAt === null
      ? `open for ${durationWords(nowMs - since)}`
      : `over after ${durationWords(Date.parse(clearedAt) - since)}, ${durationWords(nowMs - Date.parse(clearedAt))} ago`;
  const about = subject === '*' ? '' : ` · ${clean(subject)}`;
  const head = `${paint(severity, COLOURS[severity], style)}  ${bold(title, style)}${about} · ${age}`;
  const todo = clearedAt === null && advice !== '' ? [`${INDENT}→ ${advice}`] : [];
  return [head, `${INDENT}${clean(message)}${nowWords(alert)}`, ...todo, dim(`${INDENT}${rule} · ${id}`, style)].join(
    '\n',
  );
}

function nowWords({ currentValue, value, unit }: AlertDocument): string {
  if (currentValue === null || currentValue === value || unit === null) return '';
  return ` Now: ${valueWords(currentValue, unitOf(unit))}.`;
}

const COLUMNS = ['RULE', 'SEVERITY', 'RAISED AT', 'CLEARED AT', 'OPEN'] as const;

/** Every rule in a line, without a trailing newline. */
export function renderRules(rules: readonly AlertRuleDocument[], style: TableStyle): string {
  const rows = rules.map((rule) => [
    rule.id,
    rule.enabled ? rule.severity : 'off',
    raiseWords(rule, unitOf(rule.unit)),
    clearWords(rule, unitOf(rule.unit)),
    rule.openAlerts === 0 ? '–' : String(rule.openAlerts),
  ]);
  const widths = COLUMNS.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string[] => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const lines = rows.map((row, index) => {
    const rule = rules[index];
    const cells = line(row);
    const [name = '', severity = '', ...others] = cells;
    const code = rule?.enabled === true ? COLOURS[rule.severity] : 2;
    const edited = rule?.edited === true ? dim('  edited', style) : '';
    return `${[name, paint(severity, code, style), ...others].join('  ').trimEnd()}${edited}`;
  });
  return [dim(line(COLUMNS).join('  ').trimEnd(), style), ...lines].join('\n');
}

/** One rule with what its last round read, each value against the threshold. */
export function renderRule(rule: AlertRuleDetails, style: TableStyle): string {
  const unit = unitOf(rule.unit);
  const window = rule.windowSec === null ? '' : `, over ${spanWords(rule.windowSec)}`;
  const state = rule.enabled ? paint(rule.severity, COLOURS[rule.severity], style) : dim('off', style);
  const head = [
    `${bold(rule.id, style)}  ${state}  ${rule.title}`,
    `${INDENT}${rule.metric}: ${rule.description ?? 'not known to this version'}${window}`,
    `${INDENT}raised at ${raiseWords(rule, unit)}, cleared at ${clearWords(rule, unit)}`,
    `${INDENT}→ ${rule.advice}`,
  ];
  if (rule.readings.length === 0)
    return [...head, dim(`${INDENT}The last round read nothing for it.`, style)].join('\n');
  const width = Math.max(...rule.readings.map(({ subject }) => clean(subject).length));
  const lines = rule.readings.map(({ subject, value, alertId }) => {
    const bar = barOf(value, rule);
    const open = alertId === null ? '' : paint('  alert', COLOURS[rule.severity], style);
    return `${INDENT}${clean(subject).padEnd(width)}  ${bar}  ${valueWords(value, unit)}${open}`;
  });
  return [...head, '', ...lines].join('\n');
}

/** How near a value is to the threshold that raises: a full bar is there or beyond. */
function barOf(value: number, { comparison, raiseAt }: Pick<AlertRuleDetails, 'comparison' | 'raiseAt'>): string {
  const share = comparison === 'above' ? ratio(value, raiseAt) : ratio(raiseAt, value);
  const filled = Math.round(share * BAR_CELLS);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}`;
}

function ratio(part: number, whole: number): number {
  if (whole <= 0) return part >= whole ? 1 : 0;
  return Math.min(1, Math.max(0, part / whole));
}
