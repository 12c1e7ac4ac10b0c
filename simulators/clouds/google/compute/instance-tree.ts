/** An instance as answers show it. */
import type { Phase, SimInstance } from '../../core/state.ts';
import { recordOf, type Call } from '../account.ts';
import { googleType } from '../catalogue.ts';
import { lastPart, linkTo, writtenTime } from './links.ts';
import type { Row } from './lists.ts';

const STATUSES: Readonly<Record<Phase, string>> = {
  accepted: 'PROVISIONING',
  preparing: 'STAGING',
  running: 'RUNNING',
  stopping: 'STOPPING',
  stopped: 'TERMINATED',
  starting: 'STAGING',
  failed: 'STOPPING',
  deleting: 'STOPPING',
  gone: 'TERMINATED',
};

/** Metadata by which a simulated instance says where its model server is. Not of Google. */
export const MODEL_URL_KEY = 'simulated-model-url';

function statusOf(instance: SimInstance, { statusWord, nowMs }: Pick<Call, 'statusWord' | 'nowMs'>): string {
  const isMade = instance.phase === 'accepted' || instance.phase === 'preparing';
  const own = isMade ? instance.words.find((w) => w.untilMs > nowMs)?.word : undefined;
  return statusWord ?? own?.toUpperCase() ?? STATUSES[instance.phase];
}

/** GPUs of a type, built in or attached, as bodies and answers name them. */
export function guestAccelerators(
  instanceType: string,
  zone: string,
): readonly { readonly acceleratorType: string; readonly acceleratorCount: number }[] {
  const type = googleType(instanceType);
  if (type === undefined || type.gpuCount === 0) return [];
  const acceleratorType = `zones/${zone}/acceleratorTypes/${type.series.accelerator}`;
  return [{ acceleratorType, acceleratorCount: type.gpuCount }];
}

export function instanceTree(call: Call, instance: SimInstance): Row {
  const { sim } = call;
  const record = recordOf(sim, instance.id);
  const { location: zone, instanceType } = instance;
  const accelerators = guestAccelerators(instanceType, zone);
  const last = (phase: Phase): number | undefined => instance.history.findLast((h) => h.phase === phase)?.atMs;
  const startedAtMs = last('running');
  const stoppedAtMs = last('stopped');
  const hasAddress = record.hasPublicIp && instance.phase === 'running' && instance.ip !== null;
  const metadata = [
    ...record.metadata,
    ...(instance.modelUrl === null ? [] : [{ key: MODEL_URL_KEY, value: instance.modelUrl }]),
  ];
  return {
    kind: 'compute#instance',
    id: instance.id,
    creationTimestamp: writtenTime(instance.createdAtMs),
    name: record.name,
    description: instance.description,
    tags: { items: record.networkTags, fingerprint: 'c2ltdWxhdGVk' },
    machineType: linkTo(sim, `/zones/${zone}/machineTypes/${googleType(instanceType)?.machineType ?? instanceType}`),
    status: statusOf(instance, call),
    zone: linkTo(sim, `/zones/${zone}`),
    canIpForward: false,
    networkInterfaces: [
      {
        kind: 'compute#networkInterface',
        name: 'nic0',
        network: linkTo(sim, `/global/networks/${lastPart(record.network)}`),
        subnetwork: linkTo(sim, record.subnetwork),
        networkIP: record.privateIp,
        stackType: 'IPV4_ONLY',
        ...(record.hasPublicIp
          ? {
              accessConfigs: [
                {
                  kind: 'compute#accessConfig',
                  type: 'ONE_TO_ONE_NAT',
                  name: 'External NAT',
                  networkTier: 'PREMIUM',
                  ...(hasAddress ? { natIP: instance.ip } : {}),
                },
              ],
            }
          : {}),
      },
    ],
    disks: record.disks.map(({ diskName, deviceName, boot, autoDelete }, index) => ({
      kind: 'compute#attachedDisk',
      type: 'PERSISTENT',
      mode: 'READ_WRITE',
      source: linkTo(sim, `/zones/${zone}/disks/${diskName}`),
      deviceName,
      index,
      boot,
      autoDelete,
      interface: 'SCSI',
    })),
    metadata: {
      kind: 'compute#metadata',
      fingerprint: 'c2ltdWxhdGVk',
      ...(metadata.length === 0 ? {} : { items: metadata }),
    },
    ...(accelerators.length === 0
      ? {}
      : {
          guestAccelerators: accelerators.map(({ acceleratorType, acceleratorCount }) => ({
            acceleratorType: linkTo(sim, `/${acceleratorType}`),
            acceleratorCount,
          })),
        }),
    scheduling: record.scheduling,
    ...(instance.tags.length === 0
      ? {}
      : { labels: Object.fromEntries(instance.tags.map(({ key, value }) => [key, value])) }),
    labelFingerprint: 'c2ltdWxhdGVk',
    cpuPlatform: 'Intel Sapphire Rapids',
    startRestricted: false,
    deletionProtection: false,
    fingerprint: 'c2ltdWxhdGVk',
    ...(startedAtMs === undefined ? {} : { lastStartTimestamp: writtenTime(startedAtMs) }),
    ...(stoppedAtMs === undefined ? {} : { lastStopTimestamp: writtenTime(stoppedAtMs) }),
    selfLink: linkTo(sim, `/zones/${zone}/instances/${record.name}`),
  };
}
