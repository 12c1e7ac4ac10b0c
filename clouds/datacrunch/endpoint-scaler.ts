/**
 * Container deployments of DataCrunch behind the port of endpoint pools.
 *
 * Smallest and largest number of replicas are always the same, so that the provider's own scaling never acts. What a deployment was made
 * from stands in an environment variable of its container: the API does not answer all of it.
 */
import { createHash } from 'node:crypto';
import { capabilitiesOf } from '../parts.ts';
import { goneIsDone, nullIfGone, providerError } from '../errors.ts';
import type {
  EndpointAccount,
  EndpointLogLine,
  EndpointLogQuery,
  EndpointScaler,
  EndpointSpec,
  EndpointView,
} from '../endpoint-scaler.ts';
import type { DataCrunchClient } from './client.ts';
import type { NewDeployment, Scaling } from './calls/containers.ts';

/** Containers: blocks of 10 minutes per running replica; whether an unused rest comes back is not documented, so none is assumed to. */
export const DATACRUNCH_DEPLOYMENT_CAPABILITIES = capabilitiesOf(
  {
    billing: { quantumSec: 600, refundsUnused: false, from: 'running' },
    volumeUsdPerGibMonth: 0,
    // A claim is a row of our own database. Only a process that hangs may still write one after it was looked for.
    visibilityWindowMs: 10_000,
    deploymentVisibilityMs: 60_000,
    billsStopped: false,
    volumePinsLocation: false,
    deletesWhileProvisioning: true,
    expectedBootMs: 300_000,
  },
  [],
);

/** Environment variable with the fingerprint of what the deployment was made from. */
const SPEC_VARIABLE = 'DECKHAND_SPEC';

/** The container deployments of an account. */
export const createDataCrunchEndpoints = (
  client: Pick<DataCrunchClient, 'containers' | 'catalogue'>,
): EndpointAccount => ({
  async list() {
    const all = await client.containers.list();
    return all.map(({ name, created_at: createdAtMs }) => ({ name, createdAtMs }));
  },
  scaler: (spec) => createDataCrunchEndpoint(client, spec),
});

export function createDataCrunchEndpoint(
  { containers, catalogue }: Pick<DataCrunchClient, 'containers' | 'catalogue'>,
  spec: EndpointSpec,
): EndpointScaler {
  const { name, deployment, market } = spec;
  const read = async (): Promise<EndpointView> => {
    const [made, rawStatus, scaling, replicas] = await Promise.all([
      containers.get(name),
      containers.status(name),
      containers.scaling(name),
      containers.replicas(name),
    ]);
    const { min_replica_count: min, max_replica_count: max } = scaling;
    const env = made.containers.flatMap((container) => container.env);
    const living = replicas.filter(({ status }) => status !== 'terminating' && status !== 'error');
    return {
      status: rawStatus === 'paused' ? 'paused' : rawStatus === 'terminating' ? 'deleting' : 'active',
      rawStatus,
      desired: min === max ? min : null,
      running: living.filter(({ status }) => status === 'running').length,
      failed: replicas.filter(({ status }) => status === 'error').length,
      url: made.endpoint_base_url,
      isCurrent: env.some((one) => one.name === SPEC_VARIABLE && one.value_or_reference_to_secret === printOf(spec)),
      replicas: living.map(({ id, status, started_at: startedAtMs }) => ({
        id,
        isRunning: status === 'running',
        startedAtMs,
      })),
    };
  };
  return {
    get: () => nullIfGone(read),
    async create(replicas) {
      await containers.create(newDeployment(spec, replicas));
    },
    async scaleTo(replicas) {
      await containers.updateScaling(name, { min_replica_count: replicas, max_replica_count: replicas });
    },
    pause: () => containers.pause(name),
    resume: () => containers.resume(name),
    restart: () => containers.restart(name),
    delete: () => containers.delete(name, 0).catch(goneIsDone),
    logs: (query) => nullIfGone(() => readLogs(containers, name, query)),
    async priceUsdPerHour() {
      const types = await catalogue.containerTypes('usd');
      const type = types.find(({ model }) => model === deployment.compute);
      const perGpu = market === 'spot' ? type?.serverless_spot_price : type?.serverless_price;
      return perGpu === undefined || perGpu === null ? null : perGpu * deployment.computeSize;
    },
  };
}

/** What the containers wrote and what the scheduler says of them, in one order. */
async function readLogs(
  containers: DataCrunchClient['containers'],
  name: string,
  { minutes, limit }: EndpointLogQuery,
): Promise<EndpointLogLine[]> {
  const filter = { since: `${minutes}m`, order: 'desc', limit } as const;
  const [written, scheduled] = await Promise.all([containers.logs(name, filter), containers.systemLogs(name, filter)]);
  const lines = [
    ...written.map(({ timestamp, replica, message }) => ({ timestamp, replica, source: 'server' as const, message })),
    ...scheduled.map(({ timestamp, involved_object: replica, reason, message, count }) => ({
      timestamp,
      replica,
      source: 'provider' as const,
      message: `${reason}: ${message}${(count ?? 1) > 1 ? ` (${count} times)` : ''}`,
    })),
  ];
  return lines
    .map(({ timestamp, replica, ...line }) => ({
      ...line,
      atMs: msOfNanoseconds(timestamp),
      replica: replica === '' ? null : replica,
    }))
    .toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
    .slice(-limit);
}

/** Nanoseconds are too many digits for a number. */
const msOfNanoseconds = (text: string): number | null =>
  /^\d{10,}$/u.test(text) ? Number(BigInt(text) / 1_000_000n) : null;

/** What decides whether a deployment is the configured one. */
const printOf = ({ deployment, market, slots }: EndpointSpec): string =>
  createHash('sha256')
    .update(JSON.stringify([Object.entries(deployment).toSorted(([a], [b]) => (a < b ? -1 : 1)), market, slots]))
    .digest('hex')
    .slice(0, 16);

function scalingOf({ deployment, slots }: EndpointSpec, replicas: number): Scaling {
  return {
    min_replica_count: replicas,
    max_replica_count: replicas,
    scale_down_policy: { delay_seconds: 0 },
    scale_up_policy: { delay_seconds: 0 },
    queue_message_ttl_seconds: Math.ceil(deployment.queueTtlMs / 1000),
    concurrent_requests_per_replica: slots,
    scaling_triggers: { queue_load: { threshold: slots } },
  };
}

/** Body of a create. @throws DeckhandError `provider_config` for a name that the provider refuses */
function newDeployment(spec: EndpointSpec, replicas: number): NewDeployment {
  const { name, deployment, market } = spec;
  const { image, compute, computeSize, port, healthPort, healthPath, env, secrets, registryCredentials } = deployment;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u.test(name))
    throw providerError('config', `"${name}" is not a name of at most 63 lower-case letters, digits and dashes`);
  const plain = Object.entries({ ...env, [SPEC_VARIABLE]: printOf(spec) });
  return {
    name,
    container_registry_settings: {
      is_private: registryCredentials !== null,
      credentials: registryCredentials === null ? null : { name: registryCredentials },
    },
    compute: { name: compute, size: computeSize },
    containers: [
      {
        image,
        exposed_port: port,
        healthcheck: { enabled: true, port: healthPort, path: healthPath },
        env: [
          ...plain.map(([key, value]) => ({ name: key, value_or_reference_to_secret: value, type: 'plain' as const })),
          ...Object.entries(secrets).map(([key, secret]) => ({
            name: key,
            value_or_reference_to_secret: secret,
            type: 'secret' as const,
          })),
        ],
      },
    ],
    scaling: scalingOf(spec, replicas),
    is_spot: market === 'spot',
  };
}
