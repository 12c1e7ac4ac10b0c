/** Routes that change a running analysis: pause, resume, priority, retry of one item. */
import { changePriority, holdRun, releaseRun, retryItem } from './control.ts';
import { summaryOf } from './status.ts';
import { group } from '../../http/routes.ts';
import { pauseRoute, resumeRoute, priorityRoute, retryRoute } from './schemas.ts';

/** The routes. */
export const controlRoutes = group((deps, routes) => {
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
});
