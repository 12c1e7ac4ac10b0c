/**
 * Replicas behind the port of providers, so that the life of an instance, the ledger, the budgets and the reaper treat one as a machine.
 *
 * What exists are claims; how many of them have a replica is what the deployment shows: the oldest claims have the replicas that run. A claim
 * that was given up is `deleting` until the deployment is scaled in. Nothing is bought here: the pool scales.
 */
import type { Accounts } from '../../../clouds/accounts.ts';
import { providerError } from '../../../clouds/errors.ts';
import type { EndpointReplica, EndpointView } from '../../../clouds/endpoint-scaler.ts';
import type { CloudInstance, CloudProvider } from '../../../clouds/provider.ts';
import { providerEntry } from '../../../clouds/providers.ts';
import type { ProviderBill } from '../../../domain/fleet/provider/billing.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { claimIdOf, liveClaims, releaseReplica, type Claim } from './claims.ts';
import type { Endpoints } from './endpoints.ts';

/** What does not exist where there are no machines. */
const none = () => Promise.resolve([]);

/** A claim with what there is of its replica. */
interface Seen {
  readonly claim: Claim;
  readonly isLive: boolean;
  readonly view: EndpointView | null;
  /** Its replica; null = none runs for it. */
  readonly replica: EndpointReplica | null;
  /** Live claims of its pool. */
  readonly claims: number;
}

/** The replicas of a provider's deployments. @param provider one that has deployments */
function createReplicaProvider(db: PrismaClient, endpoints: Endpoints, provider: string): CloudProvider {
  const { deployments } = providerEntry(provider);
  if (deployments === undefined) throw new RangeError(`${provider} has no deployments`);
  const { bookedAs, capabilities } = deployments;

  const seeAll = async (claims: readonly Claim[]): Promise<Seen[]> =>
    Promise.all(
      claims.map(async (claim) => {
        const { pool } = claim.instance;
        const view = await endpoints.see(provider, pool);
        const live = claims.filter((other) => other.instance.pool === pool);
        return seen(claim, live, view);
      }),
    );
  const seeOne = async (id: string): Promise<Seen | null> => {
    const claimId = claimIdOf(bookedAs, id);
    if (claimId === null) return null;
    const claim = await db.createIntent.findUnique({ where: { id: claimId }, include: { instance: true } });
    if (claim === null) return null;
    const { pool } = claim.instance;
    const [live, view] = await Promise.all([liveClaims(db, bookedAs, pool), endpoints.see(provider, pool)]);
    return seen(claim, live, view);
  };

  return {
    name: bookedAs,
    capabilities,
    listInstanceTypes: none,
    listLocations: none,
    async listInstances() {
      const all = await seeAll(await liveClaims(db, bookedAs));
      return all.map((one) => toInstance(bookedAs, one));
    },
    async getInstance(id) {
      const one = await seeOne(id);
      return one === null || isGone(one) ? null : toInstance(bookedAs, one);
    },
    prepareCreate: () => Promise.resolve({}),
    createInstance: () => Promise.reject(providerError('config', 'a replica is claimed, not created')),
    async deleteInstance(id) {
      const claimId = claimIdOf(bookedAs, id);
      if (claimId !== null) await releaseReplica(db, claimId);
    },
    listVolumes: none,
    getVolume: () => Promise.resolve(null),
    deleteVolume: () => Promise.resolve(),
    bills: {
      async billOf(resource, id) {
        if (resource !== 'instance') return null;
        const [one, rental] = await Promise.all([
          seeOne(id),
          db.rental.findFirst({
            where: { provider: bookedAs, resource, resourceId: id },
            select: { billedFrom: true },
          }),
        ]);
        return one === null ? null : billOf(one, rental?.billedFrom ?? null);
      },
      madeSince: () => Promise.resolve(null),
    },
  };
}

/** Accounts with the replicas of every provider that has deployments: also of pools that are not configured any more. */
export function withReplicas(accounts: Accounts, db: PrismaClient, endpoints: Endpoints): Accounts {
  const able = accounts.names.filter((name) => providerEntry(name).deployments !== undefined);
  return able.reduce((all, name) => all.with(createReplicaProvider(db, endpoints, name)), accounts);
}

function seen(claim: Claim, live: readonly Claim[], view: EndpointView | null): Seen {
  const running = (view?.replicas ?? [])
    .filter((replica) => replica.isRunning)
    .toSorted((a, b) => (a.startedAtMs ?? 0) - (b.startedAtMs ?? 0) || (a.id < b.id ? -1 : 1));
  const place = live.findIndex((other) => other.id === claim.id);
  return { claim, isLive: place >= 0, view, replica: running[place] ?? null, claims: live.length };
}

/** A claim that was given up is gone once the deployment is set to no more replicas than are claimed. */
const isGone = ({ isLive, view, claims }: Seen): boolean =>
  !isLive && (view === null || view.status !== 'active' || (view.desired !== null && view.desired <= claims));

function toInstance(bookedAs: string, { claim, isLive, view, replica }: Seen): CloudInstance {
  const { instanceType, location, market } = parseOfferKey(claim.offerKey);
  const url = isLive && replica !== null ? (view?.url ?? null) : null;
  return {
    id: `${bookedAs}/${claim.id}`,
    hostname: claim.hostname,
    status: !isLive ? 'deleting' : url === null ? 'starting' : 'running',
    rawStatus:
      view === null ? 'no deployment yet' : `${view.rawStatus}, ${view.running} of ${view.desired ?? '?'} running`,
    instanceType,
    location,
    market,
    priceUsdPerHour: claim.priceUsdPerHour.toNumber(),
    ip: null,
    osVolumeId: null,
    volumeIds: [],
    tags: {},
    createdAtMs: Math.max(claim.createdAt.getTime(), replica?.startedAtMs ?? 0),
    simulatedModelUrl: url,
  };
}

/**
 * What a claim costs: from when a replica first ran for it until it was given up. The provider's own record has no line per claim.
 *
 * @param billedFrom as the ledger has it already
 */
function billOf({ claim, isLive, replica }: Seen, billedFrom: Date | null): ProviderBill {
  const { createdAt, settledAt, instance } = claim;
  const readyMs = instance.readyAt === null || instance.readyAt < createdAt ? null : instance.readyAt.getTime();
  const startedMs = replica === null ? null : Math.max(createdAt.getTime(), replica.startedAtMs ?? 0);
  const fromMs = billedFrom?.getTime() ?? startedMs ?? readyMs;
  if (fromMs === null) return { state: isLive ? 'not_begun' : 'void' };
  const untilMs = isLive || settledAt === null ? null : Math.max(fromMs, settledAt.getTime());
  return { state: 'billed', fromMs, untilMs };
}
