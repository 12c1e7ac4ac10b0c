/** Routes of alerts and alert rules, for operators. */
import { API_PREFIX } from '../context.ts';
import { answerDocument } from '../pages/answer.ts';
import { formatOf } from '../pages/format.ts';
import { loadTargets } from '../targets/load.ts';
import { alertsDocument } from './document.ts';
import { addRule, editRule, findAlert, findRule, listAlerts, listRules } from './store.ts';
import { group } from '../http/routes.ts';
import { PAGE_FORMATS, listRoute, oneRoute, rulesRoute, ruleRoute, addRoute, editRoute } from './schemas.ts';

/** The routes of alerts. */
export const alertRoutes = group(({ db, config }, routes) => {
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
});
