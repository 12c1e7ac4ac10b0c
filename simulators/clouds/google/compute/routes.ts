/** The routes of Compute Engine, below `/compute/v1`, and of the price list. */
import { listSkus } from '../billing.ts';
import type { Call } from '../account.ts';
import { aggregatedDisks, deleteDisk, getDisk, insertDisk, listDisks } from './disks.ts';
import { getImage, getImageFromFamily, listImages } from './images.ts';
import { insertInstance } from './insert.ts';
import {
  aggregatedInstances,
  deleteInstance,
  getInstance,
  listInstances,
  resetInstance,
  setDiskAutoDelete,
  setMachineType,
  startInstance,
  stopInstance,
} from './instances.ts';
import { deleteFirewall, getFirewall, getNetwork, insertFirewall, listFirewalls, listNetworks } from './network.ts';
import {
  aggregatedAccelerators,
  aggregatedDiskTypes,
  aggregatedMachineTypes,
  getDiskType,
  getMachineType,
  getProject,
  getRegion,
  getZone,
  listMachineTypes,
  listRegions,
  listZones,
} from './offers.ts';
import { getOperation, listOperations } from './operations.ts';

type Run = (call: Call) => unknown;

/** By method and path below the project; a part with a colon stands for a name. */
const COMPUTE: Readonly<Record<string, Run>> = {
  'GET ': getProject,
  'GET /regions': listRegions,
  'GET /regions/:name': getRegion,
  'GET /zones': listZones,
  'GET /zones/:zone': getZone,
  'GET /aggregated/machineTypes': aggregatedMachineTypes,
  'GET /zones/:zone/machineTypes': listMachineTypes,
  'GET /zones/:zone/machineTypes/:name': getMachineType,
  'GET /aggregated/acceleratorTypes': aggregatedAccelerators,
  'GET /aggregated/diskTypes': aggregatedDiskTypes,
  'GET /zones/:zone/diskTypes/:name': getDiskType,
  'GET /aggregated/instances': aggregatedInstances,
  'GET /zones/:zone/instances': listInstances,
  'POST /zones/:zone/instances': insertInstance,
  'GET /zones/:zone/instances/:name': getInstance,
  'DELETE /zones/:zone/instances/:name': deleteInstance,
  'POST /zones/:zone/instances/:name/stop': stopInstance,
  'POST /zones/:zone/instances/:name/start': startInstance,
  'POST /zones/:zone/instances/:name/reset': resetInstance,
  'POST /zones/:zone/instances/:name/setMachineType': setMachineType,
  'POST /zones/:zone/instances/:name/setDiskAutoDelete': setDiskAutoDelete,
  'GET /aggregated/disks': aggregatedDisks,
  'GET /zones/:zone/disks': listDisks,
  'POST /zones/:zone/disks': insertDisk,
  'GET /zones/:zone/disks/:name': getDisk,
  'DELETE /zones/:zone/disks/:name': deleteDisk,
  'GET /zones/:zone/operations': listOperations,
  'GET /zones/:zone/operations/:name': getOperation,
  'POST /zones/:zone/operations/:name/wait': getOperation,
  'GET /global/operations/:name': getOperation,
  'POST /global/operations/:name/wait': getOperation,
  'GET /global/networks': listNetworks,
  'GET /global/networks/:name': getNetwork,
  'GET /global/firewalls': listFirewalls,
  'POST /global/firewalls': insertFirewall,
  'GET /global/firewalls/:name': getFirewall,
  'DELETE /global/firewalls/:name': deleteFirewall,
  'GET /global/images': listImages,
  'GET /global/images/family/:name': getImageFromFamily,
  'GET /global/images/:name': getImage,
};

const BILLING: Readonly<Record<string, Run>> = { 'GET /services/:service/skus': listSkus };

/** A call that has a route. */
export interface Routed {
  /** `POST /zones/:zone/instances`. */
  readonly route: string;
  /** Path below the project, as fault rules match it. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly run: Run;
}

interface Compiled {
  readonly route: string;
  readonly pattern: RegExp;
  readonly run: Run;
}

const compiled = (table: Readonly<Record<string, Run>>): readonly Compiled[] =>
  Object.entries(table).map(([route, run]) => {
    const source = route.replaceAll(/:(\w+)/gu, '(?<$1>[^/]+)');
    return { route, pattern: new RegExp(`^${source}$`, 'u'), run };
  });

const COMPUTE_ROUTES = compiled(COMPUTE);
const BILLING_ROUTES = compiled(BILLING);

/** The route of a call, and the project that its path names; null when there is none. */
export function routeOf(method: string, pathname: string): Routed | null {
  const compute = /^\/compute\/v1\/projects\/([^/]+)(.*)$/u.exec(pathname);
  const [project = '', path = ''] = compute === null ? ['', pathname.replace(/^\/v1/u, '')] : compute.slice(1);
  const wanted = `${method} ${decodeURIComponent(path)}`;
  for (const { route, pattern, run } of compute === null ? BILLING_ROUTES : COMPUTE_ROUTES) {
    const match = pattern.exec(wanted);
    if (match !== null) return { route, path, params: { project: decodeURIComponent(project), ...match.groups }, run };
  }
  return null;
}
