/** The body of a machine that is to be made, read and checked. */
import { z } from 'zod';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { SimVolume } from '../../core/state.ts';
import { keyOf, readResourceId, type Call, type Json, type MachineRecord } from '../account.ts';
import { LOCATIONS, sizeNamed, type AzureSize } from '../catalogue.ts';
import { ArmError, invalid } from '../errors.ts';
import { diskNamed } from './disks.ts';
import { findPiece, holderOf } from './network.ts';

/** Sizes that the images need. */
const LEAST_DISK_GIB = 30;
const MOST_CUSTOM_DATA_BYTES = 65_535;

const text = z.string().min(1);
const option = z.enum(['Delete', 'Detach']);

const osDiskSchema = z.looseObject({
  name: text.optional(),
  createOption: z.enum(['FromImage', 'Attach', 'fromImage', 'attach']),
  osType: text.optional(),
  diskSizeGB: z.number().int().positive().optional(),
  caching: text.optional(),
  managedDisk: z.looseObject({ id: text.optional(), storageAccountType: text.optional() }).optional(),
  deleteOption: option.default('Detach'),
});

const bodySchema = z.looseObject({
  location: text,
  tags: z.record(z.string(), z.string()).nullish(),
  zones: z.array(z.string()).optional(),
  properties: z.looseObject({
    hardwareProfile: z.looseObject({ vmSize: text }),
    storageProfile: z.looseObject({
      imageReference: z.record(z.string(), z.unknown()).optional(),
      osDisk: osDiskSchema,
      dataDisks: z.array(z.unknown()).max(0).optional(),
    }),
    osProfile: z
      .looseObject({
        computerName: text.max(64),
        adminUsername: text,
        adminPassword: text.optional(),
        customData: z.string().optional(),
        linuxConfiguration: z
          .looseObject({
            disablePasswordAuthentication: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
            ssh: z.looseObject({ publicKeys: z.array(z.looseObject({ path: text, keyData: text })) }).optional(),
          })
          .optional(),
      })
      .nullish(),
    networkProfile: z.looseObject({
      networkInterfaces: z
        .array(
          z.looseObject({
            id: text,
            properties: z.looseObject({ primary: z.boolean().optional(), deleteOption: option.optional() }).optional(),
          }),
        )
        .min(1),
    }),
    priority: z.enum(['Regular', 'Low', 'Spot']).optional(),
    evictionPolicy: z.enum(['Deallocate', 'Delete']).optional(),
    billingProfile: z.looseObject({ maxPrice: z.number() }).optional(),
  }),
});

type Body = z.infer<typeof bodySchema>;

/** A launch whose body is right. */
export interface Launch {
  readonly location: string;
  readonly size: AzureSize;
  readonly market: Market;
  /** Parts of the call that are kept. */
  readonly ordered: Omit<MachineRecord, 'instanceId' | 'group' | 'name' | 'failure'>;
  /** `existing` null = it is made with the machine. */
  readonly disk: { readonly sizeGib: number; readonly existing: SimVolume | null };
}

/** Reads and checks the body of a PUT. @throws ArmError */
export function launchOf(call: Call, group: string, name: string): Launch {
  const parsed = bodySchema.safeParse(call.body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ArmError(
      'InvalidRequestContent',
      `The request content was invalid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    );
  }
  const body = parsed.data;
  const { properties } = body;
  const location = body.location.toLowerCase().replaceAll(' ', '');
  if (!LOCATIONS.some((one) => one.name === location))
    throw new ArmError(
      'LocationNotAvailableForResourceType',
      `The provided location '${body.location}' is not available for resource type 'Microsoft.Compute/virtualMachines'.`,
    );
  if (body.zones !== undefined) throw new ArmError('InvalidParameter', 'The simulator makes no machines in a zone.');
  const size = sizeNamed(properties.hardwareProfile.vmSize);
  if (size === undefined)
    throw invalid('vmSize', `The value ${properties.hardwareProfile.vmSize} provided for the VM size is not valid.`);
  if (size.restrictedIn.includes(location))
    throw new ArmError(
      'BadRequest',
      `Requested operation cannot be performed because VM size ${size.instanceType} is not supported for subscription ${call.sim.secrets.subscriptionId} in location ${location}.`,
    );
  const market: Market = properties.priority === 'Spot' ? 'spot' : 'ondemand';
  const evictionPolicy = evictionPolicyOf(properties, market);
  const interfaces = interfacesOf(call, properties, location, keyOf(group, name));
  const { disk, ...boot } = bootOf(call, properties, { group, name, location });
  return { location, size, market, disk, ordered: { tags: body.tags ?? {}, evictionPolicy, interfaces, ...boot } };
}

function evictionPolicyOf({ evictionPolicy, billingProfile }: Body['properties'], market: Market): string | null {
  if (market === 'ondemand') {
    if (evictionPolicy !== undefined || billingProfile !== undefined)
      throw invalid('evictionPolicy', 'Eviction policy can be set only on Azure Spot Virtual Machines.');
    return null;
  }
  if (billingProfile !== undefined && billingProfile.maxPrice !== -1 && billingProfile.maxPrice <= 0)
    throw invalid('maxPrice', `The max price ${billingProfile.maxPrice} is not valid.`);
  if (evictionPolicy === 'Deallocate')
    throw new ArmError('InvalidParameter', 'The simulator evicts machines by deleting them only.');
  return evictionPolicy ?? 'Delete';
}

const NIC = 'Microsoft.Network/networkInterfaces';

function interfacesOf(
  call: Call,
  { networkProfile }: Body['properties'],
  location: string,
  machine: string,
): MachineRecord['interfaces'] {
  return networkProfile.networkInterfaces.map(({ id, properties }) => {
    const at = readResourceId(id, NIC);
    const piece = at === null ? null : findPiece(call, 'networkInterfaces', at.group, at.name);
    if (piece === null || piece.goneAtMs !== null)
      throw new ArmError(
        'InvalidResourceReference',
        `Resource ${id} referenced by resource ${machine} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
      );
    if (piece.location !== location)
      throw invalid('networkInterfaces', `The network interface ${id} is in another location.`);
    const holder = holderOf(call, piece);
    if (holder !== null && keyOf(holder.group, holder.name) !== machine)
      throw new ArmError('NicInUse', `Network Interface ${id} is used by existing resource ${holder.name}.`);
    return { id, deleteOption: properties?.deleteOption ?? 'Detach' };
  });
}

interface Place {
  readonly group: string;
  readonly name: string;
  readonly location: string;
}

function bootOf(
  call: Call,
  { storageProfile, osProfile }: Body['properties'],
  { group, name, location }: Place,
): Pick<Launch, 'disk'> & Omit<Launch['ordered'], 'tags' | 'evictionPolicy' | 'interfaces'> {
  const { osDisk, imageReference } = storageProfile;
  const { deleteOption } = osDisk;
  if (osDisk.createOption.toLowerCase() === 'attach') {
    if (osProfile !== null && osProfile !== undefined)
      throw invalid('osProfile', 'OSProfile is not allowed when the OS disk is attached.');
    const at = readResourceId(osDisk.managedDisk?.id ?? '', 'Microsoft.Compute/disks');
    const disk = at === null ? null : diskNamed(call, at.group, at.name);
    if (disk === null) throw new ArmError('NotFound', `Disk ${osDisk.managedDisk?.id ?? ''} is not found.`, 404);
    if (disk.location !== location) throw invalid('osDisk', `Disk ${disk.name} is in another location.`);
    if (disk.status !== 'detached')
      throw new ArmError(
        'ConflictingUserInput',
        `Disk '${disk.name}' cannot be attached as the disk is already owned by another VM.`,
        409,
      );
    return {
      imageReference: null,
      osProfile: null,
      customData: '',
      osDisk: { name: disk.name, createOption: 'Attach', deleteOption },
      disk: { sizeGib: disk.sizeGib, existing: disk },
    };
  }
  if (osProfile === null || osProfile === undefined)
    throw invalid('osProfile', "Required parameter 'osProfile' is missing (null).");
  const { customData = '', adminPassword: _password, ...shown } = osProfile;
  checkAccess(osProfile);
  checkImage(imageReference);
  const sizeGib = osDisk.diskSizeGB ?? LEAST_DISK_GIB;
  if (sizeGib < LEAST_DISK_GIB)
    throw invalid(
      'osDisk.diskSizeGB',
      `The specified disk size ${sizeGib} GB is smaller than the size of the corresponding disk in the VM image: ${LEAST_DISK_GIB} GB.`,
    );
  const diskName = osDisk.name ?? `${name}_OsDisk_1`;
  if (diskNamed(call, group, diskName) !== null)
    throw new ArmError(
      'ConflictingUserInput',
      `Disk ${diskName} already exists in resource group ${group}. Only CreateOption.Attach is supported.`,
      409,
    );
  return {
    imageReference: imageReference ?? null,
    osProfile: shown,
    customData,
    osDisk: { name: diskName, createOption: 'FromImage', deleteOption },
    disk: { sizeGib, existing: null },
  };
}

const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['root', 'admin', 'administrator', 'user', 'test', 'guest']);
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/u;
const KEY = /^(?:ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}(?: .*)?$/u;

function checkAccess({
  adminUsername,
  adminPassword,
  customData = '',
  linuxConfiguration,
}: NonNullable<Body['properties']['osProfile']>): void {
  if (FORBIDDEN_NAMES.has(adminUsername.toLowerCase()))
    throw invalid('adminUsername', `The Admin Username specified is not allowed.`);
  if (!BASE64.test(customData)) throw invalid('customData', 'Custom data in OSProfile must be in Base64 encoding.');
  if (Buffer.from(customData, 'base64').length > MOST_CUSTOM_DATA_BYTES)
    throw invalid('customData', `Custom data in OSProfile is limited to ${MOST_CUSTOM_DATA_BYTES} bytes.`);
  const keys = linuxConfiguration?.ssh?.publicKeys ?? [];
  if (keys.length === 0 && adminPassword === undefined)
    throw invalid(
      'linuxConfiguration',
      'Authentication using either SSH or by user name and password must be enabled.',
    );
  for (const { path, keyData } of keys) {
    if (path !== `/home/${adminUsername}/.ssh/authorized_keys`)
      throw invalid(
        'path',
        `Destination path for SSH public keys is currently limited to its default value /home/${adminUsername}/.ssh/authorized_keys.`,
      );
    if (!KEY.test(keyData.trim()))
      throw invalid('keyData', 'The value of parameter linuxConfiguration.ssh.publicKeys.keyData is invalid.');
  }
}

/** Images that are known: `publisher:offer:sku`. */
const IMAGES: ReadonlySet<string> = new Set([
  'microsoft-dsvm:ubuntu-hpc:2204',
  'microsoft-dsvm:ubuntu-hpc:2404',
  'canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2',
]);

function checkImage(reference: Json | undefined): void {
  const { publisher, offer, sku } = reference ?? {};
  const urn = [publisher, offer, sku].join(':').toLowerCase();
  if (!IMAGES.has(urn))
    throw new ArmError(
      'PlatformImageNotFound',
      `The platform image '${urn}:latest' is not available. Verify that all fields in the storage profile are correct.`,
      404,
    );
}
