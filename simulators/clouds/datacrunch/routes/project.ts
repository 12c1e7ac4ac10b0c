/**
 * The project's SSH keys (under two paths), startup scripts (in pages, newest first), tags and `/journal`: events of instances and volumes, newest
 * first. An event without an actor was caused by the provider itself.
 */
import { Hono, type Context } from 'hono';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { drawUuid } from '../../core/random.ts';
import type { JournalEvent } from '../../core/state.ts';
import { volumeOf } from '../../core/volumes.ts';
import type { AccountKey, AccountScript, Env, Simulation } from '../account.ts';
import { isoTime, oneOrMany, optional, parseBody, pageOf, idAnswer, tagInput } from '../body.ts';
import { ApiError } from '../errors.ts';
import { publicKey } from '../fields.ts';
import { clusterOf, machineOf } from '../lookup.ts';
import { addTag, removeTag } from '../tags.ts';

const keySchema = z.object({ name: z.string().min(1), key: publicKey });
const scriptSchema = z.object({
  name: z.string().min(1),
  script: z.string().min(1),
  ssh_key_ids: optional(z.unknown()),
});

/** MD5 of the key's blob as colon-separated hex: OpenSSH's old form of a fingerprint. */
function fingerprint(publicKey: string): string | null {
  const blob = publicKey.split(' ')[1];
  if (blob === undefined) return null;
  const hex = createHash('md5').update(Buffer.from(blob, 'base64')).digest('hex');
  return hex.match(/../gu)?.join(':') ?? null;
}

const keyPayload = (key: AccountKey): Record<string, unknown> => ({
  id: key.id,
  name: key.name,
  key: key.key,
  fingerprint: fingerprint(key.key),
  created_by_user_id: null,
  created_at: isoTime(key.createdAtMs),
});

const scriptPayload = (script: AccountScript): Record<string, unknown> => ({
  id: script.id,
  name: script.name,
  script: script.script,
  created_at: isoTime(script.createdAtMs),
});

type Call = Context<Env>;

const listKeys = (c: Call): Response => c.json(Object.values(c.env.sim.account.keys).map(keyPayload));

/** One key is returned as a list of one: documented as an object, but read as a list by the provider's own clients. */
const getKey = (c: Call): Response => {
  const key = c.env.sim.account.keys[c.req.param('id') ?? ''];
  if (key === undefined) throw new ApiError('not_found', 'SSH key not found');
  return c.json([keyPayload(key)]);
};

const addKey = (c: Call): Response => {
  const { sim, body } = c.env;
  const { name, key } = parseBody(keySchema, body);
  const id = drawUuid(sim.cloud.state.random);
  sim.account.keys[id] = { id, name, key, createdAtMs: sim.cloud.clock.nowMs() };
  return idAnswer(sim, id, 201);
};

/** Deletes the one that the path names, or those of a list in the body. */
const deleteSome =
  (kind: 'keys' | 'scripts') =>
  (c: Call): Response => {
    const id = c.req.param('id');
    const ids = id === undefined ? (parseBody(z.object({ [kind]: oneOrMany }), c.env.body)[kind] ?? []) : [id];
    for (const each of ids) delete c.env.sim.account[kind][each];
    return c.body(null, 200);
  };

export const keyAndScriptRoutes = new Hono<Env>()
  .on('GET', ['/ssh-keys', '/sshkeys'], listKeys)
  .on('GET', ['/ssh-keys/:id', '/sshkeys/:id'], getKey)
  .on('POST', ['/ssh-keys', '/sshkeys'], addKey)
  .on('DELETE', ['/ssh-keys', '/sshkeys', '/ssh-keys/:id', '/sshkeys/:id'], deleteSome('keys'))
  .get('/scripts', (c) => {
    const { name, orderDirection } = c.req.query();
    const scripts = Object.values(c.env.sim.account.scripts).filter((s) => name === undefined || s.name.includes(name));
    const oldestFirst = scripts.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    return pageOf(c, orderDirection === 'asc' ? oldestFirst : oldestFirst.toReversed(), scriptPayload);
  })
  .get('/scripts/:id', (c) => {
    const script = c.env.sim.account.scripts[c.req.param('id')];
    if (script === undefined) throw new ApiError('not_found', 'Startup script not found');
    return c.json([scriptPayload(script)]);
  })
  .post('/scripts', (c) => {
    const { sim, body } = c.env;
    const { name, script } = parseBody(scriptSchema, body);
    const { scripts: most } = sim.cloud.state.quotas;
    if (most !== null && Object.keys(sim.account.scripts).length >= most)
      throw new ApiError('invalid_request', 'Startup script limit exceeded');
    const id = drawUuid(sim.cloud.state.random);
    sim.account.scripts[id] = { id, name, script, createdAtMs: sim.cloud.clock.nowMs() };
    return idAnswer(sim, id, 201);
  })
  .on('DELETE', ['/scripts', '/scripts/:id'], deleteSome('scripts'));

const eventPayload = (event: JournalEvent): Record<string, unknown> => ({
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
  return pageOf(c, events.toReversed(), eventPayload);
});

/** Things that have tags, by the group of their paths. */
const TAGGED = {
  instances: machineOf,
  clusters: clusterOf,
  volumes: ({ cloud }: Simulation, id: string) => volumeOf(cloud.context, id),
} as const;

export const tagRoutes = new Hono<Env>();
for (const [group, ownerOf] of Object.entries(TAGGED))
  tagRoutes
    .post(`/${group}/:id/tags`, (c) => {
      const { key, value } = parseBody(tagInput, c.env.body);
      return c.json(addTag(c.env.sim, ownerOf(c.env.sim, c.req.param('id')).tags, key, value), 201);
    })
    .delete(`/${group}/:id/tags/:tag`, (c) => {
      removeTag(ownerOf(c.env.sim, c.req.param('id')).tags, c.req.param('tag'));
      return c.body(null, 204);
    });
