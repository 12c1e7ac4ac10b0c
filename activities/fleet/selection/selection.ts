/**
 * Selection with its effects: reads what the provider and the database know, has `buildLadder` decide, remembers how creates ended. One
 * per process, so that all pools share one view of the market.
 */
import type { Accounts } from '../../../clouds/accounts.ts';
import { providersOfPool } from '../../../clouds/fleet.ts';
import { errorInfo, isAnswer } from '../instance/provider-answer.ts';
import { missingOf, needUnknown } from '../../../domain/models/footprint/need.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { catalogueOffers, marketOfPolicy, marketsOf } from '../../../domain/fleet/selection/catalogue-offers.ts';
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
  LadderInput,
  LadderPolicy,
} from '../../../domain/fleet/selection/ladder-input.ts';
import type { SecondsPerSlide } from '../../../domain/fleet/selection/slide-cost.ts';
import { assertSelectable, buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Logger } from '../../../platform/log.ts';
import { requiredModels } from '../../models/host/required-models.ts';
import { vllmModel } from '../../models/host/vllm-model.ts';
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
  /** Those of the fleet; the first is the fleet's own. */
  readonly accounts: Accounts;
  /** Which models answer, and the parallel calls per machine. */
  readonly config: { readonly models: string; readonly modelConcurrency: number };
  readonly log: Logger;
  readonly now?: () => number;
  readonly timing?: Partial<MarketViewTiming>;
}

/** What is asked of a ladder: the choosing part of a pool, the classes it serves, and the profile whose models it holds. */
export type LadderWish = LadderPolicy & Pick<PoolConfig, 'classes' | 'providers' | 'models'>;

/** A full ladder, with what it rests on. */
export interface Plan {
  readonly ladder: ExplainedLadder;
  /** Of all providers that answered. */
  readonly catalogue: Catalogue;
  /** Providers that did not answer, with their words: nothing is known of their offers. */
  readonly unanswered: readonly Unanswered[];
  readonly models: readonly ModelNeed[];
  readonly slots: number;
}

/** Who asks for a ladder. */
export interface Sought {
  /** Since when a machine is sought in vain; null = nothing is sought. */
  readonly sinceMs?: number | null;
  /** Provider of a pool that names none; the fleet's where left out. */
  readonly provider?: string;
}

/** A provider that did not answer. */
export interface Unanswered {
  readonly provider: string;
  readonly message: string;
  readonly error: unknown;
}

/** The market as it is now, without a wish. */
export interface Survey {
  readonly catalogue: Catalogue;
  readonly availability: Partial<Record<Market, MarketAvailability>>;
  readonly secondsPerSlide: SecondsPerSlide;
}

export class Selection {
  readonly #options: SelectionOptions;
  readonly #timing: MarketViewTiming;
  readonly #now: () => number;
  readonly #markets: ReadonlyMap<string, MarketView>;

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#timing = { ...DEFAULT_TIMING, ...options.timing };
    this.#now = options.now ?? Date.now;
    const { db, accounts, log } = options;
    const shared = { db, log, now: this.#now, timing: this.#timing };
    this.#markets = new Map(accounts.all.map((provider) => [provider.name, new MarketView({ ...shared, provider })]));
  }

  /** Name of the fleet's own provider. */
  get provider(): string {
    return this.#first.name;
  }

  get accounts(): Accounts {
    return this.#options.accounts;
  }

  get #first(): CloudProvider {
    const [first] = this.#options.accounts.all;
    if (first === undefined) throw new RangeError('a fleet without a provider selects nothing');
    return first;
  }

  #market(name: string): MarketView {
    const market = this.#markets.get(this.#options.accounts.of(name).name);
    if (market === undefined) throw new RangeError(`no market of ${name}`);
    return market;
  }

  /**
   * The ladder of a pool: offers that its selector takes, ranked or refused. Offers of other kinds are left out, so that it stays small.
   *
   * @param sought by whom: since when a machine is sought in vain, and the provider of a pool that names none
   * @throws DeckhandError `selector_unknown`, `location_unknown`, `model_fits_no_offer`, `model_not_configured`; `provider_*` when no provider answers
   */
  async ladder(
    pool: LadderWish,
    wakeFrom: KeptVolume | null,
    sought: Sought = {},
  ): Promise<ExplainedLadder & Pick<Plan, 'unanswered'>> {
    const { ladder, unanswered } = await this.plan(pool, wakeFrom, sought);
    return { ...ladder, unanswered, offers: ladder.offers.filter((offer) => offer.refusal !== 'not_selected') };
  }

  /** Every offer of the wanted markets, explained. Throws like {@link ladder}. */
  async plan(
    wish: LadderWish,
    wakeFrom: KeptVolume | null = null,
    { sinceMs: soughtSinceMs = null, provider = this.provider }: Sought = {},
  ): Promise<Plan> {
    const { db, config } = this.#options;
    const slots = config.modelConcurrency;
    const names = providersOfPool(wish, provider);
    const models = await readModelNeeds(db, wish.models ?? config.models, wish.classes);
    await refuseUnknown(db, wish.models ?? config.models, models);
    if (wish.engine === 'vllm') await vllmModel(db, wish.models ?? config.models, wish.classes);
    const { read: catalogues, unanswered: silent } = await this.#ofEach(names, (market) => market.catalogue());
    const types = catalogues.flatMap(({ value }) => value.types);
    const locations = catalogues.flatMap(({ value }) => value.locations);
    // Mistakes are told before availability is asked for. What only a silent provider could know is none.
    try {
      assertSelectable({ policy: wish, catalogue: types, locations, models, slots });
    } catch (error) {
      throw silent[0]?.error ?? error;
    }
    const secondsPerSlide = await readSecondsPerSlide(
      db,
      types,
      models.map((m) => m.modelName),
    );
    const { read, unanswered } = await this.#ofEach(
      catalogues.map(({ provider }) => provider),
      async (market, provider): Promise<LadderInput> => {
        const { value: catalogue } = catalogues.find((one) => one.provider === provider) ?? { value: null };
        if (catalogue === null) throw new RangeError(`no catalogue of ${provider}`);
        const [availability, memory, history, instancesByLocation] = await Promise.all([
          market.availability(marketOfPolicy(wish)),
          readOfferMemory(db, provider),
          readOfferHistory(db, provider, this.#now()),
          countInstancesByLocation(db, provider),
        ]);
        return {
          provider,
          providerIndex: names.indexOf(provider),
          policy: wish,
          catalogue: catalogue.types,
          locations: catalogue.locations,
          availability,
          availabilityTtlMs: this.#timing.availabilityTtlMs,
          models,
          slots,
          secondsPerSlide,
          memory,
          history: this.#withSeenPrices(provider, history, catalogue, marketOfPolicy(wish)),
          instancesByLocation,
          wakeFrom,
          capabilities: this.#options.accounts.of(provider).capabilities,
          nowMs: this.#now(),
          soughtSinceMs,
        };
      },
    );
    const [first, ...others] = read.map(({ value }) => value);
    if (first === undefined) throw new RangeError('no market was read, and no reason was given');
    return {
      ladder: buildLadder(first, ...others),
      catalogue: { atMs: Math.min(...catalogues.map(({ value }) => value.atMs)), types, locations },
      unanswered: [...silent, ...unanswered],
      models,
      slots,
    };
  }

  /** Reads something of several providers. @throws the first provider's error when none answers, and what is no answer of a provider */
  async #ofEach<T>(
    names: readonly string[],
    read: (market: MarketView, provider: string) => Promise<T>,
  ): Promise<{ readonly read: readonly { provider: string; value: T }[]; readonly unanswered: readonly Unanswered[] }> {
    const results = await Promise.allSettled(names.map(async (name) => read(this.#market(name), name)));
    const done: { provider: string; value: T }[] = [];
    const unanswered: Unanswered[] = [];
    for (const [i, result] of results.entries()) {
      const provider = names[i] ?? '';
      if (result.status === 'fulfilled') done.push({ provider, value: result.value });
      else if (isAnswer(result.reason))
        unanswered.push({ provider, message: errorInfo(result.reason).message, error: result.reason });
      else throw result.reason;
    }
    if (done.length === 0 && unanswered[0] !== undefined) throw unanswered[0].error;
    for (const { provider, message } of unanswered)
      this.#options.log.warn({ provider, message }, 'a provider does not answer; the others are used');
    return { read: done, unanswered };
  }

  /** Catalogue, availability and speeds of a provider, independent of any selector. @throws DeckhandError `provider_*` when it does not answer */
  async survey(market: Market | 'any', provider: string = this.provider): Promise<Survey> {
    const { db, config } = this.#options;
    const view = this.#market(provider);
    const [catalogue, models, availability] = await Promise.all([
      view.catalogue(),
      readModelNeeds(db, config.models, ['gpu-visual']),
      view.availability(market),
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
    const memory = new BlockIndex(await readOfferMemory(db, parseOfferKey(key).provider));
    const attempts = await readLaunchAttempts(db, key, nowMs);
    return whyNoLaunch(parseOfferKey(key), { memory, attempts, perHour, nowMs })?.reason ?? null;
  }

  /** Remembers for all pools how a create on an offer ended; null = it succeeded. */
  async remember(offer: OfferKey, error: ProviderErrorInfo | null): Promise<void> {
    await rememberOutcome(this.#options.db, offer, error, this.#now());
  }

  /** Where an offer was never rented, the last plausible price of the catalogue is what a new one is held against. */
  #withSeenPrices(
    provider: string,
    history: ReadonlyMap<OfferKey, OfferHistory>,
    { types, locations }: Catalogue,
    market: Market | 'any',
  ): Map<OfferKey, OfferHistory> {
    const merged = new Map(history);
    for (const { offer, key } of catalogueOffers(provider, types, locations, marketsOf(market))) {
      const known = merged.get(key);
      if (known !== undefined && known.lastPriceUsdPerHour !== null) continue;
      const lastPriceUsdPerHour = this.#market(provider).lastGoodPrice(offer.instanceType, offer.market);
      merged.set(key, { attempts: [], medianBootMs: null, ...known, lastPriceUsdPerHour });
    }
    return merged;
  }
}

/** What the models that machines of these classes hold take of a GPU's memory. */
async function readModelNeeds(db: PrismaClient, profile: string, classes: readonly GpuClass[]): Promise<ModelNeed[]> {
  const models = await requiredModels(db, profile, classes);
  return models.map(({ name, weightsGib, kvCacheGibPerSlot }) => ({ modelName: name, weightsGib, kvCacheGibPerSlot }));
}

/** @throws DeckhandError `model_not_configured` for a model whose digest or need is not known */
async function refuseUnknown(db: PrismaClient, profile: string, models: readonly ModelNeed[]): Promise<void> {
  const unknown = await db.modelConfiguration.findFirst({
    where: { profile, modelName: { in: models.map(({ modelName }) => modelName) }, isNeedKnown: false },
    orderBy: { modelName: 'asc' },
  });
  if (unknown === null) return;
  // An unknown part of a need is stored as 0. A digest may have been pinned meanwhile, and still the configuration has none.
  const missing = missingOf({
    name: unknown.modelName,
    digest: unknown.pinnedDigest,
    weightsGib: unknown.weightsGib === 0 ? null : unknown.weightsGib,
    kvCacheGibPerSlot: unknown.kvCacheGibPerSlot === 0 ? null : unknown.kvCacheGibPerSlot,
  });
  throw needUnknown(unknown.modelName, missing.length === 0 ? ['its digest'] : missing);
}
