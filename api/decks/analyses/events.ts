/**
 * The event stream of an analysis (server-sent events): `stage`, `progress`, `gap` and, at the end, `finished`.
 *
 * The stream starts with the present state, so a client that reconnects needs no Last-Event-ID.
 */
import { createRoute, z } from '@hono/zod-openapi';
import { streamSSE } from 'hono/streaming';
import { pause } from '../../../platform/pause.ts';
import type { RouteDeps } from '../../context.ts';
import type { Identity } from '../../auth/identity.ts';
import { stillHolds } from '../../auth/identity.ts';
import { findAnalysis } from './status.ts';
import { createRoutes, idParam, problems, type Routes } from '../../http/routes.ts';

/** Proxies and clients give up on connections that are silent for longer. */
const HEARTBEAT_MS = 15_000;
/** Time between two checks of the key: a stream outlives the first one. */
const KEY_LOOK_MS = 2000;
/** Time that a client should wait before it reconnects. */
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

/** Waits until an identity is no longer valid, such as that of a revoked key, or until the signal aborts. */
async function untilRefused(db: RouteDeps['db'], identity: Identity, signal: AbortSignal): Promise<void> {
  do await pause(KEY_LOOK_MS, signal);
  while (!signal.aborted && (await stillHolds(db, identity)));
}

/** The route of the event stream. */
export function eventRoutes({ db, feeds }: RouteDeps): Routes {
  const routes = createRoutes();
  routes.openapi(eventsRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id } = await findAnalysis(db, tenantId, c.req.valid('param').id);
    const log = c.get('log');
    const identity = c.get('identity');
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      await stream.write(`retry: ${RECONNECT_MS}\n\n`);
      const cannotContinue = (error: unknown): void =>
        log.warn({ err: error, analysisId: id }, 'the event stream cannot continue');
      void untilRefused(db, identity, gone.signal)
        .catch(cannotContinue)
        .finally(() => gone.abort());
      const heartbeat = setInterval(() => {
        stream.write(': heartbeat\n\n').catch((error: unknown) => {
          cannotContinue(error);
          gone.abort();
        });
      }, HEARTBEAT_MS);
      try {
        let sequence = 0;
        for await (const event of feeds.listen(tenantId, id, gone.signal)) {
          // Queued events of a slow client are dropped.
          if (gone.signal.aborted) break;
          sequence += 1;
          await stream.writeSSE({ event: event.type, id: String(sequence), data: JSON.stringify(event.data) });
        }
      } catch (error) {
        // Not thrown: the framework would send the client an internal message.
        log.warn({ err: error, analysisId: id }, 'the event stream broke');
      } finally {
        clearInterval(heartbeat);
        gone.abort();
      }
    });
  });
  return routes;
}
