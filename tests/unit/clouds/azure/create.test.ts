/**
 * How a machine is made at Azure: its network first, then itself, once; and what a create that is refused leaves.
 */
import { describe, expect, it } from 'vitest';
import { customData } from '../../../../clouds/azure/calls/machines.ts';
import { providerErrorOf } from '../../../../clouds/errors.ts';
import { partOf } from '../../../../clouds/parts.ts';
import type { ImageRequest } from '../../../../clouds/provider.ts';
import { virtualClock } from '../scripted-api.ts';
import {
  idOf,
  NETWORK,
  piece,
  PREPARATION,
  providerOf,
  refusal,
  requestOf,
  scriptedAzure,
  type AzureScript,
  type ScriptedAzure,
} from './scripted-azure.ts';

const MACHINE = 'virtualMachines/dh-abc1-visual-1-1';
const ID = 'azure/deckhand-abc1/dh-abc1-visual-1-1';
const accepted: AzureScript = { [`PUT ${MACHINE}`]: () => ({ status: 201, body: { name: 'x' } }) };
const create = (api: ScriptedAzure, change: Partial<ImageRequest> = {}, preparation = PREPARATION) =>
  providerOf(api).createInstance(requestOf(change), preparation);
const bodyOf = (api: ScriptedAzure, route: string): unknown => JSON.parse(api.of(route)[0]?.text ?? 'null');

describe('a create', () => {
  it('makes address and network interface, then the machine, each with its tags and under names that follow from its own', async () => {
    const api = await scriptedAzure({ ...NETWORK, ...accepted });
    expect(await create(api)).toBe(ID);
    expect(api.seen.filter(({ route }) => route !== 'POST token').map(({ route }) => route)).toEqual([
      'PUT publicIPAddresses/dh-abc1-visual-1-1-ip',
      'PUT networkInterfaces/dh-abc1-visual-1-1-nic',
      `PUT ${MACHINE}`,
    ]);
    const tags = { 'deckhand:instance': 'visual-1', 'deckhand:intent': 'visual-1/1' };
    expect(bodyOf(api, 'PUT networkInterfaces/*')).toMatchObject({
      location: 'northeurope',
      tags,
      properties: {
        networkSecurityGroup: { id: PREPARATION.securityGroupId },
        ipConfigurations: [
          {
            properties: {
              subnet: { id: PREPARATION.subnetId },
              publicIPAddress: {
                id: idOf('Microsoft.Network/publicIPAddresses', 'ip'),
                properties: { deleteOption: 'Delete' },
              },
            },
          },
        ],
      },
    });
    expect(bodyOf(api, `PUT ${MACHINE}`)).toEqual({
      location: 'northeurope',
      tags,
      properties: {
        hardwareProfile: { vmSize: 'Standard_NC24ads_A100_v4' },
        storageProfile: {
          imageReference: { publisher: 'microsoft-dsvm', offer: 'ubuntu-hpc', sku: '2204', version: 'latest' },
          osDisk: {
            name: 'dh-abc1-visual-1-1-os',
            createOption: 'FromImage',
            diskSizeGB: 100,
            caching: 'ReadWrite',
            managedDisk: { storageAccountType: 'Premium_LRS' },
            deleteOption: 'Detach',
          },
        },
        networkProfile: {
          networkInterfaces: [
            {
              id: idOf('Microsoft.Network/networkInterfaces', 'nic'),
              properties: { primary: true, deleteOption: 'Delete' },
            },
          ],
        },
        osProfile: {
          computerName: 'dh-abc1-visual-1-1',
          adminUsername: 'ubuntu',
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: { publicKeys: [{ path: '/home/ubuntu/.ssh/authorized_keys', keyData: 'ssh-ed25519 AAAA test' }] },
          },
          customData: Buffer.from('#!/bin/sh\ntrue\n').toString('base64'),
        },
        priority: 'Regular',
      },
    });
    expect(api.of(`PUT ${MACHINE}`)[0]?.headers['if-none-match']).toBe('*');
  });

  it('on the spot market is evicted by deletion, at any price', async () => {
    const api = await scriptedAzure({ ...NETWORK, ...accepted });
    await create(api, { market: 'spot' });
    expect(bodyOf(api, `PUT ${MACHINE}`)).toMatchObject({
      properties: { priority: 'Spot', evictionPolicy: 'Delete', billingProfile: { maxPrice: -1 } },
    });
  });

  it('from a kept disk brings neither key nor script', async () => {
    const api = await scriptedAzure({ ...NETWORK, ...accepted });
    const boot = { kind: 'volume', osVolumeId: 'azure/deckhand-abc1/kept' } as const;
    const preparation = { ...PREPARATION, image: '', osDiskId: idOf('Microsoft.Compute/disks', 'kept') };
    await partOf(providerOf(api), 'keptDisks').createInstance({ ...requestOf(), boot }, preparation);
    const { properties } = bodyOf(api, `PUT ${MACHINE}`) as { readonly properties: Record<string, unknown> };
    expect(properties['osProfile']).toBeUndefined();
    expect(properties['storageProfile']).toEqual({
      osDisk: {
        createOption: 'Attach',
        osType: 'Linux',
        managedDisk: { id: idOf('Microsoft.Compute/disks', 'kept') },
        deleteOption: 'Detach',
      },
    });
  });

  it('waits for its address, which is ready after a moment, and for nothing else', async () => {
    const clock = virtualClock();
    const updating = { body: { id: 'ip', properties: { provisioningState: 'Updating' } } };
    const api = await scriptedAzure({
      ...NETWORK,
      ...accepted,
      'PUT publicIPAddresses/*': () => updating,
      'GET publicIPAddresses/*': (_call, nth) => (nth < 3 ? updating : piece('publicIPAddresses', 'ip')),
    });
    const before = clock.now();
    await providerOf(api, clock).createInstance(requestOf(), PREPARATION);
    expect(clock.now() - before).toBe(3_000);
    expect(api.of(`GET ${MACHINE}`)).toEqual([]);
  });
});

describe('a create that is refused', () => {
  it('waits a moment for its address, which goes after its interface', async () => {
    const api = await scriptedAzure({
      ...NETWORK,
      'DELETE publicIPAddresses/*': (_call, nth) =>
        nth < 3 ? refusal('PublicIPAddressCannotBeDeleted', 'in use', 400) : { status: 202 },
      [`PUT ${MACHINE}`]: () => refusal('SkuNotAvailable', 'sold out'),
    });
    const clock = virtualClock();
    const before = clock.now();
    const made = providerOf(api, clock).createInstance(requestOf(), PREPARATION);
    await expect(made).rejects.toMatchObject({ code: 'provider_capacity' });
    expect(clock.now() - before).toBe(2_000);
    expect(api.of('DELETE publicIPAddresses/*')).toHaveLength(3);
  });

  it('keeps its network where it is not known whether the machine was made', async () => {
    const api = await scriptedAzure({ ...NETWORK, [`PUT ${MACHINE}`]: () => ({ drop: true }) });
    const error: unknown = await create(api).catch((thrown: unknown) => thrown);
    expect(providerErrorOf(error).errorClass).toBe('transient');
    expect(api.of('DELETE networkInterfaces/*')).toEqual([]);
    expect(api.of(`PUT ${MACHINE}`)).toHaveLength(1);
  });

  it('before the machine was asked for is no unknown outcome', async () => {
    const api = await scriptedAzure({ ...NETWORK, 'PUT networkInterfaces/*': () => ({ status: 500, body: 'no' }) });
    const error: unknown = await create(api).catch((thrown: unknown) => thrown);
    expect(providerErrorOf(error).errorClass).toBe('not_yet');
    expect(api.of(`PUT ${MACHINE}`)).toEqual([]);
    expect(api.of('DELETE publicIPAddresses/*')).toHaveLength(1);
  });

  it('keeps its own error where its network cannot be removed', async () => {
    const api = await scriptedAzure({
      ...NETWORK,
      'DELETE networkInterfaces/*': () => refusal('NicReservedForAnotherVm', 'reserved for 180 seconds', 400),
      'DELETE publicIPAddresses/*': () => refusal('AuthorizationFailed', 'no', 403),
      [`PUT ${MACHINE}`]: () => refusal('AllocationFailed', 'no place'),
    });
    await expect(create(api)).rejects.toThrow('AllocationFailed: no place');
  });
});

describe('a name that a machine has already', () => {
  const taken = refusal('PreconditionFailed', 'it exists', 412);
  const there = (vmSize: string, tags: object) => () => ({
    body: {
      id: idOf('Microsoft.Compute/virtualMachines', 'm'),
      name: 'm',
      tags,
      properties: { hardwareProfile: { vmSize } },
    },
  });
  const TAGS = { 'deckhand:instance': 'visual-1', 'deckhand:intent': 'visual-1/1' };

  it('the same create gets its machine, whose size Azure writes in any case', async () => {
    const api = await scriptedAzure({
      ...NETWORK,
      [`PUT ${MACHINE}`]: () => taken,
      [`GET ${MACHINE}`]: there('standard_nc24ads_a100_v4', TAGS),
    });
    expect(await create(api)).toBe(ID);
  });

  it.each([
    ['another size', there('Standard_NC4as_T4_v3', TAGS)],
    ['another create', there('Standard_NC24ads_A100_v4', { ...TAGS, 'deckhand:intent': 'visual-1/7' })],
    ['none any more', () => refusal('ResourceNotFound', 'gone', 404)],
  ])('is looked for when it is that of %s', async (_what, answer) => {
    const api = await scriptedAzure({ ...NETWORK, [`PUT ${MACHINE}`]: () => taken, [`GET ${MACHINE}`]: answer });
    const error: unknown = await create(api).catch((thrown: unknown) => thrown);
    expect(providerErrorOf(error).errorClass).toBe('transient');
    expect(api.of('DELETE networkInterfaces/*')).toEqual([]);
  });
});

describe('a preparation', () => {
  it('makes group, network and security group where they are missing, and buys nothing', async () => {
    const missing = () => refusal('ResourceNotFound', 'no', 404);
    const api = await scriptedAzure({
      'GET resourcegroups/*': () => refusal('ResourceGroupNotFound', 'no', 404),
      'PUT resourcegroups/*': () => ({ status: 201, body: { id: 'g' } }),
      'GET virtualNetworks/*': missing,
      'PUT virtualNetworks/*': () => piece('virtualNetworks', 'v'),
      'GET networkSecurityGroups/*': missing,
      'PUT networkSecurityGroups/*': () => piece('networkSecurityGroups', 's'),
    });
    expect(await providerOf(api).prepareCreate(requestOf())).toEqual({
      image: 'microsoft-dsvm:ubuntu-hpc:2204:latest',
      osDiskId: '',
      subnetId: `${idOf('Microsoft.Network/virtualNetworks', 'v')}/subnets/machines`,
      securityGroupId: idOf('Microsoft.Network/networkSecurityGroups', 's'),
    });
    expect(bodyOf(api, 'PUT networkSecurityGroups/*')).toMatchObject({
      properties: {
        securityRules: [{ properties: { direction: 'Inbound', destinationPortRange: '22', protocol: 'Tcp' } }],
      },
    });
  });

  it.each([
    ['a location that the fleet does not name', { location: 'eastus' }],
    ['a host name that is none', { hostname: 'No_Name' }],
    ['an image that is none', { boot: { ...requestOf().boot, kind: 'image', image: 'ubuntu' } }],
  ] as const)('refuses %s before anything is sent', async (_what, change) => {
    const api = await scriptedAzure({});
    const request = requestOf(change as Partial<ImageRequest>);
    await expect(providerOf(api).prepareCreate(request)).rejects.toMatchObject({ code: 'provider_config' });
    expect(api.seen).toEqual([]);
  });

  it('refuses a kept disk of another location', async () => {
    const api = await scriptedAzure({
      'GET disks/*': () => ({ body: { id: idOf('Microsoft.Compute/disks', 'd'), name: 'd', location: 'westus' } }),
    });
    const boot = { kind: 'volume', osVolumeId: 'azure/deckhand-abc1/d' } as const;
    const request = { ...requestOf(), boot };
    await expect(partOf(providerOf(api), 'keptDisks').prepareCreate(request)).rejects.toThrow(
      'is in westus, not in northeurope',
    );
  });
});

it('a script that is too long is refused', () => {
  expect(customData('x'.repeat(65_535))).toHaveLength(87_380);
  expect(() => customData('é'.repeat(40_000))).toThrow('the startup script has 80000 bytes; Azure takes 65535');
});
