/**
 * Catalogue of the simulated Azure: locations, sizes with GPUs and their prices. The families of sizes are in catalogue.json.
 *
 * Hardware is that of Azure's documents of 2026. Prices on demand are those of the public price list for Linux in eastus; in the other
 * locations they are this price times a factor, as the list had it for the A100 and H100 in October 2026. Spot prices are a share of the
 * price on demand, which the list has for most sizes.
 */
import { z } from 'zod';
import type { Catalogue, CoreType } from '../core/context.ts';
import families from './catalogue.json' with { type: 'json' };

export interface AzureLocation {
  readonly name: string;
  readonly displayName: string;
  /** As the price list writes it. */
  readonly priceName: string;
  readonly geography: string;
  readonly factor: number;
}

export const LOCATIONS: readonly AzureLocation[] = [
  { name: 'westeurope', displayName: 'West Europe', priceName: 'EU West', geography: 'Europe', factor: 1.3 },
  { name: 'northeurope', displayName: 'North Europe', priceName: 'EU North', geography: 'Europe', factor: 1.2 },
  { name: 'eastus', displayName: 'East US', priceName: 'US East', geography: 'United States', factor: 1 },
];

/** A size with everything that its description shows. */
export interface AzureSize extends CoreType {
  readonly memoryGib: number;
  /** Name of the quota that it counts against, and what people call it. */
  readonly family: string;
  readonly quotaName: string;
  /** As the price list names the product. */
  readonly product: string;
  /** Locations that do not sell it, and those that sell it and not to this subscription. */
  readonly notSoldIn: readonly string[];
  readonly restrictedIn: readonly string[];
}

/** Sizes of one family. */
const familySchema = z.strictObject({
  gpu: z.string(),
  vramGib: z.number(),
  family: z.string(),
  quotaName: z.string(),
  product: z.string(),
  spotShare: z.number(),
  notSoldIn: z.array(z.string()).default([]),
  restrictedIn: z.array(z.string()).default([]),
  /** vCPUs, memory GiB, GPUs (a part of one counts as one), USD per hour in eastus. */
  sizes: z.record(z.string(), z.tuple([z.number(), z.number(), z.number(), z.number()])),
});

export const SIZES: ReadonlyMap<string, AzureSize> = new Map(
  z
    .array(familySchema)
    .parse(families)
    .flatMap(({ gpu, vramGib, sizes, spotShare, ...family }) =>
      Object.entries(sizes).map(([instanceType, [vcpu, memoryGib, gpuCount, usd]]): [string, AzureSize] => [
        instanceType,
        {
          ...family,
          instanceType,
          gpuCount,
          vcpu,
          memoryGib,
          ondemandUsdPerHour: usd,
          spotUsdPerHour: Number((usd * spotShare).toFixed(4)),
          name: gpu,
          vramGib: vramGib * gpuCount,
        },
      ]),
    ),
);

/** A size by its name in any case. */
export const sizeNamed = (name: string): AzureSize | undefined =>
  SIZES.get(name) ?? [...SIZES.values()].find((size) => size.instanceType.toLowerCase() === name.toLowerCase());

const factorOf = (location: string): number => LOCATIONS.find(({ name }) => name === location)?.factor ?? 1;

export const AZURE_CATALOGUE: Catalogue = {
  provider: 'azure',
  types: SIZES,
  locations: LOCATIONS.map(({ name }) => name),
  isSold: (instanceType, location) => SIZES.get(instanceType)?.notSoldIn.includes(location) === false,
  priceFactor: (_instanceType, location) => factorOf(location),
};
