/** Alerts and their rules as a person reads them in a terminal. */
import type { AlertDocument, AlertPage, AlertRuleDetails, AlertRuleDocument } from '../../api/client.ts';
import { judgedWords, clearWords, raiseWords, spanWords, valueWords } from '../../domain/alerts/words.ts';
import { durationWords } from '../../domain/text/words.ts';
import { bar, clean, paint, painter, type TerminalStyle, type TextFormat } from '../terminal/style.ts';
import { table, tableLines } from '../terminal/table.ts';

const INDENT = '  ';
const BAR_CELLS = 20;

type Severity = AlertDocument['severity'];

const COLOURS: Readonly<Record<Severity, TextFormat>> = { critical: 'red', warning: 'yellow', info: 'cyan' };

/** A page of alerts, without a trailing newline. */
export function renderAlerts(page: AlertPage, all: boolean, nowMs: number, style: TerminalStyle): string {
  const { dim } = painter(style);
  const foot = dim(judgedWords(page.judgedAt, nowMs));
  if (page.items.length === 0) return `${all ? 'There were no alerts.' : 'There is no open alert.'}\n${foot}`;
  const more = page.nextCursor === null ? [] : [dim('There are more: --json gives a cursor, --limit up to 200.')];
  return [...page.items.map((alert) => renderAlert(alert, nowMs, style)), ...more, foot].join('\n\n');
}

/** One alert: how bad, for how long, what, and what to do. */
export function renderAlert(alert: AlertDocument, nowMs: number, style: TerminalStyle): string {
  const { severity, title, rule, subject, message, advice, raisedAt, clearedAt, id } = alert;
  const { bold, dim } = painter(style);
  const since = Date.parse(raisedAt);
  const age =
    clearedAt === null
      ? `open for ${durationWords(nowMs - since)}`
      : `over after ${durationWords(Date.parse(clearedAt) - since)}, ${durationWords(nowMs - Date.parse(clearedAt))} ago`;
  const about = subject === '*' ? '' : ` · ${clean(subject)}`;
  const head = `${paint(severity, COLOURS[severity], style)}  ${bold(title)}${about} · ${age}`;
  const todo = clearedAt === null && advice !== '' ? [`${INDENT}→ ${advice}`] : [];
  return [head, `${INDENT}${clean(message)}${nowWords(alert)}`, ...todo, dim(`${INDENT}${rule} · ${id}`)].join('\n');
}

function nowWords({ currentValue, value, unit }: AlertDocument): string {
  if (currentValue === null || currentValue === value || unit === null) return '';
  return ` Now: ${valueWords(currentValue, unit ?? 'count')}.`;
}

/** Every rule in a line, without a trailing newline. */
export function renderRules(rules: readonly AlertRuleDocument[], style: TerminalStyle): string {
  const rows = rules.map((rule) => [
    rule.id,
    paint(rule.enabled ? rule.severity : 'off', rule.enabled ? COLOURS[rule.severity] : 'dim', style),
    raiseWords(rule, rule.unit ?? 'count'),
    clearWords(rule, rule.unit ?? 'count'),
    rule.openAlerts === 0 ? '–' : String(rule.openAlerts),
    rule.edited ? paint('edited', 'dim', style) : '',
  ]);
  return table(rows, { head: ['RULE', 'SEVERITY', 'RAISED AT', 'CLEARED AT', 'OPEN', ''], style });
}

/** One rule with what its last round read, each value against the threshold. */
export function renderRule(rule: AlertRuleDetails, style: TerminalStyle): string {
  const { bold, dim } = painter(style);
  const unit = rule.unit ?? 'count';
  const window = rule.windowSec === null ? '' : `, over ${spanWords(rule.windowSec)}`;
  const state = rule.enabled ? paint(rule.severity, COLOURS[rule.severity], style) : dim('off');
  const head = [
    `${bold(rule.id)}  ${state}  ${rule.title}`,
    `${INDENT}${rule.metric}: ${rule.description ?? 'not known to this version'}${window}`,
    `${INDENT}raised at ${raiseWords(rule, unit)}, cleared at ${clearWords(rule, unit)}`,
    `${INDENT}→ ${rule.advice}`,
  ];
  if (rule.readings.length === 0) return [...head, dim(`${INDENT}The last round read nothing for it.`)].join('\n');
  const rows = rule.readings.map(({ subject, value, alertId }) => [
    clean(subject),
    bar(nearness(value, rule), BAR_CELLS),
    valueWords(value, unit),
    alertId === null ? '' : paint('alert', COLOURS[rule.severity], style),
  ]);
  return [...head, '', ...tableLines(rows, { indent: INDENT })].join('\n');
}

/** How near a value is to the threshold that raises the alert; 1 = there or beyond. */
function nearness(value: number, { comparison, raiseAt }: Pick<AlertRuleDetails, 'comparison' | 'raiseAt'>): number {
  return comparison === 'above' ? ratio(value, raiseAt) : ratio(raiseAt, value);
}

function ratio(part: number, whole: number): number {
  if (whole <= 0) return part >= whole ? 1 : 0;
  return Math.min(1, Math.max(0, part / whole));
}
