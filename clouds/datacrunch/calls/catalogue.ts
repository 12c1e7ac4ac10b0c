/**
 * Calls on what can be rented, and on the balance.
 */
import { z } from 'zod';
import { get, segment } from '../http/reading.ts';
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
/** One location's row may come without its list. */
const availabilityListSchema = z.union([z.array(availabilitySchema), availabilitySchema.transform((row) => [row])]);

/** See the file's header. */
export function catalogueCalls(http: Transport) {
  return {
    /** Prepaid money of the project. */
    balance: () => get(http, '/balance', balanceSchema),

    locations: () => get(http, '/locations', z.array(locationSchema)),

    /** Every type with its prices. */
    instanceTypes: (currency: Currency = 'usd'): Promise<readonly InstanceTypeData[]> =>
      get(http, '/instance-types', z.array(instanceTypeSchema), { currency }),

    /** Which types each location has now, for one market. Without `isSpot` the API would answer for on-demand only. */
    availability: (filter: { readonly isSpot: boolean; readonly location?: string }) =>
      get(http, '/instance-availability', availabilityListSchema, {
        is_spot: filter.isSpot,
        location_code: filter.location,
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
    images: (instanceType?: string) => get(http, '/images', z.array(imageSchema), { instance_type: instanceType }),

    /** Prices of volumes. */
    volumeTypes: (currency: Currency = 'usd') => get(http, '/volume-types', z.array(volumeTypeSchema), { currency }),

    /** What containers can run on, with prices. */
    containerTypes: (currency: Currency = 'usd') =>
      get(http, '/container-types', z.array(containerTypeSchema), { currency }),
  };
}
