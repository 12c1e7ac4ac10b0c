/** Activities of one instance's life, on queue `fleet`; see their contract beside this file. */
import { Context } from '@temporalio/activity';
import type { KeptVolume, OfferPlace, Sighting } from '../../../domain/fleet/instance-life/types.ts';
import type { OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { PROVIDER_ERROR_CLASSES, type ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { partOf } from '../../../clouds/parts.ts';
import { whyNoOffer } from '../../../domain/fleet/selection/refuse-offer.ts';
import type { RankedOffer } from '../../../domain/fleet/selection/ladder.ts';
import type { ExplainedLadder } from '../../../domain/fleet/selection/ladder-input.ts';
import { tellOperator } from '../../alerts/operator-told.ts';
import type { BudgetCheck } from '../../costs/budget/check-create.ts';
import { withHeartbeat } from '../../support/heartbeat.ts';
import { claimReplica, rankReplica } from '../endpoint/claims.ts';
import type { Endpoints } from '../endpoint/endpoints.ts';
import { askPool, stillWanted } from '../pool/still-wanted.ts';
import type { ActOutcome, InstanceActivities } from './contract.ts';
import { createInstance, type CreateDependencies, type LaunchGate } from './create.ts';
import { findInstances, lookAtInstance } from './look.ts';
import { ownDisks } from './own-disks.ts';
import { answerOf, errorInfo } from './provider-answer.ts';
import type { Sought, Unanswered } from '../selection/selection.ts';
import { storeTransitions } from './store-transitions.ts';

/** Makes ladders and remembers failures. */
export interface LadderSource extends LaunchGate {
  /** @throws DeckhandError for a selector, location or model that no offer can satisfy, and `provider_*` */
  ladder(
    pool: PoolConfig,
    wakeFrom: KeptVolume | null,
    sought?: Sought,
  ): Promise<ExplainedLadder & { readonly unanswered?: readonly Unanswered[] }>;
  /** `error` null = the create succeeded. */
  remember(offer: OfferKey, error: ProviderErrorInfo | null): Promise<void>;
}

export interface InstanceActivitiesOptions extends CreateDependencies {
  /** Tells our disks from those of others. */
  readonly installationId: string;
  readonly selection: LadderSource;
  /** Told of each machine that was looked at; never throws. */
  readonly onSeen?: (seen: Sighting) => Promise<void>;
  /** Budgets; absent = there are none. */
  readonly budget?: BudgetCheck;
  /** Deployments of endpoint pools; absent = the fleet has none. */
  readonly endpoints?: Endpoints;
}

/** Prices that are named when they are not believed. */
const MISPRINTS_TOLD = 3;

/** Offers of a ladder that one pass may try: bounds what a workflow carries, and what a pass costs. */
const MAX_OFFERS_PER_PASS = 25;

export function createInstanceActivities(options: InstanceActivitiesOptions): InstanceActivities {
  const { db, accounts, selection, log, budget, endpoints } = options;
  /** Heartbeats, so that a killed worker is noticed; the answer of the provider, so that the reducer decides. */
  const act = (what: string, call: () => Promise<void>): Promise<ActOutcome> =>
    withHeartbeat({ what }, async () => ({ error: (await answerOf(async () => call())).error }));
  return {
    rankOffers: ({ pool, wakeFrom, instance, soughtSinceMs = null, provider, at }) =>
      withHeartbeat({ what: 'rank' }, async () => {
        if (pool.endpoint !== undefined && endpoints !== undefined) {
          const { offers: replicas, ...rest } = await rankReplica(endpoints, pool);
          const { offers, refusal } = (await budget?.affordable(pool, replicas, null)) ?? {
            offers: replicas,
            refusal: null,
          };
          const nextTryAtMs = refusal?.nextTryAtMs ?? null;
          return { offers, nextTryAtMs, ...rest, ...(refusal === null ? {} : { message: refusal.message }) };
        }
        const { value, error } = await answerOf(() =>
          selection.ladder(pool, wakeFrom, { sinceMs: soughtSinceMs, ...(provider === undefined ? {} : { provider }) }),
        );
        const misprints = misprintWords(value?.offers ?? []);
        if (misprints !== null) await tellOperator(db, { instance, text: misprints }, new Date());
        for (const silent of value?.unanswered ?? []) await tellOfUnusable(db, instance, silent);
        const ranked = (value?.offers ?? [])
          .filter((offer) => offer.rank !== null && isAt(offer, at))
          .slice(0, MAX_OFFERS_PER_PASS)
          // Explanations beyond the sentence stay out of the workflow.
          .map(({ fits: _fits, secondsPerSlide: _seconds, bootsKeptVolume: _boots, ...offer }): RankedOffer => offer);
        const { offers, refusal } = (await budget?.affordable(pool, ranked, wakeFrom)) ?? {
          offers: ranked,
          refusal: null,
        };
        // Says in one line why no machine can be rented, instead of the whole ladder.
        const message = refusal?.message ?? whyNoOffer(value?.offers ?? []);
        const times = [value?.nextTryAtMs ?? null, refusal?.nextTryAtMs ?? null].flatMap((ms) => ms ?? []);
        return {
          offers,
          nextTryAtMs: times.length === 0 ? null : Math.min(...times),
          error,
          ...(message === null ? {} : { message }),
        };
      }),
    createInstance: (input) =>
      withHeartbeat({ what: 'create' }, ({ signal }) =>
        input.pool.endpoint === undefined ? createInstance(options, input, signal) : claimReplica(options, input),
      ),
    findInstances: ({ hostnames }) => withHeartbeat({ what: 'find' }, () => findInstances(db, accounts, hostnames)),
    lookAtInstance: ({ providerId }) =>
      withHeartbeat({ what: 'look' }, async () => {
        const look = await lookAtInstance(accounts.ofId(providerId), providerId);
        if (look.sighting !== null) await options.onSeen?.(look.sighting);
        return look;
      }),
    rememberOutcome: ({ offer, error }) => withHeartbeat({ what: 'remember' }, () => selection.remember(offer, error)),
    shutdownInstance: ({ providerId }) =>
      act('shutdown', async () => partOf(accounts.ofId(providerId), 'stopping').shutdown(providerId)),
    startInstance: ({ providerId, instance, pool }) =>
      withHeartbeat({ what: 'start' }, async () => {
        const refusal = (await budget?.reserveStart(instance, pool)) ?? null;
        if (refusal !== null) return { error: { errorClass: 'throttled', message: refusal.message } as const };
        return {
          error: (await answerOf(async () => partOf(accounts.ofId(providerId), 'stopping').start(providerId))).error,
        };
      }),
    changeInstanceType: ({ providerId, instanceType }) =>
      act('change type', async () =>
        partOf(accounts.ofId(providerId), 'typeChange').changeType(providerId, instanceType),
      ),
    hibernateInstance: ({ providerId }) =>
      act('hibernate', async () => partOf(accounts.ofId(providerId), 'hibernation').hibernate(providerId)),
    deleteInstance: ({ providerId, deleteVolumeIds }) =>
      act('delete', async () => {
        const provider = accounts.ofId(providerId);
        await provider.deleteInstance(providerId, await ownDisks(options, provider, deleteVolumeIds));
      }),
    deleteVolume: ({ volumeId }) =>
      act('delete volume', async () => {
        const provider = accounts.ofId(volumeId);
        for (const own of await ownDisks(options, provider, [volumeId])) await provider.deleteVolume(own);
      }),
    countTransitions: ({ instance }) => db.instanceTransition.count({ where: { instanceName: instance } }),
    storeTransitions: (input) => withHeartbeat({ what: 'store' }, () => storeTransitions(db, input)),
    alertOperator: async ({ instance, pool, text }) => {
      log.error({ alert: 'fleet', instance, pool }, text);
      await withHeartbeat({ what: 'tell' }, () => tellOperator(db, { instance, text }, new Date()));
    },
    recheckDemand: (input) => {
      const context = Context.current();
      return withHeartbeat({ what: 'demand' }, async () => {
        // Without money the instance ends, whatever the demand.
        if ((await budget?.isUnpaid(input.instance, input.pool)) === true) return { work: false };
        const says = await askPool(context, input.pool.name, input.instance);
        return { work: await stillWanted(db, says, input, new Date(), await budget?.limits()) };
      });
    },
  };
}

const isAt = (offer: RankedOffer, place: OfferPlace | undefined): boolean =>
  place === undefined ||
  (offer.provider === place.provider && offer.location === place.location && offer.market === place.market);

/** Tells an operator of a provider that only a person can make usable again. The others are used meanwhile. */
async function tellOfUnusable(db: PrismaClient, instance: string, { provider, error }: Unanswered): Promise<void> {
  const { errorClass, message } = errorInfo(error);
  if (PROVIDER_ERROR_CLASSES[errorClass].report !== 'operator') return;
  await tellOperator(db, { instance, text: `${provider} cannot be used: ${message}` }, new Date());
}

/** Types whose prices are not believed, for an operator; null = there are none. The other offers are tried meanwhile. */
function misprintWords(offers: readonly RankedOffer[]): string | null {
  const reasons = [...new Set(offers.filter((o) => o.refusal === 'implausible_price').map((o) => o.reason))];
  if (reasons.length === 0) return null;
  const more = reasons.length > MISPRINTS_TOLD ? ` And ${reasons.length - MISPRINTS_TOLD} more.` : '';
  return `Prices in the catalogue are not believed. ${reasons.slice(0, MISPRINTS_TOLD).join(' ')}${more}`;
}
