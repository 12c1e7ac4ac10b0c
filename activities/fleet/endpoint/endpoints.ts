/** The deployments of a fleet's endpoint pools: the scaler of each, and what was last seen of it. */
import { deploymentPoolOf, makeDeploymentName } from '../../../domain/fleet/provider/names.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/provider/billing.ts';
import { endpointDeploymentSchema, type EndpointDeployment } from '../../../domain/fleet/pool/endpoint-config.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { providersOfPool, type Fleet } from '../../../clouds/fleet.ts';
import type {
  EndpointAccount,
  EndpointScaler,
  EndpointSpec,
  EndpointView,
  ListedDeployment,
} from '../../../clouds/endpoint-scaler.ts';
import { openDeployments, providerEntry, type OpenProviderOptions } from '../../../clouds/providers.ts';
import { Memo } from '../../../platform/memo.ts';

/**
 * What was seen of a deployment is good for so long. A look is four calls, of which a provider may take 60 a minute each (DataCrunch): the pool
 * and each of its instances look every few seconds, and beyond the limit every one of them waits for up to a minute.
 */
const SEEN_FOR_MS = 5_000;

/** A pool that is not configured any more: its deployment is found by its name, and nothing else of it matters. */
const RETIRED: EndpointDeployment = endpointDeploymentSchema.parse({ image: 'retired:1', compute: 'retired' });

export class Endpoints {
  readonly #options: OpenProviderOptions;
  readonly #slots: number;
  readonly #accounts = new Map<string, EndpointAccount>();
  readonly #seen: Memo<EndpointView | null>;

  /** @param slots calls that a replica takes where its pool does not say */
  constructor(options: OpenProviderOptions, slots: number, seenForMs = SEEN_FOR_MS) {
    this.#options = options;
    this.#slots = slots;
    this.#seen = new Memo({ keptMs: seenForMs });
  }

  get fleet(): Fleet {
    return this.#options.fleet;
  }

  /** The configured pool of this name; null = there is none, or it has no deployment. */
  poolOf(name: string): PoolConfig | null {
    return this.fleet.pools.find((pool) => pool.name === name && pool.endpoint?.deployment !== undefined) ?? null;
  }

  /** Name under which the replicas of a pool are booked. @throws DeckhandError `usage` for a provider without deployments */
  bookedAs(pool: PoolConfig): string {
    return providerEntry(this.#providerOf(pool)).deployments?.bookedAs ?? '';
  }

  /** How the replicas of a pool are billed. @throws DeckhandError as {@link bookedAs} */
  capabilities(pool: PoolConfig): ProviderCapabilities {
    const { deployments, capabilities } = providerEntry(this.#providerOf(pool));
    return deployments?.capabilities ?? capabilities;
  }

  /** Calls that a replica of a pool takes at the same time. */
  slots({ endpoint }: PoolConfig): number {
    return endpoint?.slotsPerReplica ?? this.#slots;
  }

  /** The scaler of a pool's deployment. @throws DeckhandError as {@link openDeployments} */
  scaler(pool: PoolConfig): EndpointScaler {
    return this.#account(this.#providerOf(pool)).scaler(this.#specOf(pool));
  }

  /** The deployment of a pool as it is, or was a moment ago, but not before the last {@link change}. @throws DeckhandError `provider_*` */
  look(pool: PoolConfig): Promise<EndpointView | null> {
    return this.#see(this.#providerOf(pool), this.#specOf(pool));
  }

  /** The same by the name of a pool, also of one that is not configured any more. @throws DeckhandError `provider_*` */
  see(provider: string, pool: string): Promise<EndpointView | null> {
    const configured = this.poolOf(pool);
    return this.#see(provider, configured === null ? this.#retired(pool) : this.#specOf(configured));
  }

  /** Changes the deployment of a pool; what was seen before is out of date. @throws what the change throws */
  async change(pool: PoolConfig, change: (scaler: EndpointScaler) => Promise<void>): Promise<void> {
    try {
      await change(this.scaler(pool));
    } finally {
      this.#seen.forgetAll();
    }
  }

  /** Deployments of a provider's account, each with its pool; null = it is none of this installation. @throws DeckhandError `provider_*` */
  async list(provider: string): Promise<readonly (ListedDeployment & { readonly pool: string | null })[]> {
    const all = await this.#account(provider).list();
    return all.map((one) => ({ ...one, pool: deploymentPoolOf(one.name, this.fleet.installationId) }));
  }

  /** Deletes the deployment of a pool, also of one that is not configured any more. @throws DeckhandError `provider_*` */
  delete(provider: string, pool: string): Promise<void> {
    return this.#account(provider).scaler(this.#retired(pool)).delete();
  }

  #providerOf(pool: PoolConfig): string {
    return providersOfPool(pool, this.fleet.provider)[0] ?? this.fleet.provider;
  }

  /**
   * One that is not there or is paused is looked at anew each time: another process may make or resume it, and a pool that believes it paused
   * looks at it no more.
   */
  async #see(provider: string, spec: EndpointSpec): Promise<EndpointView | null> {
    const key = JSON.stringify([provider, spec]);
    const view = await this.#seen.get(key, () => this.#account(provider).scaler(spec).get());
    if (view === null || view.status === 'paused') this.#seen.forget(key);
    return view;
  }

  #specOf(pool: PoolConfig): EndpointSpec {
    return {
      name: makeDeploymentName(this.fleet.installationId, pool.name),
      deployment: pool.endpoint?.deployment ?? RETIRED,
      market: marketOf(pool),
      slots: this.slots(pool),
    };
  }

  #retired(pool: string): EndpointSpec {
    const name = makeDeploymentName(this.fleet.installationId, pool);
    return { name, deployment: RETIRED, market: 'ondemand', slots: this.#slots };
  }

  #account(provider: string): EndpointAccount {
    const account = this.#accounts.get(provider) ?? openDeployments(this.#options, provider);
    this.#accounts.set(provider, account);
    return account;
  }
}

/** A deployment is wholly of one market; the fleet file refuses `any`. */
export const marketOf = ({ market }: PoolConfig): Market => (market === 'any' ? 'ondemand' : market);
