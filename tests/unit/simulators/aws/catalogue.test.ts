/** What the simulated AWS sells, and what it says about it: types, zones, images, prices. */
import { describe, expect, it } from 'vitest';
import { at, callJson, itemsAt, startRig, textAt, type Part, type Rig } from '../../../../testing/aws-client.ts';

const names = (parts: readonly Part[], path: string): string[] => parts.map((part) => textAt(part, path));

describe('instance types', () => {
  it('have real hardware', async () => {
    const rig = await startRig();
    const { body } = await rig.ec2('DescribeInstanceTypes', { 'InstanceType.1': 'g5.12xlarge' });
    expect(at(body, 'instanceTypeSet.item.0')).toMatchObject({
      instanceType: 'g5.12xlarge',
      vCpuInfo: { defaultVCpus: '48' },
      memoryInfo: { sizeInMiB: '196608' },
      processorInfo: { supportedArchitectures: { item: ['x86_64'] } },
      gpuInfo: {
        gpus: { item: [{ name: 'A10G', manufacturer: 'NVIDIA', count: '4', memoryInfo: { sizeInMiB: '22888' } }] },
        totalGpuMemoryInMiB: '91552',
      },
    });
  });

  it('come in pages, each once', async () => {
    const rig = await startRig();
    const all: string[] = [];
    let token: string | undefined;
    do {
      const more: Record<string, string> = token === undefined ? {} : { NextToken: token };
      const { body } = await rig.ec2('DescribeInstanceTypes', { MaxResults: '5', ...more }, 'us-east-1');
      const page = names(itemsAt(body, 'instanceTypeSet'), 'instanceType');
      expect(page.length).toBeLessThanOrEqual(5);
      all.push(...page);
      const next = at(body, 'nextToken');
      token = typeof next === 'string' ? next : undefined;
    } while (token !== undefined);
    expect(new Set(all).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(['g4dn.xlarge', 'g6e.48xlarge', 'p4de.24xlarge', 'p5en.48xlarge']));
    expect((await rig.ec2('DescribeInstanceTypes', { MaxResults: '4' })).refusal?.[0]).toBe('InvalidParameterValue');
    expect((await rig.ec2('DescribeInstanceTypes', { NextToken: 'x!' })).refusal?.[0]).toBe('InvalidNextToken');
  });

  it('are found by filters with wildcards; an unknown filter or type is refused', async () => {
    const rig = await startRig();
    const ask = (name: string, value: string) =>
      rig.ec2('DescribeInstanceTypes', { 'Filter.1.Name': name, 'Filter.1.Value.1': value });
    expect(names(itemsAt((await ask('instance-type', 'g?.4*')).body, 'instanceTypeSet'), 'instanceType')).toEqual([
      'g5.4xlarge',
      'g5.48xlarge',
    ]);
    expect((await ask('colour', 'red')).refusal).toEqual(['InvalidParameterValue', "The filter 'colour' is invalid"]);
    expect((await rig.ec2('DescribeInstanceTypes', { 'InstanceType.1': 'g6.xlarge' })).refusal).toEqual([
      'InvalidInstanceType',
      'The following supplied instance types do not exist: [g6.xlarge]',
    ]);
  });

  it('are offered by zone and by region', async () => {
    const rig = await startRig();
    const ask = async (locationType: string) => {
      const { body } = await rig.ec2('DescribeInstanceTypeOfferings', {
        LocationType: locationType,
        'Filter.1.Name': 'instance-type',
        'Filter.1.Value.1': 'p4d.*',
      });
      return names(itemsAt(body, 'instanceTypeOfferingSet'), 'location');
    };
    expect(await ask('availability-zone')).toEqual(['eu-west-1c']);
    expect(await ask('availability-zone-id')).toEqual(['euw1-az2']);
    expect(await ask('region')).toEqual(['eu-west-1']);
  });
});

describe('places', () => {
  it('are three regions with three zones each, and a default network', async () => {
    const rig = await startRig();
    const regions = names(itemsAt((await rig.ec2('DescribeRegions')).body, 'regionInfo'), 'regionName');
    expect(regions).toEqual(['eu-central-1', 'eu-west-1', 'us-east-1']);
    const zones = await rig.ec2('DescribeAvailabilityZones', {}, 'us-east-1');
    expect(names(itemsAt(zones.body, 'availabilityZoneInfo'), 'zoneName')).toEqual([
      'us-east-1a',
      'us-east-1b',
      'us-east-1d',
    ]);
    const vpcs = itemsAt((await rig.ec2('DescribeVpcs')).body, 'vpcSet');
    expect(vpcs).toHaveLength(1);
    const subnets = await rig.ec2('DescribeSubnets', {
      'Filter.1.Name': 'vpc-id',
      'Filter.1.Value.1': textAt(vpcs[0], 'vpcId'),
    });
    expect(names(itemsAt(subnets.body, 'subnetSet'), 'availabilityZone')).toEqual([
      'eu-west-1a',
      'eu-west-1b',
      'eu-west-1c',
    ]);
  });
});

describe('images', () => {
  const NAME = '/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id';

  it('are named by public parameters, other ids in other regions', async () => {
    const rig = await startRig();
    const idIn = async (region: string) =>
      textAt(
        (await callJson(rig.aws, 'ssm', 'AmazonSSM.GetParameter', { Name: NAME }, region)).body,
        'Parameter.Value',
      );
    const id = await idIn('eu-west-1');
    expect(await idIn('us-east-1')).not.toBe(id);
    const { body } = await rig.ec2('DescribeImages', { 'ImageId.1': id });
    expect(textAt(body, 'imagesSet.item.0.name')).toMatch(
      /^Deep Learning Base OSS Nvidia Driver GPU AMI \(Ubuntu 24\.04\)/u,
    );
    expect(textAt(body, 'imagesSet.item.0.blockDeviceMapping.item.0.ebs.volumeSize')).toBe('45');
    const elsewhere = await rig.ec2('DescribeImages', { 'ImageId.1': id }, 'us-east-1');
    expect(elsewhere.refusal?.[0]).toBe('InvalidAMIID.NotFound');
  });

  it('without a parameter of that name: ParameterNotFound, or a list of names', async () => {
    const rig = await startRig();
    const one = await callJson(rig.aws, 'ssm', 'AmazonSSM.GetParameter', { Name: '/x' });
    expect(one).toMatchObject({ status: 400, body: { __type: 'ParameterNotFound' } });
    const some = await callJson(rig.aws, 'ssm', 'AmazonSSM.GetParameters', { Names: [NAME, '/x'] });
    expect(some.body).toMatchObject({ Parameters: [{ Name: NAME }], InvalidParameters: ['/x'] });
  });
});

describe('prices', () => {
  const products = async (rig: Rig, filters: Readonly<Record<string, string>>) => {
    const { body } = await callJson(
      rig.aws,
      'pricing',
      'AWSPriceListService.GetProducts',
      {
        ServiceCode: 'AmazonEC2',
        FormatVersion: 'aws_v1',
        Filters: Object.entries(filters).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value })),
      },
      'us-east-1',
    );
    const list = at(body, 'PriceList');
    return (Array.isArray(list) ? list : []).map((row) => JSON.parse(String(row)) as Part);
  };
  const usdOf = (product: Part): string => {
    const [term] = Object.values(at(product, 'terms.OnDemand') ?? {});
    const [rate] = Object.values(at(term, 'priceDimensions') ?? {});
    return textAt(rate, 'pricePerUnit.USD');
  };
  const LINUX = { operatingSystem: 'Linux', tenancy: 'Shared', capacitystatus: 'Used', preInstalledSw: 'NA' };

  it('are in a list with many neighbours, of which one is what people pay', async () => {
    const rig = await startRig();
    const here = { instanceType: 'g5.xlarge', regionCode: 'eu-west-1' };
    expect((await products(rig, here)).map(usdOf)).toEqual([
      '1.1230000000',
      '1.1230000000',
      '0.0000000000',
      '1.2353000000',
      '1.3070000000',
    ]);
    const paid = await products(rig, { ...here, ...LINUX });
    expect(paid.map(usdOf)).toEqual(['1.1230000000']);
    expect(textAt(paid[0], 'product.attributes.usagetype')).toBe('EU-BoxUsage:g5.xlarge');
  });

  it('follow the scenario', async () => {
    const rig = await startRig({ prices: [{ types: 'g5.xlarge', factor: 2 }] });
    const paid = await products(rig, { instanceType: 'g5.xlarge', location: 'US East (N. Virginia)', ...LINUX });
    expect(paid.map(usdOf)).toEqual(['2.0120000000']);
  });

  it('come in pages of at most a hundred', async () => {
    const rig = await startRig();
    const ask = { ServiceCode: 'AmazonEC2', MaxResults: 100 };
    const first = await callJson(rig.aws, 'pricing', 'AWSPriceListService.GetProducts', ask);
    expect(at(first.body, 'PriceList.99')).toBeDefined();
    const NextToken = textAt(first.body, 'NextToken');
    const second = await callJson(rig.aws, 'pricing', 'AWSPriceListService.GetProducts', { ...ask, NextToken });
    expect(at(second.body, 'PriceList.0')).not.toBe(at(first.body, 'PriceList.0'));
  });
});
