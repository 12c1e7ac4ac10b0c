/**
 * Calls on what can be rented: types with a GPU, the zones that have them, and their prices.
 */
import { z } from 'zod';
import { tryJson } from '../../../domain/text/json.ts';
import { providerError } from '../../errors.ts';
import { MOST_PAGES, query, queryAll, readJson } from '../http/query.ts';
import { PRICING_REGION, type AwsTransport } from '../http/transport.ts';
import { listOf, nullableText, nullableTime, number, requiredList, text } from '../http/xml.ts';

/** Families with NVIDIA GPUs begin with one of these letters. */
const GPU_FAMILIES = ['p*', 'g*'];

const typeSchema = z.object({
  instanceType: z.string().min(1),
  /** How it is sold: `on-demand`, `spot`, `capacity-block`. */
  supportedUsageClasses: listOf(text),
  vCpuInfo: z.object({ defaultVCpus: number }).catch({ defaultVCpus: 0 }),
  memoryInfo: z.object({ sizeInMiB: number }).catch({ sizeInMiB: 0 }),
  gpuInfo: z
    .object({
      gpus: listOf(z.object({ name: text, manufacturer: text, count: number })),
      totalGpuMemoryInMiB: number,
    })
    .nullable()
    .catch(null),
});

/** A type as EC2 describes it. */
export type InstanceTypeData = z.infer<typeof typeSchema>;

const types = z.object({ instanceTypeSet: requiredList(typeSchema) }).transform((answer) => answer.instanceTypeSet);

/** Types of a region in the families with GPUs, for x86 only: the images and the model server are. */
export const listTypes = (http: AwsTransport, region: string): Promise<readonly InstanceTypeData[]> =>
  queryAll(
    http,
    {
      region,
      action: 'DescribeInstanceTypes',
      input: {
        MaxResults: 100,
        Filter: [
          { Name: 'instance-type', Value: GPU_FAMILIES },
          { Name: 'processor-info.supported-architecture', Value: ['x86_64'] },
        ],
      },
    },
    types,
  );

/** A type that a zone sells. It says nothing of what is free. */
export interface Offering {
  readonly instanceType: string;
  readonly zone: string;
}

const offerings = z
  .object({ instanceTypeOfferingSet: requiredList(z.object({ instanceType: text, location: text })) })
  .transform(({ instanceTypeOfferingSet }) =>
    instanceTypeOfferingSet.map(({ instanceType, location }) => ({ instanceType, zone: location })),
  );

/** A filter takes this many values. */
const MOST_FILTER_VALUES = 200;

/** Which zones of a region sell which of these types. */
export async function listOfferings(
  http: AwsTransport,
  region: string,
  instanceTypes: readonly string[],
): Promise<readonly Offering[]> {
  const found: Offering[] = [];
  for (let at = 0; at < instanceTypes.length; at += MOST_FILTER_VALUES) {
    const Filter = [{ Name: 'instance-type', Value: instanceTypes.slice(at, at + MOST_FILTER_VALUES) }];
    const input = { LocationType: 'availability-zone', MaxResults: 1000, Filter };
    found.push(...(await queryAll(http, { region, action: 'DescribeInstanceTypeOfferings', input }, offerings)));
  }
  return found;
}

const zones = z.object({
  availabilityZoneInfo: requiredList(z.object({ zoneName: z.string().min(1), zoneState: text, zoneType: text })),
});

/** Zones of a region that work, without those outside its own places (local and wavelength zones). */
export async function listZones(http: AwsTransport, region: string): Promise<readonly string[]> {
  const { availabilityZoneInfo } = await query(
    http,
    { kind: 'read', region, action: 'DescribeAvailabilityZones' },
    zones,
  );
  return availabilityZoneInfo
    .filter(
      ({ zoneState, zoneType }) => zoneState === 'available' && (zoneType === 'availability-zone' || zoneType === ''),
    )
    .map(({ zoneName }) => zoneName);
}

/** Marks the one price of a type that an ordinary machine costs, among those of Windows, reservations, capacity blocks and others. */
const PRICE_FILTER = {
  operatingSystem: 'Linux',
  tenancy: 'Shared',
  capacitystatus: 'Used',
  preInstalledSw: 'NA',
  marketoption: 'OnDemand',
} as const;
/** What the price list calls the families with GPUs. */
const GPU_PRODUCTS = 'GPU instance';

const productSchema = z.object({
  product: z.object({ attributes: z.record(z.string(), z.unknown()) }),
  terms: z.object({
    OnDemand: z.record(
      z.string(),
      z.object({
        priceDimensions: z.record(
          z.string(),
          z.object({ unit: z.string(), pricePerUnit: z.object({ USD: z.coerce.number().catch(0) }) }),
        ),
      }),
    ),
  }),
});

const pageSchema = z.object({ PriceList: z.array(z.unknown()), NextToken: nullableText });

/** On-demand prices of a region, USD per hour by type. @throws DeckhandError `provider_*`, `provider_transient` for a list without end */
export async function listPrices(http: AwsTransport, region: string): Promise<ReadonlyMap<string, number>> {
  const filter: Readonly<Record<string, string>> = {
    ...PRICE_FILTER,
    regionCode: region,
    instanceFamily: GPU_PRODUCTS,
  };
  const Filters = Object.entries(filter).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value }));
  const prices = new Map<string, number>();
  let token: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const json = {
      ServiceCode: 'AmazonEC2',
      FormatVersion: 'aws_v1',
      MaxResults: 100,
      Filters,
      ...(token === null ? {} : { NextToken: token }),
    };
    const page: z.infer<typeof pageSchema> = await readJson(
      http,
      { service: 'pricing', target: 'AWSPriceListService', region: PRICING_REGION, action: 'GetProducts', json },
      pageSchema,
    );
    for (const product of page.PriceList) {
      const found = priceOf(product, filter);
      if (found !== null) prices.set(found.instanceType, found.usdPerHour);
    }
    if (page.NextToken === null) return prices;
    // The same page again would come for ever.
    if (page.NextToken === token) break;
    token = page.NextToken;
  }
  throw providerError('transient', `GetProducts for ${region}: its pages have no end`);
}

/** Price of a product; null for one that is another offer than was asked for, or has no price by the hour. Products come as JSON text. */
function priceOf(
  product: unknown,
  filter: Readonly<Record<string, string>>,
): { readonly instanceType: string; readonly usdPerHour: number } | null {
  const parsed = productSchema.safeParse(typeof product === 'string' ? tryJson(product) : product);
  if (!parsed.success) return null;
  const { attributes } = parsed.data.product;
  const { instanceType } = attributes;
  const isOther = Object.entries(filter).some(
    ([key, value]) => attributes[key] !== undefined && attributes[key] !== value,
  );
  const hourly = Object.values(parsed.data.terms.OnDemand)
    .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
    .filter(({ unit, pricePerUnit }) => unit === 'Hrs' && pricePerUnit.USD > 0);
  const [price] = hourly;
  if (isOther || price === undefined || typeof instanceType !== 'string') return null;
  return { instanceType, usdPerHour: price.pricePerUnit.USD };
}

/** A spot price of the present. */
export interface SpotPrice {
  readonly instanceType: string;
  readonly zone: string;
  readonly usdPerHour: number;
}

const history = z
  .object({
    spotPriceHistorySet: requiredList(
      z.object({ instanceType: text, availabilityZone: text, spotPrice: number, timestamp: nullableTime }),
    ),
  })
  .transform(({ spotPriceHistorySet }) => spotPriceHistorySet);

/** Spot prices of a region now, the latest one of each type and zone. */
export async function listSpotPrices(
  http: AwsTransport,
  region: string,
  instanceTypes: readonly string[],
  nowMs: number,
): Promise<readonly SpotPrice[]> {
  if (instanceTypes.length === 0) return [];
  const rows = await queryAll(
    http,
    {
      region,
      action: 'DescribeSpotPriceHistory',
      // A time span of no length asks for the prices in force.
      input: {
        InstanceType: instanceTypes,
        ProductDescription: ['Linux/UNIX'],
        StartTime: new Date(nowMs).toISOString(),
        EndTime: new Date(nowMs).toISOString(),
        MaxResults: 1000,
      },
    },
    history,
  );
  const latest = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const key = `${row.instanceType} ${row.availabilityZone}`;
    if ((latest.get(key)?.timestamp ?? -Infinity) <= (row.timestamp ?? 0)) latest.set(key, row);
  }
  return [...latest.values()].map(({ instanceType, availabilityZone, spotPrice }) => ({
    instanceType,
    zone: availabilityZone,
    usdPerHour: spotPrice,
  }));
}
