/**
 * Calls on instances.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { CreateInstanceRequest } from '../../provider.ts';
import type { RefusedOffer } from '../http/classify.ts';
import {
  flag,
  get,
  getAggregated,
  labels,
  listOf,
  nameInUrl,
  nullableText,
  nullableTime,
  number,
  text,
  zonalPath,
} from '../http/reading.ts';
import type { RefusedCall } from '../http/refusal.ts';
import type { GoogleCall, GoogleTransport } from '../http/transport.ts';
import { toLabels } from '../labels.ts';
import type { ZonalId } from '../settings.ts';
import { diskTypeOf, readType, typeName } from '../types.ts';
import { ended, sendOperation, settled } from './operations.ts';

const diskSchema = z.object({ source: text, boot: flag, deviceName: text, autoDelete: flag });

const fieldsSchema = z.object({
  name: z.string().min(1),
  status: text,
  statusMessage: text,
  machineType: nameInUrl,
  guestAccelerators: listOf(z.object({ acceleratorType: nameInUrl, acceleratorCount: number })),
  zone: nameInUrl,
  scheduling: z
    .object({ provisioningModel: text, preemptible: flag })
    .catch({ provisioningModel: '', preemptible: false }),
  networkInterfaces: listOf(
    z.object({ networkIP: nullableText, accessConfigs: listOf(z.object({ natIP: nullableText })) }),
  ),
  disks: listOf(diskSchema),
  labels,
  metadata: z.object({ items: listOf(z.object({ key: text, value: text })) }).catch({ items: [] }),
  creationTimestamp: nullableTime,
});

const instanceSchema = fieldsSchema.transform(({ machineType, guestAccelerators, ...fields }) => ({
  ...fields,
  instanceType: typeName(machineType, guestAccelerators),
}));

/** An instance as Compute Engine describes it, with its type as it is named here. */
export type InstanceData = z.infer<typeof instanceSchema>;

/** Instances of the whole project. */
export const listInstances = (http: GoogleTransport): Promise<readonly InstanceData[]> =>
  getAggregated(http, 'instances', instanceSchema);

/** One instance. @throws DeckhandError `provider_gone` for a name that its zone does not have (any more) */
export const getInstance = (http: GoogleTransport, at: ZonalId): Promise<InstanceData> =>
  get(http, zonalPath(http, 'instances', at), instanceSchema);

/** What a create needs beside the request. */
export interface LaunchPlace {
  readonly zone: string;
  /** URLs below the API, such as `global/networks/default`; the subnetwork '' = the network's own. */
  readonly network: string;
  readonly subnetwork: string;
  /** Tag that the firewall rule is for. */
  readonly networkTag: string;
  /** Of a first boot: the image, and at least its size. */
  readonly image: string;
  readonly osVolumeGib: number;
  /** Of a wake: the name of the disk. */
  readonly disk: string;
}

/** Longest time in which a create shows whether there is capacity, ms; after that a look at the instance does. */
const CREATE_SETTLES_MS = 15_000;
const CHANGE_SETTLES_MS = 30_000;

/**
 * The request id of a create, in the form of a UUID: the same for the same host name, so that a repetition gets the operation of the first call.
 *
 * @param refusals how many creates under this host name certainly came to nothing; a new one would get the old refusal without a new id
 */
export function requestIdOf(hostname: string, refusals = 0): string {
  const hex = createHash('sha256').update(`deckhand create ${hostname} ${refusals}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Account of the image that gets the key as well. The start script admits it as root. */
const IMAGE_USER = 'ubuntu';

/** The body of an insert. @throws DeckhandError `provider_config` for tags that are too long */
export function launchBody(request: CreateInstanceRequest, place: LaunchPlace): unknown {
  const { zone } = place;
  const { boot, instanceType, market } = request;
  const own = toLabels(request.tags);
  const { machineType, accelerator } = readType(instanceType);
  const disk =
    boot.kind === 'volume'
      ? { source: `zones/${zone}/disks/${place.disk}`, deviceName: place.disk }
      : {
          deviceName: boot.osVolumeName,
          initializeParams: {
            diskName: boot.osVolumeName,
            diskSizeGb: String(place.osVolumeGib),
            diskType: `zones/${zone}/diskTypes/${diskTypeOf(instanceType)}`,
            sourceImage: place.image,
            labels: own,
          },
        };
  const script = boot.kind === 'image' ? boot.startupScript : null;
  const key = boot.kind === 'image' ? boot.sshKey.text : null;
  const items = [
    ...(script === null ? [] : [{ key: 'startup-script', value: script.text }]),
    ...(key === null ? [] : [{ key: 'ssh-keys', value: `${IMAGE_USER}:${key}` }]),
    // Keys of the whole project belong to other people.
    { key: 'block-project-ssh-keys', value: 'TRUE' },
  ];
  return {
    name: request.hostname,
    description: request.description,
    machineType: `zones/${zone}/machineTypes/${machineType}`,
    ...(accelerator === null
      ? {}
      : {
          guestAccelerators: [
            {
              acceleratorType: `zones/${zone}/acceleratorTypes/${accelerator.type}`,
              acceleratorCount: accelerator.count,
            },
          ],
        }),
    // A disk is kept unless its machine is ended with it: one that is taken back leaves the models behind.
    disks: [{ boot: true, autoDelete: false, type: 'PERSISTENT', mode: 'READ_WRITE', ...disk }],
    networkInterfaces: [
      {
        network: place.network,
        ...(place.subnetwork === '' ? {} : { subnetwork: place.subnetwork }),
        // An address for the life of the run: it is given back with the machine, so there is none to sweep.
        accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }],
      },
    ],
    tags: { items: [place.networkTag] },
    labels: own,
    metadata: { items },
    scheduling: {
      // Machines with GPUs cannot move to another host.
      onHostMaintenance: 'TERMINATE',
      automaticRestart: false,
      provisioningModel: market === 'spot' ? 'SPOT' : 'STANDARD',
      ...(market === 'spot' ? { instanceTerminationAction: 'DELETE' } : {}),
    },
    // No account: a machine has no access to the project.
    serviceAccounts: [],
  };
}

/**
 * Makes an instance, once, and waits a little, because a lack of capacity shows in its operation and not in the answer.
 *
 * @throws DeckhandError `provider_transient` = whether it was made is unknown
 */
export async function insertInstance(
  http: GoogleTransport,
  request: CreateInstanceRequest,
  place: LaunchPlace,
  requestId: string,
): Promise<void> {
  const { instanceType } = request;
  const { zone } = place;
  const path = `/projects/${http.project}/zones/${zone}/instances`;
  const offer: RefusedOffer = { zone, instanceType };
  const call: GoogleCall = {
    kind: 'create',
    method: 'POST',
    path,
    query: { requestId },
    body: launchBody(request, place),
    offer,
  };
  const operation = await sendOperation(http, call);
  const refused: RefusedCall = { where: `POST ${path}`, kind: 'create', offer };
  await settled(http, operation, refused, { withinMs: CREATE_SETTLES_MS, looksMayFail: true });
}

function command(
  http: GoogleTransport,
  at: ZonalId,
  action: string,
  more: Pick<GoogleCall, 'query' | 'body'> = {},
): { readonly call: GoogleCall; readonly refused: RefusedCall } {
  const path = `${zonalPath(http, 'instances', at)}${action === '' ? '' : `/${action}`}`;
  const method = action === '' ? 'DELETE' : 'POST';
  return {
    call: { kind: 'change', method, path, ...more },
    refused: { where: `${method} ${path}`, kind: 'change', offer: null },
  };
}

/** Sends a change. @throws DeckhandError when its operation ends at once with an error */
async function change(
  http: GoogleTransport,
  at: ZonalId,
  action: string,
  more?: Pick<GoogleCall, 'query' | 'body'>,
): Promise<void> {
  const { call, refused } = command(http, at, action, more);
  await settled(http, await sendOperation(http, call), refused, { withinMs: 0 });
}

/** Sends a change and waits until it has ended. @throws DeckhandError `provider_not_yet` when it takes too long */
async function changeAndWait(
  http: GoogleTransport,
  at: ZonalId,
  action: string,
  more: Pick<GoogleCall, 'query' | 'body'>,
): Promise<void> {
  const { call, refused } = command(http, at, action, more);
  await ended(http, await sendOperation(http, call), refused, CHANGE_SETTLES_MS);
}

export const stopInstance = (http: GoogleTransport, at: ZonalId): Promise<void> => change(http, at, 'stop');

/** Starts a stopped instance, and waits a little for the word on capacity, which is in its operation. */
export async function startInstance(http: GoogleTransport, at: ZonalId): Promise<void> {
  const { instanceType } = await getInstance(http, at);
  const { call, refused } = command(http, at, 'start');
  const offer: RefusedOffer = { zone: at.zone, instanceType };
  const operation = await sendOperation(http, { ...call, offer });
  await settled(
    http,
    operation,
    { ...refused, kind: 'create', offer },
    {
      withinMs: CREATE_SETTLES_MS,
      looksMayFail: true,
    },
  );
}

/** @throws DeckhandError `provider_not_yet` while it runs */
export const setMachineType = (http: GoogleTransport, at: ZonalId, instanceType: string): Promise<void> =>
  changeAndWait(http, at, 'setMachineType', {
    body: { machineType: `zones/${at.zone}/machineTypes/${readType(instanceType).machineType}` },
  });

/** Says whether a disk goes with the instance when it ends. */
export const setDiskAutoDelete = (
  http: GoogleTransport,
  at: ZonalId,
  deviceName: string,
  autoDelete: boolean,
): Promise<void> => changeAndWait(http, at, 'setDiskAutoDelete', { query: { deviceName, autoDelete } });

export const deleteInstance = (http: GoogleTransport, at: ZonalId): Promise<void> => change(http, at, '');
