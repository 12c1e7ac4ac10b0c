/**
 * Calls on the public price list of Azure, which needs no credentials. One list has the prices of all ways to rent a size; they are told
 * apart by words in their names.
 */
import { z } from 'zod';
import { DeckhandError } from '../../../domain/errors.ts';
import { providerError } from '../../errors.ts';
import { checked, linked, MOST_PAGES, readOffers } from '../http/arm.ts';
import type { AzureCall } from '../http/call.ts';
import type { AzureTransport } from '../http/transport.ts';
import { text } from './fields.ts';

const itemSchema = z
  .object({
    armSkuName: z.string().min(1),
    retailPrice: z.number().min(0),
    currencyCode: text,
    unitOfMeasure: text,
    productName: text,
    meterName: text,
    skuName: text,
    type: text,
    effectiveStartDate: z.string(),
  })
  .transform((item) => ({ ...item, name: item.armSkuName, fromMs: Date.parse(item.effectiveStartDate) }));

type Item = z.infer<typeof itemSchema>;

const pageSchema = z.object({ Items: z.array(z.unknown()), NextPageLink: z.string().nullish() });

/** Prices of a size in a location, USD per hour. */
export interface SizePrices {
  readonly onDemandUsdPerHour: number | null;
  readonly spotUsdPerHour: number | null;
}

/** True for the price by the hour of a machine with Linux, which is what the list has least of. */
const isForUs = ({ productName, meterName, skuName, retailPrice, currencyCode, unitOfMeasure, type }: Item): boolean =>
  retailPrice > 0 &&
  currencyCode === 'USD' &&
  unitOfMeasure === '1 Hour' &&
  type === 'Consumption' &&
  !/\bWindows\b|CloudServices|Cloud Services|Dedicated Host/iu.test(productName) &&
  !/Low Priority|Reservation/iu.test(`${meterName} ${skuName}`);

const isSpot = ({ meterName }: Item): boolean => /\bSpot\b/u.test(meterName);

/** Meter of the addresses that machines get. */
const ADDRESS = 'Standard IPv4 Static Public IP';
const addressSchema = z
  .object({
    meterName: text,
    retailPrice: z.number().min(0),
    currencyCode: text,
    unitOfMeasure: text,
    effectiveStartDate: z.string(),
  })
  .transform((item) => ({ ...item, name: ADDRESS, fromMs: Date.parse(item.effectiveStartDate) }));
/** Where the list has none, or does not answer. */
const USUAL_ADDRESS_USD_PER_HOUR = 0.005;

/** Prices of the sizes of a location that have GPUs, by size. @throws DeckhandError `provider_*`, `provider_transient` for a list without end */
export async function listPrices(
  http: AzureTransport,
  location: string,
  nowMs: number,
): Promise<ReadonlyMap<string, SizePrices>> {
  const filter = [`serviceName eq 'Virtual Machines'`, `contains(armSkuName, 'Standard_N')`];
  const rows = await listItems(http, location, filter);
  return pricesBySize(readOffers(http, `/prices of ${location}`, rows, itemSchema), nowMs);
}

/**
 * Price of a public address in a location, USD per hour. It is a small part of what a machine costs: where its list cannot be read, the usual
 * price stands in, which is reported to the client's `onRows`, and the location keeps its offers.
 */
export async function addressPrice(http: AzureTransport, location: string, nowMs: number): Promise<number> {
  const route = `/prices of addresses in ${location}`;
  const conditions = [`serviceName eq 'Virtual Network'`, `meterName eq '${ADDRESS}'`];
  const rows = await listItems(http, location, conditions).catch((error: unknown) => {
    if (!(error instanceof DeckhandError)) throw error;
    return error;
  });
  if (rows instanceof DeckhandError) {
    http.onRows(route, [`${rows.message}; an address counts as $${USUAL_ADDRESS_USD_PER_HOUR} an hour`]);
    return USUAL_ADDRESS_USD_PER_HOUR;
  }
  const latest = readOffers(http, route, rows, addressSchema)
    .filter(({ meterName, currencyCode }) => meterName === ADDRESS && currencyCode === 'USD')
    .filter(({ unitOfMeasure, retailPrice }) => unitOfMeasure === '1 Hour' && retailPrice > 0)
    .filter(({ fromMs }) => !(fromMs > nowMs))
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .at(-1);
  return latest?.retailPrice ?? USUAL_ADDRESS_USD_PER_HOUR;
}

/** Rows of a location that pass the conditions, over all pages. */
async function listItems(
  http: AzureTransport,
  location: string,
  conditions: readonly string[],
): Promise<readonly unknown[]> {
  const filter = [...conditions, `priceType eq 'Consumption'`, `armRegionName eq '${location}'`].join(' and ');
  const rows: unknown[] = [];
  const seen = new Set<string>();
  const path = '/api/retail/prices';
  let next: Pick<AzureCall, 'path' | 'query'> = {
    path,
    query: { 'api-version': '2023-01-01-preview', $filter: filter },
  };
  for (;;) {
    const page: z.infer<typeof pageSchema> = await http.send(
      { kind: 'read', service: 'prices', method: 'GET', ...next },
      (answer) => checked(path, pageSchema, answer),
    );
    rows.push(...page.Items);
    const link = page.NextPageLink ?? '';
    if (link === '') return rows;
    if (seen.has(link) || seen.size >= MOST_PAGES)
      throw providerError('transient', `the price list of ${location}: its pages have no end`);
    seen.add(link);
    next = linked(http.pricesUrl, link, path);
  }
}

/** The list has prices of the past and of the future as well: the latest that holds now counts. */
function pricesBySize(items: readonly Item[], nowMs: number): ReadonlyMap<string, SizePrices> {
  const prices = new Map<string, SizePrices>();
  const inOrder = items
    .filter((item) => isForUs(item) && !(item.fromMs > nowMs))
    .toSorted((a, b) => a.fromMs - b.fromMs);
  for (const item of inOrder) {
    const before = prices.get(item.armSkuName) ?? { onDemandUsdPerHour: null, spotUsdPerHour: null };
    const price = isSpot(item) ? { spotUsdPerHour: item.retailPrice } : { onDemandUsdPerHour: item.retailPrice };
    prices.set(item.armSkuName, { ...before, ...price });
  }
  return prices;
}
