/** `/instances`: list, read, create. Actions are in actions.ts. */
import { Hono } from 'hono';
import { z } from 'zod';
import { CloudRefusal } from '../../core/refusal.ts';
import type { CreateRequest } from '../../core/instances.ts';
import type { Disposal, NewVolume } from '../../core/state.ts';
import type { CallEnv, Env, Simulation } from '../account.ts';
import { optional, parseBody, tagInput, idAnswer } from '../body.ts';
import { IMAGES, MACHINE_TYPES } from '../catalogue.ts';
import { ApiError, notSimulated } from '../errors.ts';
import { diskSize, orderFields, refuseHdd, volumeType } from '../fields.ts';
import { isMachine, machineOf, scriptOf, sshKeysOf, UUID } from '../lookup.ts';
import { instancePayload, isStatus, statusWord } from '../payloads.ts';
import { hasTags, tagsFor } from '../tags.ts';

const EVICTION_DISPOSALS = {
  keep_detached: 'keep',
  move_to_trash: 'trash',
  delete_permanently: 'purge',
} as const satisfies Record<string, Disposal>;

const volumeInput = z.object({
  name: z.string().min(1),
  size: diskSize,
  type: optional(volumeType),
  on_spot_discontinue: optional(z.enum(['keep_detached', 'move_to_trash', 'delete_permanently'])),
  tags: optional(z.array(tagInput)),
});

const createSchema = z.object({
  instance_type: z.string().min(1),
  ...orderFields,
  os_volume: optional(volumeInput),
  volumes: optional(z.array(volumeInput)),
  existing_volumes: optional(z.array(z.string())),
  is_spot: optional(z.boolean()),
  contract: optional(z.enum(['LONG_TERM', 'PAY_AS_YOU_GO', 'SPOT'])),
  pricing: optional(z.string()),
  coupon: optional(z.string()),
  tags: optional(z.array(tagInput)),
});

/** Size of the OS disk if the create does not describe one. */
const DEFAULT_OS_GIB = 50;

function newVolume(sim: Simulation, input: z.output<typeof volumeInput>, isSpot: boolean): NewVolume {
  if (input.on_spot_discontinue !== undefined && !isSpot)
    throw new ApiError('invalid_request', 'on_spot_discontinue is only allowed for spot instances');
  const { type = 'NVMe' } = input;
  refuseHdd(type);
  return {
    name: input.name,
    sizeGib: input.size,
    type,
    onEviction: EVICTION_DISPOSALS[input.on_spot_discontinue ?? 'keep_detached'],
    tags: tagsFor(sim, input.tags ?? []),
  };
}

function bootOf(sim: Simulation, body: z.output<typeof createSchema>, isSpot: boolean): CreateRequest['boot'] {
  const image = IMAGES.find((i) => i.slug === body.image || i.id === body.image);
  if (image === undefined) {
    const volume = sim.cloud.state.volumes[body.image];
    // A boot from a volume takes no description of a new OS disk: the API then answers as if the volume did not exist.
    if (volume === undefined || body.os_volume !== undefined)
      throw new ApiError(
        UUID.test(body.image) ? 'not_found' : 'invalid_request',
        UUID.test(body.image) ? `Operating system or volume not found \`${body.image}\`` : 'Invalid image',
      );
    return { kind: 'volume', volumeId: body.image };
  }
  const type = MACHINE_TYPES.find((t) => t.instanceType === body.instance_type);
  if (type?.images.includes(image.slug) === false)
    throw new ApiError('invalid_request', 'Operating system is not valid for this instance type');
  const sshKeyIds = sshKeysOf(sim, body.ssh_key_ids);
  if (sshKeyIds.length === 0) throw new ApiError('invalid_request', 'ssh_key_ids should not be empty');
  const startupScriptId = scriptOf(sim, body.startup_script_id);
  return {
    kind: 'image',
    // Also where the body has the image's id.
    image: image.slug,
    osVolume: newVolume(
      sim,
      body.os_volume ?? {
        name: `${body.hostname}-os`,
        size: DEFAULT_OS_GIB,
        type: undefined,
        on_spot_discontinue: undefined,
        tags: undefined,
      },
      isSpot,
    ),
    sshKeyIds,
    startupScriptId,
  };
}

/** The body as a request to the core. @throws ApiError */
function createRequestOf({ sim, body: raw }: CallEnv): CreateRequest {
  const body = parseBody(createSchema, raw);
  if (body.contract === 'LONG_TERM') throw notSimulated('long-term contracts');
  const isSpot = body.is_spot === true || body.contract === 'SPOT';
  if (!MACHINE_TYPES.some((t) => t.instanceType === body.instance_type))
    throw new ApiError('invalid_request', 'Invalid instance type');
  return {
    hostname: body.hostname,
    description: body.description ?? '',
    instanceType: body.instance_type,
    location: body.location_code,
    market: isSpot ? 'spot' : 'ondemand',
    boot: bootOf(sim, body, isSpot),
    script: sim.account.scripts[body.startup_script_id ?? '']?.script,
    newVolumes: (body.volumes ?? []).map((v) => newVolume(sim, v, isSpot)),
    existingVolumeIds: body.existing_volumes ?? [],
    tags: tagsFor(sim, body.tags ?? []),
  };
}

export const instanceRoutes = new Hono<Env>()
  .get('/instances', (c) => {
    const { sim, staleByMs } = c.env;
    const status = c.req.query('status');
    if (status !== undefined && !isStatus(status)) throw new ApiError('invalid_request', 'Invalid status');
    const tags = c.req.queries('tag') ?? [];
    const computeId = c.req.query('computeId');
    const nowMs = sim.cloud.clock.nowMs();
    const found = sim.cloud
      .listed(staleByMs)
      .filter(
        (i) =>
          (status === undefined ? i.phase !== 'gone' : statusWord(i, { statusWord: null }, nowMs) === status) &&
          (computeId === undefined || i.id === computeId) &&
          isMachine(i) &&
          hasTags(i.tags, tags),
      );
    return c.json(found.map((i) => instancePayload(i, c.env)));
  })
  .get('/instances/:id', (c) => c.json(instancePayload(machineOf(c.env.sim, c.req.param('id')), c.env)))
  .post('/instances', (c) => {
    const { sim, createFault } = c.env;
    const request = createRequestOf(c.env);
    try {
      return idAnswer(sim, sim.cloud.create(request, createFault).id, 202);
    } catch (error) {
      if (error instanceof CloudRefusal && error.reason === 'unknown_volume')
        throw new ApiError('not_found', `Operating system or volume not found \`${error.subject}\``);
      throw error;
    }
  });
