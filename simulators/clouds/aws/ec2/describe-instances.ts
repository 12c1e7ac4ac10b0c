/** DescribeInstances, DescribeInstanceStatus, DescribeTags and DescribeAccountAttributes. */
import type { SimInstance } from '../../core/state.ts';
import { recordOf, vpcOf, type Call } from '../account.ts';
import { AwsError } from '../errors.ts';
import { filters, flag, listOf, pageOf, paging, passes, read, text, type FilterValues } from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { instanceIn, listedInstances } from './find.ts';
import { publicIpOf, reservationSet, stateTreeOf } from './instance-item.ts';
import { stateOf } from './states.ts';

function filterValues(call: Call, instance: SimInstance): FilterValues {
  const record = recordOf(call.sim, instance.id);
  return {
    'instance-id': instance.id,
    'instance-state-name': stateOf(instance, call).name,
    'instance-state-code': String(stateOf(instance, call).code),
    'instance-type': instance.instanceType,
    'availability-zone': instance.location,
    'client-token': record.clientToken,
    'image-id': instance.image,
    'key-name': record.keyName,
    'instance-lifecycle': instance.market === 'spot' ? 'spot' : null,
    'spot-instance-request-id': record.spotRequestId,
    'reservation-id': record.reservationId,
    'subnet-id': record.subnetId,
    'vpc-id': vpcOf(call.region),
    'private-ip-address': record.privateIp,
    'ip-address': publicIpOf(instance),
    'instance.group-id': record.groupIds,
  };
}

const SHAPE = { InstanceId: listOf(text), Filter: filters, ...paging };

function found(call: Call, p: { InstanceId: string[]; Filter: ReturnType<typeof filters.parse> }): SimInstance[] {
  const named = p.InstanceId.length > 0 ? p.InstanceId.map((id) => instanceIn(call, id)) : listedInstances(call);
  return named.filter((i) => passes(p.Filter, filterValues(call, i), i.tags));
}

export function describeInstances(call: Call): XmlTree {
  const p = read(call.parameters, SHAPE);
  if (p.InstanceId.length > 0 && p.MaxResults !== undefined)
    throw new AwsError(
      'InvalidParameterCombination',
      'The parameter instancesSet cannot be used with the parameter maxResults',
    );
  const { items, nextToken } = pageOf(found(call, p), p);
  return { reservationSet: reservationSet(call, items), nextToken };
}

/** Checks of a machine need this long after it runs. */
const CHECKS_MS = 60_000;

function statusItem(call: Call, instance: SimInstance): XmlTree {
  const { phase, history } = instance;
  const runsSinceMs = phase === 'running' ? (history.at(-1)?.atMs ?? 0) : null;
  const isBooting = call.sim.cloud.machines.isBooting(instance.id, call.nowMs);
  const isChecked = runsSinceMs !== null && call.nowMs - runsSinceMs >= CHECKS_MS && !isBooting;
  const summary = {
    status: runsSinceMs === null ? 'not-applicable' : isChecked ? 'ok' : 'initializing',
    ...(runsSinceMs === null
      ? {}
      : { details: setOf(['reachability'], (name) => ({ name, status: isChecked ? 'passed' : 'initializing' })) }),
  };
  return {
    instanceId: instance.id,
    availabilityZone: instance.location,
    instanceState: stateTreeOf(instance, call),
    systemStatus: summary,
    instanceStatus: summary,
  };
}

export function describeInstanceStatus(call: Call): XmlTree {
  const p = read(call.parameters, { ...SHAPE, IncludeAllInstances: flag.default(false) });
  const shown = found(call, p).filter((i) => p.IncludeAllInstances || i.phase === 'running');
  const { items, nextToken } = pageOf(shown, p);
  return { instanceStatusSet: setOf(items, (i) => statusItem(call, i)), nextToken };
}

interface TagRow {
  readonly resourceId: string;
  readonly resourceType: string;
  readonly key: string;
  readonly value: string;
}

function allTags(call: Call): TagRow[] {
  const { cloud, account } = call.sim;
  const rows = (resourceType: string, resourceId: string, tags: SimInstance['tags']): TagRow[] =>
    tags.map(({ key, value }) => ({ resourceId, resourceType, key, value }));
  const inRegion = <Item extends { readonly region: string }>(items: Record<string, Item>): Item[] =>
    Object.values(items).filter((i) => i.region === call.region);
  return [
    ...listedInstances(call).flatMap((i) => rows('instance', i.id, i.tags)),
    ...cloud
      .volumes()
      .filter((v) => v.status !== 'purged' && v.location.startsWith(call.region))
      .flatMap((v) => rows('volume', v.id, v.tags)),
    ...inRegion(account.keys).flatMap((k) => rows('key-pair', k.id, k.tags)),
    ...inRegion(account.groups).flatMap((g) => rows('security-group', g.id, g.tags)),
  ];
}

export function describeTags(call: Call): XmlTree {
  const p = read(call.parameters, { Filter: filters, ...paging });
  const rows = allTags(call).filter((row) =>
    passes(p.Filter, {
      'resource-id': row.resourceId,
      'resource-type': row.resourceType,
      key: row.key,
      value: row.value,
    }),
  );
  const { items, nextToken } = pageOf(rows, p);
  return { tagSet: setOf(items, (row) => ({ ...row })), nextToken };
}

/** Attributes of the account that clients of old ask for. */
export function describeAccountAttributes(call: Call): XmlTree {
  const p = read(call.parameters, { AttributeName: listOf(text) });
  const all: Readonly<Record<string, string>> = {
    'supported-platforms': 'VPC',
    'default-vpc': vpcOf(call.region),
    'max-instances': '20',
  };
  const names = p.AttributeName.length > 0 ? p.AttributeName : Object.keys(all);
  return {
    accountAttributeSet: setOf(
      names.filter((name) => all[name] !== undefined),
      (attributeName) => ({
        attributeName,
        attributeValueSet: setOf([all[attributeName] ?? ''], (attributeValue) => ({ attributeValue })),
      }),
    ),
  };
}
