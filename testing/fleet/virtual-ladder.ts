/** Ladders for tests: a short list of offers with the memory of failures, or the real selection over the simulated provider. */
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { providerErrorOf } from '../../clouds/errors.ts';
import type { KeptVolume } from '../../domain/fleet/instance-life/types.ts';
import type { LaunchAttempt } from '../../domain/fleet/provider/launch-limit.ts';
import { afterFailure, BlockIndex, failureScopeKey } from '../../domain/fleet/selection/offer-memory.ts';
import { offerKey, parseOfferKey, type OfferId, type OfferKey } from '../../domain/fleet/selection/offer.ts';
import type { ProviderErrorInfo } from '../../domain/fleet/provider/provider-errors.ts';
import { buildLadder } from '../../domain/fleet/selection/build-ladder.ts';
import type { LadderPolicy } from '../../domain/fleet/selection/ladder-input.ts';
import type { OfferMemory, RankedOffer } from '../../domain/fleet/selection/ladder.ts';
import { secondsPerSlideTable } from '../../domain/fleet/selection/slide-cost.ts';

/** Answer to `rank`. */
export interface RankAnswer {
  readonly offers: readonly RankedOffer[];
  readonly nextTryAtMs: number | null;
  readonly error: ProviderErrorInfo | null;
}

/** What failures taught, and how creates ended: what the database holds in production. */
export class LadderMemory {
  readonly memory = new Map<string, OfferMemory>();
  readonly attempts = new Map<OfferKey, LaunchAttempt[]>();
  /** Every outcome told, in order. */
  readonly told: { readonly offer: OfferKey; readonly error: ProviderErrorInfo | null }[] = [];

  remember(offer: OfferKey, error: ProviderErrorInfo | null, nowMs: number): void {
    this.told.push({ offer, error });
    if (error === null) return void this.memory.delete(offer);
    const id = parseOfferKey(offer);
    const key = failureScopeKey(id, error);
    const after = afterFailure(key === null ? null : (this.memory.get(key) ?? null), id, error, nowMs);
    if (after !== null) this.memory.set(after.scopeKey, after);
  }

  attempted(offer: OfferKey, attempt: LaunchAttempt): void {
    this.attempts.set(offer, [...(this.attempts.get(offer) ?? []), attempt]);
  }
}

/** Makes the ladder, as the `rankOffers` activity does. */
export type Ranker = (wakeFrom: KeptVolume | null, memory: LadderMemory, nowMs: number) => Promise<RankAnswer>;

/** A ladder over what a provider sells. */
export type LadderOf = (provider: CloudProvider) => Ranker;

/** An offer of the simulated DataCrunch. */
export const simulatedOffer = (
  instanceType: string,
  location = 'FIN-01',
  market: OfferId['market'] = 'ondemand',
): OfferId => ({ provider: 'datacrunch', location, instanceType, market });

/** These offers in this order, without those that are blocked; those that boot a kept disk in front. */
export function fixedLadder(offers: readonly OfferId[], priceUsdPerHour = 2): LadderOf {
  return () =>
    async (wakeFrom, { memory }, nowMs) => {
      const index = new BlockIndex([...memory.values()]);
      const blocks = offers.flatMap((offer) => index.blockOver(offer, nowMs)?.blockedUntilMs ?? []);
      const free = offers.filter((offer) => index.blockOver(offer, nowMs) === null);
      const here = free.filter((offer) => offer.location === wakeFrom?.location);
      const ordered = [...here, ...free.filter((offer) => !here.includes(offer))];
      return {
        offers: ordered.map((offer, i) => rankedOffer(offer, i + 1, priceUsdPerHour)),
        nextTryAtMs: blocks.length === 0 ? null : Math.min(...blocks),
        error: null,
      };
    };
}

/** {@link fixedLadder} of the offers under these keys. */
export const ladderOfKeys = (...keys: readonly string[]): LadderOf => fixedLadder(keys.map(parseOfferKey));

/** An offer at a place of a ladder. */
export function rankedOffer(offer: OfferId, rank: number, priceUsdPerHour = 2): RankedOffer {
  const gpu = { tier: null, gpuModel: 'H100', gpuCount: 1, vramGib: 80 };
  const place = { rank, refusal: null, reason: `place ${rank}`, nextTryAtMs: null, available: null, usdPerSlide: null };
  return { ...offer, ...gpu, ...place, priceUsdPerHour, key: offerKey(offer) };
}

/** The real selection, on what the provider says. Availability is asked for in every pass. */
export function selectedLadder(policy: LadderPolicy): LadderOf {
  return (provider) =>
    async (wakeFrom, { memory, attempts }, nowMs) => {
      try {
        const catalogue = await provider.listInstanceTypes();
        const locations = (await provider.listLocations()).map((l) => l.code);
        const markets = policy.market === 'any' ? (['ondemand', 'spot'] as const) : [policy.market];
        const availability = Object.fromEntries(
          await Promise.all(markets.map(async (m) => [m, await partOf(provider, 'stock').availability(m)])),
        );
        const ladder = buildLadder({
          provider: provider.name,
          policy,
          catalogue,
          locations,
          availability,
          availabilityTtlMs: 20_000,
          models: [{ modelName: 'gemma3:12b', weightsGib: 8, kvCacheGibPerSlot: 1 }],
          slots: 2,
          secondsPerSlide: secondsPerSlideTable({}),
          memory: [...memory.values()],
          history: new Map(
            [...attempts].map(([key, list]) => [
              key,
              { attempts: list, medianBootMs: null, lastPriceUsdPerHour: null },
            ]),
          ),
          instancesByLocation: {},
          wakeFrom,
          capabilities: provider.capabilities,
          nowMs,
        });
        return { offers: ladder.offers.filter((o) => o.rank !== null), nextTryAtMs: ladder.nextTryAtMs, error: null };
      } catch (error) {
        return { offers: [], nextTryAtMs: null, error: providerErrorOf(error) };
      }
    };
}
