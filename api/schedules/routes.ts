/** Routes of schedules, for operators. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import { backfillSchema, scheduleListSchema, scheduleRequestSchema, scheduleSchema } from './schemas.ts';
import { askSchedule, backfillSchedule, listSchedules } from './schedules.ts';
import { createRoutes, json, jsonBody, pathId, problems, type Routes } from '../http/routes.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/schedules',
  summary: 'All schedules: next times, last results, missed runs.',
  responses: { 200: json(scheduleListSchema, 'All of them, by id.'), ...problems(503) },
});

const askRoute = createRoute({
  method: 'post',
  path: '/schedules/{id}/{request}',
  summary: 'Trigger (once, now), pause or resume a schedule.',
  description: 'A paused schedule stays paused until it is resumed, also over restarts.',
  request: { params: z.object({ id: pathId, request: scheduleRequestSchema }) },
  responses: { 200: json(scheduleSchema, 'How it is now.'), ...problems(400, 404, 503) },
});

const backfillRoute = createRoute({
  method: 'post',
  path: '/schedules/{id}/backfill',
  summary: 'Run what was due on some days; each report covers its own period.',
  request: {
    params: z.object({ id: pathId }),
    body: jsonBody(backfillSchema),
  },
  responses: {
    200: json(scheduleSchema, 'The backfill has begun. The schedule as it is now.'),
    ...problems(400, 404, 503),
  },
});

/** The routes of schedules. */
export function scheduleRoutes({ temporal }: RouteDeps): Routes {
  const routes = createRoutes();
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
  return routes;
}
