/**
 * Calls on what can be rented, and on the balance.
 */
import { z } from 'zod';
import { get, getRows, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import {
  availabilitySchema,
  balanceSchema,
  containerTypeSchema,
  imageSchema,
  instanceTypeSchema,
  locationSchema,
  volumeTypeSchema,
  type InstanceTypeData,
} from '../schemas/catalogue.ts';

/** Currencies prices can be asked in. */
export type Currency = 'usd' | 'eur';

/** A bare `true` or `false`; some answers quote it. */
const answerSchema = z.union([z.boolean(), z.stringbool()]);

/** Why a price is not one in the currency that was asked for; null = it is, or none is stated. */
const whyOtherCurrency = (stated: string, asked: Currency): string | null =>
  stated === '' || stated.toLowerCase() === asked
    ? null
    : `its price is in ${stated.toUpperCase()}, asked for in ${asked.toUpperCase()}`;

export function catalogueCalls(http: Transport) {
  return {
    /** Prepaid money of the project. */
    balance: () => get(http, '/balance', balanceSchema),

    locations: () => getRows(http, '/locations', { row: locationSchema }),

    /** Every type with its prices. A type without a price, or a GPU type without its GPUs, counts as unreadable: nothing could be decided on it. */
    instanceTypes: (currency: Currency = 'usd'): Promise<readonly InstanceTypeData[]> =>
      getRows(http, '/instance-types', {
        row: instanceTypeSchema,
        whyUnreadable: (type) => whyOtherCurrency(type.currency, currency) ?? whyIncomplete(type),
        query: { currency },
      }),

    /** Which types each location has now, for one market. Without `isSpot` the API would answer for on-demand only. */
    availability: (filter: { readonly isSpot: boolean; readonly location?: string }) =>
      getRows(http, '/instance-availability', {
        row: availabilitySchema,
        query: { is_spot: filter.isSpot, location_code: filter.location },
      }),

    /** Whether one type can be had now; a type the provider does not know cannot. */
    isAvailable: (
      instanceType: string,
      filter: { readonly isSpot: boolean; readonly location?: string },
    ): Promise<boolean> =>
      get(http, `/instance-availability/${segment(instanceType)}`, answerSchema, {
        is_spot: filter.isSpot,
        location_code: filter.location,
      }),

    /** Operating system images, of one type or all. @throws DeckhandError `provider_gone` when the type is unknown */
    images: (instanceType?: string) =>
      getRows(http, '/images', { row: imageSchema, query: { instance_type: instanceType } }),

    /** Prices of volumes. */
    volumeTypes: (currency: Currency = 'usd') =>
      getRows(http, '/volume-types', {
        row: volumeTypeSchema,
        whyUnreadable: ({ price }) => whyOtherCurrency(price?.currency ?? '', currency),
        query: { currency },
      }),

    /** What containers can run on, with prices. */
    containerTypes: (currency: Currency = 'usd') =>
      getRows(http, '/container-types', {
        row: containerTypeSchema,
        whyUnreadable: (type) => whyOtherCurrency(type.currency, currency),
        query: { currency },
      }),
  };
}

/** What is missing of a type; null = nothing. Types without a GPU have names such as `CPU.4V.16G`. */
function whyIncomplete({
  instance_type: name,
  price_per_hour: price,
  gpu,
  gpu_memory: memory,
}: InstanceTypeData): string | null {
  if (price === null || price <= 0) return 'its price per hour cannot be read';
  if (/^cpu/iu.test(name)) return null;
  const gpus = gpu?.number_of_gpus ?? null;
  if (gpus === null) return 'the number of its GPUs cannot be read';
  const vramGib = memory?.size_in_gigabytes ?? null;
  return gpus > 0 && vramGib === null ? 'the memory of its GPUs cannot be read' : null;
}
