/** Documents of the routes of alerts and their rules. */
import { z } from '@hono/zod-openapi';
import { ALERT_METRIC_NAMES, alertMetricOf, METRIC_UNITS } from '../../domain/metrics/catalogue.ts';
import { COMPARISONS, LARGEST_THRESHOLD, LONGEST_WINDOW_SEC, SEVERITIES } from '../../domain/alerts/rule.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { Alert, AlertCondition, AlertRule } from '../../generated/prisma/client.ts';
import { formatParam } from '../pages/format.ts';
import { documentOf, idParam, json, jsonBody, jsonOr, pageQuery, problems, route, texts } from '../http/definition.ts';

const time = z.iso.datetime();
const MAX_TEXT_CHARS = 1000;
/** A wait of more than a month is none. */
const LONGEST_WAIT_SEC = 31 * 24 * 3600;

export const alertSchema = z
  .object({
    id: z.string(),
    /** Id of its rule. */
    rule: z.string(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    /** What it is about, such as an instance; `*` for the installation. */
    subject: z.string(),
    message: z.string(),
    /** What to do about it. */
    advice: z.string(),
    /** When it was raised. */
    value: z.number(),
    /** At the last round; null when it is over or was raised by an event. */
    currentValue: z.number().nullable(),
    /** Of its values; null for a metric this version does not know. */
    unit: z.enum(METRIC_UNITS).nullable(),
    raisedAt: time,
    /** Null while it is open. */
    clearedAt: time.nullable(),
  })
  .openapi('Alert');
export type AlertDocument = z.infer<typeof alertSchema>;

export const alertPageSchema = z
  .object({
    items: z.array(alertSchema),
    nextCursor: z.string().nullable(),
    /** Open ones, also those on other pages. */
    open: z.int(),
    /** When the rules were last judged; null before their first round. */
    judgedAt: time.nullable(),
  })
  .openapi('AlertPage');
export type AlertPage = z.infer<typeof alertPageSchema>;

export const alertRuleSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    metric: z.string(),
    /** What the metric says; null for one this version does not know. */
    description: z.string().nullable(),
    unit: z.enum(METRIC_UNITS).nullable(),
    comparison: z.enum(COMPARISONS),
    raiseAt: z.number(),
    clearAt: z.number(),
    raiseForSec: z.int(),
    clearForSec: z.int(),
    /** Null where the metric is taken over none. */
    windowSec: z.int().nullable(),
    severity: z.enum(SEVERITIES),
    advice: z.string(),
    enabled: z.boolean(),
    /** An operator changed or made it: a new version of Deckhand leaves it as it is. */
    edited: z.boolean(),
    openAlerts: z.int(),
  })
  .openapi('AlertRule');
export type AlertRuleDocument = z.infer<typeof alertRuleSchema>;

export const alertRuleListSchema = z.object({ items: z.array(alertRuleSchema) }).openapi('AlertRuleList');

const readingSchema = z.object({
  subject: z.string(),
  value: z.number(),
  /** Since when the value has been beyond the threshold that would raise, or clear, an alert; null = it is not. */
  beyondSince: time.nullable(),
  alertId: z.string().nullable(),
  readAt: time,
});

export const alertRuleDetailsSchema = alertRuleSchema
  .extend({
    /** What the last round read, by subject. */
    readings: z.array(readingSchema),
  })
  .openapi('AlertRuleDetails');
export type AlertRuleDetails = z.infer<typeof alertRuleDetailsSchema>;

const thresholdSchema = z.number().min(-LARGEST_THRESHOLD).max(LARGEST_THRESHOLD);

/** What an operator can change of a rule. */
const editable = z.object({
  title: z.string().min(1).max(MAX_TEXT_CHARS),
  advice: z.string().max(MAX_TEXT_CHARS),
  comparison: z.enum(COMPARISONS),
  raiseAt: thresholdSchema,
  clearAt: thresholdSchema,
  raiseForSec: z.int().min(0).max(LONGEST_WAIT_SEC),
  clearForSec: z.int().min(0).max(LONGEST_WAIT_SEC),
  windowSec: z.int().min(1).max(LONGEST_WINDOW_SEC),
  severity: z.enum(SEVERITIES),
  enabled: z.boolean(),
});

export const ruleEditSchema = z.strictObject(editable.partial().shape).openapi('AlertRuleEdit');
export type RuleEdit = z.infer<typeof ruleEditSchema>;

/** A rule of the operator's own. */
export const newRuleSchema = z
  .strictObject({
    ...editable.partial().shape,
    id: z.string().regex(/^[a-z][a-z0-9-]{0,49}$/, 'must be up to 50 lower-case letters, digits and hyphens'),
    metric: z.enum(ALERT_METRIC_NAMES as [string, ...string[]]),
    title: editable.shape.title,
    raiseAt: editable.shape.raiseAt,
  })
  .openapi('NewAlertRule');
export type NewRule = z.infer<typeof newRuleSchema>;

/** The document of an alert. @param condition state of its rule for its subject; null when it is over */
export const alertDocument = (
  row: Alert & { readonly rule: Pick<AlertRule, 'metric'> },
  condition: Pick<AlertCondition, 'value'> | null,
): AlertDocument =>
  documentOf(alertSchema, {
    ...row,
    rule: row.ruleId,
    severity: severityOf(row.severity),
    currentValue: row.clearedAt === null ? (condition?.value ?? null) : null,
    unit: alertMetricOf(row.rule.metric)?.unit ?? null,
  });

/** The document of a rule. */
export function ruleDocument(row: AlertRule, openAlerts: number): AlertRuleDocument {
  const known = alertMetricOf(row.metric);
  return documentOf(alertRuleSchema, {
    ...row,
    description: known?.help ?? null,
    unit: known?.unit ?? null,
    comparison: row.comparison === 'below' ? 'below' : 'above',
    windowSec: known === undefined || known.alert.windowSec === null ? null : row.windowSec,
    severity: severityOf(row.severity),
    edited: row.updatedAt.getTime() !== row.createdAt.getTime(),
    openAlerts,
  });
}

/** With what the last round read. */
export const ruleDetails = (
  row: AlertRule & { readonly conditions: readonly AlertCondition[] },
  openAlerts: number,
): AlertRuleDetails => ({
  ...ruleDocument(row, openAlerts),
  readings: row.conditions.map((each) => documentOf(readingSchema, { ...each, readAt: each.seenAt })),
});

const severityOf = (text: string): AlertDocument['severity'] => memberOf(SEVERITIES, text) ?? 'warning';

export const PAGE_FORMATS = ['json', 'html'] as const;

export const listRoute = route('get', '/alerts', {
  summary: 'Open alerts, newest first; with `all` also those that are over, which are kept for 180 days.',
  request: {
    query: pageQuery.extend({
      /** Also those that are over. */
      all: z.stringbool().default(false).openapi({ type: 'boolean' }),
      format: formatParam(PAGE_FORMATS),
    }),
  },
  responses: {
    200: jsonOr(
      alertPageSchema,
      'One page; as HTML with the targets of the last 30 days, for people.',
      texts('text/html'),
    ),
    ...problems(400),
  },
});

export const oneRoute = route('get', '/alerts/{id}', {
  summary: 'One alert, open or over.',
  request: { params: idParam },
  responses: { 200: json(alertSchema, 'The alert.'), ...problems(400, 404) },
});

export const rulesRoute = route('get', '/alert-rules', {
  summary: 'The rules by which alerts are raised and cleared.',
  responses: { 200: json(alertRuleListSchema, 'All of them.') },
});

export const ruleRoute = route('get', '/alert-rules/{id}', {
  summary: 'One rule with what its last round read.',
  request: { params: idParam },
  responses: { 200: json(alertRuleDetailsSchema, 'The rule.'), ...problems(400, 404) },
});

export const addRoute = route('post', '/alert-rules', {
  summary: 'Add a rule. Defaults: above, a warning, without waits, cleared where it is raised.',
  request: { body: jsonBody(newRuleSchema) },
  responses: { 201: json(alertRuleDetailsSchema, 'It is added.'), ...problems(400, 409) },
});

export const editRoute = route('patch', '/alert-rules/{id}', {
  summary: 'Change a rule, or switch it off. The change applies from the next round.',
  request: { params: idParam, body: jsonBody(ruleEditSchema) },
  responses: { 200: json(alertRuleDetailsSchema, 'It is changed.'), ...problems(400, 404) },
});
