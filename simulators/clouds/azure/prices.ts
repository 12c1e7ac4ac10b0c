/**
 * The public price list: `GET /api/retail/prices`. Beside each price that people pay there are the neighbours of the real list: Windows, Low
 * Priority, prices of the past and of the future, prices of nothing. A client has to tell them apart.
 */
import { LOCATIONS, SIZES, type AzureLocation, type AzureSize } from './catalogue.ts';
import type { Simulation } from './account.ts';
import { ArmError } from './errors.ts';

type Item = Readonly<Record<string, string | number | boolean>>;

const PAGE_SIZE = 100;

/** The fields that all rows share. */
const itemOf = (
  location: AzureLocation,
  usd: number,
  effectiveStartDate: string,
  names: Readonly<
    Record<'meterName' | 'skuName' | 'productName' | 'serviceName' | 'serviceFamily' | 'armSkuName', string>
  >,
): Item => ({
  currencyCode: 'USD',
  tierMinimumUnits: 0,
  retailPrice: usd,
  unitPrice: usd,
  armRegionName: location.name,
  location: location.priceName,
  effectiveStartDate,
  unitOfMeasure: '1 Hour',
  type: 'Consumption',
  isPrimaryMeterRegion: true,
  ...names,
});

/** A row: how its names differ, when it holds from, and its price. */
interface Variant {
  readonly suffix: string;
  readonly windows?: boolean;
  readonly from: string;
  readonly usd: number;
}

function variantsOf(
  { cloud }: Simulation,
  { instanceType, vcpu }: AzureSize,
  { name }: AzureLocation,
): readonly Variant[] {
  const ondemand = cloud.price(instanceType, 'ondemand', name) ?? 0;
  const spot = cloud.price(instanceType, 'spot', name);
  const from = '2026-01-01T00:00:00Z';
  return [
    { suffix: '', from: '2024-01-01T00:00:00Z', usd: ondemand * 2 },
    { suffix: '', from, usd: ondemand },
    { suffix: '', from: '2099-01-01T00:00:00Z', usd: ondemand / 2 },
    { suffix: '', from: '2026-02-01T00:00:00Z', usd: 0 },
    { suffix: ' Low Priority', from, usd: ondemand * 0.2 },
    { suffix: '', windows: true, from, usd: ondemand + 0.046 * vcpu },
    ...(spot === null
      ? []
      : [
          { suffix: ' Spot', from, usd: spot },
          { suffix: ' Spot', windows: true, from, usd: spot + 0.01 * vcpu },
        ]),
  ];
}

function itemsOf(sim: Simulation, size: AzureSize, location: AzureLocation): readonly Item[] {
  if (size.notSoldIn.includes(location.name)) return [];
  const short = size.instanceType.replace(/^Standard_/u, '').replaceAll('_', ' ');
  return variantsOf(sim, size, location).map(({ suffix, windows = false, from, usd }) =>
    itemOf(location, Number(usd.toFixed(6)), from, {
      meterName: `${short}${suffix}`,
      skuName: `${short}${suffix}`,
      productName: `${size.product}${windows ? ' Windows' : ''}`,
      serviceName: 'Virtual Machines',
      serviceFamily: 'Compute',
      armSkuName: size.instanceType,
    }),
  );
}

/** Prices of addresses: of the past, of now, and of other kinds of addresses. */
const addressItems = (location: AzureLocation): readonly Item[] =>
  (
    [
      ['Standard IPv4 Static Public IP', '2024-01-01T00:00:00Z', 0.01],
      ['Standard IPv4 Static Public IP', '2026-01-01T00:00:00Z', 0.005],
      ['Global IPv4 Static Public IP', '2026-01-01T00:00:00Z', 0.02],
    ] as const
  ).map(([meterName, from, usd]) =>
    itemOf(location, usd, from, {
      meterName,
      skuName: 'Standard',
      productName: 'IP Addresses',
      serviceName: 'Virtual Network',
      serviceFamily: 'Networking',
      armSkuName: '',
    }),
  );

type Condition = (item: Item) => boolean;

/** Reads a filter: conditions joined by `and`. @throws ArmError for what it cannot read */
function readFilter(text: string): readonly Condition[] {
  return text
    .split(/\s+and\s+/u)
    .filter((part) => part !== '')
    .map((part): Condition => {
      const equals = /^(\w+) eq '([^']*)'$/u.exec(part.trim());
      const contains = /^contains\((\w+),\s*'([^']*)'\)$/u.exec(part.trim());
      const [, field = '', value = ''] = equals ?? contains ?? [];
      // The filter's name of this field is not the answer's.
      const key = field === 'priceType' ? 'type' : field;
      if (equals !== null) return (item) => item[key] === value;
      if (contains !== null) return (item) => String(item[key]).includes(value);
      throw new ArmError('BadRequest', `Invalid OData parameters supplied: ${part}`);
    });
}

/** Answers a call. @throws ArmError */
export function answerPrices(sim: Simulation, url: URL): Response {
  const conditions = readFilter(url.searchParams.get('$filter') ?? '');
  const skip = Number(url.searchParams.get('$skip') ?? 0);
  const items = LOCATIONS.flatMap((location) => [
    ...[...SIZES.values()].flatMap((size) => itemsOf(sim, size, location)),
    ...addressItems(location),
  ]).filter((item) => conditions.every((holds) => holds(item)));
  const next = new URL(url);
  next.searchParams.set('$skip', String(skip + PAGE_SIZE));
  return Response.json({
    BillingCurrency: 'USD',
    CustomerEntityId: 'Default',
    CustomerEntityType: 'Retail',
    Items: items.slice(skip, skip + PAGE_SIZE),
    NextPageLink: skip + PAGE_SIZE < items.length ? next.href : null,
    Count: Math.max(0, Math.min(PAGE_SIZE, items.length - skip)),
  });
}
