/**
 * The event stream of an analysis (server-sent events): `stage`, `progress`, `gap` and, at the end, `finished`.
 *
 * The stream starts with the present state, so a client that reconnects needs no Last-Event-ID.
 */
import { sendEvents } from '../../http/event-stream.ts';
import { eventText } from '../../http/event-text.ts';
import { findAnalysis } from './status.ts';
import { group } from '../../http/routes.ts';
import { eventsRoute } from './schemas.ts';

/** The route of the event stream. */
export const eventRoutes = group(({ db, feeds, identityWatch }, routes) => {
  routes.openapi(eventsRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id } = await findAnalysis(db, tenantId, c.req.valid('param').id);
    return sendEvents(c, identityWatch, { analysisId: id }, async function* (signal) {
      let sequence = 0;
      for await (const event of feeds.listen(tenantId, id, signal)) {
        sequence += 1;
        yield eventText(event.type, event.data, String(sequence));
      }
    });
  });
});
