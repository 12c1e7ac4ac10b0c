/**
 * Catalogue of the simulated Azure: locations, sizes with GPUs and their prices.
 *
 * Hardware is that of Azure's documents of 2026. Prices on demand are those of the public price list for Linux in eastus; in the other
 * locations they are this price times a factor, as the list had it for the A100 and H100 in October 2026. Spot prices are a share of the
 * price on demand, which the list has for most sizes.
 */
import type { Catalogue, CoreType } from '../core/context.ts';

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

interface Family {
  readonly gpu: string;
  readonly vramGib: number;
  readonly family: string;
  readonly quotaName: string;
  readonly product: string;
  readonly spotShare: number;
  readonly notSoldIn?: readonly string[];
  readonly restrictedIn?: readonly string[];
  /** vCPUs, memory GiB, GPUs, USD per hour in eastus. */
  readonly sizes: Readonly<Record<string, readonly [number, number, number, number]>>;
}

const FAMILIES: readonly Family[] = [
  {
    gpu: '',
    vramGib: 0,
    family: 'standardDSv5Family',
    quotaName: 'Standard DSv5 Family vCPUs',
    product: 'Virtual Machines Dsv5 Series',
    spotShare: 0.2,
    sizes: { Standard_D2s_v5: [2, 8, 0, 0.096] },
  },
  {
    gpu: 'T4',
    vramGib: 16,
    family: 'Standard NCASv3_T4 Family',
    quotaName: 'Standard NCASv3_T4 Family Cores',
    product: 'Virtual Machines NCasT4 v3 Series',
    spotShare: 0.2,
    sizes: {
      Standard_NC4as_T4_v3: [4, 28, 1, 0.526],
      Standard_NC8as_T4_v3: [8, 56, 1, 0.752],
      Standard_NC16as_T4_v3: [16, 110, 1, 1.204],
      Standard_NC64as_T4_v3: [64, 440, 4, 4.352],
    },
  },
  {
    gpu: 'A100',
    vramGib: 80,
    family: 'StandardNCADSA100v4Family',
    quotaName: 'Standard NCADS_A100_v4 Family vCPUs',
    product: 'Virtual Machines NCads A100 v4 Series',
    spotShare: 0.1848,
    sizes: {
      Standard_NC24ads_A100_v4: [24, 220, 1, 3.673],
      Standard_NC48ads_A100_v4: [48, 440, 2, 7.346],
      Standard_NC96ads_A100_v4: [96, 880, 4, 14.692],
    },
  },
  {
    gpu: 'H100',
    vramGib: 94,
    family: 'StandardNCadsH100v5Family',
    quotaName: 'Standard NCadsH100v5 Family vCPUs',
    product: 'Virtual Machines NCads H100 v5 Series',
    spotShare: 0.1848,
    sizes: {
      Standard_NC40ads_H100_v5: [40, 320, 1, 6.98],
      Standard_NC80adis_H100_v5: [80, 640, 2, 13.96],
    },
  },
  {
    gpu: 'H100',
    vramGib: 80,
    family: 'standardNDSH100v5Family',
    quotaName: 'Standard NDSH100v5 Family vCPUs',
    product: 'Virtual Machines NDsr H100 v5 Series',
    spotShare: 0.1848,
    notSoldIn: ['northeurope'],
    restrictedIn: ['westeurope'],
    sizes: { Standard_ND96isr_H100_v5: [96, 1900, 8, 98.32] },
  },
  {
    gpu: 'A10',
    vramGib: 24,
    family: 'StandardNVADSA10v5Family',
    quotaName: 'Standard NVADSA10v5 Family vCPUs',
    product: 'Virtual Machines NVads A10 v5 Series',
    spotShare: 0.3,
    // A third of a GPU counts as one.
    sizes: { Standard_NV12ads_A10_v5: [12, 110, 1, 0.908], Standard_NV36ads_A10_v5: [36, 440, 1, 3.2] },
  },
  {
    gpu: 'MI300X',
    vramGib: 192,
    family: 'standardNDMI300XV5Family',
    quotaName: 'Standard NDISv5MI300X Family vCPUs',
    product: 'Virtual Machines ND MI300X v5 Series',
    spotShare: 0.2,
    notSoldIn: ['northeurope'],
    sizes: { Standard_ND96isr_MI300X_v5: [96, 1850, 8, 48] },
  },
];

export const SIZES: ReadonlyMap<string, AzureSize> = new Map(
  FAMILIES.flatMap(({ gpu, vramGib, sizes, spotShare, notSoldIn = [], restrictedIn = [], ...family }) =>
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
        notSoldIn,
        restrictedIn,
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
