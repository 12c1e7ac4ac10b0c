/** Supply of the project: regions, zones, types of machines, kinds of GPUs, types of disks; and the project itself. */
import type { Call } from '../account.ts';
import {
  acceleratorsOf,
  GOOGLE_TYPES,
  googleType,
  isOffered,
  regionOf,
  REGIONS,
  ZONES,
  type GoogleType,
  type Series,
} from '../catalogue.ts';
import { notFound } from '../errors.ts';
import { zoneOf } from './find.ts';
import { linkTo, resourceName } from './links.ts';
import { aggregatedAnswer, listAnswer, type Row } from './lists.ts';

const CREATED = '1969-12-31T16:00:00.000-08:00';

const zoneTree = ({ sim }: Call, zone: string): Row => ({
  kind: 'compute#zone',
  id: String(2000 + ZONES.indexOf(zone)),
  creationTimestamp: CREATED,
  name: zone,
  description: zone,
  status: 'UP',
  region: linkTo(sim, `/regions/${regionOf(zone)}`),
  selfLink: linkTo(sim, `/zones/${zone}`),
});

export const getZone = (call: Call): unknown => zoneTree(call, zoneOf(call));

export const listZones = (call: Call): unknown =>
  listAnswer(
    call,
    'compute#zoneList',
    '/zones',
    ZONES.map((zone) => zoneTree(call, zone)),
  );

const regionTree = ({ sim }: Call, region: string): Row => ({
  kind: 'compute#region',
  id: String(1000 + REGIONS.findIndex(({ name }) => name === region)),
  creationTimestamp: CREATED,
  name: region,
  description: region,
  status: 'UP',
  zones: ZONES.filter((zone) => regionOf(zone) === region).map((zone) => linkTo(sim, `/zones/${zone}`)),
  quotas: [{ metric: 'CPUS', limit: 2400, usage: 0 }],
  selfLink: linkTo(sim, `/regions/${region}`),
});

export function getRegion(call: Call): unknown {
  const region = call.params['name'] ?? '';
  if (!REGIONS.some(({ name }) => name === region)) throw notFound(resourceName(call.sim, `/regions/${region}`));
  return regionTree(call, region);
}

export const listRegions = (call: Call): unknown =>
  listAnswer(
    call,
    'compute#regionList',
    '/regions',
    REGIONS.map(({ name }) => regionTree(call, name)),
  );

function typeTree({ sim }: Call, zone: string, type: GoogleType): Row {
  const { machineType, vcpu, memoryGib, gpuCount, localSsds, series } = type;
  return {
    kind: 'compute#machineType',
    id: String(700_000 + GOOGLE_TYPES.indexOf(type)),
    creationTimestamp: CREATED,
    name: machineType,
    description: `${vcpu} vCPUs, ${memoryGib} GB RAM${gpuCount === 0 ? '' : `, ${gpuCount} ${series.gpuSku} GPU`}`,
    guestCpus: vcpu,
    memoryMb: memoryGib * 1024,
    imageSpaceGb: 0,
    maximumPersistentDisks: 128,
    maximumPersistentDisksSizeGb: '263168',
    isSharedCpu: false,
    architecture: 'X86_64',
    ...(gpuCount === 0
      ? {}
      : { accelerators: [{ guestAcceleratorType: series.accelerator, guestAcceleratorCount: gpuCount }] }),
    ...(localSsds === 0 ? {} : { bundledLocalSsds: { defaultInterface: 'NVME', partitionCount: localSsds } }),
    zone,
    selfLink: linkTo(sim, `/zones/${zone}/machineTypes/${machineType}`),
  };
}

export function getMachineType(call: Call): unknown {
  const zone = zoneOf(call);
  const name = call.params['name'] ?? '';
  const type = googleType(name);
  if (type === undefined || type.machineType !== name || !isOffered(name, zone))
    throw notFound(resourceName(call.sim, `/zones/${zone}/machineTypes/${name}`));
  return typeTree(call, zone, type);
}

const typesIn = (call: Call, zone: string): readonly Row[] =>
  GOOGLE_TYPES.filter(
    ({ instanceType, machineType }) => instanceType === machineType && isOffered(machineType, zone),
  ).map((type) => typeTree(call, zone, type));

export function listMachineTypes(call: Call): unknown {
  const zone = zoneOf(call);
  return listAnswer(call, 'compute#machineTypeList', `/zones/${zone}/machineTypes`, typesIn(call, zone));
}

export const aggregatedMachineTypes = (call: Call): unknown =>
  aggregatedAnswer(
    call,
    'compute#machineTypeAggregatedList',
    'machineTypes',
    ZONES.flatMap((zone) => typesIn(call, zone).map((row) => ({ zone, row }))),
  );

const acceleratorTree = ({ sim }: Call, zone: string, { accelerator, gpuSku, attached }: Series): Row => ({
  kind: 'compute#acceleratorType',
  id: '10020',
  creationTimestamp: CREATED,
  name: accelerator,
  description: gpuSku,
  zone: linkTo(sim, `/zones/${zone}`),
  maximumCardsPerInstance: attached === undefined ? 8 : Math.max(...Object.keys(attached).map(Number)),
  selfLink: linkTo(sim, `/zones/${zone}/acceleratorTypes/${accelerator}`),
});

export const aggregatedAccelerators = (call: Call): unknown =>
  aggregatedAnswer(
    call,
    'compute#acceleratorTypeAggregatedList',
    'acceleratorTypes',
    ZONES.flatMap((zone) => acceleratorsOf(zone).map((series) => ({ zone, row: acceleratorTree(call, zone, series) }))),
  );

const DISK_TYPES = ['pd-standard', 'pd-balanced', 'pd-ssd', 'hyperdisk-balanced'];

const diskTypeTree = ({ sim }: Call, zone: string, name: string): Row => ({
  kind: 'compute#diskType',
  id: '30007',
  creationTimestamp: CREATED,
  name,
  description: name,
  validDiskSize: '10GB-65536GB',
  zone: linkTo(sim, `/zones/${zone}`),
  selfLink: linkTo(sim, `/zones/${zone}/diskTypes/${name}`),
  defaultDiskSizeGb: '100',
});

export function getDiskType(call: Call): unknown {
  const zone = zoneOf(call);
  const name = call.params['name'] ?? '';
  if (!DISK_TYPES.includes(name)) throw notFound(resourceName(call.sim, `/zones/${zone}/diskTypes/${name}`));
  return diskTypeTree(call, zone, name);
}

export const aggregatedDiskTypes = (call: Call): unknown =>
  aggregatedAnswer(
    call,
    'compute#diskTypeAggregatedList',
    'diskTypes',
    ZONES.flatMap((zone) => DISK_TYPES.map((name) => ({ zone, row: diskTypeTree(call, zone, name) }))),
  );

/** The project. */
export const getProject = (call: Call): unknown => ({
  kind: 'compute#project',
  id: '123456789012',
  creationTimestamp: '2026-01-01T00:00:00.000-08:00',
  name: call.sim.project,
  commonInstanceMetadata: { kind: 'compute#metadata', fingerprint: 'c2ltdWxhdGVk' },
  quotas: [{ metric: 'GPUS_ALL_REGIONS', limit: call.sim.account.quotas.gpusAllRegions ?? 128, usage: 0 }],
  selfLink: linkTo(call.sim, ''),
});
