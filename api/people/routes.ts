/** The route of people: names that a deck can be assigned to. */
import { group } from '../http/routes.ts';
import { type PersonDocument, listRoute } from './schemas.ts';

/** The routes of people. */
export const peopleRoutes = group(({ db }, routes) => {
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
});
