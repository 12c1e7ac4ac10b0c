/**
 * Calls on what a machine needs before it is made: a resource group, a subnet and a security group, which all share, and an address and a
 * network interface of its own.
 */
import { z } from 'zod';
import { isProviderError, nullIfGone, providerError } from '../../errors.ts';
import { command, getResource, listResources, resourcePath, write } from '../http/arm.ts';
import { shortPath } from '../http/refusal.ts';
import type { AzureTransport } from '../http/transport.ts';
import type { GroupedName } from '../settings.ts';
import { nullableText, reference, tags, text } from './fields.ts';

const NETWORKS = 'Microsoft.Network/virtualNetworks';
const SECURITY_GROUPS = 'Microsoft.Network/networkSecurityGroups';
const ADDRESSES = 'Microsoft.Network/publicIPAddresses';
const INTERFACES = 'Microsoft.Network/networkInterfaces';

const pieceSchema = z.object({
  id: z.string().min(1),
  properties: z.object({ provisioningState: text }).catch({ provisioningState: '' }),
});

type Piece = z.infer<typeof pieceSchema>;

/** Pieces of a network are ready after a second or some; this is how long they are waited for. */
const MOST_LOOKS = 20;
const LOOK_EVERY_MS = 1_000;

/**
 * Puts a piece of a network and waits until it is ready: what refers to it earlier is refused. This costs seconds and no one could do
 * anything else meanwhile; a machine, which takes minutes, is never waited for.
 *
 * @returns its id
 * @throws DeckhandError `provider_not_yet` when it is not ready after a while
 */
async function putPiece(http: AzureTransport, path: string, body: unknown): Promise<string> {
  const put = (): Promise<Piece> => write(http, { kind: 'change', method: 'PUT', path, body }, pieceSchema);
  let piece: Piece | null = null;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    if (looks > 0) await http.wait(LOOK_EVERY_MS);
    // What it refers to may not be ready yet, and an earlier one of its name not be gone yet.
    piece = piece === null ? await put().catch(nullIfNotYet) : await getResource(http, path, pieceSchema);
    const state = piece?.properties.provisioningState;
    if (piece !== null && (state === 'Succeeded' || state === '')) return piece.id;
    if (state === 'Failed') throw providerError('transient', `${shortPath(path)} could not be made`);
  }
  throw providerError('not_yet', `${shortPath(path)} is not ready yet`);
}

function nullIfNotYet(error: unknown): null {
  if (!isProviderError(error, 'not_yet')) throw error;
  return null;
}

/** Finds or makes a resource group. */
export async function ensureGroup(http: AzureTransport, name: string, location: string): Promise<void> {
  const path = `/subscriptions/${http.subscriptionId}/resourcegroups/${encodeURIComponent(name)}`;
  const found = await nullIfGone(() => getResource(http, path, z.object({ id: z.string().min(1) })));
  if (found === null) await write(http, { kind: 'change', method: 'PUT', path, body: { location } }, z.unknown());
}

const SSH_RULE = {
  name: 'ssh',
  properties: {
    priority: 1000,
    direction: 'Inbound',
    access: 'Allow',
    protocol: 'Tcp',
    sourceAddressPrefix: '*',
    sourcePortRange: '*',
    destinationAddressPrefix: '*',
    destinationPortRange: '22',
  },
} as const;

const ruleSchema = z.object({
  properties: z
    .object({ direction: text, access: text, destinationPortRange: text })
    .catch({ direction: '', access: '', destinationPortRange: '' }),
});
const groupSchema = z.object({
  id: z.string().min(1),
  properties: z.object({ securityRules: z.array(ruleSchema).catch([]) }).catch({ securityRules: [] }),
});

/** Finds or makes the security group of a location that allows SSH and nothing else. May run several times at once. @returns its id */
export async function ensureSecurityGroup(
  http: AzureTransport,
  { resourceGroup, name }: GroupedName,
  location: string,
): Promise<string> {
  const path = resourcePath(http, resourceGroup, SECURITY_GROUPS, name);
  const found = await nullIfGone(() => getResource(http, path, groupSchema));
  const isOpen = (found?.properties.securityRules ?? []).some(
    ({ properties: rule }) =>
      rule.direction === 'Inbound' && rule.access === 'Allow' && rule.destinationPortRange === '22',
  );
  if (found !== null && isOpen) return found.id;
  return putPiece(http, path, { location, properties: { securityRules: [SSH_RULE] } });
}

const SUBNET = 'machines';

const networkSchema = z.object({
  id: z.string().min(1),
  properties: z.object({
    subnets: z.array(z.object({ id: z.string().min(1), name: text })),
  }),
});

/** Finds or makes the virtual network of a location with its one subnet. May run several times at once. @returns the subnet's id */
export async function ensureSubnet(
  http: AzureTransport,
  { resourceGroup, name }: GroupedName,
  location: string,
): Promise<string> {
  const path = resourcePath(http, resourceGroup, NETWORKS, name);
  const found = await nullIfGone(() => getResource(http, path, networkSchema));
  const subnet = found?.properties.subnets.find((one) => one.name === SUBNET) ?? found?.properties.subnets[0];
  if (subnet !== undefined) return subnet.id;
  const properties = {
    addressSpace: { addressPrefixes: ['10.20.0.0/16'] },
    subnets: [{ name: SUBNET, properties: { addressPrefix: '10.20.0.0/17' } }],
  };
  const id = await putPiece(http, path, { location, properties });
  return `${id}/subnets/${SUBNET}`;
}

/** Names of the network pieces of a machine: they follow from its own, so that each is found again. */
export const addressNameOf = (machine: string): string => `${machine}-ip`;
const interfaceNameOf = (machine: string): string => `${machine}-nic`;

/** What the network of a machine is made of. */
export interface MachineNetwork {
  readonly resourceGroup: string;
  readonly machine: string;
  readonly location: string;
  readonly subnetId: string;
  readonly securityGroupId: string;
  /** In Azure's form. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Makes the address and the network interface of a machine; both go with it when it ends. May be repeated. @returns the interface's id */
export async function makeMachineNetwork(
  http: AzureTransport,
  { resourceGroup, machine, location, subnetId, securityGroupId, tags: own }: MachineNetwork,
): Promise<string> {
  const addressId = await putPiece(http, resourcePath(http, resourceGroup, ADDRESSES, addressNameOf(machine)), {
    location,
    tags: own,
    sku: { name: 'Standard' },
    properties: { publicIPAllocationMethod: 'Static', publicIPAddressVersion: 'IPv4' },
  });
  return putPiece(http, resourcePath(http, resourceGroup, INTERFACES, interfaceNameOf(machine)), {
    location,
    tags: own,
    properties: {
      networkSecurityGroup: { id: securityGroupId },
      ipConfigurations: [
        {
          name: 'primary',
          properties: {
            primary: true,
            privateIPAllocationMethod: 'Dynamic',
            subnet: { id: subnetId },
            publicIPAddress: { id: addressId, properties: { deleteOption: 'Delete' } },
          },
        },
      ],
    },
  });
}

/** So often an address is tried to be removed, whose interface needs a moment to be gone. */
const MOST_REMOVALS = 5;

/** Removes both. What hangs on something else for longer is left to the reaper. */
export async function removeMachineNetwork(http: AzureTransport, { resourceGroup, name }: GroupedName): Promise<void> {
  /** False = something still hangs on it. */
  const remove = (type: string, piece: string): Promise<boolean> =>
    command(http, 'DELETE', resourcePath(http, resourceGroup, type, piece)).then(
      () => true,
      (error: unknown) => {
        if (!isProviderError(error, 'gone', 'not_yet')) throw error;
        return isProviderError(error, 'gone');
      },
    );
  if (!(await remove(INTERFACES, interfaceNameOf(name)))) return;
  for (let tried = 1; !(await remove(ADDRESSES, addressNameOf(name))) && tried < MOST_REMOVALS; tried += 1)
    await http.wait(LOOK_EVERY_MS);
}

const addressSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  tags,
  properties: z
    .object({ ipAddress: nullableText, ipConfiguration: reference })
    .catch({ ipAddress: null, ipConfiguration: null }),
});

/** A public address as Azure describes it. */
export type AddressData = z.infer<typeof addressSchema>;

/** All public addresses of the subscription. */
export const listAddresses = (http: AzureTransport): Promise<readonly AddressData[]> =>
  listResources(http, resourcePath(http, null, ADDRESSES), addressSchema);

/** The public address of a machine of ours. @throws DeckhandError `provider_gone` where there is none */
export const getAddress = (http: AzureTransport, { resourceGroup, name }: GroupedName): Promise<AddressData> =>
  getResource(http, resourcePath(http, resourceGroup, ADDRESSES, addressNameOf(name)), addressSchema);

const interfaceSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  tags,
  properties: z.object({ virtualMachine: reference }).catch({ virtualMachine: null }),
});

/** All network interfaces of the subscription, each with the machine that it belongs to. */
export const listInterfaces = (http: AzureTransport): Promise<readonly z.infer<typeof interfaceSchema>[]> =>
  listResources(http, resourcePath(http, null, INTERFACES), interfaceSchema);

/** Machine whose name a piece has; null for a piece that no machine of ours would have. */
export const machineOfPiece = (piece: string): string | null =>
  piece.endsWith('-ip')
    ? piece.slice(0, -'-ip'.length)
    : piece.endsWith('-nic')
      ? piece.slice(0, -'-nic'.length)
      : null;

/** Removes a piece by its own id. @throws DeckhandError `provider_not_yet` while something hangs on it, `provider_gone` */
export const removePiece = (http: AzureTransport, { resourceGroup, name }: GroupedName): Promise<void> =>
  command(http, 'DELETE', resourcePath(http, resourceGroup, name.endsWith('-ip') ? ADDRESSES : INTERFACES, name));
