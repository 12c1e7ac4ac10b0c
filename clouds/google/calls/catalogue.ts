/**
 * Calls on what can be rented: types with built-in GPUs or for attached ones, the zones that have the GPUs, and the price list.
 */
import { z } from 'zod';
import { getAggregated, getAll, listOf, nameInUrl, number, text } from '../http/reading.ts';
import type { GoogleTransport } from '../http/transport.ts';
import { regionOfZone } from '../settings.ts';

const typeSchema = z.object({
  name: z.string().min(1),
  zone: nameInUrl,
  guestCpus: number,
  memoryMb: number,
  accelerators: listOf(z.object({ guestAcceleratorType: text, guestAcceleratorCount: number })),
  bundledLocalSsds: z.object({ partitionCount: number }).nullable().catch(null),
  deprecated: z.object({ state: text }).nullable().catch(null),
});

/** A type of machine in one zone. */
export type MachineTypeData = z.infer<typeof typeSchema>;

/** Types of the series with built-in GPUs and those that GPUs are attached to, in every zone of the project that sells them. */
export const listMachineTypes = (http: GoogleTransport): Promise<readonly MachineTypeData[]> =>
  // A regular expression over the whole name.
  getAggregated(http, 'machineTypes', typeSchema, { filter: 'name eq "(a|g)[0-9].*|n1-standard-[0-9]+"' });

const acceleratorSchema = z.object({ name: z.string().min(1), zone: nameInUrl });

/** A kind of GPU in one zone. */
export type AcceleratorData = z.infer<typeof acceleratorSchema>;

/** Which zones have which GPUs. It says nothing of what is free. */
export const listAccelerators = (http: GoogleTransport): Promise<readonly AcceleratorData[]> =>
  getAggregated(http, 'acceleratorTypes', acceleratorSchema);

const zones = z
  .object({ items: z.array(z.object({ name: z.string().min(1), region: nameInUrl, status: text })).default([]) })
  .transform(({ items }) => items);

/** Zones of these regions that work. */
export async function listZones(http: GoogleTransport, regions: readonly string[]): Promise<readonly string[]> {
  const found = await getAll(http, { path: `/projects/${http.project}/zones`, query: { maxResults: 500 } }, zones);
  return (
    found
      .filter(({ region, status }) => regions.includes(region) && status === 'UP')
      .map(({ name }) => name)
      // There are zones for special use, whose names are longer and whose types cost something else.
      .filter((name) => regionOfZone(name) !== null)
  );
}

const skuSchema = z.object({
  description: text,
  category: z.object({ resourceFamily: text, usageType: text }).catch({ resourceFamily: '', usageType: '' }),
  serviceRegions: listOf(text),
  pricingInfo: listOf(
    z.object({
      pricingExpression: z.object({
        usageUnit: text,
        tieredRates: listOf(z.object({ unitPrice: z.object({ currencyCode: text, units: number, nanos: number }) })),
      }),
    }),
  ),
});

/** One price: of a virtual CPU, of memory, of a GPU, or of local disk space. */
export type SkuData = z.infer<typeof skuSchema>;

/** Rows that cannot be read are left out: each price stands alone. */
const skus = z
  .object({ skus: z.array(z.unknown()).default([]) })
  .transform(({ skus: rows }) => rows.flatMap((row) => skuSchema.safeParse(row).data ?? []));

/** Compute Engine in the price list. */
const SERVICE = '6F81-5844-456A';
/** The list has tens of thousands of prices, and each page takes some seconds. */
const PAGE_TIMEOUT_MS = 25_000;
const FIELDS =
  'nextPageToken,skus(description,category(resourceFamily,usageType),serviceRegions,pricingInfo/pricingExpression)';

/** Every price of Compute Engine, in USD. */
export const listSkus = (http: GoogleTransport): Promise<readonly SkuData[]> =>
  getAll(
    http,
    {
      service: 'billing',
      path: `/services/${SERVICE}/skus`,
      query: { currencyCode: 'USD', pageSize: 5000, fields: FIELDS },
      timeoutMs: PAGE_TIMEOUT_MS,
    },
    skus,
  );
