/**
 * The deployments of a fleet's endpoint pools: the scaler of each, and what was last seen of it.
 */
import { deploymentPoolOf, makeDeploymentName } from '../../../domain/fleet/provider/names.ts';
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
import { Memo } from '../../support/memo.ts';

/** What was seen of a deployment is good for so long: several replicas are looked at one after the other. */
const SEEN_FOR_MS = 1_000;

/** A pool that is not configured any more: its deployment is found by its name, and nothing else of it matters. */
const RETIRED: EndpointDeployment = endpointDeploymentSchema.parse({ image: 'retired:1', compute: 'retired' });

/** See the file's header. */
export class Endpoints {
  readonly #options: OpenProviderOptions;
  readonly #slots: number;
  readonly #accounts = new Map<string, EndpointAccount>();
  readonly #seen = new Memo<EndpointView | null>({ keptMs: SEEN_FOR_MS });

  /** @param slots calls that a replica takes where its pool does not say */
  constructor(options: OpenProviderOptions, slots: number) {
    this.#options = options;
    this.#slots = slots;
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

  /** The scaler of a pool's deployment. @throws DeckhandError as {@link openDeployments} */
  scaler(pool: PoolConfig): EndpointScaler {
    return this.#open(this.#providerOf(pool), {
      name: makeDeploymentName(this.fleet.installationId, pool.name),
      deployment: pool.endpoint?.deployment ?? RETIRED,
      market: marketOf(pool),
      slots: pool.endpoint?.slotsPerReplica ?? this.#slots,
    });
  }

  /** The deployment of a pool as it is, or was a moment ago; also of one that is not configured any more. @throws DeckhandError `provider_*` */
  see(provider: string, pool: string): Promise<EndpointView | null> {
    return this.#seen.get(`${provider}/${pool}`, () => {
      const configured = this.poolOf(pool);
      return (configured === null ? this.#byName(provider, pool) : this.scaler(configured)).get();
    });
  }

  /** Deployments of a provider's account, each with its pool; null = it is none of this installation. @throws DeckhandError `provider_*` */
  async list(provider: string): Promise<readonly (ListedDeployment & { readonly pool: string | null })[]> {
    const all = await this.#account(provider).list();
    return all.map((one) => ({ ...one, pool: deploymentPoolOf(one.name, this.fleet.installationId) }));
  }

  /** Deletes the deployment of a pool, also of one that is not configured any more. @throws DeckhandError `provider_*` */
  delete(provider: string, pool: string): Promise<void> {
    return this.#byName(provider, pool).delete();
  }

  #providerOf(pool: PoolConfig): string {
    return providersOfPool(pool, this.fleet.provider)[0] ?? this.fleet.provider;
  }

  #byName(provider: string, pool: string): EndpointScaler {
    const name = makeDeploymentName(this.fleet.installationId, pool);
    return this.#open(provider, { name, deployment: RETIRED, market: 'ondemand', slots: this.#slots });
  }

  #open(provider: string, spec: EndpointSpec): EndpointScaler {
    return this.#account(provider).scaler(spec);
  }

  #account(provider: string): EndpointAccount {
    const account = this.#accounts.get(provider) ?? openDeployments(this.#options, provider);
    this.#accounts.set(provider, account);
    return account;
  }
}

/** A deployment is wholly of one market; the fleet file refuses `any`. */
export const marketOf = ({ market }: PoolConfig): Market => (market === 'any' ? 'ondemand' : market);
