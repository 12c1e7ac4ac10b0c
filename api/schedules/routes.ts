/** Routes of schedules, for operators. */
import { askSchedule, backfillSchedule, listSchedules } from './schedules.ts';
import { group } from '../http/routes.ts';
import { listRoute, askRoute, backfillRoute } from './schemas.ts';

/** The routes of schedules. */
export const scheduleRoutes = group(({ temporal }, routes) => {
  routes.openapi(listRoute, async (c) => c.json({ items: await listSchedules(temporal) }, 200));
  // Before the other route, whose path matches any word.
  routes.openapi(backfillRoute, async (c) => {
    const { id } = c.req.valid('param');
    const asked = c.req.valid('json');
    const schedule = await backfillSchedule(temporal, id, asked, Date.now());
    c.get('log').info({ schedule: id, ...asked }, 'an operator asked for what was due on some days');
    return c.json(schedule, 200);
  });
  routes.openapi(askRoute, async (c) => {
    const { id, request } = c.req.valid('param');
    const schedule = await askSchedule(temporal, id, request, c.get('identity').name);
    c.get('log').info({ schedule: id, request }, 'an operator asked something of a schedule');
    return c.json(schedule, 200);
  });
});
