/**
 * Calls on what can be rented: the sizes of a location that have GPUs, and the locations.
 */
import { z } from 'zod';
import { listResources, listRows, readOffers, resourcePath } from '../http/arm.ts';
import type { AzureTransport } from '../http/transport.ts';
import { gpuOfSize } from '../gpus.ts';
import { text } from './fields.ts';

const skuSchema = z.object({
  resourceType: text,
  name: z.string().min(1),
  locations: z.array(z.string()).catch([]),
  locationInfo: z.array(z.object({ location: text, zones: z.array(z.string()).catch([]) })).catch([]),
  capabilities: z
    .array(z.object({ name: text, value: text }))
    .catch([])
    .transform((all): Readonly<Record<string, string>> =>
      Object.fromEntries(all.map(({ name, value }) => [name, value])),
    ),
  restrictions: z
    .array(
      z.object({
        type: text,
        values: z.array(z.string()).catch([]),
        restrictionInfo: z
          .object({ locations: z.array(z.string()).catch([]), zones: z.array(z.string()).catch([]) })
          .catch({ locations: [], zones: [] }),
        reasonCode: text,
      }),
    )
    .catch([]),
});

type SkuData = z.infer<typeof skuSchema>;

/** A size with GPUs that this subscription may rent in a location. */
export interface Size {
  readonly name: string;
  readonly model: string;
  readonly gpuCount: number;
  /** Of all GPUs together. */
  readonly vramGib: number;
  readonly vcpu: number;
  readonly memoryGib: number;
  /** It is sold on the spot market, too. */
  readonly hasSpot: boolean;
}

const isSize = z.object({ resourceType: z.literal('virtualMachines'), name: z.string().startsWith('Standard_N') });

/**
 * Sizes with GPUs of a location. Those that cannot be used here, such as parts of GPUs, and those that the subscription may not rent there are
 * left out. A row that has a GPU which is not known, or says too little, is reported.
 */
export async function listSizes(http: AzureTransport, location: string): Promise<readonly Size[]> {
  const rows = await listRows(http, resourcePath(http, null, 'Microsoft.Compute/skus'), {
    $filter: `location eq '${location}'`,
  });
  // Disks, images and machines without GPUs are in the same list.
  const candidates = rows.filter((row) => isSize.safeParse(row).success);
  const skus = readOffers(http, `/skus of ${location}`, candidates, skuSchema, whyUnreadable);
  return skus
    .filter((sku) => gpuOfSize(sku.name) !== null && !isRestricted(sku, location))
    .map(({ name, capabilities }) => {
      const gpuCount = Number(capabilities['GPUs']);
      const gpu = gpuOfSize(name);
      return {
        name,
        model: gpu?.model ?? '',
        gpuCount,
        vramGib: (gpu?.vramGib ?? 0) * gpuCount,
        vcpu: Number(capabilities['vCPUs']),
        memoryGib: Number(capabilities['MemoryGB']),
        hasSpot: capabilities['LowPriorityCapable'] === 'True',
      };
    });
}

function whyUnreadable({ name, capabilities }: SkuData): string | null {
  const gpu = gpuOfSize(name);
  if (gpu === undefined) return 'its GPU is not known';
  if (gpu === null) return null;
  const missing = ['GPUs', 'vCPUs', 'MemoryGB'].find((field) => !(Number(capabilities[field]) > 0));
  return missing === undefined ? null : `it does not say its ${missing}`;
}

/** A size may be closed to a subscription in a whole location, or in zones of it. Machines are made without a zone, so one that is open is enough. */
function isRestricted({ restrictions, locationInfo }: SkuData, location: string): boolean {
  const isHere = (names: readonly string[]): boolean => names.some((name) => name.toLowerCase() === location);
  const zones = locationInfo.find((info) => info.location.toLowerCase() === location)?.zones ?? [];
  return restrictions.some(({ type, values, restrictionInfo }) => {
    if (type === 'Location') return isHere([...values, ...restrictionInfo.locations]);
    const closed = new Set(restrictionInfo.zones);
    return (
      type === 'Zone' && isHere(restrictionInfo.locations) && zones.length > 0 && zones.every((z) => closed.has(z))
    );
  });
}

const locationSchema = z.object({ name: z.string().min(1), displayName: text });

/** All locations of the subscription. */
export const listLocations = (
  http: AzureTransport,
): Promise<readonly { readonly name: string; readonly displayName: string }[]> =>
  listResources(http, `/subscriptions/${http.subscriptionId}/locations`, locationSchema);
