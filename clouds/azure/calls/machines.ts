/**
 * Calls on virtual machines.
 */
import { z } from 'zod';
import { nullIfGone, providerError } from '../../errors.ts';
import type { CreateInstanceRequest } from '../../provider.ts';
import { command, getResource, listResources, resourcePath, write } from '../http/arm.ts';
import type { RefusedOffer } from '../http/classify.ts';
import { refusalCode } from '../../http/refused.ts';
import type { AzureTransport } from '../http/transport.ts';
import type { GroupedName } from '../settings.ts';
import { nullableTime, reference, tags, taggedAs, text } from './fields.ts';

const MACHINES = 'Microsoft.Compute/virtualMachines';

const statuses = z.array(z.object({ code: text, message: text })).catch([]);

const machineSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  location: text,
  tags,
  properties: z
    .object({
      hardwareProfile: z.object({ vmSize: text }).catch({ vmSize: '' }),
      provisioningState: text,
      priority: text,
      timeCreated: nullableTime,
      storageProfile: z
        .object({
          osDisk: z
            .object({ name: text, createOption: text, managedDisk: reference, deleteOption: text })
            .catch({ name: '', createOption: '', managedDisk: null, deleteOption: '' }),
          dataDisks: z.array(z.object({ managedDisk: reference })).catch([]),
        })
        .catch({ osDisk: { name: '', createOption: '', managedDisk: null, deleteOption: '' }, dataDisks: [] }),
      instanceView: z.object({ statuses }).catch({ statuses: [] }),
    })
    .catch({
      hardwareProfile: { vmSize: '' },
      provisioningState: '',
      priority: '',
      timeCreated: null,
      storageProfile: {
        osDisk: { name: '', createOption: '', managedDisk: null, deleteOption: '' },
        dataDisks: [],
      },
      instanceView: { statuses: [] },
    }),
});

/** A machine as Azure describes it. */
export type MachineData = z.infer<typeof machineSchema>;

/**
 * All machines of the subscription, with what each is doing. The list that says what they are does not say what they do, and the other way
 * round: both are read, and a machine that is in one of them only is as the one says.
 */
export async function listMachines(http: AzureTransport): Promise<readonly MachineData[]> {
  const path = resourcePath(http, null, MACHINES);
  const [machines, doing] = await Promise.all([
    listResources(http, path, machineSchema),
    listResources(http, path, statusSchema, { statusOnly: 'true' }),
  ]);
  const viewOf = new Map(doing.map(({ id, properties }) => [id.toLowerCase(), properties.instanceView]));
  return machines.map((machine) => {
    const instanceView = viewOf.get(machine.id.toLowerCase()) ?? machine.properties.instanceView;
    return { ...machine, properties: { ...machine.properties, instanceView } };
  });
}

const statusSchema = z.object({
  id: z.string().min(1),
  properties: z.object({ instanceView: z.object({ statuses }) }).catch({ instanceView: { statuses: [] } }),
});

const pathOf = (http: AzureTransport, { resourceGroup, name }: GroupedName): string =>
  resourcePath(http, resourceGroup, MACHINES, name);

/** One machine with what it does. @throws DeckhandError `provider_gone` for one that is not there (any more) */
export const getMachine = (http: AzureTransport, machine: GroupedName): Promise<MachineData> =>
  getResource(http, pathOf(http, machine), machineSchema, { $expand: 'instanceView' });

/** What a create needs beside the request. */
export interface LaunchPlace {
  readonly resourceGroup: string;
  /** `publisher:offer:sku:version`, or an id. */
  readonly image: string;
  readonly interfaceId: string;
  /** Azure's id of the disk to boot; null = a new one from the image. */
  readonly osDiskId: string | null;
}

/** Azure takes this many bytes of a script before they are encoded. */
const MOST_CUSTOM_DATA_BYTES = 65_535;

/** Azure takes no `root`. The startup script, which runs as root, lets our key in there. */
const ADMIN = 'ubuntu';

/**
 * Makes a machine, once: a name that a machine has already is refused, so that one which exists is never changed. The machine that an earlier
 * request of the same content made is taken for this one's.
 *
 * @throws DeckhandError `provider_transient` = whether it was made is unknown; `provider_config` for a script that is too long
 */
export async function makeMachine(
  http: AzureTransport,
  request: CreateInstanceRequest,
  place: LaunchPlace,
  offer: RefusedOffer,
): Promise<void> {
  const { hostname, instanceType } = request;
  const path = pathOf(http, { resourceGroup: place.resourceGroup, name: hostname });
  const body = launchBody(request, place);
  const headers = { 'If-None-Match': '*' };
  try {
    await write(http, { kind: 'create', method: 'PUT', path, body, headers, offer }, z.unknown());
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    const there = await machineSoon(http, { resourceGroup: place.resourceGroup, name: hostname });
    if (there === null) throw error;
    const isSame =
      there.properties.hardwareProfile.vmSize.toLowerCase() === instanceType.toLowerCase() &&
      Object.entries(body.tags).every(([key, value]) => there.tags[key] === value);
    if (!isSame) throw providerError('transient', `there is another machine of the name ${hostname}`, { cause: error });
  }
}

/** Reads may be some seconds behind: a machine whose name is taken is looked for this often. */
const MOST_LOOKS = 8;
const LOOK_EVERY_MS = 1_000;

/** The machine of a name; null = it cannot be seen within some seconds. */
async function machineSoon(http: AzureTransport, machine: GroupedName): Promise<MachineData | null> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (looks > 0) await http.wait(LOOK_EVERY_MS);
    const found = await nullIfGone(() => getMachine(http, machine));
    if (found !== null) return found;
  }
  return null;
}

const TAKEN: ReadonlySet<string> = new Set(['PreconditionFailed', 'ResourceAlreadyExists', 'PropertyChangeNotAllowed']);
const isNameTaken = (error: unknown): boolean => TAKEN.has(refusalCode(error) ?? '');

function launchBody(
  { hostname, market, instanceType, location, tags: own, boot }: CreateInstanceRequest,
  place: LaunchPlace,
) {
  return {
    location,
    tags: taggedAs(own),
    properties: {
      hardwareProfile: { vmSize: instanceType },
      storageProfile: storageOf(boot, place),
      networkProfile: {
        networkInterfaces: [{ id: place.interfaceId, properties: { primary: true, deleteOption: 'Delete' } }],
      },
      ...(boot.kind === 'image' ? { osProfile: accessOf(hostname, boot) } : {}),
      // A machine that is taken back is replaced. Deallocated instead, it would go on costing its disk and its place in the quota, and look like
      // one that was put to sleep.
      ...(market === 'spot'
        ? { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } }
        : { priority: 'Regular' }),
    },
  };
}

type Boot = CreateInstanceRequest['boot'];

/** The disk stays when its machine ends unless it is told otherwise: it may be the one thing that is kept. */
const storageOf = (boot: Boot, { image, osDiskId }: LaunchPlace): unknown =>
  boot.kind === 'image'
    ? {
        imageReference: imageReference(image),
        osDisk: {
          name: boot.osVolumeName,
          createOption: 'FromImage',
          diskSizeGB: boot.osVolumeGib,
          caching: 'ReadWrite',
          managedDisk: { storageAccountType: 'Premium_LRS' },
          deleteOption: 'Detach',
        },
      }
    : { osDisk: { createOption: 'Attach', osType: 'Linux', managedDisk: { id: osDiskId }, deleteOption: 'Detach' } };

function imageReference(image: string): Readonly<Record<string, string>> {
  if (/^\/communityGalleries\//iu.test(image)) return { communityGalleryImageId: image };
  if (/^\/sharedGalleries\//iu.test(image)) return { sharedGalleryImageId: image };
  if (image.startsWith('/')) return { id: image };
  const [publisher = '', offer = '', sku = '', version = ''] = image.split(':');
  return { publisher, offer, sku, version };
}

function accessOf(hostname: string, { sshKey, startupScript }: Extract<Boot, { kind: 'image' }>): unknown {
  return {
    computerName: hostname,
    adminUsername: ADMIN,
    linuxConfiguration: {
      disablePasswordAuthentication: true,
      ssh: { publicKeys: [{ path: `/home/${ADMIN}/.ssh/authorized_keys`, keyData: sshKey.text }] },
    },
    ...(startupScript === null ? {} : { customData: customData(startupScript.text) }),
  };
}

/** The script as Azure takes it. @throws DeckhandError `provider_config` when it is too long */
export function customData(script: string): string {
  const bytes = Buffer.from(script, 'utf8');
  if (bytes.length <= MOST_CUSTOM_DATA_BYTES) return bytes.toString('base64');
  throw providerError('config', `the startup script has ${bytes.length} bytes; Azure takes ${MOST_CUSTOM_DATA_BYTES}`);
}

/** Ends the place on its host, too: one that is only shut down costs what a running one costs. */
export const deallocateMachine = (http: AzureTransport, machine: GroupedName): Promise<void> =>
  command(http, 'POST', `${pathOf(http, machine)}/deallocate`);

export const startMachine = (http: AzureTransport, machine: GroupedName): Promise<void> =>
  command(http, 'POST', `${pathOf(http, machine)}/start`);

export const removeMachine = (http: AzureTransport, machine: GroupedName): Promise<void> =>
  command(http, 'DELETE', pathOf(http, machine));

const change = (http: AzureTransport, machine: GroupedName, properties: unknown): Promise<void> =>
  write(http, { kind: 'change', method: 'PATCH', path: pathOf(http, machine), body: { properties } }, z.unknown()).then(
    () => undefined,
  );

/** Gives a deallocated machine another size. @throws DeckhandError `provider_capacity` and others */
export const resizeMachine = (http: AzureTransport, machine: GroupedName, vmSize: string): Promise<void> =>
  change(http, machine, { hardwareProfile: { vmSize } });

/** Makes the system disk go with the machine when it ends. */
export const markDiskForEnd = (http: AzureTransport, machine: GroupedName): Promise<void> =>
  change(http, machine, { storageProfile: { osDisk: { deleteOption: 'Delete' } } });
