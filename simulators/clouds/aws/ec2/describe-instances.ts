/**
 * DescribeInstances, DescribeInstanceStatus, DescribeTags and DescribeAccountAttributes.
 */
import type { SimInstance } from '../../core/state.ts';
import { recordOf, vpcOf, type Call } from '../account.ts';
import { AwsError } from '../errors.ts';
import {
  filters,
  flag,
  listOf,
  pageOf,
  paging,
  passes,
  read,
  tagFilterValues,
  text,
  type FilterValues,
} from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { instanceIn, listedInstances } from './find.ts';
import { publicIpOf, reservationSet, stateTreeOf } from './instance-item.ts';
import { stateOf } from './states.ts';

const filterValues =
  (call: Call, instance: SimInstance): FilterValues =>
  (name) => {
    const record = recordOf(call.sim, instance.id);
    switch (name) {
      case 'instance-id':
        return [instance.id];
      case 'instance-state-name':
        return [stateOf(instance, call).name];
      case 'instance-state-code':
        return [String(stateOf(instance, call).code)];
      case 'instance-type':
        return [instance.instanceType];
      case 'availability-zone':
        return [instance.location];
      case 'client-token':
        return [record.clientToken];
      case 'image-id':
        return [instance.image];
      case 'key-name':
        return [record.keyName];
      case 'instance-lifecycle':
        return [instance.market === 'spot' ? 'spot' : null];
      case 'spot-instance-request-id':
        return [record.spotRequestId];
      case 'reservation-id':
        return [record.reservationId];
      case 'subnet-id':
        return [record.subnetId];
      case 'vpc-id':
        return [vpcOf(call.region)];
      case 'private-ip-address':
        return [record.privateIp];
      case 'ip-address':
        return [publicIpOf(instance)];
      case 'instance.group-id':
        return record.groupIds;
      default:
        return tagFilterValues(instance.tags, name);
    }
  };

const SHAPE = { InstanceId: listOf(text), Filter: filters, ...paging };

function found(call: Call, p: { InstanceId: string[]; Filter: ReturnType<typeof filters.parse> }): SimInstance[] {
  const named = p.InstanceId.length > 0 ? p.InstanceId.map((id) => instanceIn(call, id)) : listedInstances(call);
  return named.filter((i) => passes(p.Filter, filterValues(call, i)));
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
    passes(p.Filter, (name) => {
      switch (name) {
        case 'resource-id':
          return [row.resourceId];
        case 'resource-type':
          return [row.resourceType];
        case 'key':
          return [row.key];
        case 'value':
          return [row.value];
        default:
          return null;
      }
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
