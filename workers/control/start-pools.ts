/**
 * Starts the configured pools at the start of a control process, and sends running pools their current configuration.
 * Repeating it, also from several processes, changes nothing.
 */
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { providerNames, providersOfPool, STATIC } from '../../clouds/fleet.ts';
import { providerEntry } from '../../clouds/providers.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { poolConfigSchema, type PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { serverPools } from '../../activities/models/catalog/places.ts';
import { instancesHeldElsewhere, poolNames, type HeldInstance } from '../../activities/fleet/pool/configured.ts';
import { DEFAULT_OLLAMA_URL, type Config } from '../../platform/config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Fleet } from '../../clouds/fleet.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import {
  CONFIGURE_SIGNAL,
  makePoolWorkflowId,
  POOL_WORKFLOW,
  RETIRE_SIGNAL,
  type PoolWorkflowInput,
} from '../../contracts/pool.ts';
import { type PoolSetup } from '../../domain/fleet/pool/pool-state.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';

/** Name of the pool of servers that run already, where the fleet file names none. */
const STATIC_POOL = 'static';

type PoolSettings = Pick<
  Config,
  'staticHosts' | 'ollamaHost' | 'modelConcurrency' | 'fleetFile' | 'temporalUiUrl' | 'models'
>;

/** The pools of a configuration. @throws DeckhandError `usage` when servers that run already are to be in several pools */
export function poolSetups(
  config: PoolSettings,
  fleet: Fleet,
  serverPools: readonly PoolConfig[] = [],
): readonly PoolSetup[] {
  const { installationId, provider } = fleet;
  const { temporalUiUrl: uiUrl, modelConcurrency: slots } = config;
  const shared = { installationId, slots, ...(uiUrl === undefined ? {} : { uiUrl }) };
  const twice = serverPools.find(({ name }) => fleet.pools.some((pool) => pool.name === name));
  if (twice !== undefined) {
    throw new DeckhandError(
      'usage',
      `${config.fleetFile}: pool ${twice.name} has the name of the pool of a model profile`,
      {
        userMessage: `The fleet file names a pool ${twice.name}, and so is the pool of the model profile ${twice.models ?? 'in use'} called.`,
        hint: 'Rename the pool in the fleet file.',
      },
    );
  }
  const setupsOf = (list: readonly PoolConfig[]): PoolSetup[] =>
    list.flatMap((pool) => endpointSetup(pool, provider, shared) ?? []);
  const endpoints = setupsOf(fleet.pools);
  const servers = setupsOf(serverPools);
  const pools = fleet.pools.filter((pool) => pool.endpoint === undefined);
  if (provider !== STATIC) {
    const rented = pools.map((pool) => ({ ...shared, ...ofProviders(pool, provider), config: pool, staticHosts: [] }));
    return [...rented, ...endpoints, ...servers];
  }
  // A fleet of endpoints alone names no servers of its own.
  if (pools.length === 0 && endpoints.length > 0) return [...endpoints, ...servers];
  // The installation's own profile is on a server that is configured by name.
  const isServedByName = serverPools.some(({ ownQueues }) => ownQueues !== true);
  if (pools.length === 0 && isServedByName) return servers;
  const [pool, ...others] = pools;
  if (others.length > 0) {
    throw new DeckhandError('usage', `${config.fleetFile}: provider static with ${fleet.pools.length} pools`, {
      userMessage: 'Servers that run already are one pool; the fleet file names several.',
      hint: 'Leave one pool in the fleet file, or set "provider".',
    });
  }
  const staticHosts = config.staticHosts ?? [config.ollamaHost ?? DEFAULT_OLLAMA_URL];
  const size = { min: staticHosts.length, max: staticHosts.length };
  const base = pool ?? poolConfigSchema.parse({ name: STATIC_POOL, classes: [...GPU_CLASSES] });
  const { capabilities } = providerEntry(provider);
  return [{ ...shared, provider, capabilities, config: { ...base, ...size }, staticHosts }, ...endpoints, ...servers];
}

/** An endpoint at a URL is a server that runs already; replicas of a deployment are rented. Null for every other pool. */
function endpointSetup(
  pool: PoolConfig,
  fleetProvider: string,
  shared: Pick<PoolSetup, 'installationId' | 'slots' | 'uiUrl'>,
): PoolSetup | null {
  const { url, deployment, slotsPerReplica = shared.slots } = pool.endpoint ?? {};
  const common = { ...shared, slots: slotsPerReplica };
  if (url !== undefined) {
    const { capabilities } = providerEntry(STATIC);
    return { ...common, provider: STATIC, capabilities, config: { ...pool, min: 1, max: 1 }, staticHosts: [url] };
  }
  const [provider = fleetProvider] = providersOfPool(pool, fleetProvider);
  const { deployments } = providerEntry(provider);
  if (deployment === undefined || deployments === undefined) return null;
  // Shown as what the pool takes.
  const config = { ...pool, selector: `${deployment.computeSize}x${deployment.compute}` };
  const { bookedAs, capabilities } = deployments;
  return { ...common, provider: bookedAs, capabilities, config, staticHosts: [] };
}

/** What a pool has to know of its providers. */
function ofProviders(
  pool: PoolConfig,
  fleetProvider: string,
): Pick<PoolSetup, 'provider' | 'capabilities' | 'providers'> {
  const names = providersOfPool(pool, fleetProvider);
  const provider = names[0] ?? fleetProvider;
  return {
    provider,
    capabilities: providerEntry(provider).capabilities,
    ...(names.length < 2
      ? {}
      : { providers: Object.fromEntries(names.map((name) => [name, providerEntry(name).capabilities])) }),
  };
}

/**
 * Starts and configures every pool; pools that are no longer configured release their instances and end.
 *
 * @throws DeckhandError `conflict` when a provider is no longer configured and still holds instances: they are listed
 */
export async function startPools(
  temporal: Client,
  db: PrismaClient,
  config: PoolSettings,
  fleet: Fleet,
): Promise<void> {
  const setups = poolSetups(config, fleet, await serverPools(db, config.models));
  const providers = providerNames(fleet).flatMap((name) =>
    [name, providerEntry(name).deployments?.bookedAs ?? []].flat(),
  );
  refuseForgotten(await instancesHeldElsewhere(db, providers), config);
  await Promise.all(setups.map((setup) => configure(temporal, setup)));
  const configured = new Set(setups.map((s) => s.config.name));
  const forgotten = (await poolNames(db)).filter((name) => !configured.has(name));
  await Promise.all(forgotten.map((name) => retire(temporal, name)));
}

/** Without its provider's configuration an instance could be neither used nor ended, and would go on costing. */
function refuseForgotten(held: readonly HeldInstance[], config: PoolSettings): void {
  const first = held[0];
  if (first === undefined) return;
  const list = held.map((i) => `${i.name} (${i.phase}${i.offerKey === null ? '' : `, ${i.offerKey}`})`).join(', ');
  throw new DeckhandError('conflict', `${config.fleetFile} does not name ${first.provider}, which holds ${list}`, {
    userMessage: `${first.provider} is not configured any more and still holds ${held.length === 1 ? 'an instance' : 'instances'}: ${list}.`,
    hint: `Name ${first.provider} in the fleet file again ("provider", or "providers"), end them with \`./deckhand fleet destroy NAME\`, and remove it then.`,
  });
}

/** Starts a pool, or sends a running pool its current configuration. */
async function configure(temporal: Client, setup: PoolSetup): Promise<void> {
  const { name } = setup.config;
  await temporal.workflow.signalWithStart<(input: PoolWorkflowInput) => Promise<void>, [PoolSetup]>(POOL_WORKFLOW, {
    workflowId: makePoolWorkflowId(name),
    taskQueue: CONTROL_QUEUE,
    args: [{ setup }],
    signal: CONFIGURE_SIGNAL,
    signalArgs: [setup],
    typedSearchAttributes: [{ key: ATTRIBUTES.pool, value: name }],
    staticSummary: `Pool ${name}: ${setup.config.classes.join(', ')}`,
  });
}

async function retire(temporal: Client, name: string): Promise<void> {
  try {
    await temporal.workflow.getHandle(makePoolWorkflowId(name)).signal(RETIRE_SIGNAL);
  } catch (error) {
    // It ended after an earlier start.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
