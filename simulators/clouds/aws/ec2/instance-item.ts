/** An instance as DescribeInstances and RunInstances show it. */
import type { SimInstance, Tag } from '../../core/state.ts';
import { ACCOUNT_ID, recordOf, vpcOf, type Call, type Ec2Record } from '../account.ts';
import { awsType } from '../catalogue.ts';
import { isoTime, setOf, type XmlTree } from '../xml.ts';
import { fixedHex } from '../images.ts';
import { stateOf } from './states.ts';

export const ROOT_DEVICE = '/dev/sda1';
/** Tag by which a simulated instance says where its model server is. Not of AWS. */
export const MODEL_URL_TAG = 'deckhand:simulated-model-url';

export const tagSet = (tags: readonly Tag[]): XmlTree => setOf(tags, ({ key, value }) => ({ key, value }));

/** Tags of an instance as answers show them. */
export const shownTags = ({ tags, modelUrl }: SimInstance): readonly Tag[] =>
  modelUrl === null ? tags : [...tags, { id: '', key: MODEL_URL_TAG, value: modelUrl }];

const stateTree = ({ code, name }: { code: number; name: string }): XmlTree => ({ code, name });

/** The state, as the answers of several operations show it. */
export const stateTreeOf = (instance: SimInstance, call: Call): XmlTree => stateTree(stateOf(instance, call));

/** Public address; only a running instance has one. */
export const publicIpOf = ({ phase, ip }: SimInstance): string | null => (phase === 'running' ? ip : null);

const dotted = (ip: string): string => ip.replaceAll('.', '-');

const publicName = (ip: string, region: string): string =>
  `ec2-${dotted(ip)}.${region === 'us-east-1' ? 'compute-1' : `${region}.compute`}.amazonaws.com`;

const privateName = (ip: string, region: string): string =>
  `ip-${dotted(ip)}.${region === 'us-east-1' ? 'ec2' : `${region}.compute`}.internal`;

const groupSet = ({ sim }: Call, ids: readonly string[]): XmlTree =>
  setOf(ids, (id) => ({ groupId: id, groupName: sim.account.groups[id]?.name ?? '' }));

function deviceSet({ sim }: Call, instance: SimInstance): XmlTree {
  const attached = instance.volumeIds.flatMap((id) => {
    const volume = sim.cloud.state.volumes[id];
    return volume?.instanceId === instance.id ? [volume] : [];
  });
  return setOf(attached, (volume) => ({
    deviceName: sim.account.attachments[volume.id]?.device ?? ROOT_DEVICE,
    ebs: {
      volumeId: volume.id,
      status: volume.status === 'detaching' ? 'detaching' : 'attached',
      attachTime: isoTime(sim.account.attachments[volume.id]?.atMs ?? volume.createdAtMs),
      deleteOnTermination: volume.onEviction === 'purge',
    },
  }));
}

function interfaceSet(call: Call, instance: SimInstance, record: Ec2Record): XmlTree {
  const { region } = call;
  const ip = publicIpOf(instance);
  const id = fixedHex(`interface ${instance.id}`);
  const association =
    ip === null ? undefined : { publicIp: ip, publicDnsName: publicName(ip, region), ipOwnerId: 'amazon' };
  const privateDnsName = privateName(record.privateIp, region);
  return setOf([id], () => ({
    networkInterfaceId: `eni-${id}`,
    subnetId: record.subnetId,
    vpcId: vpcOf(region),
    description: '',
    ownerId: ACCOUNT_ID,
    status: 'in-use',
    privateIpAddress: record.privateIp,
    privateDnsName,
    sourceDestCheck: true,
    groupSet: groupSet(call, record.groupIds),
    attachment: {
      attachmentId: `eni-attach-${id}`,
      deviceIndex: 0,
      status: 'attached',
      attachTime: isoTime(record.launchedAtMs),
      deleteOnTermination: true,
      networkCardIndex: 0,
    },
    association,
    privateIpAddressesSet: setOf([id], () => ({
      privateIpAddress: record.privateIp,
      privateDnsName,
      primary: true,
      association,
    })),
    interfaceType: 'interface',
  }));
}

/** Fields of an instance that is not terminated. */
function networkOf(call: Call, instance: SimInstance, record: Ec2Record): Record<string, XmlTree> {
  if (instance.phase === 'gone') return {};
  const ip = publicIpOf(instance);
  return {
    subnetId: record.subnetId,
    vpcId: vpcOf(call.region),
    privateIpAddress: record.privateIp,
    ipAddress: ip ?? undefined,
    sourceDestCheck: true,
    groupSet: groupSet(call, record.groupIds),
    networkInterfaceSet: interfaceSet(call, instance, record),
  };
}

export function instanceItem(call: Call, instance: SimInstance): XmlTree {
  const record = recordOf(call.sim, instance.id);
  const { vcpu } = awsType(instance.instanceType);
  const ip = publicIpOf(instance);
  const isGone = instance.phase === 'gone';
  return {
    instanceId: instance.id,
    imageId: instance.image,
    instanceState: stateTreeOf(instance, call),
    privateDnsName: isGone ? '' : privateName(record.privateIp, call.region),
    dnsName: ip === null ? '' : publicName(ip, call.region),
    reason: record.transition,
    keyName: record.keyName ?? undefined,
    amiLaunchIndex: record.launchIndex,
    productCodes: '',
    instanceType: instance.instanceType,
    launchTime: isoTime(record.launchedAtMs),
    placement: { availabilityZone: instance.location, groupName: '', tenancy: 'default' },
    monitoring: { state: 'disabled' },
    ...networkOf(call, instance, record),
    ...(record.stateReason === null
      ? {}
      : { stateReason: { code: record.stateReason.code, message: record.stateReason.message } }),
    architecture: 'x86_64',
    rootDeviceType: 'ebs',
    rootDeviceName: ROOT_DEVICE,
    blockDeviceMapping: isGone ? '' : deviceSet(call, instance),
    virtualizationType: 'hvm',
    clientToken: record.clientToken,
    ...(record.spotRequestId === null
      ? {}
      : { instanceLifecycle: 'spot', spotInstanceRequestId: record.spotRequestId }),
    tagSet: tagSet(shownTags(instance)),
    hypervisor: 'xen',
    ebsOptimized: false,
    enaSupport: true,
    cpuOptions: { coreCount: vcpu / 2, threadsPerCore: 2 },
    hibernationOptions: { configured: false },
    enclaveOptions: { enabled: false },
    metadataOptions: {
      state: 'applied',
      httpTokens: 'required',
      httpPutResponseHopLimit: 2,
      httpEndpoint: 'enabled',
    },
    platformDetails: 'Linux/UNIX',
    usageOperation: 'RunInstances',
    bootMode: 'uefi-preferred',
    currentInstanceBootMode: 'uefi',
  };
}

/** Reservations with the given instances, which are grouped by the launch they come from. */
export function reservationSet(call: Call, instances: readonly SimInstance[]): XmlTree {
  const byReservation = Map.groupBy(instances, (i) => recordOf(call.sim, i.id).reservationId);
  return setOf([...byReservation], ([reservationId, members]) => ({
    reservationId,
    ownerId: ACCOUNT_ID,
    groupSet: '',
    instancesSet: setOf(members, (i) => instanceItem(call, i)),
  }));
}
