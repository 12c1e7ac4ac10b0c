/** A machine as answers show it: what was ordered, and what it is doing. */
import type { Phase, SimInstance } from '../../core/state.ts';
import { resourceId, type Call, type Json, type MachineRecord } from '../account.ts';
import { diskIdOf } from './disks.ts';

export const MACHINES = 'Microsoft.Compute/virtualMachines';

/** Tag by which a simulated machine says where its model server is. Not of Azure. */
const MODEL_URL_TAG = 'deckhand:simulated-model-url';

/** State of the last change, and of the power; null = the machine has no place on a host. */
const STATES: Readonly<Record<Phase, readonly [string, string | null]>> = {
  accepted: ['Creating', null],
  preparing: ['Creating', 'starting'],
  running: ['Succeeded', 'running'],
  stopping: ['Updating', 'deallocating'],
  stopped: ['Succeeded', 'deallocated'],
  starting: ['Updating', 'starting'],
  failed: ['Failed', null],
  deleting: ['Deleting', 'stopping'],
  gone: ['Deleting', null],
};

function stateOf(
  call: Call,
  { phase, words }: SimInstance,
  { failure }: MachineRecord,
): readonly [string, string | null] {
  const [change, power] = STATES[phase];
  const own = change === 'Creating' ? words.find((w) => w.untilMs > call.nowMs)?.word : undefined;
  const word = call.statusWord ?? own;
  if (word !== undefined) return [word, change === 'Creating' ? null : power];
  // A start that failed leaves the machine as it was.
  return [phase === 'stopped' && failure !== null ? 'Failed' : change, power];
}

/** What it is doing. */
export function instanceView(call: Call, instance: SimInstance, record: MachineRecord): Json {
  const [change, power] = stateOf(call, instance, record);
  const time = new Date(instance.history.at(-1)?.atMs ?? instance.createdAtMs).toISOString();
  const failure = change === 'Failed' && record.failure !== null ? `/${record.failure.code}` : '';
  const provisioning = {
    code: `ProvisioningState/${change.toLowerCase()}${failure}`,
    level: failure === '' ? 'Info' : 'Error',
    displayStatus: change === 'Failed' ? 'Provisioning failed' : change,
    ...(failure === '' ? {} : { message: record.failure?.message }),
    time,
  };
  return {
    computerName: record.name,
    hyperVGeneration: 'V2',
    statuses: [
      provisioning,
      ...(power === null ? [] : [{ code: `PowerState/${power}`, level: 'Info', displayStatus: `VM ${power}` }]),
    ],
  };
}

const idOf = ({ sim }: Call, { group, name }: MachineRecord): string => resourceId(sim, group, MACHINES, name);

/** What is the same in all answers. */
const headOf = (call: Call, { location }: SimInstance, record: MachineRecord): Json => ({
  name: record.name,
  id: idOf(call, record),
  type: MACHINES,
  location,
});

/** What it is doing, as the list of all machines' states shows it. */
export const statusView = (call: Call, instance: SimInstance, record: MachineRecord): Json => ({
  ...headOf(call, instance, record),
  properties: {
    vmId: instance.id,
    provisioningState: stateOf(call, instance, record)[0],
    instanceView: instanceView(call, instance, record),
  },
});

/** What was ordered. */
export function machineView(call: Call, instance: SimInstance, record: MachineRecord, expand: boolean): Json {
  const { sim } = call;
  const disk = sim.cloud.state.volumes[instance.osVolumeId ?? ''];
  const isSpot = instance.market === 'spot';
  const modelUrl = instance.modelUrl === null ? {} : { [MODEL_URL_TAG]: instance.modelUrl };
  return {
    ...headOf(call, instance, record),
    tags: { ...record.tags, ...modelUrl },
    properties: {
      vmId: instance.id,
      hardwareProfile: { vmSize: instance.instanceType },
      storageProfile: {
        ...(record.imageReference === null ? {} : { imageReference: record.imageReference }),
        osDisk: {
          osType: 'Linux',
          name: record.osDisk.name,
          createOption: record.osDisk.createOption,
          caching: 'ReadWrite',
          deleteOption: record.osDisk.deleteOption,
          ...(disk === undefined
            ? {}
            : { diskSizeGB: disk.sizeGib, managedDisk: { storageAccountType: disk.type, id: diskIdOf(sim, disk) } }),
        },
        dataDisks: [],
      },
      ...(record.osProfile === null ? {} : { osProfile: record.osProfile }),
      networkProfile: {
        networkInterfaces: record.interfaces.map(({ id, deleteOption }) => ({
          id,
          properties: { primary: true, deleteOption },
        })),
      },
      ...(isSpot
        ? { priority: 'Spot', evictionPolicy: record.evictionPolicy, billingProfile: { maxPrice: -1 } }
        : { priority: 'Regular' }),
      provisioningState: stateOf(call, instance, record)[0],
      timeCreated: new Date(instance.createdAtMs).toISOString(),
      ...(expand ? { instanceView: instanceView(call, instance, record) } : {}),
    },
  };
}
