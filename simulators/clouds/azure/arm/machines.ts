/** Virtual machines: put, look, change, deallocate, start, delete. */
import { decodedScript } from '../../../machine/served-model.ts';
import { z } from 'zod';
import { deleteInstance } from '../../core/instances.ts';
import { CloudRefusal } from '../../core/refusal.ts';
import type { CreateRequest } from '../../core/instances.ts';
import type { Disposal, SimInstance, Tag } from '../../core/state.ts';
import { keyOf, type Call, type MachineRecord, type Simulation, type Tags } from '../account.ts';
import { sizeNamed, type AzureSize } from '../catalogue.ts';
import { ALLOCATION_FAILED, ArmError, invalid, notFound, skuNotAvailable } from '../errors.ts';
import { groupNamed } from './groups.ts';
import { launchOf, type Launch } from './launch.ts';
import { instanceView, MACHINES, machineView, statusView } from './machine-view.ts';
import { releaseInterfaces } from './network.ts';
import { machineOperation } from './operations.ts';
import { pageOf } from './page.ts';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';

interface Machine {
  readonly record: MachineRecord;
  readonly instance: SimInstance;
}

/** What becomes of its disk at the end of a machine. */
const disposalsOf = ({ cloud }: Simulation, { instanceId, osDisk }: MachineRecord): Record<string, Disposal> => {
  const volumeId = cloud.state.instances[instanceId]?.osVolumeId ?? null;
  return volumeId === null ? {} : { [volumeId]: osDisk.deleteOption === 'Delete' ? 'purge' : 'keep' };
};

const FAILURES: Readonly<
  Record<NonNullable<SimInstance['failure']>, { readonly code: string; readonly message: string }>
> = {
  no_capacity: ALLOCATION_FAILED,
  error: { code: 'InternalExecutionError', message: 'An internal execution error occurred. Please retry later.' },
  installation_failed: {
    code: 'OSProvisioningClientError',
    message: 'OS provisioning failed due to an internal error.',
  },
};

/** Follows changes of phase that mean more than a state: disks get their group, failures a reason, and what goes with a machine goes. */
export function followPhases(sim: Simulation): void {
  const recordOf = (id: string): readonly [string, MachineRecord] | undefined =>
    Object.entries(sim.account.machines).find(([, record]) => record.instanceId === id);
  sim.cloud.onTransition((instance, atMs) => {
    const [key, record] = recordOf(instance.id) ?? [];
    if (key === undefined || record === undefined) return;
    switch (instance.phase) {
      case 'preparing':
        for (const id of instance.volumeIds) sim.account.diskGroups[id] ??= record.group;
        break;
      case 'running':
        record.failure = null;
        break;
      case 'failed':
        record.failure = FAILURES[instance.failure ?? 'error'];
        break;
      case 'gone':
        releaseInterfaces(sim, record, atMs);
        delete sim.account.machines[key];
        break;
      case 'accepted':
      case 'stopping':
      case 'stopped':
      case 'starting':
      case 'deleting':
    }
  });
}

const coreTags = (tags: Tags): Tag[] => Object.entries(tags).map(([key, value]) => ({ id: key, key, value }));

function createRequest(name: string, { location, size, market, disk, ordered }: Launch): CreateRequest {
  const tags = coreTags(ordered.tags);
  return {
    hostname: name,
    description: '',
    instanceType: size.instanceType,
    location,
    market,
    boot:
      disk.existing === null
        ? {
            kind: 'image',
            image: 'image',
            osVolume: {
              name: ordered.osDisk.name,
              sizeGib: disk.sizeGib,
              type: 'Premium_LRS',
              // A machine that is evicted is deleted with its disks.
              onEviction: 'purge',
              tags,
            },
            sshKeyIds: [],
            startupScriptId: null,
          }
        : { kind: 'volume', volumeId: disk.existing.id },
    script: decodedScript(ordered.customData),
    newVolumes: [],
    existingVolumeIds: [],
    tags,
  };
}

/** @throws ArmError */
function put(call: Call, group: string, name: string): Response {
  const { sim } = call;
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/u.test(name))
    throw new ArmError('InvalidParameter', `The name '${name}' of the virtual machine is not valid.`);
  const key = keyOf(group, name);
  const before = sim.account.machines[key];
  if (before !== undefined && call.headers.get('if-none-match') === '*')
    throw new ArmError(
      'PreconditionFailed',
      `The condition '*' in the If-None-Match header was not satisfied: ${name} exists.`,
      412,
    );
  if (before !== undefined) return replace(call, { record: before, instance: instanceOf(call, before, group, name) });
  const launch = launchOf(call, group, name);
  checkQuota(call, { size: launch.size, location: launch.location, market: launch.market }, launch.size.vcpu);
  let instance: SimInstance;
  try {
    instance = sim.cloud.create(createRequest(name, launch), call.createFault);
  } catch (error) {
    if (error instanceof CloudRefusal && error.reason === 'no_capacity')
      throw skuNotAvailable(launch.size.instanceType, launch.location);
    throw error;
  }
  const record: MachineRecord = { instanceId: instance.id, group, name, ...launch.ordered, failure: null };
  sim.account.machines[key] = record;
  return Response.json(machineView(call, instance, record, false), {
    status: 201,
    headers: machineOperation(call, 'create', instance.id),
  });
}

/** A PUT on a machine that exists changes its tags; anything else that differs is refused. */
function replace(call: Call, { record, instance }: Machine): Response {
  const launch = launchOf(call, record.group, record.name);
  if (launch.size.instanceType !== instance.instanceType || launch.ordered.osDisk.name !== record.osDisk.name)
    throw new ArmError(
      'PropertyChangeNotAllowed',
      "Changing property 'hardwareProfile.vmSize' is not allowed here.",
      409,
    );
  record.tags = launch.ordered.tags;
  return Response.json(machineView(call, instance, record, false));
}

/** The machine, as reads by name find it. @throws ArmError `ResourceNotFound` */
function instanceOf({ sim, nowMs }: Call, record: MachineRecord | undefined, group: string, name: string): SimInstance {
  const instance = record === undefined ? undefined : sim.cloud.state.instances[record.instanceId];
  if (instance === undefined || instance.readableAtMs > nowMs) throw notFound(MACHINES, name, group);
  return instance;
}

function machineNamed(call: Call, group: string, name: string): Machine {
  const record = call.sim.account.machines[keyOf(group, name)];
  const instance = instanceOf(call, record, group, name);
  if (record === undefined) throw notFound(MACHINES, name, group);
  return { record, instance };
}

const patchSchema = z.looseObject({
  tags: z.record(z.string(), z.string()).optional(),
  properties: z
    .looseObject({
      hardwareProfile: z.looseObject({ vmSize: z.string() }).optional(),
      storageProfile: z
        .looseObject({ osDisk: z.looseObject({ deleteOption: z.enum(['Delete', 'Detach']).optional() }).optional() })
        .optional(),
    })
    .optional(),
});

function patch(call: Call, { record, instance }: Machine): Response {
  const parsed = patchSchema.safeParse(call.body);
  if (!parsed.success) throw new ArmError('InvalidRequestContent', 'The request content was invalid.');
  const { tags, properties } = parsed.data;
  const wanted = properties?.hardwareProfile?.vmSize;
  if (wanted !== undefined && wanted.toLowerCase() !== instance.instanceType.toLowerCase())
    resize(call, instance, wanted);
  record.osDisk.deleteOption = properties?.storageProfile?.osDisk?.deleteOption ?? record.osDisk.deleteOption;
  record.tags = tags ?? record.tags;
  return Response.json(machineView(call, instance, record, false));
}

function resize(call: Call, instance: SimInstance, wanted: string): void {
  const size = sizeNamed(wanted);
  if (size === undefined) throw invalid('vmSize', `The value ${wanted} provided for the VM size is not valid.`);
  if (instance.phase !== 'stopped')
    throw new ArmError(
      'OperationNotAllowed',
      `Unable to resize the VM ${instance.hostname} since the requested size ${wanted} is not available in the current hardware cluster. To resize, deallocate the VM first.`,
      409,
    );
  const { location, market } = instance;
  checkQuota(call, { size, location, market }, size.vcpu - instance.vcpu);
  call.sim.cloud.changeType(instance.id, size.instanceType);
}

/** The answer to a change that goes on after it. */
const accepted = (
  call: Call,
  of: 'deallocate' | 'start',
  instanceId: string,
  failure: MachineRecord['failure'] = null,
): Response => new Response(null, { status: 202, headers: machineOperation(call, of, instanceId, failure) });

function deallocate(call: Call, { instance, record }: Machine): Response {
  const { phase } = instance;
  if (phase === 'accepted' || phase === 'preparing' || phase === 'deleting')
    throw new ArmError(
      'Conflict',
      `The request failed due to conflict with a concurrent request on ${record.name}.`,
      409,
    );
  if (phase === 'failed') throw new ArmError('OperationNotAllowed', `${record.name} never ran.`, 409);
  // A start is overtaken by the order to stop.
  if (phase === 'running') call.sim.cloud.stop(instance.id);
  else if (phase === 'starting')
    throw new ArmError('AnotherOperationInProgress', `${record.name} is being started.`, 409);
  return accepted(call, 'deallocate', instance.id);
}

/** A start is accepted first; that there is no place shows later. */
function start(call: Call, { instance, record }: Machine): Response {
  const { cloud } = call.sim;
  const { id, location, market } = instance;
  switch (instance.phase) {
    case 'running':
    case 'starting':
    case 'accepted':
    case 'preparing':
      return accepted(call, 'start', id);
    case 'stopped':
      break;
    default:
      throw new ArmError('Conflict', `${record.name} is ${instance.phase} and cannot be started.`, 409);
  }
  checkQuota(call, { size: sizeNamed(instance.instanceType), location, market }, 0);
  const { noCapacity } = call.createFault;
  let failure = noCapacity === undefined ? null : ALLOCATION_FAILED;
  try {
    cloud.start(id);
    if (noCapacity !== undefined) cloud.failStart(instance, noCapacity.afterMs ?? 0);
  } catch (error) {
    if (!(error instanceof CloudRefusal && error.reason === 'no_capacity')) throw error;
    failure = ALLOCATION_FAILED;
  }
  record.failure = failure;
  return accepted(call, 'start', id, failure);
}

function remove(call: Call, { instance, record }: Machine): Response {
  const headers = machineOperation(call, 'delete', instance.id);
  if (instance.phase !== 'deleting')
    deleteInstance(call.sim.cloud.context, instance, disposalsOf(call.sim, record), call.nowMs);
  return new Response(null, { status: 202, headers });
}

function list(call: Call): Response {
  const { sim, target, url } = call;
  const onlyStates = url.searchParams.get('statusOnly') === 'true';
  const machines = sim.cloud.listed(call.staleByMs).flatMap((instance): readonly Machine[] => {
    const record = Object.values(sim.account.machines).find((one) => one.instanceId === instance.id);
    return record === undefined ? [] : [{ record, instance }];
  });
  const rows = machines
    .filter(({ record }) => target.group === null || record.group.toLowerCase() === target.group.toLowerCase())
    .map(({ instance, record }) =>
      onlyStates ? statusView(call, instance, record) : machineView(call, instance, record, false),
    );
  return pageOf(call, rows);
}

/** Answers a call on machines. @throws ArmError */
export function machines(call: Call): Response {
  const { method, target } = call;
  if (target.name === null) return list(call);
  const group = groupNamed(call, target.group ?? '').name;
  const { name } = target;
  // Actions are written in any case.
  switch (`${method} ${target.action?.toLowerCase() ?? ''}`.trim()) {
    case 'PUT':
      return put(call, group, name);
    case 'GET': {
      const { instance, record } = machineNamed(call, group, name);
      const expand = call.url.searchParams.get('$expand') === 'instanceView';
      return Response.json(machineView(call, instance, record, expand));
    }
    case 'GET instanceview': {
      const { instance, record } = machineNamed(call, group, name);
      return Response.json(instanceView(call, instance, record));
    }
    case 'PATCH':
      return patch(call, machineNamed(call, group, name));
    case 'DELETE':
      if (call.sim.account.machines[keyOf(group, name)] === undefined) return new Response(null, { status: 204 });
      return remove(call, machineNamed(call, group, name));
    case 'POST deallocate':
      return deallocate(call, machineNamed(call, group, name));
    case 'POST start':
      return start(call, machineNamed(call, group, name));
    default:
      throw new ArmError(
        'MethodNotAllowed',
        `The simulator does not know ${method} ${target.action ?? ''} of a machine.`,
        405,
      );
  }
}

const exceeded = (name: string, location: string, limit: number, used: number, added: number): ArmError =>
  new ArmError(
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${name} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${used}, Additional Required: ${added}, (Minimum) New Limit Required: ${used + added}. Setup Alerts when Quota reaches threshold. Learn more at https://aka.ms/quotamonitoringalerting . Submit a request for Quota increase by specifying parameters listed in the 'Details' section for deployment to succeed. Please read more about quota limits at https://docs.microsoft.com/en-us/azure/azure-supportability/per-vm-quota-requests`,
    409,
  );

interface Wanted {
  readonly size: AzureSize | undefined;
  readonly location: string;
  readonly market: Market;
}

/**
 * Checks the quotas of a subscription, in cores: of a family, of all machines of a location, of its spot machines. Deallocated machines count.
 *
 * @param added cores beside those that machines have now
 * @throws ArmError when a quota does not allow them
 */
function checkQuota({ sim }: Call, { size, location, market }: Wanted, added: number): void {
  const { family, regional, spot } = sim.account.quotas;
  const there = Object.values(sim.account.machines).flatMap(({ instanceId }) => {
    const instance = sim.cloud.state.instances[instanceId];
    return instance?.location === location && instance.phase !== 'failed' ? [instance] : [];
  });
  const cores = (fits: (instanceType: string, market: Market) => boolean): number =>
    there.filter((one) => fits(one.instanceType, one.market)).reduce((sum, one) => sum + one.vcpu, 0);
  const check = (limit: number | null | undefined, name: string, used: number): void => {
    if (limit !== null && limit !== undefined && used + added > limit)
      throw exceeded(name, location, limit, used, added);
  };
  if (market === 'spot')
    return check(
      spot,
      'LowPriorityCores',
      cores((_type, other) => other === 'spot'),
    );
  check(
    regional,
    'Total Regional Cores',
    cores((_type, other) => other === 'ondemand'),
  );
  check(
    family,
    size?.quotaName ?? '',
    cores((type, other) => other === 'ondemand' && sizeNamed(type)?.family === size?.family),
  );
}
