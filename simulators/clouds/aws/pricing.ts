/**
 * Pricing: GetProducts of AmazonEC2. Beside each price that people pay there are the neighbours of the real list: Windows, dedicated hardware,
 * reserved capacity. A client has to filter them out.
 */
import { z } from 'zod';
import type { Call } from './account.ts';
import { AWS_TYPES, isOffered, REGIONS, type AwsRegion, type AwsType } from './catalogue.ts';
import { AwsError } from './errors.ts';
import { fixedHex } from './images.ts';
import { jsonInput, pageOf } from './parameters.ts';

interface Product {
  readonly family: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly unit: 'Hrs' | 'GB-Mo';
  readonly usd: number;
  readonly description: string;
}

/** Rows of one type: attributes that differ, the begin of the usage type, and the price. */
const VARIANTS: readonly {
  readonly os: string;
  readonly tenancy: string;
  readonly capacity: string;
  readonly usage: string;
  readonly priceOf: (usd: number, vcpu: number) => number;
}[] = [
  { os: 'Linux', tenancy: 'Shared', capacity: 'Used', usage: 'BoxUsage', priceOf: (usd) => usd },
  {
    os: 'Linux',
    tenancy: 'Shared',
    capacity: 'UnusedCapacityReservation',
    usage: 'UnusedBox',
    priceOf: (usd) => usd,
  },
  { os: 'Linux', tenancy: 'Shared', capacity: 'AllocatedCapacityReservation', usage: 'Reservation', priceOf: () => 0 },
  { os: 'Linux', tenancy: 'Dedicated', capacity: 'Used', usage: 'DedicatedUsage', priceOf: (usd) => usd * 1.1 },
  {
    os: 'Windows',
    tenancy: 'Shared',
    capacity: 'Used',
    usage: 'BoxUsage',
    priceOf: (usd, vcpu) => usd + 0.046 * vcpu,
  },
];

const inRegion = (region: AwsRegion): Record<string, string> => ({
  servicecode: 'AmazonEC2',
  servicename: 'Amazon Elastic Compute Cloud',
  location: region.priceListName,
  locationType: 'AWS Region',
  regionCode: region.name,
});

function productsOfType({ sim }: Call, region: AwsRegion, type: AwsType): Product[] {
  const zone = region.zones.find((z) => isOffered(type.instanceType, z.name))?.name;
  const usd = zone === undefined ? null : sim.cloud.price(type.instanceType, 'ondemand', zone);
  if (usd === null) return [];
  return VARIANTS.map(({ os, tenancy, capacity, usage, priceOf }) => ({
    family: 'Compute Instance',
    unit: 'Hrs',
    usd: priceOf(usd, type.vcpu),
    description: `per ${tenancy === 'Shared' ? 'On Demand' : tenancy} ${os} ${type.instanceType} Instance Hour`,
    attributes: {
      ...inRegion(region),
      instanceType: type.instanceType,
      currentGeneration: 'Yes',
      instanceFamily: type.gpuCount === 0 ? 'General purpose' : 'GPU instance',
      vcpu: String(type.vcpu),
      memory: `${(type.memoryMib / 1024).toLocaleString('en-US')} GiB`,
      ...(type.gpuCount === 0 ? {} : { gpu: String(type.gpuCount) }),
      operatingSystem: os,
      preInstalledSw: 'NA',
      licenseModel: 'No License required',
      tenancy,
      capacitystatus: capacity,
      marketoption: 'OnDemand',
      operation: os === 'Windows' ? 'RunInstances:0002' : 'RunInstances',
      usagetype: `${region.usagePrefix}${usage}:${type.instanceType}`,
    },
  }));
}

const storageOf = ({ sim }: Call, region: AwsRegion): Product => ({
  family: 'Storage',
  unit: 'GB-Mo',
  usd: sim.cloud.scenario.billing.volumeUsdPerGibMonth,
  description: 'per GB-month of General Purpose (gp3) provisioned storage',
  attributes: {
    ...inRegion(region),
    storageMedia: 'SSD-backed',
    volumeType: 'General Purpose',
    volumeApiName: 'gp3',
    usagetype: `${region.usagePrefix}EBS:VolumeUsage.gp3`,
  },
});

/** Codes of the on-demand term and of its rate, the same for all products. */
const TERM = 'JRTCKXETXF';
const RATE = '6YS6EN2CT7';
const EFFECTIVE = '2026-10-01T00:00:00Z';

function priceListEntry({ family, attributes, unit, usd, description }: Product): string {
  const sku = fixedHex(JSON.stringify(attributes)).slice(0, 16).toUpperCase();
  const price = usd.toFixed(10);
  const rateCode = `${sku}.${TERM}.${RATE}`;
  return JSON.stringify({
    product: { productFamily: family, attributes, sku },
    serviceCode: 'AmazonEC2',
    terms: {
      OnDemand: {
        [`${sku}.${TERM}`]: {
          sku,
          effectiveDate: EFFECTIVE,
          offerTermCode: TERM,
          termAttributes: {},
          priceDimensions: {
            [rateCode]: {
              rateCode,
              unit,
              beginRange: '0',
              endRange: 'Inf',
              description: `$${price} ${description}`,
              appliesTo: [],
              pricePerUnit: { USD: price },
            },
          },
        },
      },
    },
    version: '20261001000000',
    publicationDate: EFFECTIVE,
  });
}

const getProducts = z.strictObject({
  ServiceCode: z.string(),
  Filters: z.array(z.strictObject({ Type: z.literal('TERM_MATCH'), Field: z.string(), Value: z.string() })).default([]),
  FormatVersion: z.literal('aws_v1').optional(),
  MaxResults: z.int().min(1).max(100).default(100),
  NextToken: z.string().optional(),
});

/** Answers a call. @throws AwsError */
export function pricing(call: Call, operation: string, body: unknown): unknown {
  if (operation !== 'GetProducts')
    throw new AwsError('UnknownOperationException', `Operation ${operation} is not known`);
  const p = jsonInput(getProducts, body);
  if (p.ServiceCode !== 'AmazonEC2')
    throw new AwsError('InvalidParameterException', `Service code ${p.ServiceCode} is not known`);
  const products = REGIONS.flatMap((region) => [
    ...AWS_TYPES.flatMap((type) => productsOfType(call, region, type)),
    storageOf(call, region),
  ]).filter(({ family, attributes }) =>
    p.Filters.every(({ Field, Value }) => (Field === 'productFamily' ? family : attributes[Field]) === Value),
  );
  const { items, nextToken } = pageOf(products, p, [1, 100]);
  return {
    FormatVersion: 'aws_v1',
    PriceList: items.map(priceListEntry),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}
