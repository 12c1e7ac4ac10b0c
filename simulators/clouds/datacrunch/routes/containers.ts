/**
 * Container deployments, simplified: create, scale, pause, delete. A deployment becomes healthy after some seconds.
 *
 * It has the minimum number of replicas, some seconds after every change. Replicas serve nothing and cost nothing here.
 */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deployment, Env, Simulation } from '../account.ts';
import { isoTime, optional, parseBody } from '../body.ts';
import { MACHINE_TYPES } from '../catalogue.ts';
import { ApiError } from '../errors.ts';
import { askedCurrency, inCurrency } from '../money.ts';
import { hardware } from '../payloads.ts';

/** A new or changed deployment has its replicas after this time. */
const SETTLE_MS = 8000;
const PULL_MS = 3000;

const name = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u, 'must be a name of at most 63 lower-case letters, digits and dashes');
const anything = z.record(z.string(), z.unknown());
const container = z.looseObject({ image: z.string().min(1), exposed_port: z.number().min(1) });
const createSchema = z.object({
  name,
  container_registry_settings: z.looseObject({ is_private: z.boolean() }),
  compute: z.object({ name: z.string(), size: z.number() }),
  containers: z.array(container).min(1),
  scaling: z.looseObject({ min_replica_count: z.int().min(0), max_replica_count: z.int().min(1) }),
  is_spot: optional(z.boolean()),
});
const patchSchema = z.object({
  container_registry_settings: optional(anything),
  compute: optional(anything),
  containers: optional(z.array(z.looseObject({ name: z.string() }))),
  is_spot: optional(z.boolean()),
});

/** @throws ApiError 404 */
function deploymentOf({ account }: Simulation, wanted: string): Deployment {
  const deployment = account.deployments[wanted];
  if (deployment === undefined) throw new ApiError('not_found', 'Deployment not found');
  return deployment;
}

function payload(deployment: Deployment): Record<string, unknown> {
  return {
    name: deployment.name,
    containers: deployment.containers.map((c) => ({ ...c, image: { image: c['image'] } })),
    endpoint_base_url: `https://containers.datacrunch.io/${deployment.name}`,
    created_at: isoTime(deployment.createdAtMs),
    compute: deployment.compute,
    container_registry_settings: deployment.registry,
    is_spot: deployment.isSpot,
  };
}

function statusOf(deployment: Deployment, { cloud, dialect }: Simulation): string {
  if (deployment.paused) return 'paused';
  const sinceMs = cloud.clock.nowMs() - deployment.changedAtMs;
  if (sinceMs >= SETTLE_MS) return 'healthy';
  if (deployment.changedAtMs > deployment.createdAtMs)
    return dialect.newContainerStatuses ? 'updating' : 'initializing';
  return sinceMs < PULL_MS ? 'image_pulling' : 'initializing';
}

const replicaCount = (deployment: Deployment): number =>
  deployment.paused ? 0 : Number(deployment.scaling['min_replica_count'] ?? 0);

function refuseFloatingImages(containers: readonly Readonly<Record<string, unknown>>[]): void {
  for (const { image } of containers)
    if (typeof image === 'string' && !/[:@](?!latest$)[^/:]+$/u.test(image))
      throw new ApiError('invalid_request', `Image ${image} must have a tag that is not latest`);
}

const change = (deployment: Deployment, { cloud }: Simulation): void => {
  deployment.changedAtMs = cloud.clock.nowMs();
};

const envPayload = (deployment: Deployment): unknown =>
  deployment.containers.map((c) => ({ container_name: c['name'], env: c['env'] ?? [] }));

const envSchema = z.object({
  container_name: z.string(),
  env: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])),
});

/** Replaces, adds or removes environment variables of one container. */
function changeEnv(sim: Simulation, wanted: string, body: unknown, remove: boolean): unknown {
  const deployment = deploymentOf(sim, wanted);
  const request = parseBody(envSchema, body);
  const target = deployment.containers.find((c) => c['name'] === request.container_name);
  if (target === undefined) throw new ApiError('not_found', 'Container not found');
  const names = new Set(request.env.map((e) => (typeof e === 'string' ? e : e.name)));
  const present = z
    .array(z.looseObject({ name: z.string() }))
    .catch([])
    .parse(target['env']);
  const kept = present.filter((e) => !names.has(e.name));
  target['env'] = remove ? kept : [...kept, ...request.env.filter((e) => typeof e !== 'string')];
  change(deployment, sim);
  return envPayload(deployment);
}

export const containerRoutes = new Hono<Env>()
  .get('/container-deployments', (c) => c.json(Object.values(c.env.sim.account.deployments).map(payload)))
  .post('/container-deployments', (c) => {
    const { sim } = c.env;
    const body = parseBody(createSchema, c.env.body);
    if (sim.account.deployments[body.name] !== undefined) throw new ApiError('conflict', 'Deployment already exists');
    refuseFloatingImages(body.containers);
    const nowMs = sim.cloud.clock.nowMs();
    const deployment: Deployment = {
      name: body.name,
      createdAtMs: nowMs,
      // The provider names containers itself.
      containers: body.containers.map((item, index) => ({ ...item, name: `${body.name}-${index}` })),
      compute: body.compute,
      registry: body.container_registry_settings,
      isSpot: body.is_spot ?? false,
      scaling: body.scaling,
      changedAtMs: nowMs,
      paused: false,
    };
    sim.account.deployments[body.name] = deployment;
    return c.json(payload(deployment), 201);
  })
  .get('/container-deployments/:name', (c) => c.json(payload(deploymentOf(c.env.sim, c.req.param('name')))))
  .patch('/container-deployments/:name', (c) => {
    const { sim, body } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const patch = parseBody(patchSchema, body);
    refuseFloatingImages(patch.containers ?? []);
    // Fields of a container that are not sent stay as they are.
    deployment.containers = deployment.containers.map((present) => ({
      ...present,
      ...patch.containers?.find((p) => p.name === present['name']),
    }));
    deployment.compute = patch.compute ?? deployment.compute;
    deployment.registry = patch.container_registry_settings ?? deployment.registry;
    deployment.isSpot = patch.is_spot ?? deployment.isSpot;
    change(deployment, sim);
    return c.json(payload(deployment));
  })
  .delete('/container-deployments/:name', (c) => {
    const { sim } = c.env;
    delete sim.account.deployments[deploymentOf(sim, c.req.param('name')).name];
    return c.body(null, 200);
  })
  .get('/container-deployments/:name/status', (c) =>
    c.json({ status: statusOf(deploymentOf(c.env.sim, c.req.param('name')), c.env.sim) }),
  )
  .post('/container-deployments/:name/:verb{restart|pause|resume|purge-queue}', (c) => {
    const deployment = deploymentOf(c.env.sim, c.req.param('name'));
    const verb = c.req.param('verb');
    if (verb === 'pause' || verb === 'resume') deployment.paused = verb === 'pause';
    if (verb !== 'purge-queue') change(deployment, c.env.sim);
    return c.body(null, 201);
  })
  .get('/container-deployments/:name/scaling', (c) => c.json(deploymentOf(c.env.sim, c.req.param('name')).scaling))
  .patch('/container-deployments/:name/scaling', (c) => {
    const deployment = deploymentOf(c.env.sim, c.req.param('name'));
    deployment.scaling = { ...deployment.scaling, ...parseBody(anything, c.env.body) };
    change(deployment, c.env.sim);
    return c.json(deployment.scaling);
  })
  .get('/container-deployments/:name/replicas', (c) => {
    const { sim } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const settled = statusOf(deployment, sim) === 'healthy';
    const list = Array.from({ length: replicaCount(deployment) }, (_, index) => ({
      id: `${deployment.name}-${index}`,
      status: settled ? 'running' : 'initializing',
      started_at: isoTime(deployment.changedAtMs),
    }));
    return c.json({ list });
  })
  .get('/container-deployments/:name/environment-variables', (c) =>
    c.json(envPayload(deploymentOf(c.env.sim, c.req.param('name')))),
  )
  .on(['POST', 'PATCH'], '/container-deployments/:name/environment-variables', (c) =>
    c.json(changeEnv(c.env.sim, c.req.param('name'), c.env.body, false)),
  )
  .delete('/container-deployments/:name/environment-variables', (c) =>
    c.json(changeEnv(c.env.sim, c.req.param('name'), c.env.body, true)),
  )
  .get('/container-deployments/:name/:logs{logs|system-logs}', (c) => {
    deploymentOf(c.env.sim, c.req.param('name'));
    return c.json([]);
  })
  .get('/container-types', (c) => {
    const currency = askedCurrency(c.req.query('currency'));
    return c.json(
      MACHINE_TYPES.filter((t) => t.gpuCount > 0).map((t) => ({
        id: `container-${t.instanceType}`,
        model: t.model,
        name: t.name,
        instance_type: t.instanceType,
        manufacturer: 'NVIDIA',
        ...hardware(t),
        serverless_price: String(inCurrency(c.env.sim, t.ondemandUsdPerHour, currency)),
        serverless_spot_price: String(inCurrency(c.env.sim, t.spotUsdPerHour, currency)),
        currency,
      })),
    );
  })
  .get('/serverless-compute-resources', (c) => {
    const { cloud } = c.env.sim;
    const rows = MACHINE_TYPES.filter((t) => t.gpuCount > 0).map((t) => ({
      name: t.model,
      size: t.gpuCount,
      is_available: cloud.catalogue.locations.some((l) => cloud.isAvailable(t.instanceType, l, 'ondemand')),
    }));
    const merged = new Map(rows.map((row) => [`${row.name}/${row.size}`, row]));
    for (const row of rows.filter((r) => r.is_available)) merged.set(`${row.name}/${row.size}`, row);
    return c.json([...merged.values()]);
  });
