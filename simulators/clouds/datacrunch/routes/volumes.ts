/** `/volumes`: list, trash, read, create, actions, delete. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { SimInstance, SimVolume } from '../../core/state.ts';
import {
  attachVolume,
  cloneVolume,
  detachVolume,
  orderVolume,
  purgeVolume,
  resizeVolume,
  restoreVolume,
  trashVolume,
  volumeOf,
} from '../../core/volumes.ts';
import type { Env, Simulation } from '../account.ts';
import { oneOrMany, optional, parseBody, tagInput, idAnswer } from '../body.ts';
import { ApiError } from '../errors.ts';
import { diskSize, refuseHdd, volumeType } from '../fields.ts';
import { machineOf } from '../lookup.ts';
import { holdersOf, isShared, volumePayload } from '../payloads.ts';
import { tagsFor } from '../tags.ts';

const createSchema = z.object({
  type: volumeType,
  location_code: z.string().min(1),
  size: diskSize,
  name: z.string().min(1),
  instance_id: optional(z.string()),
  instance_ids: oneOrMany,
  tags: optional(z.array(tagInput)),
});

const ACTIONS = ['attach', 'detach', 'delete', 'rename', 'resize', 'restore', 'clone', 'cancel'] as const;
const actionSchema = z.object({
  action: z.enum(ACTIONS),
  id: oneOrMany,
  instance_id: optional(z.string()),
  instance_ids: oneOrMany,
  name: optional(z.string().min(1)),
  size: optional(diskSize),
  type: optional(volumeType),
  location_code: optional(z.string()),
  is_permanent: optional(z.boolean()),
});
type ActionRequest = z.output<typeof actionSchema>;

/** An instance that takes volumes: shut down and in the location. @throws ApiError */
function takerOf(sim: Simulation, instanceId: string, location: string): SimInstance {
  const instance = machineOf(sim, instanceId);
  if (instance.phase !== 'stopped') throw new ApiError('forbidden_action', 'Instance must be shut down');
  if (instance.location !== location) throw new ApiError('invalid_request', 'Volume is in another location');
  return instance;
}

/** A shared filesystem is attached to any number of machines of its location, also while they run. @throws ApiError */
function share(sim: Simulation, volume: SimVolume, instanceId: string): void {
  const instance = machineOf(sim, instanceId);
  if (instance.location !== volume.location) throw new ApiError('invalid_request', 'Volume is in another location');
  if (instance.phase !== 'running' && instance.phase !== 'stopped')
    throw new ApiError('forbidden_action', `Can't attach to an instance that is ${instance.phase}`);
  if (!instance.volumeIds.includes(volume.id)) instance.volumeIds.push(volume.id);
}

/** Attaches a volume, which must exist: an ordered one does not yet. @throws ApiError */
function attach(sim: Simulation, volume: SimVolume, instanceId: string): void {
  if (isShared(volume)) return share(sim, volume, instanceId);
  const instance = takerOf(sim, instanceId, volume.location);
  if (volume.status !== 'detached') throw new ApiError('invalid_request', 'Volume must be detached');
  attachVolume(sim.cloud.context, volume, instanceId, sim.cloud.clock.nowMs());
  instance.volumeIds.push(volume.id);
}

function detach(sim: Simulation, volume: SimVolume, instanceIds: readonly string[]): void {
  if (isShared(volume)) {
    for (const holder of holdersOf(sim, volume)) {
      if (instanceIds.length > 0 && !instanceIds.includes(holder.id)) continue;
      holder.volumeIds = holder.volumeIds.filter((id) => id !== volume.id);
    }
    return;
  }
  const instance = volume.instanceId === null ? undefined : sim.cloud.state.instances[volume.instanceId];
  if (instance === undefined) return;
  if (instance.phase !== 'stopped') throw new ApiError('forbidden_action', 'Instance must be shut down');
  instance.volumeIds = instance.volumeIds.filter((id) => id !== volume.id);
  detachVolume(sim.cloud.context, volume, sim.cloud.clock.nowMs());
}

/** Trashes or purges. True if that was done before. @throws ApiError */
function remove(sim: Simulation, volume: SimVolume, isPermanent: boolean): boolean {
  const nowMs = sim.cloud.clock.nowMs();
  if (volume.status === 'purged') {
    if (sim.dialect.purgeTwice === '204') return true;
    throw new ApiError('invalid_request', 'Volume is already permanently deleted');
  }
  const isFree = holdersOf(sim, volume).length === 0 && ['detached', 'trashed', 'ordered'].includes(volume.status);
  if (!isFree) throw new ApiError('forbidden_action', `Can't delete a volume that is ${volume.status}`);
  if (isPermanent) purgeVolume(sim.cloud.context, volume, nowMs);
  else if (volume.status === 'trashed') return true;
  else trashVolume(sim.cloud.context, volume, nowMs);
  return false;
}

/** Performs an action on one volume. Returns the id of the copy for a clone, else null. @throws ApiError, CloudRefusal */
function act(sim: Simulation, volume: SimVolume, request: ActionRequest): string | null {
  const { context, clock } = sim.cloud;
  const nowMs = clock.nowMs();
  switch (request.action) {
    case 'attach': {
      const instanceId = request.instance_id ?? request.instance_ids[0];
      if (instanceId === undefined) throw new ApiError('invalid_request', 'instance_id should not be empty');
      attach(sim, volume, instanceId);
      return null;
    }
    case 'detach':
      detach(sim, volume, request.instance_ids);
      return null;
    case 'delete':
      remove(sim, volume, request.is_permanent === true);
      return null;
    case 'rename':
      if (request.name === undefined) throw new ApiError('invalid_request', 'name should not be empty');
      volume.name = request.name;
      return null;
    case 'resize':
      if (request.size === undefined) throw new ApiError('invalid_request', 'size should not be empty');
      refuseHdd(volume.type);
      resizeVolume(context, volume, request.size, nowMs);
      return null;
    case 'restore':
      restoreVolume(context, volume, nowMs);
      return null;
    case 'clone':
      refuseHdd(request.type ?? '');
      return cloneVolume(
        context,
        volume,
        { name: request.name ?? `${volume.name}-clone`, type: request.type, location: request.location_code },
        nowMs,
      ).id;
    case 'cancel':
      if (volume.status !== 'cloning') throw new ApiError('forbidden_action', 'Volume is not being cloned');
      purgeVolume(context, volume, nowMs);
      return null;
  }
}

const deleteSchema = z.object({ is_permanent: optional(z.boolean()) });

export const volumeRoutes = new Hono<Env>()
  .get('/volumes', (c) => {
    const status = c.req.query('status');
    const asOfMs = c.env.sim.cloud.clock.nowMs() - c.env.staleByMs;
    const volumes = c.env.sim.cloud
      .volumes()
      .filter((v) => v.status !== 'trashed' && v.status !== 'purged' && v.createdAtMs <= asOfMs)
      .map((v) => volumePayload(v, c.env));
    return c.json(volumes.filter((v) => status === undefined || v['status'] === status));
  })
  .get('/volumes/trash', (c) =>
    c.json(
      c.env.sim.cloud
        .volumes()
        .filter((v) => v.status === 'trashed')
        .map((v) => volumePayload(v, c.env)),
    ),
  )
  .get('/volumes/:id', (c) => c.json(volumePayload(volumeOf(c.env.sim.cloud.context, c.req.param('id')), c.env)))
  .post('/volumes', (c) => {
    const { sim, body } = c.env;
    const request = parseBody(createSchema, body);
    refuseHdd(request.type);
    const instanceId = request.instance_id ?? request.instance_ids[0];
    const taker = instanceId === undefined ? null : takerOf(sim, instanceId, request.location_code);
    const volume = orderVolume(sim.cloud.context, sim.cloud.clock.nowMs(), {
      name: request.name,
      sizeGib: request.size,
      type: request.type,
      location: request.location_code,
      tags: tagsFor(sim, request.tags ?? []),
      instanceId: taker?.id ?? null,
    });
    taker?.volumeIds.push(volume.id);
    return idAnswer(sim, volume.id, 202);
  })
  .put('/volumes', (c) => {
    const { sim, body } = c.env;
    const request = parseBody(actionSchema, body);
    if (request.id.length === 0) throw new ApiError('invalid_request', 'id should not be empty');
    const clones = request.id
      .map((id) => act(sim, volumeOf(sim.cloud.context, id), request))
      .filter((id) => id !== null);
    if (clones.length === 0) return c.body(null, 202);
    return c.json(sim.dialect.cloneAnswer === 'array' ? clones : { id: clones[0] }, 202);
  })
  .delete('/volumes/:id', (c) => {
    const isPermanent = parseBody(deleteSchema, c.env.body).is_permanent === true;
    const done = remove(c.env.sim, volumeOf(c.env.sim.cloud.context, c.req.param('id')), isPermanent);
    return c.body(null, done ? 204 : 202);
  });
