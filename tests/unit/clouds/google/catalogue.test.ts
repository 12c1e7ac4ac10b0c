/**
 * What can be rented at Google: sums of the price list, places, and what is left out.
 */
import { describe, expect, it } from 'vitest';
import { identifyGpu } from '../../../../domain/fleet/selection/tiers.ts';
import { PROJECT, scriptedGoogle, type GoogleRig, type GoogleScript } from './scripted-google.ts';
import { type ScriptedAnswer } from '../scripted-api.ts';

interface Sku {
  readonly usd: number;
  readonly unit?: string;
  readonly usage?: string;
  readonly family?: string;
  readonly region?: string;
  readonly currency?: string;
}

const sku = (
  description: string,
  { usd, unit = 'h', usage = 'OnDemand', family = 'Compute', region = 'europe-west4', currency = 'USD' }: Sku,
) => ({
  description,
  category: { resourceFamily: family, usageType: usage },
  serviceRegions: [region],
  pricingInfo: [
    {
      pricingExpression: {
        usageUnit: unit,
        tieredRates: [
          { unitPrice: { currencyCode: currency, units: String(Math.floor(usd)), nanos: Math.round((usd % 1) * 1e9) } },
        ],
      },
    },
  ],
});

/** Of the public address of a machine, USD per hour. */
const IP = 0.006;
const SPOT_IP = 0.003;

/** As the price list words them. */
const SKUS = [
  sku('G2 Instance Core running in Netherlands', { usd: 0.02 }),
  sku('G2 Instance Ram running in Netherlands', { usd: 0.003, unit: 'GiBy.h' }),
  sku('Nvidia L4 GPU running in Netherlands', { usd: 0.6 }),
  sku('Spot Preemptible G2 Instance Core running in Netherlands', { usd: 0.01, usage: 'Preemptible' }),
  sku('Spot Preemptible G2 Instance Ram running in Netherlands', { usd: 0.001, unit: 'GiBy.h', usage: 'Preemptible' }),
  sku('Nvidia L4 GPU attached to Spot Preemptible VMs running in Netherlands', { usd: 0.2, usage: 'Preemptible' }),
  sku('N1 Predefined Instance Core running in Netherlands', { usd: 0.03 }),
  sku('N1 Predefined Instance Ram running in Netherlands', { usd: 0.004, unit: 'GiBy.h' }),
  sku('Nvidia Tesla T4 GPU running in Netherlands', { usd: 0.35 }),
  sku('Spot Preemptible N1 Predefined Instance Core running in Netherlands', { usd: 0.01, usage: 'Preemptible' }),
  sku('Spot Preemptible N1 Predefined Instance Ram running in Netherlands', {
    usd: 0.001,
    unit: 'GiBy.h',
    usage: 'Preemptible',
  }),
  sku('Nvidia Tesla T4 GPU attached to Spot Preemptible VMs running in Netherlands', {
    usd: 0.1,
    usage: 'Preemptible',
  }),
  sku('G4 Instance Core running in Netherlands', { usd: 0.04 }),
  sku('G4 Instance Ram running in Netherlands', { usd: 0.004, unit: 'GiBy.h' }),
  sku('RTX 6000 96GB running in Netherlands', { usd: 2 }),
  // Marked as the ordinary prices, as some of the list are.
  sku('Spot Preemptible G4 Instance Core running in Netherlands', { usd: 0.01 }),
  sku('Spot Preemptible G4 Instance Ram running in Netherlands', { usd: 0.001, unit: 'GiBy.h' }),
  sku('Spot Preemptible RTX 6000 96GB running in Netherlands', { usd: 0.8 }),
  sku('External IP Charge on a Standard VM', { usd: IP, family: 'Network', region: 'global' }),
  sku('External IP Charge on a Spot Preemptible VM', { usd: SPOT_IP, family: 'Network', region: 'global' }),
  sku('Static Ip Charge', { usd: 99, family: 'Network', region: 'global' }),
  sku('A2 Instance Core running in Netherlands', { usd: 0.03 }),
  sku('A2 Instance Ram running in Netherlands', { usd: 0.004, unit: 'GiBy.h' }),
  sku('Nvidia Tesla A100 GPU running in Netherlands', { usd: 3 }),
  sku('Nvidia Tesla A100 80GB GPU running in Netherlands', { usd: 4 }),
  sku('SSD backed Local Storage in Netherlands', { usd: 0.073, unit: 'GiBy.mo', family: 'Storage' }),
  sku('A3 Instance Core running in Netherlands', { usd: 0.03 }),
  sku('A3 Instance Ram running in Netherlands', { usd: 0.003, unit: 'GiBy.h' }),
  sku('Nvidia H100 80GB GPU running in Netherlands', { usd: 10 }),
  sku('Spot Preemptible A3 Instance Core running in Netherlands', { usd: 0.01, usage: 'Preemptible' }),
  sku('Spot Preemptible A3 Instance Ram running in Netherlands', { usd: 0.001, unit: 'GiBy.h', usage: 'Preemptible' }),
  sku('Nvidia H100 80GB GPU attached to Spot Preemptible VMs running in Netherlands', { usd: 3, usage: 'Preemptible' }),
  sku('SSD backed Local Storage attached to Spot Preemptible VMs in Netherlands', {
    usd: 0.0365,
    unit: 'GiBy.mo',
    family: 'Storage',
    usage: 'Preemptible',
  }),
];

/** In the list as well, with words of ours, and for other things. */
const OTHERS = [
  sku('G2 Sole Tenancy Instance Core running in Netherlands', { usd: 99 }),
  sku('Commitment v1: G2 Cpu in Netherlands for 1 Year', { usd: 99, usage: 'Commit1Yr' }),
  sku('Reserved Nvidia L4 GPU in Netherlands', { usd: 99 }),
  sku('DWS Calendar Mode G2 Instance Core running in Netherlands', { usd: 99 }),
  sku('G2 Custom Instance Core running in Netherlands', { usd: 99 }),
  sku('N1 Custom Instance Core running in Netherlands', { usd: 99 }),
  sku('Commitment v1: RTX 6000 96GB running in Netherlands for 1 Year', { usd: 99 }),
  sku('Nvidia L4 GPU running in Belgium', { usd: 99, region: 'europe-west1' }),
  sku('G2 Instance Core running in Netherlands', { usd: 99, currency: 'EUR' }),
  sku('G2 Instance Ram running in Netherlands', { usd: 99, unit: 'GiBy.mo' }),
  { description: 'half a row' },
  null,
];

const type = (
  name: string,
  gpu: string | null,
  fields: Readonly<Record<string, unknown>> = {},
  zone = 'europe-west4-a',
) => ({
  name,
  zone,
  guestCpus: 4,
  memoryMb: 16 * 1024,
  ...(gpu === null ? {} : { accelerators: [{ guestAcceleratorType: gpu, guestAcceleratorCount: 1 }] }),
  ...fields,
});

const byZone = (field: string, rows: readonly { readonly zone: string }[]): ScriptedAnswer => ({
  body: {
    items: Object.fromEntries(
      [...Map.groupBy(rows, ({ zone }) => zone)].map(([zone, there]) => [`zones/${zone}`, { [field]: there }]),
    ),
  },
});

const zoneUrl = (zone: string): string => `https://www.googleapis.com/compute/v1/projects/${PROJECT}/zones/${zone}`;
const GPUS = ['nvidia-l4', 'nvidia-tesla-a100', 'nvidia-a100-80gb', 'nvidia-h100-80gb', 'nvidia-rtx-pro-6000'];

interface Told {
  readonly route: string;
  readonly unreadable: readonly string[];
}

function start(
  types: readonly { readonly zone: string }[],
  skus: readonly unknown[] = SKUS,
  { more = {}, gpus = GPUS }: { readonly more?: GoogleScript; readonly gpus?: readonly string[] } = {},
): GoogleRig & { readonly told: Told[] } {
  const told: Told[] = [];
  const zones = ['europe-west4-a', 'europe-west4-b', 'europe-west1-b'];
  const rig = scriptedGoogle(
    {
      'GET /aggregated/machineTypes': () => byZone('machineTypes', types),
      'GET /aggregated/acceleratorTypes': () => ({
        body: {
          items: Object.fromEntries(
            zones.map((zone) => [
              `zones/${zone}`,
              { acceleratorTypes: gpus.map((name) => ({ name, zone: zoneUrl(zone) })) },
            ]),
          ),
        },
      }),
      'GET /zones': () => ({
        body: {
          items: [...zones, 'europe-west4-c', 'europe-west4-ai1a'].map((name) => ({
            name,
            region: `https://www.googleapis.com/compute/v1/projects/${PROJECT}/regions/${name.split('-').slice(0, 2).join('-')}`,
            status: name === 'europe-west4-c' ? 'DOWN' : 'UP',
          })),
        },
      }),
      'GET /v1/services/6F81-5844-456A/skus': () => ({ body: { skus } }),
      ...more,
    },
    { onRows: (route, unreadable) => told.push({ route, unreadable }) },
  );
  return { ...rig, told };
}

describe('the catalogue of Google', () => {
  it('sums the prices of parts by region and market, the cheapest type first', async () => {
    const { provider, told } = start([
      type('a2-highgpu-1g', 'nvidia-tesla-a100', { guestCpus: 12, memoryMb: 85 * 1024 }),
      type('g2-standard-4', 'nvidia-l4'),
    ]);
    const types = await provider.listInstanceTypes();
    expect(types.map(({ instanceType }) => instanceType)).toEqual(['g2-standard-4', 'a2-highgpu-1g']);
    expect(types[0]).toMatchObject({ model: 'L4', gpuCount: 1, vramGib: 24, vcpu: 4, memoryGib: 16 });
    expect(types[0]?.onDemandUsdPerHour).toBeCloseTo(4 * 0.02 + 16 * 0.003 + 0.6 + IP, 9);
    expect(types[0]?.spotUsdPerHour).toBeCloseTo(4 * 0.01 + 16 * 0.001 + 0.2 + SPOT_IP, 9);
    expect(types[1]?.onDemandUsdPerHour).toBeCloseTo(12 * 0.03 + 85 * 0.004 + 3 + IP, 9);
    // The list has no spot price of its parts.
    expect(types[1]).toMatchObject({ spotUsdPerHour: null });
    expect(told).toEqual([{ route: '/machineTypes', unreadable: [] }]);
  });

  it('tells two A100 apart, and counts the local disks that come along', async () => {
    const ssd = { bundledLocalSsds: { partitionCount: 2 }, guestCpus: 12, memoryMb: 170 * 1024 };
    const { provider } = start([type('a2-ultragpu-1g', 'nvidia-a100-80gb', ssd)]);
    const [found] = await provider.listInstanceTypes();
    expect(found?.onDemandUsdPerHour).toBeCloseTo(12 * 0.03 + 170 * 0.004 + 4 + 750 * (0.073 / 730) + IP, 9);
    expect(found === undefined ? null : identifyGpu(found).tier).toBe('a100-80');
  });

  it.each([
    ['g2-standard-4', 'nvidia-l4', 'l4'],
    ['a2-highgpu-1g', 'nvidia-tesla-a100', 'a100-40'],
    ['a3-highgpu-8g', 'nvidia-h100-80gb', 'h100'],
    ['g4-standard-48', 'nvidia-rtx-pro-6000', 'rtx-pro-6000'],
  ])('%s with %s is of the tier %s', async (name, gpu, tier) => {
    const [found] = await start([type(name, gpu)]).provider.listInstanceTypes();
    expect(found === undefined ? null : identifyGpu(found).tier).toBe(tier);
  });

  it('takes no price for another offer in nearly the same words', async () => {
    const { provider } = start([type('g2-standard-4', 'nvidia-l4')], [...OTHERS, ...SKUS, ...OTHERS]);
    const [found] = await provider.listInstanceTypes();
    expect(found?.onDemandUsdPerHour).toBeCloseTo(0.728 + IP, 9);
  });

  it('sells machines with few H100 as spot only', async () => {
    const ssd = { bundledLocalSsds: { partitionCount: 2 } };
    const { provider } = start([
      type('a3-highgpu-1g', 'nvidia-h100-80gb', ssd),
      type('a3-highgpu-8g', 'nvidia-h100-80gb', ssd),
    ]);
    const found = new Map((await provider.listInstanceTypes()).map((one) => [one.instanceType, one]));
    expect(found.get('a3-highgpu-1g')?.pricesByLocation?.['europe-west4-a']?.onDemandUsdPerHour).toBeNull();
    expect(found.get('a3-highgpu-1g')?.spotUsdPerHour).toBeGreaterThan(3);
    expect(found.get('a3-highgpu-8g')?.pricesByLocation?.['europe-west4-a']?.onDemandUsdPerHour).toBeGreaterThan(10);
  });

  it('offers a machine with attached T4 for each number of them that it may have, at the price of both', async () => {
    const { provider } = start(
      [
        type('n1-standard-1', null, { guestCpus: 1, memoryMb: 3.75 * 1024 }),
        type('n1-standard-4', null, { memoryMb: 15 * 1024 }),
        type('n1-standard-64', null, { guestCpus: 64, memoryMb: 240 * 1024 }),
        // Where there is no T4.
        type('n1-standard-8', null, { guestCpus: 8 }, 'europe-west1-b'),
      ],
      [...OTHERS, ...SKUS],
      { gpus: ['nvidia-tesla-t4', 'nvidia-tesla-t4-vws'] },
    );
    const types = await provider.listInstanceTypes();
    expect(types.map(({ instanceType }) => instanceType)).toEqual([
      'n1-standard-4+nvidia-tesla-t4x1',
      'n1-standard-4+nvidia-tesla-t4x2',
      'n1-standard-4+nvidia-tesla-t4x4',
      'n1-standard-64+nvidia-tesla-t4x4',
    ]);
    const [one, two] = types;
    expect(one).toMatchObject({ model: 'T4', gpuCount: 1, vramGib: 16, vcpu: 4, memoryGib: 15 });
    expect(one?.onDemandUsdPerHour).toBeCloseTo(4 * 0.03 + 15 * 0.004 + 0.35 + IP, 9);
    expect(one?.spotUsdPerHour).toBeCloseTo(4 * 0.01 + 15 * 0.001 + 0.1 + SPOT_IP, 9);
    expect(two?.onDemandUsdPerHour).toBeCloseTo(4 * 0.03 + 15 * 0.004 + 2 * 0.35 + IP, 9);
    expect(types.map((found) => identifyGpu(found).tier)).toEqual(['t4', 't4', 't4', 't4']);
  });

  it('reads prices of a GPU without the word, and of spot by the words alone', async () => {
    const size = { guestCpus: 48, memoryMb: 180 * 1024 };
    const { provider } = start([type('g4-standard-48', 'nvidia-rtx-pro-6000', size)], [...OTHERS, ...SKUS]);
    const [found] = await provider.listInstanceTypes();
    expect(found?.onDemandUsdPerHour).toBeCloseTo(48 * 0.04 + 180 * 0.004 + 2 + IP, 9);
    expect(found?.spotUsdPerHour).toBeCloseTo(48 * 0.01 + 180 * 0.001 + 0.8 + SPOT_IP, 9);
  });

  it('has the places of its regions that work and have the GPU', async () => {
    const { provider } = start([
      type('g2-standard-4', 'nvidia-l4', {}, 'europe-west4-a'),
      type('g2-standard-4', 'nvidia-l4', {}, 'europe-west4-b'),
      // For special use, down, of another region, without the GPU.
      type('g2-standard-4', 'nvidia-l4', {}, 'europe-west4-ai1a'),
      type('g2-standard-4', 'nvidia-l4', {}, 'europe-west4-c'),
      type('g2-standard-4', 'nvidia-l4', {}, 'europe-west1-b'),
      type('a2-megagpu-16g', 'nvidia-of-elsewhere', {}, 'europe-west4-a'),
    ]);
    const [found] = await provider.listInstanceTypes();
    expect(Object.keys(found?.pricesByLocation ?? {})).toEqual(['europe-west4-a', 'europe-west4-b']);
    expect(await provider.listLocations()).toEqual([
      { code: 'europe-west4-a', name: 'europe-west4-a', countryCode: 'NL' },
      { code: 'europe-west4-b', name: 'europe-west4-b', countryCode: 'NL' },
    ]);
  });

  it('leaves out what it does not know, and says so', async () => {
    const { provider, told } = start(
      [
        type('a4-highgpu-8g', 'nvidia-b200'),
        type('a3-ultragpu-8g', 'nvidia-h200-141gb'),
        type('g2-standard-4', 'nvidia-of-tomorrow'),
        type('a3-megagpu-8g', 'nvidia-h100-80gb'),
        type('g1-small', null),
        type('g2-standard-8', 'nvidia-l4', { deprecated: { state: 'OBSOLETE' } }),
      ],
      SKUS,
      { gpus: ['nvidia-tesla-v100', 'nvidia-tesla-p4', ...GPUS] },
    );
    expect(await provider.listInstanceTypes()).toEqual([]);
    expect(told).toEqual([
      {
        route: '/machineTypes',
        unreadable: [
          'nvidia-tesla-v100 has a V100 with 16 GB: withdrawn by the clouds, and too small for the default models',
          'nvidia-tesla-p4 has a P4 with 8 GB: too small for the default models',
          'a4-highgpu-8g is made for clusters: not sold on demand, and it needs networks of its own for RDMA',
          'a3-ultragpu-8g is made for clusters: not sold on demand, and it needs networks of its own for RDMA',
          'g2-standard-4 has a series or a GPU (nvidia-of-tomorrow) that is not known here',
          'a3-megagpu-8g: the price list has no price of it in europe-west4',
        ],
      },
    ]);
  });

  it('reads the price list once a day, over all its pages, and again after a fault', async () => {
    const list = 'GET /v1/services/6F81-5844-456A/skus';
    const rig = start([type('g2-standard-4', 'nvidia-l4')], SKUS, {
      more: {
        [list]: ({ query }, nth) => {
          if (nth <= 4) return { status: 500, body: 'no' };
          return query.get('pageToken') === 'p2'
            ? { body: { skus: SKUS.slice(3), nextPageToken: '' } }
            : { body: { skus: SKUS.slice(0, 3), nextPageToken: 'p2' } };
        },
      },
    });
    await expect(rig.provider.listInstanceTypes()).rejects.toMatchObject({ code: 'provider_transient' });
    expect(await rig.provider.listInstanceTypes()).toHaveLength(1);
    const calls = rig.of(list).length;
    await rig.provider.listInstanceTypes();
    expect(rig.of(list)).toHaveLength(calls);
    rig.clock.nowMs += 25 * 3_600_000;
    await rig.provider.listInstanceTypes();
    expect(rig.of(list)).toHaveLength(calls + 2);
  });

  it('fails where the price list has no price that can be read', async () => {
    const { provider } = start([type('g2-standard-4', 'nvidia-l4')], OTHERS.slice(0, 2));
    await expect(provider.listInstanceTypes()).rejects.toMatchObject({ code: 'provider_transient' });
  });
});
