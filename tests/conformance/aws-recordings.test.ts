/**
 * Answers of EC2 that others recorded (the fixtures of Apache libcloud, fetched with its source package) to the AWS provider: what it makes
 * of each.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { AWS } from '../../clouds/aws/provider.ts';
import { awsSettingsSchema } from '../../clouds/aws/settings.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { libcloudRecordings } from '../../testing/libcloud-recordings.ts';
import { PREPARATION, requestOf } from '../unit/clouds/aws/scripted-aws.ts';

let folder = '';

beforeAll(async () => {
  folder = await libcloudRecordings('ec2');
}, 120_000);

/** A provider to which one recording is the answer to every call. */
function answeredBy(recording: string, status = 200): CloudProvider {
  const text = readFileSync(path.join(folder, recording), 'utf8');
  return AWS.open({
    settings: awsSettingsSchema.parse({ regions: ['us-east-1'] }),
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret' },
    installationId: 'abc1',
    fetch: () => Promise.resolve(new Response(text, { status })),
    pause: () => Promise.resolve(),
  });
}

describe('recorded answers of EC2', () => {
  it('describe stopped instances with their disks', async () => {
    const [first] = await answeredBy('describe_instances.xml').listInstances();
    expect(first).toMatchObject({
      id: 'us-east-1/i-4382922a',
      status: 'stopped',
      rawStatus: 'stopped (Client.UserInitiatedShutdown)',
      instanceType: 'm1.small',
      location: 'us-east-1d',
      market: 'ondemand',
      ip: '1.2.3.4',
      osVolumeId: 'us-east-1/vol-5e312311',
      createdAtMs: Date.parse('2013-12-02T11:58:11Z'),
    });
  });

  it('give the names of instances by their tag', async () => {
    const found = await answeredBy('describe_instances.xml').listInstances();
    expect(found.map(({ id, hostname }) => [id, hostname])).toEqual([
      ['us-east-1/i-4382922a', ''],
      ['us-east-1/i-8474834a', 'Test Server 2'],
    ]);
  });

  it('describe volumes, one in a state that no one knows', async () => {
    const volumes = await answeredBy('describe_volumes.xml').listVolumes();
    expect(volumes.map(({ id, sizeGib, status, instanceId }) => [id, sizeGib, status, instanceId])).toEqual([
      ['us-east-1/vol-10ae5e2b', 1, 'detached', null],
      ['us-east-1/vol-v24bfh75', 11, 'attached', null],
      ['us-east-1/vol-b6c851ec', 8, 'changing', 'us-east-1/i-d334b4b3'],
    ]);
  });

  it.each([
    ['run_instances.xml', 'us-east-1/i-2ba64342'],
    ['run_instances_idem.xml', 'us-east-1/i-2ba64342'],
    ['run_instances_spot.xml', 'us-east-1/i-2ba64344'],
  ])('accept a create (%s)', async (recording, id) => {
    const request = requestOf({ location: 'us-east-1b' });
    expect(await answeredBy(recording).createInstance(request, PREPARATION)).toBe(id);
  });

  it('refuse the token of another create, whose machine is looked for', async () => {
    const create = answeredBy('run_instances_idem_mismatch.xml', 400).createInstance(
      requestOf({ location: 'us-east-1b' }),
      PREPARATION,
    );
    await expect(create).rejects.toMatchObject({ code: 'provider_transient' });
    await expect(create).rejects.toThrow(/IdempotentParameterMismatch: Arguments on this idempotent request/u);
  });

  it.each<readonly [string, (provider: CloudProvider) => Promise<void>]>([
    ['start_instances.xml', (provider) => partOf(provider, 'stopping').start('us-east-1/i-4382922a')],
    ['stop_instances.xml', (provider) => partOf(provider, 'stopping').shutdown('us-east-1/i-4382922a')],
    [
      'modify_instance_attribute.xml',
      (provider) => partOf(provider, 'typeChange').changeType('us-east-1/i-4382922a', 'g6e.xlarge'),
    ],
    ['delete_volume.xml', (provider) => provider.deleteVolume('us-east-1/vol-10ae5e2b')],
    ['delete_key_pair.xml', (provider) => partOf(provider, 'sshKeys').delete('gsg-keypair')],
  ])('confirm a change (%s)', async (recording, change) => {
    await expect(change(answeredBy(recording))).resolves.toBeUndefined();
  });

  it('say that a key is not there, which is what its deletion wants', async () => {
    const provider = answeredBy('describe_key_pairs_doesnt_exist.xml', 400);
    await expect(partOf(provider, 'sshKeys').delete('test-key-pair')).resolves.toBeUndefined();
    await expect(partOf(provider, 'sshKeys').list()).rejects.toMatchObject({ code: 'provider_gone' });
  });

  it('name the zones and the keys', async () => {
    const zones = await answeredBy('describe_availability_zones.xml').listLocations();
    expect(zones.map(({ code }) => code)).toEqual(['eu-west-1a', 'eu-west-1b']);
    const keys = await partOf(answeredBy('describe_key_pairs.xml'), 'sshKeys').list();
    expect(keys).toEqual([{ id: 'gsg-keypair', name: 'gsg-keypair', publicKey: '' }]);
  });
});
