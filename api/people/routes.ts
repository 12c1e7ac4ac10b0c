/** The route of people: names that a deck can be assigned to. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteDeps } from '../context.ts';
import { createRoutes, json, type Routes } from '../http/routes.ts';

export const peopleSchema = z.object({ items: z.array(z.object({ name: z.string() })) }).openapi('People');
export type PersonDocument = z.infer<typeof peopleSchema>['items'][number];

const listRoute = createRoute({
  method: 'get',
  path: '/people',
  summary: 'Names of people: of the keys that are valid, of those who said something, and of those who were assigned.',
  responses: { 200: json(peopleSchema, 'All of them, in alphabetical order.') },
});

/** The routes of people. */
export function peopleRoutes({ db }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(listRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const items = await db.$queryRaw<PersonDocument[]>`
      SELECT "name" FROM (
        SELECT k."name" FROM "ApiKey" k WHERE k."tenantId" = ${tenantId} AND k."revokedAt" IS NULL
        UNION
        SELECT v."authorName" FROM "HumanVerdict" v WHERE v."tenantId" = ${tenantId}
        UNION
        SELECT v."text" FROM "HumanVerdict" v
        WHERE v."tenantId" = ${tenantId} AND v."kind" = 'assignee' AND v."text" IS NOT NULL
      ) people ORDER BY lower("name"), "name"`;
    return c.json({ items }, 200);
  });
  return routes;
}
