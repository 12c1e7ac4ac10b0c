/**
 * Container deployments: create, change, scale, pause, delete, logs; types and prices. Their replicas are in ../deployments.ts, calls to
 * them in ../endpoint.ts.
 *
 * A delete answers at once, also where it is asked to wait: the replicas are drained without it.
 */
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import type { Deployment, Env, LogLine, Simulation } from '../account.ts';
import { isoTime, parseBody } from '../body.ts';
import { CONTAINER_TYPES } from '../catalogue.ts';
import {
  createSchema,
  patchSchema,
  refuseCredentials,
  refuseFloatingImages,
  refuseUnknownCompute,
  scalingOf,
} from '../container-bodies.ts';
import { currentReplicas, reconcile, removeDeployment, renew, replicasOf } from '../deployments.ts';
import { ApiError } from '../errors.ts';
import { askedCurrency, inCurrency } from '../money.ts';
import { hardware } from '../payloads.ts';

/** @throws ApiError 404 */
function deploymentOf({ account }: Simulation, wanted: string): Deployment {
  const deployment = account.deployments[wanted];
  if (deployment === undefined) throw new ApiError('not_found', 'Deployment not found');
  return deployment;
}

/** Calls go to the simulator itself. */
function payload(deployment: Deployment, c: Context<Env>): Record<string, unknown> {
  const url = new URL(c.req.url);
  return {
    name: deployment.name,
    containers: deployment.containers.map((item) => ({ ...item, image: { image: item['image'] } })),
    endpoint_base_url: `${url.protocol}//${c.req.header('host') ?? url.host}/${deployment.name}`,
    created_at: isoTime(deployment.createdAtMs),
    compute: deployment.compute,
    container_registry_settings: deployment.registry,
    is_spot: deployment.isSpot,
  };
}

function statusOf(deployment: Deployment, sim: Simulation): string {
  if (deployment.paused) return 'paused';
  const present = currentReplicas(sim, deployment);
  const running = present.filter((r) => r.phase === 'running').length;
  if (deployment.refusal?.endsWith('quota') === true) return 'quota_reached';
  if (running > 0) return running < deployment.scaling.minReplicas ? 'degraded' : 'healthy';
  if (present.length === 0 && deployment.refusal === null && deployment.scaling.minReplicas === 0) return 'healthy';
  if (present.length === 0) return 'unhealthy';
  if (deployment.generation > 1) return 'initializing';
  return present.every((r) => r.phase === 'accepted') ? 'image_pulling' : 'initializing';
}

const REPLICA_WORDS: Readonly<Record<string, string>> = {
  accepted: 'imagepulling',
  preparing: 'initializing',
  running: 'running',
  deleting: 'terminating',
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
  renew(sim, deployment);
  return envPayload(deployment);
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Lines of a log that a call asks for, newest first unless it says otherwise. @throws ApiError 400 */
function asked(c: Context<Env>, lines: readonly LogLine[], since: string): LogLine[] {
  const query = c.req.query();
  const span = /^(\d+)([smhd])$/u.exec(query['since'] ?? since);
  if (span === null) throw new ApiError('invalid_request', 'since must be a number with one of the units s, m, h, d');
  const time = (text: string | undefined, otherwise: number): number =>
    text === undefined ? otherwise : Date.parse(text);
  const fromMs = time(query['start'], c.env.sim.cloud.clock.nowMs() - Number(span[1]) * (UNIT_MS[span[2] ?? ''] ?? 0));
  const untilMs = time(query['end'], Infinity);
  const limit = Number(query['limit'] ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new ApiError('invalid_request', 'limit must be a whole number from 1 to 1000');
  const found = lines.filter(
    (line) => line.atMs >= fromMs && line.atMs <= untilMs && line.message.includes(query['search_text'] ?? ''),
  );
  return (query['order'] === 'asc' ? found : found.toReversed()).slice(0, limit);
}

/** Nanoseconds since 1970; too many digits for a number. */
const nanoseconds = (ms: number): string => `${ms}000000`;

export const containerRoutes = new Hono<Env>()
  .get('/container-deployments', (c) =>
    c.json(Object.values(c.env.sim.account.deployments).map((deployment) => payload(deployment, c))),
  )
  .post('/container-deployments', (c) => {
    const { sim } = c.env;
    const body = parseBody(createSchema, c.env.body);
    if (sim.account.deployments[body.name] !== undefined) throw new ApiError('conflict', 'Deployment already exists');
    refuseFloatingImages(body.containers);
    refuseUnknownCompute(sim, body.compute);
    refuseCredentials(body.container_registry_settings);
    const nowMs = sim.cloud.clock.nowMs();
    const deployment: Deployment = {
      name: body.name,
      createdAtMs: nowMs,
      // The provider names containers itself.
      containers: body.containers.map((item, index) => ({ ...item, name: `${body.name}-${index}` })),
      compute: body.compute,
      registry: body.container_registry_settings,
      isSpot: body.is_spot ?? false,
      scalingBody: body.scaling,
      scaling: scalingOf(body.scaling, 'scaling.'),
      paused: false,
      generation: 1,
      ordered: 0,
      replicas: [],
      refusal: null,
      pressedSinceMs: null,
      idleSinceMs: null,
      lookAtMs: null,
      logs: [],
      systemLogs: [],
    };
    sim.account.deployments[body.name] = deployment;
    reconcile(sim, deployment, nowMs);
    return c.json(payload(deployment, c), 201);
  })
  .get('/container-deployments/:name', (c) => c.json(payload(deploymentOf(c.env.sim, c.req.param('name')), c)))
  .patch('/container-deployments/:name', (c) => {
    const { sim, body } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const patch = parseBody(patchSchema, body);
    refuseFloatingImages(patch.containers ?? []);
    refuseUnknownCompute(sim, patch.compute ?? deployment.compute);
    refuseCredentials(patch.container_registry_settings ?? { is_private: undefined, credentials: null });
    // Fields of a container that are not sent stay as they are.
    deployment.containers = deployment.containers.map((present) => ({
      ...present,
      ...patch.containers?.find((p) => p.name === present['name']),
    }));
    deployment.compute = patch.compute ?? deployment.compute;
    deployment.registry = patch.container_registry_settings ?? deployment.registry;
    deployment.isSpot = patch.is_spot ?? deployment.isSpot;
    renew(sim, deployment);
    return c.json(payload(deployment, c));
  })
  .delete('/container-deployments/:name', (c) => {
    const { sim } = c.env;
    removeDeployment(sim, deploymentOf(sim, c.req.param('name')));
    return c.body(null, 200);
  })
  .get('/container-deployments/:name/status', (c) =>
    c.json({ status: statusOf(deploymentOf(c.env.sim, c.req.param('name')), c.env.sim) }),
  )
  .post('/container-deployments/:name/:verb{restart|pause|resume|purge-queue}', (c) => {
    const { sim } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const verb = c.req.param('verb');
    if (verb === 'restart') renew(sim, deployment);
    else if (verb === 'purge-queue') sim.traffic.purge(deployment.name);
    else {
      deployment.paused = verb === 'pause';
      reconcile(sim, deployment, sim.cloud.settle());
    }
    return c.body(null, 201);
  })
  .get('/container-deployments/:name/scaling', (c) => c.json(deploymentOf(c.env.sim, c.req.param('name')).scalingBody))
  .patch('/container-deployments/:name/scaling', (c) => {
    const { sim } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const sent = parseBody(z.record(z.string(), z.unknown()), c.env.body);
    const changed = { ...deployment.scalingBody, ...sent };
    deployment.scaling = scalingOf(changed);
    deployment.scalingBody = changed;
    reconcile(sim, deployment, sim.cloud.settle());
    sim.traffic.wake(deployment.name);
    return c.json(changed);
  })
  .get('/container-deployments/:name/replicas', (c) => {
    const { sim } = c.env;
    const deployment = deploymentOf(sim, c.req.param('name'));
    const list = replicasOf(sim, deployment).map((replica) => ({
      id: replica.hostname,
      status: REPLICA_WORDS[replica.phase] ?? 'unavailable',
      started_at: isoTime(replica.createdAtMs),
      image: replica.image,
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
  .get('/container-deployments/:name/logs', (c) => {
    const deployment = deploymentOf(c.env.sim, c.req.param('name'));
    const containerName = deployment.containers[0]?.['name'];
    const wanted = c.req.query('container_name');
    const lines = wanted === undefined || wanted === containerName ? deployment.logs : [];
    return c.json(
      asked(c, lines, '15m').map(({ atMs, replica, message }) => ({
        timestamp: nanoseconds(atMs),
        container_name: containerName,
        replica,
        message,
      })),
    );
  })
  .get('/container-deployments/:name/system-logs', (c) =>
    c.json(
      asked(c, deploymentOf(c.env.sim, c.req.param('name')).systemLogs, '1d').map(
        ({ atMs, replica, reason, message, count }) => ({
          timestamp: nanoseconds(atMs),
          reason,
          message,
          involved_object: replica,
          count,
        }),
      ),
    ),
  )
  .get('/container-types', (c) => {
    const currency = askedCurrency(c.req.query('currency'));
    const perGpu = (usdPerHour: number, count: number): string =>
      (inCurrency(c.env.sim, usdPerHour, currency) / count).toFixed(4);
    return c.json(
      CONTAINER_TYPES.map((t) => ({
        id: t.instanceType,
        model: t.model,
        name: t.name,
        instance_type: t.instanceType,
        manufacturer: 'NVIDIA',
        ...hardware(t),
        serverless_price: perGpu(c.env.sim.cloud.price(t.instanceType, 'ondemand') ?? t.ondemandUsdPerHour, t.gpuCount),
        serverless_spot_price: perGpu(c.env.sim.cloud.price(t.instanceType, 'spot') ?? t.spotUsdPerHour, t.gpuCount),
        currency,
      })),
    );
  })
  .get('/serverless-compute-resources', (c) => {
    const { cloud } = c.env.sim;
    return c.json(
      CONTAINER_TYPES.map((t) => ({
        name: t.model,
        size: t.gpuCount,
        is_available: cloud.catalogue.locations.some((l) => cloud.isAvailable(t.instanceType, l, 'ondemand')),
      })),
    );
  });
