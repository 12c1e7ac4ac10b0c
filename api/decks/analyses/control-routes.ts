/** Routes that change a running analysis: pause, resume, priority, retry of one item. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteDeps } from '../../context.ts';
import { changePriority, holdRun, releaseRun, retryItem } from './control.ts';
import { analysisSummarySchema } from './schemas.ts';
import { summaryOf } from './status.ts';
import { createRoutes, idParam, json, jsonBody, problems, type Routes } from '../../http/routes.ts';

const summary = (description: string) => json(analysisSummarySchema, description);

const pauseRoute = createRoute({
  method: 'post',
  path: '/analyses/{id}/pause',
  summary: 'Pause an analysis: no more model calls are scheduled; those in flight finish and are stored.',
  request: { params: idParam },
  responses: {
    200: summary('It is paused already.'),
    202: summary('The run was asked to pause.'),
    ...problems(404, 409, 503),
  },
});

const resumeRoute = createRoute({
  method: 'post',
  path: '/analyses/{id}/resume',
  summary: 'Resume a paused analysis.',
  request: { params: idParam },
  responses: {
    200: summary('It is not paused.'),
    202: summary('The run was asked to resume.'),
    ...problems(404, 409, 503),
  },
});

const priorityRoute = createRoute({
  method: 'post',
  path: '/analyses/{id}/priority',
  summary: 'Change the priority, also of calls that are queued and have not started.',
  request: {
    params: idParam,
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .strictObject({ priority: z.int().min(1).max(5).openapi({ description: '1 (critical) … 5 (batch)' }) })
            .openapi('ChangePriority'),
        },
      },
    },
  },
  responses: {
    200: summary('It has this priority already.'),
    202: summary('The run was asked to change it.'),
    ...problems(400, 404, 409, 503),
  },
});

const retryBody = z
  .union([
    z.strictObject({ slide: z.int().min(1) }),
    z.strictObject({ question: z.string().min(1).max(100).openapi({ description: 'Slug or id of the question' }) }),
  ])
  .openapi('RetryItem');

const retryRoute = createRoute({
  method: 'post',
  path: '/analyses/{id}/retry',
  summary:
    'Retry what failed of one slide or question. For a finished analysis this starts a replay that fills only these gaps.',
  request: { params: idParam, body: jsonBody(retryBody) },
  responses: {
    202: summary(
      'The run was asked to retry it; or the replay of a finished analysis is started (`replayOf` names the analysis).',
    ),
    ...problems(400, 404, 409, 503),
  },
});

/** The routes. */
export function controlRoutes(deps: RouteDeps): Routes {
  const routes = createRoutes();

  routes.openapi(pauseRoute, async (c) => {
    const { analysis, asked } = await holdRun(deps, c.get('tenantId'), c.req.valid('param').id);
    return c.json(summaryOf(analysis), asked ? 202 : 200);
  });

  routes.openapi(resumeRoute, async (c) => {
    const { analysis, asked } = await releaseRun(deps, c.get('tenantId'), c.req.valid('param').id);
    return c.json(summaryOf(analysis), asked ? 202 : 200);
  });

  routes.openapi(priorityRoute, async (c) => {
    const { priority } = c.req.valid('json');
    const { analysis, asked } = await changePriority(deps, c.get('tenantId'), c.req.valid('param').id, priority);
    return c.json(summaryOf(analysis), asked ? 202 : 200);
  });

  routes.openapi(retryRoute, async (c) => {
    const analysis = await retryItem(
      { ...deps, log: c.get('log') },
      c.get('tenantId'),
      c.req.valid('param').id,
      c.req.valid('json'),
    );
    return c.json(summaryOf(analysis), 202);
  });

  return routes;
}
