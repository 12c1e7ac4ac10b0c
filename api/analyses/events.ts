/**
 * The event stream of an analysis (server-sent events): `stage`, `progress`, `gap` and, at the end, `finished`.
 *
 * The stream starts with what is known, so a client that reconnects, with whatever Last-Event-ID, misses nothing that matters.
 */
import { createRoute, z } from '@hono/zod-openapi';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import type { ApiEnv, RouteDeps } from '../context.ts';
import { idParam } from '../decks/schemas.ts';
import { problems } from '../http/problem.ts';
import { createRoutes } from '../http/validated.ts';
import { findAnalysis } from './status.ts';

/** Proxies and clients give up on connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** What a client is told to wait before it reconnects. */
const RECONNECT_MS = 2000;

const eventsRoute = createRoute({
  method: 'get',
  path: '/analyses/{id}/events',
  summary: 'Follow an analysis: events stage, progress, gap, finished.',
  request: { params: idParam },
  responses: {
    200: {
      description: 'Events until the analysis is finished. `progress` and `finished` carry an AnalysisStatus.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...problems(404),
  },
});

/** The route of the event stream. */
export function eventRoutes({ db, feeds }: RouteDeps): OpenAPIHono<ApiEnv> {
  const routes = createRoutes();
  // Described here, handled by hand: a stream has no typed body.
  routes.openAPIRegistry.registerPath(eventsRoute);
  routes.get('/analyses/:id/events', async (c) => {
    const tenantId = c.get('tenantId');
    const { id } = await findAnalysis(db, tenantId, c.req.param('id'));
    const log = c.get('log');
    return streamSSE(
      c,
      async (stream) => {
        const gone = new AbortController();
        stream.onAbort(() => gone.abort());
        await stream.write(`retry: ${RECONNECT_MS}\n\n`);
        const heartbeat = setInterval(() => void stream.write(': heartbeat\n\n'), HEARTBEAT_MS);
        try {
          let sequence = 0;
          for await (const event of feeds.listen(tenantId, id, gone.signal)) {
            sequence += 1;
            await stream.writeSSE({ event: event.type, id: String(sequence), data: JSON.stringify(event.data) });
          }
        } finally {
          clearInterval(heartbeat);
        }
      },
      async (error) => log.warn({ err: error, analysisId: id }, 'the event stream broke'),
    );
  });
  return routes;
}
