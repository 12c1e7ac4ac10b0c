/**
 * The price list (Cloud Billing Catalog) of Compute Engine: prices of parts by region and market, in the words of the real one, beside
 * prices for other things that contain the same words.
 */
import type { Call, Simulation } from './account.ts';
import { LOCAL_SSD, REGIONS, round, SERIES, type GoogleRegion, type Series } from './catalogue.ts';
import { GoogleError } from './errors.ts';

const SERVICE = '6F81-5844-456A';

interface Sku {
  readonly description: string;
  readonly family: 'Compute' | 'Storage' | 'Network';
  readonly group: string;
  readonly usageType: string;
  readonly region: string;
  readonly unit: 'h' | 'GiBy.h' | 'GiBy.mo';
  readonly usd: number;
}

/** How much the market's prices differ from the published ones now: rules of scenarios change them by type, and the first type of a series stands for it. */
function driftOf({ cloud }: Simulation, { name, sizes }: Series, market: 'ondemand' | 'spot'): number {
  const type = cloud.catalogue.types.get(`${name}-${Object.keys(sizes)[0] ?? ''}`);
  const published = market === 'ondemand' ? type?.ondemandUsdPerHour : type?.spotUsdPerHour;
  const now = type === undefined ? null : cloud.price(type.instanceType, market);
  return published === undefined || published === null || now === null ? 1 : now / published;
}

/** Newer GPUs are named without the word. */
function gpuWords({ gpuSku }: Series, market: 'ondemand' | 'spot', where: string): string {
  const isNew = !gpuSku.startsWith('Nvidia');
  if (market === 'ondemand') return isNew ? `${gpuSku} ${where}` : `${gpuSku} GPU ${where}`;
  return isNew ? `Spot Preemptible ${gpuSku} ${where}` : `${gpuSku} GPU attached to Spot Preemptible VMs ${where}`;
}

function skusOf(sim: Simulation, series: Series, region: GoogleRegion): readonly Sku[] {
  if (series.zones[region.name] === undefined) return [];
  const { core, ram, gpu } = series.parts;
  const where = `running in ${region.priceListName}`;
  const common = { family: 'Compute', region: region.name } as const;
  const priced = (usd: number, market: 'ondemand' | 'spot'): number => {
    const share = market === 'spot' ? series.spotShare : 1;
    return usd * region.factor * share * driftOf(sim, series, market);
  };
  const hourly = (['ondemand', 'spot'] as const).flatMap((market): Sku[] => {
    const usageType = market === 'spot' ? 'Preemptible' : 'OnDemand';
    const prefix = market === 'spot' ? 'Spot Preemptible ' : '';
    const parts = [
      ['CPU', `${prefix}${series.sku} Instance Core ${where}`, 'h', core],
      ['RAM', `${prefix}${series.sku} Instance Ram ${where}`, 'GiBy.h', ram],
      ...(series.gpuSku === '' ? [] : [['GPU', gpuWords(series, market, where), 'h', gpu] as const]),
    ] as const;
    return parts.map(([group, description, unit, usd]) => ({
      ...common,
      description,
      group,
      usageType,
      unit,
      usd: priced(usd, market),
    }));
  });
  const others = (
    [
      [`${series.sku} Sole Tenancy Instance Core ${where}`, 'OnDemand', 2],
      [`Commitment v1: ${series.sku} Cpu in ${region.priceListName} for 1 Year`, 'Commit1Yr', 0.6],
      [`${series.sku} Custom Instance Core ${where}`, 'OnDemand', 1.05],
      [`DWS Defined Duration ${series.sku} Instance Core ${where}`, 'OnDemand', 0.7],
    ] as const
  ).map(([description, usageType, share]): Sku => ({
    ...common,
    description,
    group: 'CPU',
    usageType,
    unit: 'h',
    usd: core * share,
  }));
  return [...hourly, ...others];
}

function storageOf(region: GoogleRegion): readonly Sku[] {
  const common = { family: 'Storage', group: 'LocalSSD', region: region.name, unit: 'GiBy.mo' } as const;
  const usd = LOCAL_SSD.usdPerGibMonth * region.factor;
  return [
    { ...common, description: `SSD backed Local Storage in ${region.priceListName}`, usageType: 'OnDemand', usd },
    {
      ...common,
      description: `SSD backed Local Storage attached to Spot Preemptible VMs in ${region.priceListName}`,
      usageType: 'Preemptible',
      usd: usd * LOCAL_SSD.spotShare,
    },
  ];
}

/** Addresses cost the same in every region. The price for spot is marked as an ordinary one. */
const ADDRESSES: readonly Sku[] = (
  [
    ['External IP Charge on a Standard VM', 0.005],
    ['External IP Charge on a Spot Preemptible VM', 0.0025],
    ['Static Ip Charge', 0.01],
  ] as const
).map(([description, usd]) => ({
  description,
  family: 'Network',
  group: 'IpAddress',
  usageType: 'OnDemand',
  region: 'global',
  unit: 'h',
  usd,
}));

function skuTree({ description, family, group, usageType, region, unit, usd }: Sku, index: number): unknown {
  const exact = round(usd) === 0 ? usd : Number(usd.toFixed(9));
  const units = Math.floor(exact);
  const skuId = `SIM0-${String(index).padStart(4, '0')}`;
  return {
    name: `services/${SERVICE}/skus/${skuId}`,
    skuId,
    description,
    category: { serviceDisplayName: 'Compute Engine', resourceFamily: family, resourceGroup: group, usageType },
    serviceRegions: [region],
    pricingInfo: [
      {
        summary: '',
        pricingExpression: {
          usageUnit: unit,
          displayQuantity: 1,
          tieredRates: [
            {
              startUsageAmount: 0,
              unitPrice: { currencyCode: 'USD', units: String(units), nanos: Math.round((exact - units) * 1e9) },
            },
          ],
        },
        currencyConversionRate: 1,
        effectiveTime: '2026-10-01T00:00:00Z',
      },
    ],
    serviceProviderName: 'Google',
  };
}

/** `GET /v1/services/6F81-5844-456A/skus`. */
export function listSkus({ sim, params, query }: Call): unknown {
  if (params['service'] !== SERVICE) throw new GoogleError(404, 'notFound', 'Requested entity was not found.');
  const regional = REGIONS.flatMap((region) => [
    ...SERIES.flatMap((series) => skusOf(sim, series, region)),
    ...storageOf(region),
  ]);
  const all = [...regional, ...ADDRESSES];
  const size = Math.min(Number(query.get('pageSize') ?? 5000) || 5000, 5000, sim.dialect.mostPerPage * 10);
  const from = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(from) || from < 0) throw new GoogleError(400, 'badRequest', 'Page token is not valid.');
  const rows = all.slice(from, from + size).map((sku, index) => skuTree(sku, from + index));
  return { skus: rows, nextPageToken: from + size < all.length ? String(from + size) : '' };
}
