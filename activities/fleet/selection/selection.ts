/**
 * Selection with its effects: reads what the provider and the database know, has `buildLadder` decide, remembers how creates ended. One
 * per process, so that all pools share one view of the market.
 */
import type { CloudProvider } from '../../../clouds/provider.ts';
import type { GpuClass, ModelProfile } from '../../../domain/models/model-tasks.ts';
import type { ProviderCapabilities } from '../../../domain/fleet/provider/billing.ts';
import { catalogueOffers, marketsOf } from '../../../domain/fleet/selection/catalogue-offers.ts';
import type { KeptVolume } from '../../../domain/fleet/instance-life/types.ts';
import { parseOfferKey, type Market, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { BlockIndex } from '../../../domain/fleet/selection/offer-memory.ts';
import { whyNoLaunch } from '../../../domain/fleet/selection/refuse-offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { ModelNeed } from '../../../domain/fleet/selection/ladder.ts';
import type {
  ExplainedLadder,
  MarketAvailability,
  OfferHistory,
  LadderPolicy,
} from '../../../domain/fleet/selection/ladder-input.ts';
import type { SecondsPerSlide } from '../../../domain/fleet/selection/slide-cost.ts';
import { assertSelectable, buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { requiredModels } from '../../models/host/required-models.ts';
import { DEFAULT_TIMING, MarketView, type Catalogue, type MarketViewTiming } from './market-view.ts';
import { readOfferMemory, rememberOutcome } from './offer-blocks.ts';
import {
  countInstancesByLocation,
  readLaunchAttempts,
  readOfferHistory,
  readSecondsPerSlide,
} from './offer-history.ts';

export interface SelectionOptions {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  /** Which models answer, and the parallel calls per machine. */
  readonly config: { readonly models: ModelProfile; readonly modelConcurrency: number };
  readonly log: Logger;
  readonly now?: () => number;
  readonly timing?: Partial<MarketViewTiming>;
}

/** What is asked of a ladder: the choosing part of a pool, and the classes it serves. */
export type LadderWish = LadderPolicy & Pick<PoolConfig, 'classes'>;

/** A full ladder, with what it rests on. */
export interface Plan {
  readonly ladder: ExplainedLadder;
  readonly catalogue: Catalogue;
  readonly models: readonly ModelNeed[];
  readonly slots: number;
}

/** The market as it is now, without a wish. */
export interface Survey {
  readonly catalogue: Catalogue;
  readonly availability: Partial<Record<Market, MarketAvailability>>;
  readonly secondsPerSlide: SecondsPerSlide;
}

/** See the file's header. */
export class Selection {
  readonly #options: SelectionOptions;
  readonly #timing: MarketViewTiming;
  readonly #now: () => number;
  readonly #market: MarketView;

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...options.timing };
    this.#now = options.now ?? Date.now;
    const { db, provider, log } = options;
    this.#market = new MarketView({ db, provider, log, now: this.#now, timing: this.#timing });
  }

  /** Name of the provider. */
  get provider(): string {
    return this.#options.provider.name;
  }

  /** What the provider can do, and how it bills. */
  get capabilities(): ProviderCapabilities {
    return this.#options.provider.capabilities;
  }

  /**
   * The ladder of a pool: offers that its selector takes, ranked or refused. Offers of other kinds are left out, so that it stays small.
   *
   * @throws DeckhandError `selector_unknown`, `location_unknown`, `model_fits_no_offer`; `provider_*` when the provider does not answer
   */
  async ladder(pool: LadderWish, wakeFrom: KeptVolume | null): Promise<ExplainedLadder> {
    const { ladder } = await this.plan(pool, wakeFrom);
    return { ...ladder, offers: ladder.offers.filter((offer) => offer.refusal !== 'not_selected') };
  }

  /** Every offer of the wanted markets, explained. Throws like {@link ladder}. */
  async plan(wish: LadderWish, wakeFrom: KeptVolume | null = null): Promise<Plan> {
    const { db, provider, config } = this.#options;
    const slots = config.modelConcurrency;
    const [catalogue, models] = await Promise.all([
      this.#market.catalogue(),
      readModelNeeds(db, config.models, wish.classes),
    ]);
    // Mistakes are told before availability is asked for.
    const { types, locations } = catalogue;
    assertSelectable({ policy: wish, catalogue: types, locations, models, slots });
    const [availability, memory, history, secondsPerSlide, instancesByLocation] = await Promise.all([
      this.#market.availability(wish.market),
      readOfferMemory(db, provider.name),
      readOfferHistory(db, provider.name, this.#now()),
      readSecondsPerSlide(
        db,
        types,
        models.map((m) => m.modelName),
      ),
      countInstancesByLocation(db, provider.name),
    ]);
    const ladder = buildLadder({
      provider: provider.name,
      policy: wish,
      catalogue: types,
      locations,
      availability,
      availabilityTtlMs: this.#timing.availabilityTtlMs,
      models,
      slots,
      secondsPerSlide,
      memory,
      history: this.#withSeenPrices(history, catalogue, wish.market),
      instancesByLocation,
      wakeFrom,
      capabilities: provider.capabilities,
      nowMs: this.#now(),
    });
    return { ladder, catalogue, models, slots };
  }

  /** Catalogue, availability and speeds, independent of any selector. @throws DeckhandError `provider_*` when the provider does not answer */
  async survey(market: Market | 'any'): Promise<Survey> {
    const { db, config } = this.#options;
    const [catalogue, models, availability] = await Promise.all([
      this.#market.catalogue(),
      readModelNeeds(db, config.models, ['gpu-visual']),
      this.#market.availability(market),
    ]);
    const names = models.map((m) => m.modelName);
    return { catalogue, availability, secondsPerSlide: await readSecondsPerSlide(db, catalogue.types, names) };
  }

  /**
   * Why no create may be sent on an offer now, in a sentence; null = it may. The ladder says the same of the moment at which it was made.
   *
   * @param db the transaction that writes the create's intent, so that two creates do not both take what is left
   */
  async mayLaunch(
    key: OfferKey,
    { launchBudgetPerHour: perHour }: Pick<LadderPolicy, 'launchBudgetPerHour'>,
    db: Pick<PrismaClient, 'offerBlock' | 'createIntent'>,
  ): Promise<string | null> {
    const nowMs = this.#now();
    const memory = new BlockIndex(await readOfferMemory(db, this.provider));
    const attempts = await readLaunchAttempts(db, key, nowMs);
    return whyNoLaunch(parseOfferKey(key), { memory, attempts, perHour, nowMs })?.reason ?? null;
  }

  /** Remembers for all pools how a create on an offer ended; null = it succeeded. */
  async remember(offer: OfferKey, error: ProviderErrorInfo | null): Promise<void> {
    await rememberOutcome(this.#options.db, offer, error, this.#now());
  }

  /** Where an offer was never rented, the last plausible price of the catalogue is what a new one is held against. */
  #withSeenPrices(
    history: ReadonlyMap<OfferKey, OfferHistory>,
    { types, locations }: Catalogue,
    market: Market | 'any',
  ): Map<OfferKey, OfferHistory> {
    const merged = new Map(history);
    for (const { offer, key } of catalogueOffers(this.provider, types, locations, marketsOf(market))) {
      const known = merged.get(key);
      if (known !== undefined && known.lastPriceUsdPerHour !== null) continue;
      const lastPriceUsdPerHour = this.#market.lastGoodPrice(offer.instanceType, offer.market);
      merged.set(key, { attempts: [], medianBootMs: null, ...known, lastPriceUsdPerHour });
    }
    return merged;
  }
}

/** What the models that machines of these classes hold take of a GPU's memory. */
async function readModelNeeds(
  db: PrismaClient,
  profile: ModelProfile,
  classes: readonly GpuClass[],
): Promise<ModelNeed[]> {
  const models = await requiredModels(db, profile, classes);
  return models.map(({ name, weightsGib, kvCacheGibPerSlot }) => ({ modelName: name, weightsGib, kvCacheGibPerSlot }));
}
