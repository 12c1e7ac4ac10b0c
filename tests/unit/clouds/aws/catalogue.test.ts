/**
 * What AWS sells: types with a GPU that runs, with the prices of each zone.
 */
import { describe, expect, it } from 'vitest';
import { discoverRentals } from '../../../../activities/costs/ledger/discover.ts';
import { awsSettingsSchema, readId, regionOfZone } from '../../../../clouds/aws/settings.ts';
import { catalogueOffers } from '../../../../domain/fleet/selection/catalogue-offers.ts';
import { codeOf, failureOf, virtualClock } from '../scripted-api.ts';
import {
  answerOf,
  instancesXml,
  instanceXml,
  providerOf,
  refusal,
  scriptedAws,
  type AwsScript,
} from './scripted-aws.ts';

const typeXml = (name: string, gpu: string, { count = 1, maker = 'NVIDIA', mib = 46_080 } = {}): string =>
  `<item><instanceType>${name}</instanceType><vCpuInfo><defaultVCpus>4</defaultVCpus></vCpuInfo><memoryInfo><sizeInMiB>32768</sizeInMiB></memoryInfo>
   <gpuInfo><gpus><item><name>${gpu}</name><manufacturer>${maker}</manufacturer><count>${count}</count></item></gpus>
   <totalGpuMemoryInMiB>${mib}</totalGpuMemoryInMiB></gpuInfo></item>`;
const offered = (...pairs: readonly (readonly [string, string])[]): string =>
  answerOf(
    'DescribeInstanceTypeOfferings',
    `<instanceTypeOfferingSet>${pairs.map(([type, zone]) => `<item><instanceType>${type}</instanceType><locationType>availability-zone</locationType><location>${zone}</location></item>`).join('')}</instanceTypeOfferingSet>`,
  );
const spotXml = (...rows: readonly (readonly [string, string, string, string?])[]): string =>
  answerOf(
    'DescribeSpotPriceHistory',
    `<spotPriceHistorySet>${rows.map(([type, zone, price, at = '2026-10-01T00:00:00.000Z']) => `<item><instanceType>${type}</instanceType><productDescription>Linux/UNIX</productDescription><spotPrice>${price}</spotPrice><timestamp>${at}</timestamp><availabilityZone>${zone}</availabilityZone></item>`).join('')}</spotPriceHistorySet>`,
  );
const product = (
  instanceType: string,
  usd: string,
  changes: Readonly<Record<string, string>> = {},
  unit = 'Hrs',
): string =>
  JSON.stringify({
    product: {
      productFamily: 'Compute Instance',
      attributes: {
        instanceType,
        regionCode: 'eu-west-1',
        operatingSystem: 'Linux',
        tenancy: 'Shared',
        capacitystatus: 'Used',
        preInstalledSw: 'NA',
        marketoption: 'OnDemand',
        instanceFamily: 'GPU instance',
        ...changes,
      },
      sku: 'S',
    },
    terms: { OnDemand: { 'S.T': { priceDimensions: { 'S.T.D': { unit, pricePerUnit: { USD: usd } } } } } },
  });
const prices = (...products: readonly string[]): string =>
  JSON.stringify({ FormatVersion: 'aws_v1', PriceList: products });

const zonesXml = (...zones: readonly string[]): string =>
  answerOf(
    'DescribeAvailabilityZones',
    `<availabilityZoneInfo>${zones.map((zone) => `<item><zoneName>${zone}</zoneName><zoneState>available</zoneState><zoneType>availability-zone</zoneType></item>`).join('')}</availabilityZoneInfo>`,
  );

const SELLS: AwsScript = {
  DescribeAvailabilityZones: ({ region }) => zonesXml(`${region}a`, `${region}b`),
  DescribeInstanceTypes: () =>
    answerOf(
      'DescribeInstanceTypes',
      `<instanceTypeSet>${typeXml('g6e.xlarge', 'L40S')}${typeXml('p4de.24xlarge', 'A100', { count: 8, mib: 655_360 })}</instanceTypeSet>`,
    ),
  DescribeInstanceTypeOfferings: () =>
    offered(['g6e.xlarge', 'eu-west-1a'], ['g6e.xlarge', 'eu-west-1b'], ['p4de.24xlarge', 'eu-west-1a']),
  DescribeSpotPriceHistory: () => spotXml(['g6e.xlarge', 'eu-west-1a', '0.7100']),
  GetProducts: () => prices(product('g6e.xlarge', '2.0000000000'), product('p4de.24xlarge', '41.0')),
};
const ONE_REGION = { settings: { regions: ['eu-west-1'] } };

/** Of the public address of a machine, USD per hour. */
const ADDRESS = 0.005;

describe('the catalogue of AWS', () => {
  it('has each type with the prices of the zones that sell it, and of no other', async () => {
    const api = await scriptedAws(SELLS);
    const types = await providerOf(api, ONE_REGION).listInstanceTypes();
    expect(types[0]).toEqual({
      instanceType: 'g6e.xlarge',
      model: 'L40S',
      gpuCount: 1,
      vramGib: 45,
      vcpu: 4,
      memoryGib: 32,
      onDemandUsdPerHour: 2 + ADDRESS,
      spotUsdPerHour: 0.71 + ADDRESS,
      pricesByLocation: {
        'eu-west-1a': { onDemandUsdPerHour: 2 + ADDRESS, spotUsdPerHour: 0.71 + ADDRESS },
        'eu-west-1b': { onDemandUsdPerHour: 2 + ADDRESS, spotUsdPerHour: null },
      },
      supportedImages: ['base-oss-nvidia-driver-gpu-ubuntu-24.04', 'base-oss-nvidia-driver-gpu-ubuntu-22.04'],
    });
    const offers = catalogueOffers('aws', types, ['eu-west-1a', 'eu-west-1b'], ['ondemand', 'spot']);
    expect(offers.map(({ key }) => key)).toEqual([
      'aws/eu-west-1a/g6e.xlarge/ondemand',
      'aws/eu-west-1b/g6e.xlarge/ondemand',
      'aws/eu-west-1a/g6e.xlarge/spot',
      'aws/eu-west-1a/p4de.24xlarge/ondemand',
    ]);
  });

  it('leaves out what the images do not run on, and what has no price', async () => {
    const api = await scriptedAws({
      ...SELLS,
      DescribeInstanceTypes: () =>
        answerOf(
          'DescribeInstanceTypes',
          `<instanceTypeSet>${typeXml('g6e.xlarge', 'L40S')}${typeXml('g4ad.xlarge', 'Radeon Pro V520', { maker: 'AMD' })}
           ${typeXml('p3dn.24xlarge', 'V100', { count: 8 })}${typeXml('g6f.large', 'L4', { count: 0 })}${typeXml('g9.xlarge', 'X1')}
           <item><instanceType>m7.large</instanceType></item></instanceTypeSet>`,
        ),
      DescribeInstanceTypeOfferings: () =>
        offered(
          ...['g6e.xlarge', 'g4ad.xlarge', 'p3dn.24xlarge', 'g6f.large', 'g9.xlarge', 'm7.large'].map(
            (type) => [type, 'eu-west-1a'] as const,
          ),
        ),
    });
    const types = await providerOf(api, ONE_REGION).listInstanceTypes();
    expect(types.map(({ instanceType }) => instanceType)).toEqual(['g6e.xlarge']);
  });

  it('leaves out what is sold by booking only, and zones that are no location', async () => {
    const booked = typeXml('p6.48xlarge', 'B200').replace(
      '<vCpuInfo>',
      '<supportedUsageClasses><item>capacity-block</item></supportedUsageClasses><vCpuInfo>',
    );
    const sold = booked.replace('p6.48xlarge', 'p5.48xlarge').replace('<item>cap', '<item>on-demand</item><item>cap');
    const api = await scriptedAws({
      ...SELLS,
      DescribeInstanceTypes: () =>
        answerOf('DescribeInstanceTypes', `<instanceTypeSet>${booked}${sold}</instanceTypeSet>`),
      DescribeInstanceTypeOfferings: () =>
        offered(['p6.48xlarge', 'eu-west-1a'], ['p5.48xlarge', 'eu-west-1a'], ['p5.48xlarge', 'eu-west-1-dub-1a']),
      GetProducts: () => prices(product('p6.48xlarge', '90'), product('p5.48xlarge', '60')),
    });
    const types = await providerOf(api, ONE_REGION).listInstanceTypes();
    expect(
      types.map(({ instanceType, pricesByLocation }) => [instanceType, Object.keys(pricesByLocation ?? {})]),
    ).toEqual([['p5.48xlarge', ['eu-west-1a']]]);
  });

  it('is not read from a price list that is empty, which is not kept', async () => {
    const api = await scriptedAws({
      ...SELLS,
      GetProducts: (call, nth) => (nth === 1 ? prices() : (SELLS['GetProducts']?.(call, nth) ?? '')),
    });
    const provider = providerOf(api, ONE_REGION);
    expect(await codeOf(provider.listInstanceTypes())).toBe('provider_transient');
    expect(await provider.listInstanceTypes()).toHaveLength(2);
  });

  it('is not read from a price list that has no end', async () => {
    const api = await scriptedAws({
      ...SELLS,
      GetProducts: (_call, nth) =>
        nth > 5 ? refusal('Stop') : JSON.stringify({ PriceList: [product('g6e.xlarge', '2')], NextToken: 'again' }),
    });
    const error = await failureOf(providerOf(api, ONE_REGION).listInstanceTypes());
    expect(error.message).toContain('its pages have no end');
    expect(api.of('GetProducts')).toHaveLength(2);
  });

  it('prices a machine that the ledger finds as its own zone does, where another region is cheaper', async () => {
    const api = await scriptedAws({
      ...SELLS,
      DescribeInstanceTypeOfferings: ({ region }) => offered(['g6e.xlarge', `${region}a`]),
      GetProducts: ({ json }) => {
        const isEurope = JSON.stringify(json).includes('eu-west-1');
        const regionCode = isEurope ? 'eu-west-1' : 'us-east-1';
        return prices(product('g6e.xlarge', isEurope ? '2.5' : '1.5', { regionCode }));
      },
      DescribeInstances: ({ region }) => (region === 'eu-west-1' ? instancesXml(instanceXml()) : instancesXml()),
      DescribeVolumes: () => answerOf('DescribeVolumes', '<volumeSet/>'),
    });
    const search = { installationId: 'abc1', sinceMs: 0, instanceIds: [], volumeIds: [], isKnown: () => false };
    const [rental] = await discoverRentals(providerOf(api), search);
    expect([rental?.priceUsdPerHour.toNumber(), rental?.onDemandUsdPerHour?.toNumber()]).toEqual([
      2.5 + ADDRESS,
      2.5 + ADDRESS,
    ]);
  });

  it('takes the price of an ordinary machine among those of the list', async () => {
    const api = await scriptedAws({
      ...SELLS,
      GetProducts: ({ json }) =>
        (json as { NextToken?: string }).NextToken === undefined
          ? JSON.stringify({
              PriceList: [
                product('g6e.xlarge', '0.0000000000', { capacitystatus: 'AllocatedCapacityReservation' }),
                product('g6e.xlarge', '9.0', { marketoption: 'CapacityBlock' }),
                product('g6e.xlarge', '3.0', { operatingSystem: 'Windows' }),
                product('g6e.xlarge', '5000', {}, 'Quantity'),
                '{"odd": true}',
              ],
              NextToken: 'more',
            })
          : prices(product('g6e.xlarge', '2.5'), product('g6e.xlarge', '4.0', { tenancy: 'Dedicated' })),
    });
    const [type] = await providerOf(api, ONE_REGION).listInstanceTypes();
    expect(type?.onDemandUsdPerHour).toBe(2.5 + ADDRESS);
    const [call] = api.of('GetProducts');
    expect([call?.service, call?.region]).toEqual(['pricing', 'us-east-1']);
    expect(call?.json).toMatchObject({ ServiceCode: 'AmazonEC2' });
  });

  it('has the latest spot price where several are given', async () => {
    const api = await scriptedAws({
      ...SELLS,
      DescribeSpotPriceHistory: () =>
        spotXml(
          ['g6e.xlarge', 'eu-west-1a', '0.9', '2026-09-30T12:00:00.000Z'],
          ['g6e.xlarge', 'eu-west-1a', '0.7', '2026-09-30T13:00:00.000Z'],
          ['g6e.xlarge', 'eu-west-1a', '0.8', '2026-09-30T11:00:00.000Z'],
        ),
    });
    expect((await providerOf(api, ONE_REGION).listInstanceTypes())[0]?.spotUsdPerHour).toBe(0.7 + ADDRESS);
  });

  it('reads prices on demand once a day, and again after a fault', async () => {
    const clock = virtualClock();
    const api = await scriptedAws({
      ...SELLS,
      GetProducts: (call, nth) =>
        nth === 1 ? refusal('AccessDeniedException') : (SELLS['GetProducts']?.(call, nth) ?? ''),
    });
    const provider = providerOf(api, { ...ONE_REGION, clock });
    expect(await codeOf(provider.listInstanceTypes())).toBe('provider_auth');
    for (const hours of [0, 12, 23]) {
      clock.nowMs = Date.parse('2026-10-01T00:00:00Z') + hours * 3_600_000;
      await provider.listInstanceTypes();
    }
    expect(api.of('GetProducts')).toHaveLength(2);
    clock.nowMs += 2 * 3_600_000;
    await provider.listInstanceTypes();
    expect(api.of('GetProducts')).toHaveLength(3);
    expect(api.of('DescribeSpotPriceHistory').length).toBeGreaterThan(3);
  });

  it('fails as a whole when one region does not answer', async () => {
    const api = await scriptedAws({
      ...SELLS,
      DescribeInstanceTypeOfferings: (call, nth) =>
        call.region === 'us-east-1'
          ? refusal('Unavailable', 'oops', 503)
          : (SELLS['DescribeInstanceTypeOfferings']?.(call, nth) ?? ''),
    });
    expect(await codeOf(providerOf(api).listInstanceTypes())).toBe('provider_transient');
  });
});

describe('the places of AWS', () => {
  it('are the zones that work, of every region', async () => {
    const zone = (name: string, state = 'available', type = 'availability-zone'): string =>
      `<item><zoneName>${name}</zoneName><zoneState>${state}</zoneState><zoneType>${type}</zoneType></item>`;
    const api = await scriptedAws({
      DescribeAvailabilityZones: ({ region }) =>
        answerOf(
          'DescribeAvailabilityZones',
          `<availabilityZoneInfo>${zone(`${region}a`)}${zone(`${region}b`, 'impaired')}${zone('us-east-1-bos-1a', 'available', 'local-zone')}</availabilityZoneInfo>`,
        ),
    });
    expect(await providerOf(api).listLocations()).toEqual([
      { code: 'eu-west-1a', name: 'eu-west-1a', countryCode: 'IE' },
      { code: 'us-east-1a', name: 'us-east-1a', countryCode: 'US' },
    ]);
  });

  it.each([
    ['eu-west-1a', 'eu-west-1'],
    ['us-east-1f', 'us-east-1'],
    ['us-west-2-lax-1a', 'us-west-2'],
    ['ap-southeast-2c', 'ap-southeast-2'],
    ['eu-west-1', null],
    ['FIN-01', null],
  ])('%s is in %s', (zone, region) => {
    expect(regionOfZone(zone)).toBe(region);
  });

  it.each([
    ['eu-west-1/i-0abc', { region: 'eu-west-1', id: 'i-0abc' }],
    ['i-0abc', null],
    ['evil.example/i-0abc', null],
    ['eu-west-1/i-0abc/x', null],
    ['eu-west-1/', null],
  ])('the id %s is read as %o', (written, id) => {
    expect(readId(written)).toEqual(id);
  });
});

describe('the settings of AWS', () => {
  it('need a region and have defaults for the rest', () => {
    expect(awsSettingsSchema.parse({ regions: ['eu-west-1'] })).toEqual({
      regions: ['eu-west-1'],
      profile: null,
      subnetIds: {},
      baseUrl: null,
    });
  });

  it.each([
    ['no region', { regions: [] }],
    ['a zone for a region', { regions: ['eu-west-1a'] }],
    ['a region of another partition', { regions: ['cn-north-1'] }],
    ['a host for a region', { regions: ['evil.example'] }],
    ['a region for a zone', { regions: ['eu-west-1'], subnetIds: { 'eu-west-1': 'subnet-0abc' } }],
    ['an unknown field', { regions: ['eu-west-1'], region: 'eu-west-1' }],
  ])('refuse %s', (_name, settings) => {
    expect(awsSettingsSchema.safeParse(settings).success).toBe(false);
  });
});
