/** What could be rented: the tiers, what is available now, and the ladder of a selector. These routes buy nothing. */
import type { z } from '@hono/zod-openapi';
import { cautiousOf } from '../../activities/costs/budget/reservation-terms.ts';
import { BudgetCheck } from '../../activities/costs/budget/check-create.ts';
import { rankReplica } from '../../activities/fleet/endpoint/claims.ts';
import type { LadderWish, Selection } from '../../activities/fleet/selection/selection.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { poolConfigSchema, type PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { assertTypesExist } from '../../domain/fleet/selection/selector-mistakes.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import { counted } from '../../domain/text/words.ts';
import { providerError } from '../../clouds/errors.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import type { RouteDeps } from '../context.ts';
import { staticFleet } from './open-selection.ts';
import { capacity, planDocument, replicaPlan, tierList } from './selection-documents.ts';
import { type planQuerySchema, type PlanDocument, tiersRoute, capacityRoute, planRoute } from './selection-schemas.ts';
import { group } from '../http/routes.ts';

/** The routes of selection. */
export const selectionRoutes = group(({ db, selection, endpoints, config, unreadableRows = () => [] }, routes) => {
  const open = (): Selection => {
    if (selection === undefined) throw staticFleet(config.fleetFile);
    return selection();
  };
  /**
   * Makes a document, with the rows of the catalogue that it lacks: known once the catalogue has been read for it. What is refused as unknown
   * may be one of them.
   */
  const withUnreadable = async <T extends object>(make: () => Promise<T>) => {
    try {
      return { ...(await make()), unreadableRows: [...unreadableRows()] };
    } catch (error) {
      throw unknownOrUnreadable(error, unreadableRows());
    }
  };
  routes.openapi(tiersRoute, async (c) => {
    const source = open();
    const { provider = source.provider } = c.req.valid('query');
    assertProviderExists(provider, source.accounts.names);
    const document = await withUnreadable(async () => ({
      ...tierList(provider, await source.survey('any', provider)),
      otherProviders: othersThan(provider, source),
    }));
    return c.json(document, 200);
  });
  routes.openapi(capacityRoute, async (c) => {
    const source = open();
    const wish = c.req.valid('query');
    const { provider = source.provider } = wish;
    assertProviderExists(provider, source.accounts.names);
    const document = await withUnreadable(async () => ({
      ...capacity(provider, await source.survey(wish.market, provider), wish),
      otherProviders: othersThan(provider, source),
    }));
    return c.json(document, 200);
  });
  routes.openapi(planRoute, async (c) => {
    const query = c.req.valid('query');
    const pools = query.pool === undefined ? [] : loadFleet(config).pools;
    const endpointPool = pools.find((one) => one.name === query.pool && one.endpoint !== undefined);
    if (endpointPool !== undefined)
      return c.json(await planOfEndpoint({ db, config, endpoints }, endpointPool, query), 200);
    const source = open();
    assertProviderExists(query.provider, source.accounts.names);
    const document = await withUnreadable(async () => {
      const wish = wishOf(query, pools, source.accounts.names);
      const provider = wish.providers[0] ?? source.provider;
      const plan = await source.plan(wish);
      // A misspelt type would be bought all the same.
      assertTypesExist(query.exclude ?? [], plan.catalogue.types);
      const pool = pools.find((one) => one.name === query.pool);
      if (pool === undefined) return planDocument(provider, plan);
      // What a pool would do includes what its budgets let it do.
      const { accounting } = loadFleet(config);
      const budget = new BudgetCheck({ db, capabilities: cautiousOf(source.accounts), accounting });
      const prices = plan.ladder.offers.flatMap((offer) => (offer.rank === null ? [] : [offer.priceUsdPerHour]));
      return planDocument(provider, plan, await budget.whyNotBought(pool, prices, null));
    });
    return c.json(document, 200);
  });
});

/** The same error; one of a name that the catalogue lacks gets the rows that could not be read as its hint. */
function unknownOrUnreadable(error: unknown, rows: readonly string[]): unknown {
  if (!(error instanceof DeckhandError) || error.code !== 'selector_unknown' || rows.length === 0) return error;
  const { code, message, userMessage, hint = '' } = error;
  const unread = `${counted(rows.length, 'row')} of the catalogue could not be read: ${rows.join('; ')}.`;
  return new DeckhandError(code, message, { userMessage, hint: `${unread} ${hint}`.trimEnd(), cause: error });
}

const othersThan = (provider: string, { accounts }: Selection): string[] =>
  accounts.names.filter((name) => name !== provider);

/** @throws DeckhandError `not_found` for a provider that is not configured, with those that are */
function assertProviderExists(wanted: string | undefined, configured: readonly string[]): void {
  if (wanted === undefined || configured.includes(wanted)) return;
  const guess = closestName(wanted, configured);
  throw new DeckhandError('not_found', `no provider ${wanted}`, {
    userMessage: `The fleet has no provider ${wanted}.${guess === null ? '' : ` Did you mean ${guess}?`}`,
    hint: `Machines are rented at ${configured.join(', ')}.`,
  });
}

/** Parts of a query that choose a machine. */
const CHOOSING = ['selector', 'provider', 'market', 'locations', 'exclude', 'classes', 'maxUsdPerDocument'] as const;

/**
 * The plan of an endpoint pool: what a replica of its deployment costs, and whether the budgets pay it.
 *
 * @throws DeckhandError `invalid_request` for a pool at a URL, which buys nothing, and for a query that chooses a machine; `provider_*`
 */
async function planOfEndpoint(
  {
    db,
    config,
    endpoints,
  }: Pick<RouteDeps, 'db' | 'config'> & { readonly endpoints: RouteDeps['endpoints'] | undefined },
  pool: PoolConfig,
  query: z.output<typeof planQuerySchema>,
): Promise<PlanDocument> {
  const { name, endpoint } = pool;
  if (endpoint?.deployment === undefined)
    throw new DeckhandError('invalid_request', `pool ${name} is a URL`, {
      userMessage: `Pool ${name} is the model server at ${endpoint?.url ?? 'a URL'}: nothing is bought for it, so there is no plan.`,
      hint: 'Whether it answers is in `./deckhand fleet`.',
    });
  const choosing = CHOOSING.find((part) => query[part] !== undefined);
  if (choosing !== undefined)
    throw new DeckhandError('invalid_request', `pool ${name} is an endpoint and "${choosing}" is set`, {
      userMessage: `Pool ${name} is an endpoint and chooses no machine, so "${choosing}" means nothing for it.`,
      hint: `Ask for \`./deckhand plan --pool ${name}\` alone, or for a selector without a pool.`,
    });
  if (endpoints === undefined) throw staticFleet(config.fleetFile);
  const deployments = endpoints();
  const { maxUsdPerHour = pool.maxPriceUsdPerHour } = query;
  const { offers, error, message } = await rankReplica(deployments, { ...pool, maxPriceUsdPerHour: maxUsdPerHour });
  if (error !== null && error.errorClass !== 'config') throw providerError(error.errorClass, error.message);
  const { accounting } = loadFleet(config);
  const budget = new BudgetCheck({ db, capabilities: deployments.capabilities(pool), accounting });
  const prices = offers.map((offer) => offer.priceUsdPerHour);
  const overBudget = await budget.whyNotBought(pool, prices, null);
  const whyNothing = error?.message ?? message ?? null;
  return replicaPlan(pool, Date.now(), { offers, whyNothing, slots: deployments.slots(pool) }, overBudget);
}

/** The wish of a query: a pool's, changed by what the query names. @throws DeckhandError `not_found`, `invalid_request` */
function wishOf(
  query: z.output<typeof planQuerySchema>,
  pools: readonly PoolConfig[],
  providers: readonly string[],
): LadderWish {
  const pool = query.pool === undefined ? undefined : pools.find((p) => p.name === query.pool);
  if (query.pool !== undefined && pool === undefined) {
    throw new DeckhandError('not_found', `no pool ${query.pool}`, {
      userMessage: `There is no pool ${query.pool} in the fleet file.`,
      hint: pools.length === 0 ? 'The fleet file has no pools.' : `Pools are ${pools.map((p) => p.name).join(', ')}.`,
    });
  }
  if (query.selector === undefined && pool === undefined) {
    throw new DeckhandError('invalid_request', 'neither selector nor pool', {
      userMessage: 'Name a selector, such as h100-or-less, or a pool.',
    });
  }
  const base = pool ?? poolConfigSchema.parse({ name: 'plan', classes: [...GPU_CLASSES] });
  return {
    ...base,
    // Without a pool everything of the fleet is asked for.
    providers: query.provider === undefined ? [...(pool?.providers ?? providers)] : [query.provider],
    selector: query.selector ?? base.selector,
    market: query.market ?? base.market,
    spotRatio: query.market === undefined ? base.spotRatio : null,
    locations: query.locations ?? base.locations,
    excludeTypes: query.exclude ?? base.excludeTypes,
    maxPriceUsdPerHour: query.maxUsdPerHour ?? base.maxPriceUsdPerHour,
    maxPriceUsdPerDocument: query.maxUsdPerDocument ?? base.maxPriceUsdPerDocument,
    classes: query.classes ?? base.classes,
  };
}
