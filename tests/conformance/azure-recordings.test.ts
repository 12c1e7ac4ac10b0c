/**
 * Answers of Azure that others recorded (the fixtures of Apache libcloud, which its package brings along) to the Azure provider: what it makes of
 * each.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AZURE } from '../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../clouds/azure/settings.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { pythonWith } from '../../testing/python-packages.ts';

const SUBSCRIPTION = '99999999-9999-9999-9999-999999999999';
const ALL = '_subscriptions_99999999_providers_';
const GROUP = '_subscriptions_99999999_resourceGroups_000000_providers_';
let folder = '';

beforeAll(async () => {
  const python = await pythonWith('apache-libcloud==3.9.1');
  const installed = path.join(
    path.dirname(python),
    '..',
    'lib/python*/site-packages/libcloud/test/compute/fixtures/azure_arm',
  );
  folder = globSync(installed)[0] ?? '';
}, 120_000);

const recording = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(folder, `${file}.json`), 'utf8')) as Record<string, unknown>;

/** A provider to which answers are given by the end of the path and query. What has none is an empty list. */
function answeredBy(answers: Readonly<Record<string, unknown>>): CloudProvider {
  const token = recording('_77777777_7777_7777_7777_777777777777_oauth2_token');
  return AZURE.open({
    settings: azureSettingsSchema.parse({ locations: ['eastus'] }),
    credentials: { tenantId: 'tenant', clientId: 'client', clientSecret: 'secret', subscriptionId: SUBSCRIPTION },
    installationId: 'abc1',
    fetch: (input) => {
      if (input.startsWith('https://login.microsoftonline.com/')) return Promise.resolve(Response.json(token));
      const found = Object.entries(answers).find(([part]) => input.includes(part))?.[1] ?? { value: [] };
      return Promise.resolve(Response.json(found));
    },
    pause: () => Promise.resolve(),
  });
}

const idIn = (group: string, name: string): string => `azure/${group}/${name}`;

describe('recorded answers of Azure', () => {
  it('describe machines, over all pages of their list', async () => {
    const provider = answeredBy({
      'statusOnly=true': { value: [] },
      // The first page names the second by an address with a port and signs that are not written in codes.
      'skiptoken=': recording(`${ALL}Microsoft_Compute_virtualMachines_1`),
      virtualMachines: recording(`${ALL}Microsoft_Compute_virtualMachines`),
    });
    const found = await provider.listInstances();
    expect(
      found.map(({ id, instanceType, location, market, osVolumeId }) => [
        id,
        instanceType,
        location,
        market,
        osVolumeId,
      ]),
    ).toEqual([
      [idIn('000000', 'test-node-1'), 'Standard_A1', 'eastus', 'ondemand', idIn('000000', 'test-node-disk-1')],
      [idIn('000000', 'test-node-2'), 'Standard_A1', 'eastus', 'ondemand', idIn('000000', 'test-node-disk-2')],
    ]);
  });

  it('are not followed without an end', async () => {
    const endless = recording(`${ALL}Microsoft_Compute_virtualMachines_PAGINATION_INFINITE_LOOP`);
    await expect(answeredBy({ virtualMachines: endless }).listInstances()).rejects.toThrow('have no end');
  });

  it('tell what a machine does by a view of its own', async () => {
    const machine = recording(`${GROUP}Microsoft_Compute_virtualMachines_test_node_1`);
    const instanceView = recording(`${GROUP}Microsoft_Compute_virtualMachines_test_node_1_InstanceView`);
    const properties = machine['properties'] as object;
    const provider = answeredBy({
      'virtualMachines/test_vm': { ...machine, properties: { ...properties, instanceView } },
    });
    expect(await provider.getInstance(idIn('0000', 'test_vm'))).toMatchObject({
      id: idIn('0000', 'test_vm'),
      status: 'running',
      rawStatus: 'Succeeded, running',
      osVolumeId: idIn('000000', 'osd-9999'),
      volumeIds: [idIn('000000', 'osd-9999'), idIn('000000', 'dd0-9999')],
      tags: {},
    });
  });

  it('describe disks, attached and not, over all pages of their list', async () => {
    const provider = answeredBy({
      'skiptoken=': recording(`${ALL}Microsoft_Compute_disks_1`),
      disks: recording(`${ALL}Microsoft_Compute_disks`),
    });
    const disks = await provider.listVolumes();
    expect(disks.slice(0, 3).map(({ id, sizeGib, status, isOsVolume }) => [id, sizeGib, status, isOsVolume])).toEqual([
      [idIn('000000', 'test-disk-1'), 31, 'attached', true],
      [idIn('000000', 'test-disk-2'), 31, 'detached', true],
      [idIn('111111', 'test-disk-3'), 10, 'detached', true],
    ]);
    expect(disks[0]?.createdAtMs).toBe(Date.parse('2017-03-09T10:12:37.025Z'));
    expect(disks.length).toBeGreaterThan(3);
  });

  it('name interfaces and addresses that are in use, which are no leftovers', async () => {
    const provider = answeredBy({
      networkInterfaces: recording(`${ALL}Microsoft_Network_networkInterfaces`),
      publicIPAddresses: {
        value: [
          recording(
            '_subscriptions_99999999_resourceGroups_REVIZOR_providers_Microsoft_Network_publicIPAddresses_test_public_ip',
          ),
        ],
      },
    });
    expect(await partOf(provider, 'leftovers').list()).toEqual([]);
  });

  it('say that a machine was resized', async () => {
    const provider = answeredBy({
      'virtualMachines/test-node-1': recording(`${GROUP}Microsoft_Compute_virtualMachines_test_node_1_resize`),
    });
    await expect(
      partOf(provider, 'typeChange').changeType(idIn('000000', 'test-node-1'), 'Standard_A2'),
    ).resolves.toBeUndefined();
  });
});
