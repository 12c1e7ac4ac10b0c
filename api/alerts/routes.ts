/** Routes of alerts and alert rules, for operators. */
import { createRoute, z } from '@hono/zod-openapi';
import { API_PREFIX } from '../context.ts';
import type { RouteDeps } from '../context.ts';
import { pageQuery } from '../http/paging.ts';
import { answerDocument, formatOf, formatParam } from '../pages/format.ts';
import { loadTargets } from '../targets/load.ts';
import { alertsDocument } from './document.ts';
import {
  alertPageSchema,
  alertRuleDetailsSchema,
  alertRuleListSchema,
  alertSchema,
  newRuleSchema,
  ruleEditSchema,
} from './schemas.ts';
import { addRule, editRule, findAlert, findRule, listAlerts, listRules } from './store.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../http/routes.ts';

const PAGE_FORMATS = ['json', 'html'] as const;

const listRoute = createRoute({
  method: 'get',
  path: '/alerts',
  summary: 'Open alerts, newest first; with `all` also those that are over, which are kept for 180 days.',
  request: {
    query: pageQuery.extend({
      /** Also those that are over. */
      all: z.stringbool().default(false).openapi({ type: 'boolean' }),
      format: formatParam(PAGE_FORMATS),
    }),
  },
  responses: {
    200: {
      description: 'One page; as HTML with the targets of the last 30 days, for people.',
      content: { 'application/json': { schema: alertPageSchema }, 'text/html': { schema: z.string() } },
    },
    ...problems(400),
  },
});

const oneRoute = createRoute({
  method: 'get',
  path: '/alerts/{id}',
  summary: 'One alert, open or over.',
  request: { params: idParam },
  responses: { 200: json(alertSchema, 'The alert.'), ...problems(400, 404) },
});

const rulesRoute = createRoute({
  method: 'get',
  path: '/alert-rules',
  summary: 'The rules by which alerts are raised and cleared.',
  responses: { 200: json(alertRuleListSchema, 'All of them.') },
});

const ruleRoute = createRoute({
  method: 'get',
  path: '/alert-rules/{id}',
  summary: 'One rule with what its last round read.',
  request: { params: idParam },
  responses: { 200: json(alertRuleDetailsSchema, 'The rule.'), ...problems(400, 404) },
});

const addRoute = createRoute({
  method: 'post',
  path: '/alert-rules',
  summary: 'Add a rule. Defaults: above, a warning, without waits, cleared where it is raised.',
  request: { body: jsonBody(newRuleSchema) },
  responses: { 201: json(alertRuleDetailsSchema, 'It is added.'), ...problems(400, 409) },
});

const editRoute = createRoute({
  method: 'patch',
  path: '/alert-rules/{id}',
  summary: 'Change a rule, or switch it off. The change applies from the next round.',
  request: { params: idParam, body: jsonBody(ruleEditSchema) },
  responses: { 200: json(alertRuleDetailsSchema, 'It is changed.'), ...problems(400, 404) },
});

/** The routes of alerts. */
export function alertRoutes({ db, config }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => {
    const { format, ...query } = c.req.valid('query');
    const alerts = await listAlerts(db, query);
    if (formatOf(c, format, PAGE_FORMATS) === 'json') return c.json(alerts, 200);
    const now = new Date();
    const { all, limit } = query;
    const hrefOf = (asked: Record<string, string>): string =>
      `${API_PREFIX}/alerts?${String(new URLSearchParams({ format: 'html', limit: String(limit), ...asked }))}`;
    const { nextCursor } = alerts;
    const view = {
      alerts,
      all,
      targets: await loadTargets({ db, config }, {}, now),
      nowMs: now.getTime(),
      otherHref: hrefOf({ all: String(!all) }),
      nextHref: nextCursor === null ? null : hrefOf({ all: String(all), cursor: nextCursor }),
    };
    return answerDocument(c, alertsDocument(view), 'html');
  });
  routes.openapi(oneRoute, async (c) => c.json(await findAlert(db, c.req.valid('param').id), 200));
  routes.openapi(rulesRoute, async (c) => c.json({ items: await listRules(db) }, 200));
  routes.openapi(ruleRoute, async (c) => c.json(await findRule(db, c.req.valid('param').id), 200));
  routes.openapi(addRoute, async (c) => {
    const rule = await addRule(db, c.req.valid('json'), new Date());
    c.get('log').info({ rule: rule.id, by: c.get('identity').keyId }, 'alert rule added');
    return c.json(rule, 201);
  });
  routes.openapi(editRoute, async (c) => {
    const edit = c.req.valid('json');
    const rule = await editRule(db, c.req.valid('param').id, edit, new Date());
    c.get('log').info({ rule: rule.id, edit, by: c.get('identity').keyId }, 'alert rule changed');
    return c.json(rule, 200);
  });
  return routes;
}
