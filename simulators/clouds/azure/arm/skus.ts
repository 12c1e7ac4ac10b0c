/** Machines that the subscription may rent: the list of resource SKUs. */
import type { Call, Json } from '../account.ts';
import { LOCATIONS, SIZES, type AzureSize } from '../catalogue.ts';
import { ArmError } from '../errors.ts';
import { pageOf } from './page.ts';

function skuView({ instanceType, family, vcpu, memoryGib, gpuCount, restrictedIn }: AzureSize, location: string): Json {
  const capability = (name: string, value: string | number): Json => ({ name, value: String(value) });
  return {
    resourceType: 'virtualMachines',
    name: instanceType,
    tier: 'Standard',
    size: instanceType.replace(/^Standard_/u, ''),
    family,
    locations: [location],
    locationInfo: [{ location, zones: ['1', '2', '3'], zoneDetails: [] }],
    capabilities: [
      capability('vCPUs', vcpu),
      capability('MemoryGB', memoryGib),
      ...(gpuCount === 0 ? [] : [capability('GPUs', gpuCount)]),
      capability('HyperVGenerations', 'V1,V2'),
      capability('CpuArchitectureType', 'x64'),
      capability('LowPriorityCapable', 'True'),
      capability('PremiumIO', 'True'),
    ],
    restrictions: restrictedIn.includes(location)
      ? [
          {
            type: 'Location',
            values: [location],
            restrictionInfo: { locations: [location] },
            reasonCode: 'NotAvailableForSubscription',
          },
        ]
      : [],
  };
}

const diskSku = (location: string): Json => ({
  resourceType: 'disks',
  name: 'Premium_LRS',
  tier: 'Premium',
  size: 'P10',
  locations: [location],
  locationInfo: [{ location, zones: [] }],
  capabilities: [{ name: 'MaxSizeGiB', value: '128' }],
  restrictions: [],
});

/** Answers a call. The one filter that there is names a location. @throws ArmError */
export function skus(call: Call): Response {
  const filter = call.url.searchParams.get('$filter');
  const wanted = filter === null ? null : (/^location eq '([^']+)'$/u.exec(filter)?.[1] ?? null);
  if (filter !== null && wanted === null)
    throw new ArmError('InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`);
  const here = LOCATIONS.filter(({ name }) => wanted === null || name === wanted.toLowerCase());
  const rows = here.flatMap(({ name }) => [
    diskSku(name),
    ...[...SIZES.values()].filter((size) => !size.notSoldIn.includes(name)).map((size) => skuView(size, name)),
  ]);
  return pageOf(call, rows);
}

/** What the provider of machines has, and where; older clients take locations from here. */
export const computeProvider = (): Response =>
  Response.json({
    namespace: 'Microsoft.Compute',
    resourceTypes: [
      {
        resourceType: 'virtualMachines',
        locations: LOCATIONS.map(({ displayName }) => displayName),
        apiVersions: ['2024-07-01'],
      },
    ],
    registrationState: 'Registered',
  });

/** Sizes of a location in the form that older clients read. */
export const vmSizes = (location: string): Response =>
  Response.json({
    value: [...SIZES.values()]
      .filter((size) => !size.notSoldIn.includes(location))
      .map(({ instanceType, vcpu, memoryGib }) => ({
        name: instanceType,
        numberOfCores: vcpu,
        osDiskSizeInMB: 1_047_552,
        resourceDiskSizeInMB: 180_000,
        memoryInMB: memoryGib * 1024,
        maxDataDiskCount: 8,
      })),
  });
