/**
 * Clusters: their types, images and availability; list, read, create, discontinue. Actions on single nodes are not simulated.
 *
 * A cluster is one instance of the core, so that it takes stock and quota, boots and costs as a machine does. Its system disks are part of
 * its price; its shared volume is a volume, which is kept when the cluster ends.
 */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { SimInstance } from '../../core/state.ts';
import type { CreateRequest } from '../../core/instances.ts';
import { volumeOf } from '../../core/volumes.ts';
import type { CallEnv, Env, Simulation } from '../account.ts';
import { isoTime, optional, parseBody, tagInput } from '../body.ts';
import { CLUSTER_IMAGES, CLUSTER_TYPES, LOCATIONS, type ClusterType } from '../catalogue.ts';
import { ApiError, notSimulated } from '../errors.ts';
import { diskSize, orderFields } from '../fields.ts';
import { clusterOf, clusterTypeOf, scriptOf, sshKeysOf } from '../lookup.ts';
import { askedCurrency, inAccount, inCurrency } from '../money.ts';
import { hardware, imagePayload, isStatus, statusWord, tagPayload } from '../payloads.ts';
import { tagsFor } from '../tags.ts';

const createSchema = z.object({
  cluster_type: z.string().min(1),
  ...orderFields,
  contract: optional(z.enum(['LONG_TERM', 'PAY_AS_YOU_GO'])),
  shared_volume: z.object({ name: z.string().min(1), size: diskSize }),
  existing_volumes: optional(z.array(z.object({ id: z.string() }))),
  tags: optional(z.array(tagInput)),
});

const actionSchema = z.object({
  actions: z.array(z.object({ action: z.literal('discontinue'), id: z.string() })).min(1, 'should not be empty'),
});

function typePayload(type: ClusterType, sim: Simulation, currency: 'usd' | 'eur'): Record<string, unknown> {
  const usdPerHour = sim.cloud.price(type.instanceType, 'ondemand') ?? type.ondemandUsdPerHour;
  return {
    id: `type-${type.instanceType}`,
    cluster_type: type.instanceType,
    model: type.model,
    name: type.name,
    manufacturer: 'NVIDIA',
    ...hardware(type),
    price_per_hour: inCurrency(sim, usdPerHour, currency).toFixed(4),
    currency,
    node_details: [`${type.nodes} nodes`, `${type.gpuCount / type.nodes}x ${type.name} each`],
    supported_os: type.images,
  };
}

/** An id in the form of a UUID that follows from the cluster's and the number of the node. */
function nodeId(clusterId: string, index: number): string {
  const hex = createHash('sha256').update(`${clusterId}/${index}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function clusterPayload(cluster: SimInstance, env: CallEnv): Record<string, unknown> {
  const { cloud } = env.sim;
  const type = clusterTypeOf(cluster.instanceType);
  if (type === undefined) throw new Error(`${cluster.instanceType} is no type of cluster`);
  const status = statusWord(cluster, env, cloud.clock.nowMs());
  const isUp = cluster.ip !== null;
  return {
    id: cluster.id,
    ip: cluster.ip,
    status,
    created_at: isoTime(cluster.createdAtMs),
    ...hardware(type),
    hostname: cluster.hostname,
    description: cluster.description,
    location: cluster.location,
    price_per_hour: inAccount(env.sim, cluster.usdPerHour),
    cluster_type: cluster.instanceType,
    image: cluster.image,
    os_name: CLUSTER_IMAGES.find((i) => i.slug === cluster.image)?.name ?? cluster.image,
    ssh_key_ids: cluster.sshKeyIds,
    startup_script_id: cluster.startupScriptId,
    contract: 'PAY_AS_YOU_GO',
    worker_nodes: Array.from({ length: isUp ? type.nodes : 0 }, (_, index) => ({
      id: nodeId(cluster.id, index),
      status,
      hostname: `${cluster.hostname}-${index + 1}`,
      public_ip: null,
      private_ip: `10.0.0.${index + 1}`,
    })),
    shared_volumes: cluster.volumeIds
      .map((id) => volumeOf(cloud.context, id))
      .filter((volume) => volume.instanceId === cluster.id)
      .map(({ id, name, sizeGib }) => ({ id, name, size_in_gigabytes: sizeGib, mount_point: null })),
    tags: cluster.tags.map(tagPayload),
  };
}

/** The body as a request to the core. @throws ApiError */
function createRequestOf({ sim, body: raw }: CallEnv): CreateRequest {
  const body = parseBody(createSchema, raw);
  if (body.contract === 'LONG_TERM') throw notSimulated('long-term contracts');
  const type = clusterTypeOf(body.cluster_type);
  if (type === undefined) throw new ApiError('invalid_request', 'Invalid cluster type');
  const image = CLUSTER_IMAGES.find((i) => i.slug === body.image || i.id === body.image);
  if (image === undefined) throw new ApiError('invalid_request', 'Operating system is not valid for this cluster type');
  const existingVolumeIds = (body.existing_volumes ?? []).map((v) => v.id);
  for (const id of existingVolumeIds)
    if (!volumeOf(sim.cloud.context, id).type.endsWith('_Shared'))
      throw new ApiError('invalid_request', 'existing_volumes must be shared volumes');
  return {
    hostname: body.hostname,
    description: body.description ?? '',
    instanceType: type.instanceType,
    location: body.location_code,
    market: 'ondemand',
    boot: {
      kind: 'image',
      image: image.slug,
      osVolume: null,
      sshKeyIds: sshKeysOf(sim, body.ssh_key_ids),
      startupScriptId: scriptOf(sim, body.startup_script_id),
    },
    newVolumes: [
      {
        name: body.shared_volume.name,
        sizeGib: body.shared_volume.size,
        type: 'NVMe_Shared',
        onEviction: 'keep',
        tags: [],
      },
    ],
    existingVolumeIds,
    tags: tagsFor(sim, body.tags ?? []),
  };
}

const available = ({ cloud }: Simulation, location: string): string[] =>
  CLUSTER_TYPES.map((t) => t.instanceType).filter((type) => cloud.isAvailable(type, location, 'ondemand'));

export const clusterRoutes = new Hono<Env>()
  .get('/cluster-types', (c) => {
    const currency = askedCurrency(c.req.query('currency'));
    return c.json(CLUSTER_TYPES.map((t) => typePayload(t, c.env.sim, currency)));
  })
  .get('/images/cluster', (c) => {
    const asked = c.req.query('instance_type');
    if (asked !== undefined && clusterTypeOf(asked) === undefined)
      throw new ApiError('not_found', 'Cluster type not found');
    return c.json(CLUSTER_IMAGES.map((image, index) => imagePayload(image, index === 0, true)));
  })
  .get('/cluster-availability', (c) => {
    const asked = c.req.query('location_code');
    const places = LOCATIONS.filter((l) => asked === undefined || l.code === asked);
    return c.json(places.map(({ code }) => ({ location_code: code, availabilities: available(c.env.sim, code) })));
  })
  .get('/cluster-availability/:type', (c) => {
    const asked = c.req.query('location_code');
    const places = asked === undefined ? LOCATIONS.map((l) => l.code) : [asked];
    return c.json(places.some((place) => available(c.env.sim, place).includes(c.req.param('type'))));
  })
  .get('/clusters', (c) => {
    const { sim, staleByMs } = c.env;
    const status = c.req.query('status');
    if (status !== undefined && !isStatus(status)) throw new ApiError('invalid_request', 'Invalid status');
    const nowMs = sim.cloud.clock.nowMs();
    const found = sim.cloud
      .listed(staleByMs)
      .filter(
        (i) =>
          clusterTypeOf(i.instanceType) !== undefined &&
          (status === undefined ? i.phase !== 'gone' : statusWord(i, { statusWord: null }, nowMs) === status),
      );
    return c.json(found.map((i) => clusterPayload(i, c.env)));
  })
  .get('/clusters/:id', (c) => c.json(clusterPayload(clusterOf(c.env.sim, c.req.param('id')), c.env)))
  .post('/clusters', (c) => {
    const { sim, createFault } = c.env;
    // JSON here, where a create of an instance answers text.
    return c.json({ id: sim.cloud.create(createRequestOf(c.env), createFault).id }, 202);
  })
  .put('/clusters', (c) => {
    const { sim, body } = c.env;
    const { actions } = parseBody(actionSchema, body);
    const ids = actions.map(({ id }) => clusterOf(sim, id).id);
    for (const id of ids) sim.cloud.delete(id);
    return c.body(null, 202);
  })
  .post('/clusters/:id/nodes/:node/actions', () => {
    throw notSimulated('actions on nodes of a cluster');
  });
