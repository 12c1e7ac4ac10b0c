/**
 * `/journal`: what happened to instances and volumes, newest first. An event without an actor is the provider's own doing.
 */
import { Hono } from 'hono';
import type { JournalEvent } from '../../core/state.ts';
import type { Env } from '../account.ts';
import { isoTime, pageOf } from '../body.ts';

const payload = (event: JournalEvent): Record<string, unknown> => ({
  id: event.id,
  object_id: event.objectId,
  object_type: event.objectType,
  action_code: event.action,
  actor_id: event.actor,
  actor_email: null,
  project_id: 'simulated',
  timestamp: isoTime(event.atMs),
  location_code: event.location,
  ...(event.actor === null ? {} : { request_origin: 'public-api-v1' }),
  properties: event.properties,
});

export const journalRoutes = new Hono<Env>().on('GET', ['/journal', '/journal/:type{compute|volume}/:id'], (c) => {
  const query = c.req.query();
  const objectId = c.req.param('id') ?? query['compute_id'] ?? query['volume_id'];
  const type = c.req.param('type') ?? query['object_type'];
  const nowMs = c.env.sim.cloud.clock.nowMs();
  const events = c.env.sim.cloud.state.journal.filter(
    (e) =>
      e.atMs <= nowMs &&
      (objectId === undefined || e.objectId === objectId) &&
      (type === undefined || e.objectType === type) &&
      (query['action_code'] === undefined || e.action === query['action_code']),
  );
  return pageOf(c, events.toReversed(), payload);
});
