/** Routes of alerts, for operators: what is wrong now and what was, and the rules by which it is found. */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { idParam } from '../decks/schemas.ts';
import { json } from '../http/json-answer.ts';
import { pageQuery } from '../http/paging.ts';
import { problems } from '../http/problem.ts';
import { createRoutes } from '../http/validated.ts';
import {
  alertPageSchema,
  alertRuleDetailsSchema,
  alertRuleListSchema,
  alertSchema,
  newRuleSchema,
  ruleEditSchema,
} from './schemas.ts';
import { addRule, editRule, findAlert, findRule, listAlerts, listRules } from './store.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/alerts',
  summary: 'Open alerts, newest first; with `all` also those that are over, which are kept for 180 days.',
  request: {
    query: pageQuery.extend({
      /** Also those that are over. */
      all: z.stringbool().default(false).openapi({ type: 'boolean' }),
    }),
  },
  responses: { 200: json(alertPageSchema, 'One page.'), ...problems(400) },
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
  summary:
    'Add a rule. What is left out is as in most rules: above, a warning, without waits, cleared where it is raised.',
  request: { body: { required: true, content: { 'application/json': { schema: newRuleSchema } } } },
  responses: { 201: json(alertRuleDetailsSchema, 'It is added.'), ...problems(400, 409) },
});

const editRoute = createRoute({
  method: 'patch',
  path: '/alert-rules/{id}',
  summary: 'Change a rule, or switch it off. It counts from the next round.',
  request: { params: idParam, body: { required: true, content: { 'application/json': { schema: ruleEditSchema } } } },
  responses: { 200: json(alertRuleDetailsSchema, 'It is changed.'), ...problems(400, 404) },
});

/** The routes of alerts. */
export function alertRoutes({ db }: RouteDeps): OpenAPIHono<ApiEnv> {
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => c.json(await listAlerts(db, c.req.valid('query')), 200));
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
