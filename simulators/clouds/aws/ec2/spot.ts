/** DescribeSpotPriceHistory and DescribeSpotInstanceRequests. */
import type { SimInstance } from '../../core/state.ts';
import { recordOf, type Call, type Ec2Record } from '../account.ts';
import { AWS_CATALOGUE, AWS_TYPES, isOffered, regionOf } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import { filters, listOf, pageOf, paging, passes, read, text } from '../parameters.ts';
import { isoTime, setOf, type XmlTree } from '../xml.ts';
import { zonesOf } from './capacity.ts';

interface SpotPrice {
  readonly instanceType: string;
  readonly zone: string;
  readonly usdPerHour: number;
  readonly atMs: number;
}

const PRODUCT = 'Linux/UNIX';
/** History before the first start of the simulator. */
const BEFORE_MS = 6 * 3_600_000;
/** EC2 keeps the requests of instances that ended this long. */
const ENDED_REQUEST_MS = 48 * 3_600_000;

/** Changes of the price of a type in a zone, oldest first. */
function changesOf({ sim }: Call, instanceType: string, spotUsd: number, zone: string): SpotPrice[] {
  const { startedAtMs, spotPriceChanges } = sim.cloud.state;
  const factor = AWS_CATALOGUE.priceFactor?.(instanceType, zone) ?? 1;
  const later = spotPriceChanges.filter((c) => c.instanceType === instanceType);
  return [{ atMs: startedAtMs - BEFORE_MS, usdPerHour: spotUsd }, ...later].flatMap(({ atMs, usdPerHour }) =>
    usdPerHour === null ? [] : [{ instanceType, zone, usdPerHour: usdPerHour * factor, atMs }],
  );
}

const timeOf = (value: string | undefined, otherwise: number): number => {
  const ms = value === undefined ? otherwise : Date.parse(value);
  if (Number.isNaN(ms)) throw new AwsError('InvalidParameterValue', `Invalid value '${value}' for a time`);
  return ms;
};

/** Changes between two times, and the one that held at the first. */
const between = (changes: readonly SpotPrice[], fromMs: number, untilMs: number): SpotPrice[] =>
  changes.filter(({ atMs }, index) => atMs <= untilMs && (changes[index + 1]?.atMs ?? Infinity) > fromMs);

export function describeSpotPriceHistory(call: Call): XmlTree {
  const p = read(call.parameters, {
    InstanceType: listOf(text),
    ProductDescription: listOf(text),
    AvailabilityZone: text.optional(),
    StartTime: text.optional(),
    EndTime: text.optional(),
    Filter: filters,
    ...paging,
  });
  const endMs = timeOf(p.EndTime, call.nowMs);
  const startMs = timeOf(p.StartTime, -Infinity);
  const zones = zonesOf(call.region).filter((zone) => p.AvailabilityZone === undefined || p.AvailabilityZone === zone);
  const hasProduct = p.ProductDescription.length === 0 || p.ProductDescription.some((d) => d.startsWith(PRODUCT));
  const types = AWS_TYPES.filter((t) => p.InstanceType.length === 0 || p.InstanceType.includes(t.instanceType));
  const prices = (hasProduct ? types : [])
    .flatMap(({ instanceType, spotUsdPerHour }) =>
      zones
        .filter((zone) => spotUsdPerHour !== null && isOffered(instanceType, zone))
        .flatMap((zone) => between(changesOf(call, instanceType, spotUsdPerHour ?? 0, zone), startMs, endMs)),
    )
    .toSorted((a, b) => b.atMs - a.atMs)
    .filter((price) =>
      passes(p.Filter, {
        'instance-type': price.instanceType,
        'availability-zone': price.zone,
        'product-description': PRODUCT,
        'spot-price': price.usdPerHour.toFixed(6),
      }),
    );
  const { items, nextToken } = pageOf(prices, p, [1, 1000]);
  return {
    spotPriceHistorySet: setOf(items, (price) => ({
      instanceType: price.instanceType,
      productDescription: PRODUCT,
      spotPrice: price.usdPerHour.toFixed(6),
      timestamp: isoTime(price.atMs),
      availabilityZone: price.zone,
    })),
    nextToken: nextToken ?? '',
  };
}

interface RequestState {
  readonly state: 'active' | 'closed';
  readonly code: string;
  readonly message: string;
  readonly atMs: number;
}

/** State of the request of a spot instance. */
function requestState({ sim }: Call, instance: SimInstance): RequestState {
  const atMs = instance.history.at(-1)?.atMs ?? instance.createdAtMs;
  const isEnding = ['deleting', 'gone', 'failed'].includes(instance.phase);
  if (instance.endedBy === 'eviction')
    return {
      state: 'closed',
      code: 'instance-terminated-no-capacity',
      message:
        'Your Spot instance was terminated because there is no Spot capacity available that matches your request.',
      atMs,
    };
  if (isEnding)
    return {
      state: 'closed',
      code: 'instance-terminated-by-user',
      message: 'Spot Instance terminated due to user-initiated termination.',
      atMs,
    };
  const noticeMs = sim.cloud.scenario.spot.noticeSec * 1000;
  const evictsAtMs = instance.evictsAtMs ?? null;
  if (evictsAtMs !== null)
    return {
      state: 'active',
      code: 'marked-for-termination',
      message: 'Your Spot instance is marked for termination.',
      atMs: evictsAtMs - noticeMs,
    };
  return { state: 'active', code: 'fulfilled', message: 'Your Spot request is fulfilled.', atMs: instance.createdAtMs };
}

function requestTree(call: Call, instance: SimInstance, record: Ec2Record): XmlTree {
  const { state, code, message, atMs } = requestState(call, instance);
  const ondemandUsd = call.sim.cloud.price(instance.instanceType, 'ondemand', instance.location) ?? 0;
  return {
    spotInstanceRequestId: record.spotRequestId ?? '',
    spotPrice: (record.maxPriceUsd ?? ondemandUsd).toFixed(6),
    type: 'one-time',
    state,
    status: { code, updateTime: isoTime(atMs), message },
    launchSpecification: {
      imageId: instance.image,
      keyName: record.keyName ?? undefined,
      instanceType: instance.instanceType,
      placement: { availabilityZone: instance.location },
      subnetId: record.subnetId,
      groupSet: setOf(record.groupIds, (groupId) => ({ groupId })),
    },
    instanceId: instance.id,
    createTime: isoTime(instance.createdAtMs),
    productDescription: PRODUCT,
    launchedAvailabilityZone: instance.location,
    instanceInterruptionBehavior: 'terminate',
    tagSet: '',
  };
}

export function describeSpotInstanceRequests(call: Call): XmlTree {
  const p = read(call.parameters, { SpotInstanceRequestId: listOf(text), Filter: filters, ...paging });
  const known = call.sim.cloud
    .allInstances()
    .filter((i) => i.market === 'spot' && regionOf(i.location) === call.region)
    .filter((i) => i.phase !== 'gone' || call.nowMs - (i.history.at(-1)?.atMs ?? 0) < ENDED_REQUEST_MS)
    .map((instance) => ({ instance, record: recordOf(call.sim, instance.id) }));
  for (const id of p.SpotInstanceRequestId)
    if (!known.some(({ record }) => record.spotRequestId === id))
      throw new AwsError(
        'InvalidSpotInstanceRequestID.NotFound',
        `The spot instance request ID '${id}' does not exist`,
      );
  const found = known
    .filter(
      ({ record }) =>
        p.SpotInstanceRequestId.length === 0 || p.SpotInstanceRequestId.includes(record.spotRequestId ?? ''),
    )
    .filter(({ instance, record }) =>
      passes(p.Filter, {
        'spot-instance-request-id': record.spotRequestId,
        'instance-id': instance.id,
        state: requestState(call, instance).state,
        'status-code': requestState(call, instance).code,
        'launched-availability-zone': instance.location,
      }),
    );
  const { items, nextToken } = pageOf(found, p);
  return {
    spotInstanceRequestSet: setOf(items, ({ instance, record }) => requestTree(call, instance, record)),
    nextToken,
  };
}
