/** Stop, start, reboot and terminate, ModifyInstanceAttribute, CreateTags. */
import { z } from 'zod';
import { CloudRefusal } from '../../core/refusal.ts';
import type { SimInstance, Tag } from '../../core/state.ts';
import { recordOf, type Call } from '../account.ts';
import { isOffered } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import { flag, listOf, read, tagList, text, type Parameters } from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { checkOffered, noCapacity } from './capacity.ts';
import { groupIn, instanceIn, volumeIn } from './find.ts';
import { stateTreeOf } from './instance-item.ts';
import { checkQuota } from './quotas.ts';
import { disposalsOf, USER_SHUTDOWN } from './states.ts';

const IDS = { InstanceId: listOf(text) };

function instancesOf(call: Call, ids: readonly string[]): SimInstance[] {
  if (ids.length === 0) throw new AwsError('MissingParameter', 'The request must contain the parameter InstanceId');
  return [...new Set(ids)].map((id) => instanceIn(call, id));
}

/** What the user asked for last, as EC2 words it. */
const byUser = (nowMs: number): string =>
  `User initiated (${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')} GMT)`;

/** Changes instances. Every id is checked before the first one changes. */
function change(call: Call, instances: readonly SimInstance[], act: (instance: SimInstance) => void): XmlTree {
  const changes = instances.map((instance) => {
    const previousState = stateTreeOf(instance, call);
    act(instance);
    return { instanceId: instance.id, currentState: stateTreeOf(instance, call), previousState };
  });
  return { instancesSet: setOf(changes, (row) => row) };
}

function refuseState(instance: SimInstance, verb: string): never {
  throw new AwsError(
    'IncorrectInstanceState',
    `The instance '${instance.id}' is not in a state from which it can be ${verb}.`,
  );
}

export function stopInstances(call: Call): XmlTree {
  const p = read(call.parameters, {
    ...IDS,
    Force: flag.default(false),
    Hibernate: flag.default(false),
    SkipOsShutdown: flag.optional(),
  });
  const instances = instancesOf(call, p.InstanceId);
  for (const instance of instances) {
    if (!['running', 'stopping', 'stopped'].includes(instance.phase)) refuseState(instance, 'stopped');
    if (p.Hibernate)
      throw new AwsError(
        'UnsupportedHibernationConfiguration',
        `The instance '${instance.id}' is not configured for hibernation.`,
      );
    if (instance.market === 'spot')
      throw new AwsError(
        'UnsupportedOperation',
        `You can't stop the Spot Instance '${instance.id}' because it is associated with a one-time Spot Instance request. You can only stop Spot Instances associated with persistent Spot Instance requests.`,
      );
  }
  return change(call, instances, (instance) => {
    if (instance.phase !== 'running') return;
    Object.assign(recordOf(call.sim, instance.id), { transition: byUser(call.nowMs), stateReason: USER_SHUTDOWN });
    call.sim.cloud.stop(instance.id, p.Force);
  });
}

/** Starts a stopped instance. A scripted fault lets the start fail later. @throws AwsError without capacity or quota */
function start(call: Call, instance: SimInstance): void {
  const { cloud } = call.sim;
  if (instance.phase !== 'stopped') return;
  checkQuota(call, instance.instanceType, instance.market, 1);
  try {
    cloud.start(instance.id);
  } catch (error) {
    if (error instanceof CloudRefusal && error.reason === 'no_capacity')
      throw noCapacity(call, instance.instanceType, instance.location, instance.market);
    throw error;
  }
  const record = recordOf(call.sim, instance.id);
  Object.assign(record, {
    launchedAtMs: call.nowMs,
    transition: '',
    stateReason: { code: 'pending', message: 'pending' },
  });
  const { noCapacity: failing } = call.createFault;
  if (failing === undefined) return;
  record.startFails = true;
  cloud.failStart(instance, failing.afterMs ?? 0);
}

export function startInstances(call: Call): XmlTree {
  const instances = instancesOf(call, read(call.parameters, IDS).InstanceId);
  for (const instance of instances)
    if (!['stopped', 'running', 'starting', 'accepted', 'preparing'].includes(instance.phase))
      refuseState(instance, 'started');
  return change(call, instances, (instance) => start(call, instance));
}

export function rebootInstances(call: Call): XmlTree {
  const instances = instancesOf(call, read(call.parameters, IDS).InstanceId);
  for (const instance of instances) if (instance.phase !== 'running') refuseState(instance, 'rebooted');
  for (const instance of instances) call.sim.cloud.machines.reboot(instance, call.nowMs);
  return { return: true };
}

export function terminateInstances(call: Call): XmlTree {
  const p = read(call.parameters, { ...IDS, Force: flag.optional(), SkipOsShutdown: flag.optional() });
  const { cloud } = call.sim;
  return change(call, instancesOf(call, p.InstanceId), (instance) => {
    if (['deleting', 'gone'].includes(instance.phase)) return;
    Object.assign(recordOf(call.sim, instance.id), { transition: byUser(call.nowMs), stateReason: USER_SHUTDOWN });
    cloud.delete(instance.id, disposalsOf(cloud, instance));
  });
}

const value = z.strictObject({ Value: text }).optional();

/** The older form names the attribute and its value in parameters of their own. */
function expanded({ Attribute, Value, ...rest }: Parameters): Parameters {
  if (typeof Attribute !== 'string' || Value === undefined) return rest;
  return { ...rest, [Attribute.slice(0, 1).toUpperCase() + Attribute.slice(1)]: { Value } };
}

function changeType(call: Call, instance: SimInstance, instanceType: string): void {
  const { cloud } = call.sim;
  if (instance.phase !== 'stopped')
    throw new AwsError('IncorrectInstanceState', `The instance '${instance.id}' is not in the 'stopped' state.`);
  if (!cloud.catalogue.types.has(instanceType))
    throw new AwsError(
      'InvalidInstanceAttributeValue',
      `The instance type '${instanceType}' is not a valid instance type.`,
    );
  if (!isOffered(instanceType, instance.location)) checkOffered(call, instanceType, instance.location);
  cloud.changeType(instance.id, instanceType);
}

export function modifyInstanceAttribute(call: Call): XmlTree {
  const p = read(expanded(call.parameters), {
    InstanceId: text,
    InstanceType: value,
    InstanceInitiatedShutdownBehavior: z.strictObject({ Value: z.enum(['stop', 'terminate']) }).optional(),
    BlockDeviceMapping: listOf(
      z.strictObject({
        DeviceName: text,
        Ebs: z.strictObject({ DeleteOnTermination: flag, VolumeId: text.optional() }),
      }),
    ),
    DisableApiTermination: value,
    GroupId: listOf(text),
  });
  const instance = instanceIn(call, p.InstanceId);
  const { cloud, account } = call.sim;
  if (p.InstanceType !== undefined) changeType(call, instance, p.InstanceType.Value);
  if (p.InstanceInitiatedShutdownBehavior !== undefined)
    recordOf(call.sim, instance.id).shutdownBehavior = p.InstanceInitiatedShutdownBehavior.Value;
  for (const { DeviceName, Ebs } of p.BlockDeviceMapping) {
    const id = instance.volumeIds.find((v) => account.attachments[v]?.device === DeviceName);
    const volume = id === undefined ? undefined : cloud.state.volumes[id];
    if (volume?.instanceId !== instance.id)
      throw new AwsError('InvalidInstanceAttributeValue', `No device is currently mapped at ${DeviceName}`);
    volume.onEviction = Ebs.DeleteOnTermination ? 'purge' : 'keep';
  }
  for (const id of p.GroupId) groupIn(call, id);
  return { return: true };
}

const MOST_TAGS = 50;

function tagsOf(call: Call, id: string): Tag[] {
  const { keys } = call.sim.account;
  if (id.startsWith('i-')) return instanceIn(call, id).tags;
  if (id.startsWith('vol-')) return volumeIn(call, id).tags;
  if (id.startsWith('sg-')) return groupIn(call, id).tags;
  const key = keys[id];
  if (key?.region === call.region) return key.tags;
  throw new AwsError('InvalidID', `The ID '${id}' is not valid`);
}

export function createTags(call: Call): XmlTree {
  const p = read(call.parameters, { ResourceId: listOf(text), Tag: tagList });
  if (p.ResourceId.length === 0)
    throw new AwsError('MissingParameter', 'The request must contain the parameter resourceIdSet');
  const lists = p.ResourceId.map((id) => tagsOf(call, id));
  for (const { Key } of p.Tag)
    if (Key.toLowerCase().startsWith('aws:'))
      throw new AwsError('InvalidParameterValue', `Tag keys starting with 'aws:' are reserved for internal use`);
  for (const tags of lists) {
    const kept = tags.filter((t) => !p.Tag.some(({ Key }) => Key === t.key));
    if (kept.length + p.Tag.length > MOST_TAGS)
      throw new AwsError('TagLimitExceeded', `More than ${MOST_TAGS} tags specified`);
    tags.splice(0, tags.length, ...kept, ...p.Tag.map(({ Key, Value }) => ({ id: '', key: Key, value: Value })));
  }
  return { return: true };
}
