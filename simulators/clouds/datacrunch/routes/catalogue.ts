/** The catalogue: types, prices, locations, images, availability; and the balance. */
import { Hono } from 'hono';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Env, Simulation } from '../account.ts';
import { IMAGES, LOCATIONS, MACHINE_TYPES, type MachineType } from '../catalogue.ts';
import { ApiError } from '../errors.ts';
import { accountCurrency, askedCurrency, inAccount, inCurrency, type Currency } from '../money.ts';
import { hardware, imagePayload } from '../payloads.ts';

/** Prices are strings in types and numbers in instances. */
const price = (amount: number): string => amount.toFixed(4);

function typePayload(type: MachineType, sim: Simulation, currency: Currency): Record<string, unknown> {
  const priceOn = (market: Market): number | null => {
    const found = sim.cloud.price(type.instanceType, market);
    return found === null ? null : inCurrency(sim, found, currency);
  };
  const ondemand = priceOn('ondemand') ?? inCurrency(sim, type.ondemandUsdPerHour, currency);
  return {
    id: `type-${type.instanceType}`,
    instance_type: type.instanceType,
    model: type.model,
    name: type.name,
    display_name: null,
    description: type.gpuCount === 0 ? 'CPU instance' : 'Dedicated hardware instance',
    manufacturer: type.gpuCount === 0 ? 'AMD' : 'NVIDIA',
    best_for: [],
    ...hardware(type),
    p2p: null,
    price_per_hour: price(ondemand),
    spot_price: price(priceOn('spot') ?? ondemand),
    max_dynamic_price: price(ondemand),
    dynamic_price: null,
    deploy_warning: null,
    currency,
    supported_os: type.images,
  };
}

type Query = (name: string) => string | undefined;

/** Current names and their deprecated aliases. */
function availabilityQuery(query: Query): { readonly market: Market; readonly location: string | undefined } {
  const isSpot = query('is_spot') ?? query('isSpot');
  const location = query('location_code') ?? query('locationCode');
  return { market: isSpot === 'true' || isSpot === '1' ? 'spot' : 'ondemand', location };
}

function availableTypes({ cloud }: Simulation, location: string, market: Market): string[] {
  return MACHINE_TYPES.filter((t) => cloud.isAvailable(t.instanceType, location, market)).map((t) => t.instanceType);
}

function isAvailable({ cloud }: Simulation, instanceType: string, query: Query): boolean {
  const { market, location } = availabilityQuery(query);
  const places = location === undefined ? LOCATIONS.map((l) => l.code) : [location];
  return places.some((place) => cloud.isAvailable(instanceType, place, market));
}

const volumeType = (
  type: string,
  perMonth: number,
  isShared: boolean,
  currency: Currency,
): Record<string, unknown> => ({
  type,
  price: { price_per_month_per_gb: perMonth, cps_per_gb: perMonth / 730 / 3600, currency },
  is_shared_fs: isShared,
  burst_bandwidth: 2000,
  continuous_bandwidth: 2000,
  internal_network_speed: 50,
  iops: '100k',
  throughput_gbps: 1,
});

const HDD_PRICE_FACTOR = 0.25;

export const catalogueRoutes = new Hono<Env>()
  .get('/balance', (c) => {
    const { sim } = c.env;
    const amount = inAccount(sim, sim.cloud.state.balanceUsd);
    return c.json({ amount: Math.round(amount * 1e4) / 1e4, currency: accountCurrency(sim) });
  })
  .get('/locations', (c) => c.json(LOCATIONS))
  .get('/images', (c) => {
    const asked = c.req.query('instance_type');
    const type = asked === undefined ? undefined : MACHINE_TYPES.find((t) => t.instanceType === asked);
    if (asked !== undefined && type === undefined) throw new ApiError('not_found', 'Instance type not found');
    const images = IMAGES.filter((i) => type === undefined || type.images.includes(i.slug));
    return c.json(images.map((image, index) => imagePayload(image, index === 0, false)));
  })
  .get('/instance-types', (c) => {
    const currency = askedCurrency(c.req.query('currency'));
    return c.json(MACHINE_TYPES.map((t) => typePayload(t, c.env.sim, currency)));
  })
  .get('/instances/types', (c) => c.json(MACHINE_TYPES.map((t) => typePayload(t, c.env.sim, 'usd'))))
  .get('/instance-types/price-history', () => {
    throw new ApiError('invalid_request', 'This endpoint has been removed. Dynamic pricing is no longer supported.');
  })
  .get('/instance-availability', (c) => {
    const { market, location } = availabilityQuery((name) => c.req.query(name));
    const places = LOCATIONS.filter((l) => location === undefined || l.code === location);
    return c.json(
      places.map(({ code }) => ({ location_code: code, availabilities: availableTypes(c.env.sim, code, market) })),
    );
  })
  .get('/instance-availability/:type', (c) =>
    c.json(isAvailable(c.env.sim, c.req.param('type'), (n) => c.req.query(n))),
  )
  .get('/instances/availability/:type', (c) =>
    c.json(isAvailable(c.env.sim, c.req.param('type'), (n) => c.req.query(n))),
  )
  .get('/volume-types', (c) => {
    const { sim } = c.env;
    const currency = askedCurrency(c.req.query('currency'));
    const perMonth = inCurrency(sim, sim.cloud.scenario.billing.volumeUsdPerGibMonth, currency);
    return c.json([
      volumeType('NVMe', perMonth, false, currency),
      volumeType('NVMe_Shared', perMonth, true, currency),
      volumeType('HDD', perMonth * HDD_PRICE_FACTOR, false, currency),
    ]);
  })
  // No long-term contract can be made with this simulator.
  .on('GET', ['/long-term/periods', '/long-term/periods/:of{instances|clusters}'], (c) => c.json([]));
