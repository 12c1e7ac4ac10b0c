/**
 * Making a machine at AWS: what it needs beforehand, and the one request that makes it.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { userData } from '../../../../clouds/aws/calls/instances.ts';
import { providerErrorOf } from '../../../../clouds/errors.ts';
import { partOf } from '../../../../clouds/parts.ts';
import type { CloudProvider } from '../../../../clouds/provider.ts';
import { forAll } from '../../../../testing/property.ts';
import { codeOf, failureOf, virtualClock } from '../scripted-api.ts';
import {
  answerOf,
  HOSTNAME,
  PREPARATION,
  providerOf,
  PUBLIC_KEY,
  refusal,
  requestOf,
  scriptedAws,
  type AwsScript,
} from './scripted-aws.ts';

const ok = (action: string) => (): string => answerOf(action, '<return>true</return>');

describe('a create at AWS', () => {
  const RUN = {
    RunInstances: () =>
      answerOf('RunInstances', '<instancesSet><item><instanceId>i-0new</instanceId></item></instancesSet>'),
  };

  it('asks for one machine under one token, with its disk kept and its tags', async () => {
    const api = await scriptedAws(RUN);
    expect(await providerOf(api).createInstance(requestOf(), PREPARATION)).toBe('eu-west-1/i-0new');
    const { UserData, ...form } = api.of('RunInstances')[0]?.form ?? {};
    expect(Buffer.from(UserData ?? '', 'base64').toString()).toBe('#!/bin/bash\necho ready\n');
    expect(form).toEqual({
      Action: 'RunInstances',
      Version: '2016-11-15',
      ImageId: 'ami-0abc',
      InstanceType: 'g6e.xlarge',
      MinCount: '1',
      MaxCount: '1',
      ClientToken: HOSTNAME,
      KeyName: 'dh-abc1-ssh-key',
      SubnetId: 'subnet-0abc',
      'SecurityGroupId.1': 'sg-0abc',
      'Placement.AvailabilityZone': 'eu-west-1a',
      'BlockDeviceMapping.1.DeviceName': '/dev/sda1',
      'BlockDeviceMapping.1.Ebs.VolumeSize': '65',
      'BlockDeviceMapping.1.Ebs.VolumeType': 'gp3',
      'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'true',
      InstanceInitiatedShutdownBehavior: 'stop',
      'MetadataOptions.HttpTokens': 'required',
      'TagSpecification.1.ResourceType': 'instance',
      'TagSpecification.1.Tag.1.Key': 'Name',
      'TagSpecification.1.Tag.1.Value': HOSTNAME,
      'TagSpecification.1.Tag.2.Key': 'deckhand:pool',
      'TagSpecification.1.Tag.2.Value': 'visual',
      'TagSpecification.1.Tag.3.Key': 'deckhand:intent',
      'TagSpecification.1.Tag.3.Value': 'visual-3-9f2c/1',
      'TagSpecification.2.ResourceType': 'volume',
      'TagSpecification.2.Tag.1.Key': 'Name',
      'TagSpecification.2.Tag.1.Value': `${HOSTNAME}-os`,
      'TagSpecification.2.Tag.2.Key': 'deckhand:pool',
      'TagSpecification.2.Tag.2.Value': 'visual',
      'TagSpecification.2.Tag.3.Key': 'deckhand:intent',
      'TagSpecification.2.Tag.3.Value': 'visual-3-9f2c/1',
    });
  });

  it('on the spot market ends with its interruption', async () => {
    const api = await scriptedAws(RUN);
    await providerOf(api).createInstance(requestOf({ market: 'spot' }), PREPARATION);
    expect(api.of('RunInstances')[0]?.form).toMatchObject({
      'InstanceMarketOptions.MarketType': 'spot',
      'InstanceMarketOptions.SpotOptions.SpotInstanceType': 'one-time',
      'InstanceMarketOptions.SpotOptions.InstanceInterruptionBehavior': 'terminate',
      InstanceInitiatedShutdownBehavior: 'terminate',
    });
  });

  it('goes to the region of its zone', async () => {
    const api = await scriptedAws(RUN);
    expect(await providerOf(api).createInstance(requestOf({ location: 'us-east-1f' }), PREPARATION)).toBe(
      'us-east-1/i-0new',
    );
    expect(api.seen[0]?.region).toBe('us-east-1');
  });

  it('a refused create says what its refusal blocks, and which other zones it names', async () => {
    const message =
      'You can currently get it by not specifying an Availability Zone in your request or choosing eu-west-1b, eu-west-1c.';
    const api = await scriptedAws({
      RunInstances: (_call, nth) =>
        nth === 1 ? refusal('InsufficientInstanceCapacity', message, 500) : refusal('VcpuLimitExceeded'),
    });
    const create = () => failureOf(providerOf(api).createInstance(requestOf(), PREPARATION));
    expect(providerErrorOf(await create())).toMatchObject({
      errorClass: 'capacity',
      hints: ['eu-west-1b', 'eu-west-1c'],
    });
    expect(providerErrorOf(await create())).toMatchObject({
      errorClass: 'quota',
      block: { scope: 'family', types: 'g*', locations: 'eu-west-1*' },
    });
  });

  it.each([
    ['a place that is no zone', { location: 'FIN-01' }, /no zone|not a zone/u],
    ['a host name that is none', { hostname: 'Not_A_Name' }, /host name/u],
  ])('of %s is refused before anything is sent', async (_name, changes, words) => {
    const api = await scriptedAws({});
    const provider = providerOf(api);
    for (const ask of [
      provider.prepareCreate(requestOf(changes)),
      provider.createInstance(requestOf(changes), PREPARATION),
    ]) {
      const error = await failureOf(ask);
      expect(error.code).toBe('provider_config');
      expect(error.message).toMatch(words);
    }
    expect(api.seen).toEqual([]);
  });

  const KEYLESS: AwsScript = {
    RunInstances: () => refusal('InvalidKeyPair.NotFound', "The key pair 'dh-abc1-ssh-key' does not exist"),
    ImportKeyPair: () => answerOf('ImportKeyPair', '<keyName>dh-abc1-ssh-key</keyName>'),
    DescribeKeyPairs: () =>
      answerOf(
        'DescribeKeyPairs',
        `<keySet><item><keyName>dh-abc1-ssh-key</keyName><publicKey>${PUBLIC_KEY}</publicKey></item></keySet>`,
      ),
  };
  it.each<readonly [string, (provider: CloudProvider) => Promise<unknown>]>([
    ['imported', (provider) => partOf(provider, 'sshKeys').add('dh-abc1-ssh-key', PUBLIC_KEY)],
    ['listed', (provider) => partOf(provider, 'sshKeys').list()],
  ])('that misses a key that was just %s is tried again, and a few minutes later refused', async (_name, prepare) => {
    const clock = virtualClock();
    const api = await scriptedAws(KEYLESS);
    const provider = providerOf(api, { clock });
    const code = async () => (await failureOf(provider.createInstance(requestOf(), PREPARATION))).code;
    expect(await code()).toBe('provider_config');
    await prepare(provider);
    expect(await code()).toBe('provider_not_yet');
    clock.nowMs += 301_000;
    expect(await code()).toBe('provider_config');
  });

  it('that was not prepared is refused', async () => {
    const api = await scriptedAws({});
    expect(await codeOf(providerOf(api).createInstance(requestOf(), {}))).toBe('provider_config');
    expect(api.seen).toEqual([]);
  });
});

describe('the script of a first boot', () => {
  it('is sent as it is up to 16 KiB, compressed beyond, and refused where that is still too long', () => {
    const plain = `#!/bin/bash\n${'x'.repeat(16_384 - 12)}`;
    expect(Buffer.from(userData(plain), 'base64').toString()).toBe(plain);
    const long = `${plain}y`;
    const sent = Buffer.from(userData(long), 'base64');
    expect(sent.length).toBeLessThanOrEqual(16_384);
    expect(gunzipSync(sent).toString()).toBe(long);
    const hash = (i: number): string => createHash('sha256').update(String(i)).digest('base64');
    const noise = Array.from({ length: 1_000 }, (_, i) => hash(i)).join('\n');
    expect(() => userData(noise)).toThrow(/startup script has \d+ bytes/u);
  });

  it('comes back as the same text from 16 KiB at most', () =>
    forAll(
      [fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 2_000 })],
      (line, lines) => {
        const script = `#!/bin/bash\n${`${line}\n`.repeat(lines)}`;
        const sent = Buffer.from(userData(script), 'base64');
        expect(sent.length).toBeLessThanOrEqual(16_384);
        const text = sent[0] === 0x1f && sent[1] === 0x8b ? gunzipSync(sent).toString() : sent.toString();
        expect(text).toBe(script);
      },
    ));
});

describe('the preparation of a create at AWS', () => {
  const group = (content: string): string =>
    answerOf('DescribeSecurityGroups', `<securityGroupInfo>${content}</securityGroupInfo>`);
  const OPEN = `<item><groupId>sg-0abc</groupId><groupName>dh-abc1</groupName><vpcId>vpc-0abc</vpcId>
    <ipPermissions><item><ipProtocol>tcp</ipProtocol><fromPort>22</fromPort><toPort>22</toPort></item></ipPermissions></item>`;
  const subnet = (id: string, isDefault: boolean, zone = 'eu-west-1a'): string =>
    `<item><subnetId>${id}</subnetId><vpcId>vpc-0abc</vpcId><availabilityZone>${zone}</availabilityZone><defaultForAz>${isDefault}</defaultForAz></item>`;
  const subnets = (content: string): string => answerOf('DescribeSubnets', `<subnetSet>${content}</subnetSet>`);
  const SCRIPT: AwsScript = {
    GetParameter: () => '{"Parameter":{"Name":"n","Value":"ami-0abc"}}',
    DescribeImages: () =>
      answerOf(
        'DescribeImages',
        `<imagesSet><item><imageId>ami-0abc</imageId><rootDeviceName>/dev/sda1</rootDeviceName><blockDeviceMapping>
         <item><deviceName>/dev/sda1</deviceName><ebs><volumeSize>65</volumeSize></ebs></item>
         <item><deviceName>/dev/sdb</deviceName><virtualName>ephemeral0</virtualName></item></blockDeviceMapping></item></imagesSet>`,
      ),
    DescribeSubnets: () => subnets(subnet('subnet-0abc', true)),
    DescribeSecurityGroups: () => group(OPEN),
  };

  it('finds the newest image of the name, the default subnet and the open group, and makes nothing', async () => {
    const api = await scriptedAws(SCRIPT);
    expect(await providerOf(api).prepareCreate(requestOf())).toEqual(PREPARATION);
    expect(api.of('GetParameter')[0]?.json).toEqual({
      Name: '/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id',
    });
    expect(api.of('DescribeSecurityGroups')[0]?.form).toMatchObject({
      'Filter.1.Name': 'vpc-id',
      'Filter.1.Value.1': 'vpc-0abc',
      'Filter.2.Value.1': 'dh-abc1',
    });
    expect(api.seen.map(({ action }) => action).toSorted()).toEqual([
      'DescribeImages',
      'DescribeSecurityGroups',
      'DescribeSubnets',
      'GetParameter',
    ]);
  });

  it('keeps a disk that is larger than the image', async () => {
    const api = await scriptedAws(SCRIPT);
    const { boot } = requestOf();
    if (boot.kind !== 'image') throw new Error('it boots an image');
    const prepared = await providerOf(api).prepareCreate(requestOf({ boot: { ...boot, osVolumeGib: 200 } }));
    expect(prepared['osVolumeGib']).toBe('200');
  });

  it('makes the group once and opens SSH only', async () => {
    const api = await scriptedAws({
      ...SCRIPT,
      DescribeSecurityGroups: () => group(''),
      CreateSecurityGroup: () => answerOf('CreateSecurityGroup', '<return>true</return><groupId>sg-0new</groupId>'),
      AuthorizeSecurityGroupIngress: ok('AuthorizeSecurityGroupIngress'),
    });
    expect((await providerOf(api).prepareCreate(requestOf()))['securityGroupId']).toBe('sg-0new');
    expect(api.of('CreateSecurityGroup')[0]?.form).toMatchObject({ GroupName: 'dh-abc1', VpcId: 'vpc-0abc' });
    const { Action, Version, ...opened } = api.of('AuthorizeSecurityGroupIngress')[0]?.form ?? {};
    expect([Action, Version]).toHaveLength(2);
    expect(opened).toEqual({
      GroupId: 'sg-0new',
      'IpPermissions.1.IpProtocol': 'tcp',
      'IpPermissions.1.FromPort': '22',
      'IpPermissions.1.ToPort': '22',
      'IpPermissions.1.IpRanges.1.CidrIp': '0.0.0.0/0',
    });
  });

  it('takes the group of another process that was faster, and a rule that is there already', async () => {
    const api = await scriptedAws({
      ...SCRIPT,
      DescribeSecurityGroups: (_call, nth) => group(nth === 1 ? '' : OPEN),
      CreateSecurityGroup: () => refusal('InvalidGroup.Duplicate'),
      AuthorizeSecurityGroupIngress: () => refusal('InvalidPermission.Duplicate'),
    });
    expect((await providerOf(api).prepareCreate(requestOf()))['securityGroupId']).toBe('sg-0abc');
  });

  it('is tried again later while the group of another process is not visible yet', async () => {
    const api = await scriptedAws({
      ...SCRIPT,
      DescribeSecurityGroups: () => group(''),
      CreateSecurityGroup: () => refusal('InvalidGroup.Duplicate'),
    });
    expect(await codeOf(providerOf(api).prepareCreate(requestOf()))).toBe('provider_not_yet');
  });

  it('uses the subnet that the settings name for the zone', async () => {
    const api = await scriptedAws({ ...SCRIPT, DescribeSubnets: () => subnets(subnet('subnet-0def', false)) });
    const provider = providerOf(api, { settings: { subnetIds: { 'eu-west-1a': 'subnet-0def' } } });
    expect((await provider.prepareCreate(requestOf()))['subnetId']).toBe('subnet-0def');
    expect(api.of('DescribeSubnets')[0]?.form).toMatchObject({ 'SubnetId.1': 'subnet-0def' });
  });

  it('refuses a configured subnet of another zone by name', async () => {
    const api = await scriptedAws({
      ...SCRIPT,
      DescribeSubnets: () => subnets(subnet('subnet-0def', false, 'eu-west-1b')),
    });
    const error = await failureOf(
      providerOf(api, { settings: { subnetIds: { 'eu-west-1a': 'subnet-0def' } } }).prepareCreate(requestOf()),
    );
    expect([error.code, error.hint]).toEqual(['provider_config', 'Correct "subnetIds" in the fleet file.']);
  });

  it('blocks a zone without a default subnet and leaves the others', async () => {
    const api = await scriptedAws({ ...SCRIPT, DescribeSubnets: () => subnets('') });
    const error = await failureOf(providerOf(api).prepareCreate(requestOf()));
    expect(providerErrorOf(error)).toMatchObject({ errorClass: 'capacity', block: { scope: 'location' } });
  });

  it('blocks a zone whose configured subnet does not exist', async () => {
    const api = await scriptedAws({ ...SCRIPT, DescribeSubnets: () => refusal('InvalidSubnetID.NotFound') });
    const provider = providerOf(api, { settings: { subnetIds: { 'eu-west-1a': 'subnet-0def' } } });
    const error = await failureOf(provider.prepareCreate(requestOf()));
    expect(error.message).toContain('subnet-0def');
    expect(providerErrorOf(error)).toMatchObject({
      errorClass: 'capacity',
      block: { scope: 'location', blockMs: 3_600_000 },
    });
  });

  it.each<readonly [string, AwsScript]>([
    [
      'parameter',
      {
        GetParameter: () => ({ status: 400, body: '{"__type":"ParameterNotFound","message":"Parameter not found."}' }),
      },
    ],
    ['such image', { DescribeImages: () => refusal('InvalidAMIID.NotFound') }],
    ['image at all', { DescribeImages: () => answerOf('DescribeImages', '<imagesSet/>') }],
  ])('blocks a region that has no %s and leaves the others', async (_name, script) => {
    const api = await scriptedAws({ ...SCRIPT, ...script });
    const error = await failureOf(providerOf(api).prepareCreate(requestOf()));
    expect(providerErrorOf(error)).toMatchObject({
      errorClass: 'capacity',
      block: { scope: 'location', locations: 'eu-west-1*', blockMs: 21_600_000 },
    });
  });

  it('blocks a region that is not open to the account, and leaves the others', async () => {
    const api = await scriptedAws({ ...SCRIPT, DescribeSubnets: () => refusal('OptInRequired', 'no', 401) });
    const error = await failureOf(providerOf(api).prepareCreate(requestOf()));
    expect(providerErrorOf(error)).toMatchObject({
      errorClass: 'auth',
      block: { scope: 'location', locations: 'eu-west-1*' },
    });
    expect(error.hint).toContain('Enable the region');
  });
});
