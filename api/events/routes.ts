/** The event stream of a tenant (server-sent events): what changes in the deck list, and how far running reviews are. */
import { sendEvents } from '../http/event-stream.ts';
import { group } from '../http/routes.ts';
import { eventsRoute } from './schemas.ts';

/** The route of the event stream. */
export const workspaceEventRoutes = group(({ tenantFeeds, identityWatch }, routes) => {
  routes.openapi(eventsRoute, (c) => {
    const tenantId = c.get('tenantId');
    const after = c.req.valid('header')['last-event-id'] ?? c.req.valid('query').after ?? null;
    return sendEvents(c, identityWatch, { tenantId }, (signal) => tenantFeeds.listen(tenantId, after, signal));
  });
});
