/** What could be rented: the tiers, what is available now, and the ladder of a selector. These routes buy nothing. */
import { createRoute, type z } from '@hono/zod-openapi';
import { BudgetCheck } from '../../activities/costs/budget/check-create.ts';
import type { LadderWish, Selection } from '../../activities/fleet/selection/selection.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { poolConfigSchema, type PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { assertTypesExist } from '../../domain/fleet/selection/selector-mistakes.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { closestName } from '../../domain/text/closest-name.ts';
import { loadFleet } from '../../platform/fleet-config.ts';
import type { RouteDeps } from '../context.ts';
import { staticFleet } from './open-selection.ts';
import { capacity, planDocument, tierList } from './selection-documents.ts';
import {
  capacityQuerySchema,
  capacitySchema,
  planQuerySchema,
  planSchema,
  tierListSchema,
} from './selection-schemas.ts';
import { createRoutes, json, problems, type Routes } from '../http/routes.ts';

/** What a provider may answer with, and a fleet without one. */
const PROVIDER_PROBLEMS = [400, 402, 403, 422, 500, 502, 503] as const;

const tiersRoute = createRoute({
  method: 'get',
  path: '/fleet/tiers',
  summary: 'The tiers of GPUs, best first, with the types that are sold in each.',
  responses: {
    200: json(tierListSchema, 'The tiers.'),
    ...problems(...PROVIDER_PROBLEMS),
  },
});

const capacityRoute = createRoute({
  method: 'get',
  path: '/fleet/capacity',
  summary: 'What is available now.',
  request: { query: capacityQuerySchema },
  responses: {
    200: json(capacitySchema, 'What is available.'),
    ...problems(...PROVIDER_PROBLEMS),
  },
});

const planRoute = createRoute({
  method: 'get',
  path: '/fleet/plan',
  summary: 'The ladder of a selector: every offer with its place or the reason it has none.',
  request: { query: planQuerySchema },
  responses: {
    200: json(planSchema, 'The ladder.'),
    ...problems(404, ...PROVIDER_PROBLEMS),
  },
});

/** The routes of selection. */
export function selectionRoutes({ db, selection, config }: RouteDeps): Routes {
  const open = (): Selection => {
    if (selection === undefined) throw staticFleet(config.fleetFile);
    return selection();
  };
  const routes = createRoutes();
  routes.openapi(tiersRoute, async (c) => {
    const source = open();
    return c.json(tierList(source.provider, await source.survey('any')), 200);
  });
  routes.openapi(capacityRoute, async (c) => {
    const source = open();
    const wish = c.req.valid('query');
    return c.json(capacity(source.provider, await source.survey(wish.market), wish), 200);
  });
  routes.openapi(planRoute, async (c) => {
    const source = open();
    const query = c.req.valid('query');
    const pools = query.pool === undefined ? [] : loadFleet(config).pools;
    assertProviderExists(query.provider, [source.provider]);
    const plan = await source.plan(wishOf(query, pools));
    // A misspelt type would be bought all the same.
    assertTypesExist(query.exclude ?? [], plan.catalogue.types);
    const { provider } = query;
    const pool = pools.find((one) => one.name === query.pool);
    if (pool === undefined) return c.json(planDocument(source.provider, plan, { provider }), 200);
    // What a pool would do includes what its budgets let it do.
    const budget = new BudgetCheck({ db, capabilities: source.capabilities, accounting: loadFleet(config).accounting });
    const prices = plan.ladder.offers.flatMap((offer) => (offer.rank === null ? [] : [offer.priceUsdPerHour]));
    const overBudget = await budget.whyNotBought(pool, prices, null);
    return c.json(planDocument(source.provider, plan, { overBudget, provider }), 200);
  });
  return routes;
}

/** @throws DeckhandError `not_found` for a provider that is not configured, with those that are */
function assertProviderExists(wanted: string | undefined, configured: readonly string[]): void {
  if (wanted === undefined || configured.includes(wanted)) return;
  const guess = closestName(wanted, configured);
  throw new DeckhandError('not_found', `no provider ${wanted}`, {
    userMessage: `The fleet has no provider ${wanted}.${guess === null ? '' : ` Did you mean ${guess}?`}`,
    hint: `Machines are rented at ${configured.join(', ')}.`,
  });
}

/** The wish of a query: a pool's, changed by what the query names. @throws DeckhandError `not_found`, `invalid_request` */
function wishOf(query: z.output<typeof planQuerySchema>, pools: readonly PoolConfig[]): LadderWish {
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
    selector: query.selector ?? base.selector,
    market: query.market ?? base.market,
    locations: query.locations ?? base.locations,
    excludeTypes: query.exclude ?? base.excludeTypes,
    maxPriceUsdPerHour: query.maxUsdPerHour ?? base.maxPriceUsdPerHour,
    maxPriceUsdPerDocument: query.maxUsdPerDocument ?? base.maxPriceUsdPerDocument,
    classes: query.classes ?? base.classes,
  };
}
