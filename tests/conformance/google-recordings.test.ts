/**
 * Answers of Compute Engine that others recorded (the fixtures of Apache libcloud, fetched with its source package) to the Google provider: what
 * it makes of each.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GOOGLE } from '../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../clouds/google/settings.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { libcloudRecordings } from '../../testing/libcloud-recordings.ts';
import { CREDENTIALS, PREPARATION, requestOf } from '../unit/clouds/google/scripted-google.ts';

let folder = '';

beforeAll(async () => {
  folder = await libcloudRecordings('gce');
}, 120_000);

/** A provider to which these recordings are the answers, in order; the last one repeats. */
function answeredBy(...answers: readonly (readonly [recording: string, status?: number])[]): CloudProvider {
  let asked = 0;
  return GOOGLE.open({
    settings: googleSettingsSchema.parse({ regions: ['us-central1'] }),
    project: 'project_name',
    credentials: CREDENTIALS,
    installationId: 'abc1',
    fetch: (input) => {
      if (input.endsWith('/token'))
        return Promise.resolve(Response.json({ access_token: 'a-token', expires_in: 3600 }));
      const [recording = '', status = 200] = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return Promise.resolve(new Response(readFileSync(path.join(folder, recording), 'utf8'), { status }));
    },
    pause: () => Promise.resolve(),
  });
}

const NODE = 'us-central1-a/node-name';
const INSTANCE = 'zones_us-central1-a_instances_node-name.json';
const STOPPED = 'zones_us_central1_a_instances_stopped_node.json';

describe('recorded answers of Compute Engine', () => {
  it('list the instances of all zones', async () => {
    const found = await answeredBy(['aggregated_instances.json']).listInstances();
    expect(found.map(({ id, status, ip }) => [id, status, ip])).toEqual([
      ['europe-west1-a/libcloud-demo-europe-multiple-nodes-000', 'running', '192.158.28.252'],
      ['europe-west1-a/libcloud-demo-europe-persist-node', 'running', '23.251.128.32'],
      ['europe-west1-a/libcloud-demo-europe-np-node', 'running', '23.251.128.10'],
      ['us-central1-a/node-name', 'running', '23.236.58.15'],
      ['us-central2-a/libcloud-demo-persist-node', 'running', '173.255.120.70'],
      ['us-central2-a/libcloud-demo-np-node', 'running', '173.255.120.58'],
      ['us-central2-a/libcloud-demo-multiple-nodes-000', 'running', '173.255.120.211'],
      ['us-central2-a/libcloud-demo-multiple-nodes-001', 'stopped', '173.255.120.207'],
    ]);
    expect(found[2]?.volumeIds).toEqual([
      'europe-west1-a/libcloud-demo-europe-np-node',
      'europe-west1-a/libcloud-demo-europe-attach-disk',
    ]);
  });

  it('describe a stopped instance with its disk', async () => {
    expect(await answeredBy([STOPPED]).getInstance('us-central1-a/stopped-node')).toMatchObject({
      id: 'us-central1-a/stopped-node',
      hostname: 'stopped-node',
      status: 'stopped',
      rawStatus: 'TERMINATED',
      instanceType: 'n1-standard-1',
      location: 'us-central1-a',
      market: 'ondemand',
      osVolumeId: 'us-central1-a/lcdisk',
      createdAtMs: Date.parse('2013-12-13T10:45:23.351-08:00'),
    });
  });

  it('list the disks of all zones, and describe one', async () => {
    const volumes = await answeredBy(['aggregated_disks.json']).listVolumes();
    expect(volumes).toHaveLength(17);
    expect(volumes.map(({ status }) => status)).toEqual(Array.from({ length: 17 }, () => 'detached'));
    expect(await answeredBy(['zones_us-central1-a_disks_lcdisk.json']).getVolume('us-central1-a/lcdisk')).toMatchObject(
      {
        id: 'us-central1-a/lcdisk',
        sizeGib: 10,
        status: 'detached',
        isOsVolume: false,
        createdAtMs: Date.parse('2013-06-26T10:06:04.007-07:00'),
      },
    );
  });

  it('name the zones of a region', async () => {
    const zones = await answeredBy(['zones.json']).listLocations();
    expect(zones.map(({ code, countryCode }) => [code, countryCode])).toEqual([
      ['us-central1-a', 'US'],
      ['us-central1-b', 'US'],
    ]);
  });

  it('accept a create, whose operation ends later', async () => {
    const provider = answeredBy(
      ['zones_us-central1-a_instances_post.json'],
      ['operations_operation_zones_us-central1-a_instances_post.json'],
    );
    const request = requestOf({ location: 'us-central1-a' });
    expect(await provider.createInstance(request, PREPARATION)).toBe('us-central1-a/dh-test1-visual-1');
  });

  it('refuse a name that is taken in the operation, whose machine is looked for', async () => {
    const create = answeredBy(
      ['zones_europe-west1-a_instances_post.json'],
      ['operations_operation_zones_europe-west1-a_instances_post.json'],
    ).createInstance(requestOf({ location: 'europe-west1-a' }), PREPARATION);
    await expect(create).rejects.toMatchObject({ code: 'provider_transient' });
    await expect(create).rejects.toThrow(/RESOURCE_ALREADY_EXISTS: The resource .* already exists/u);
  });

  it.each<readonly [string, readonly (readonly [string])[], (provider: CloudProvider) => Promise<void>]>([
    [
      'stop',
      [['zones_us_central1_a_instances_node_name_stop.json']],
      (provider) => partOf(provider, 'stopping').shutdown(NODE),
    ],
    [
      'start',
      [
        [STOPPED],
        ['zones_us_central1_a_instances_stopped_node_start.json'],
        ['zones_us_central1_a_operations_operation_startnode.json'],
      ],
      (provider) => partOf(provider, 'stopping').start('us-central1-a/stopped-node'),
    ],
    [
      'setMachineType',
      [
        [STOPPED],
        ['zones_us_central1_a_instances_stopped_node_setMachineType.json'],
        ['zones_us_central1_a_operations_operation_setMachineType.json'],
      ],
      (provider) => partOf(provider, 'typeChange').changeType('us-central1-a/stopped-node', 'n1-standard-4'),
    ],
    [
      'setDiskAutoDelete and delete',
      [
        [INSTANCE],
        ['zones_us_central1_a_instances_node_name_setDiskAutoDelete.json'],
        ['zones_us_central1_a_operations_operation_volume_auto_delete.json'],
        ['zones_us-central1-a_instances_node-name_delete.json'],
      ],
      (provider) => provider.deleteInstance(NODE, ['us-central1-a/node-name']),
    ],
    [
      'delete of a disk',
      [['zones_us-central1-a_disks_lcdisk_delete.json']],
      (provider) => provider.deleteVolume('us-central1-a/lcdisk'),
    ],
  ])('confirm a change (%s)', async (_what, recordings, change) => {
    await expect(change(answeredBy(...recordings))).resolves.toBeUndefined();
  });

  it('refuse another type of a machine that runs, in the operation', async () => {
    const provider = answeredBy(
      [INSTANCE],
      ['zones_us_central1_a_instances_node_name_setMachineType.json'],
      ['zones_us_central1_a_operations_operation_setMachineType_notstopped.json'],
    );
    const change = partOf(provider, 'typeChange').changeType(NODE, 'n1-standard-4');
    await expect(change).rejects.toMatchObject({ code: 'provider_not_yet' });
    await expect(change).rejects.toThrow(/RESOURCE_NOT_READY/u);
  });

  it('say that an image family does not exist, and that a firewall rule is for something else', async () => {
    await expect(
      answeredBy(['global_images_family_notfound.json', 404]).prepareCreate(requestOf({ location: 'us-central1-a' })),
    ).rejects.toMatchObject({ code: 'provider_config' });
    await expect(
      answeredBy(['global_firewalls_lcfirewall.json']).prepareCreate(requestOf({ location: 'us-central1-a' })),
    ).rejects.toThrow(/does not let SSH in/u);
  });
});
