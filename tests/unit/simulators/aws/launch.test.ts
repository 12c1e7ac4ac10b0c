/** What RunInstances of the simulated EC2 refuses, and what it does when a call is repeated. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../../testing/property.ts';
import { idOf, idsOf, itemsAt, startRig, textAt, type Rig } from '../../../../testing/aws-client.ts';

const SPOT = { 'InstanceMarketOptions.MarketType': 'spot' };
const zone = (letter: string): Record<string, string> => ({ 'Placement.AvailabilityZone': `eu-west-1${letter}` });
const all = async (rig: Rig): Promise<string[]> => idsOf(await rig.ec2('DescribeInstances'));

/** The answer of a call whose connection ended: none. */
function nullIfLost(error: unknown): null {
  if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error;
  return null;
}

describe('a launch', () => {
  it.each([
    [{ ImageId: 'ami-0123456789abcdef0' }, 'InvalidAMIID.NotFound', "The image id '[ami-0123456789abcdef0]' does not"],
    [{ ImageId: 'ubuntu' }, 'InvalidAMIID.Malformed', 'Invalid id: "ubuntu"'],
    [{ InstanceType: 'g9.huge' }, 'InvalidParameterValue', "'g9.huge' for InstanceType"],
    [{ KeyName: 'other' }, 'InvalidKeyPair.NotFound', "The key pair 'other' does not exist"],
    [{ 'SecurityGroupId.1': 'sg-1' }, 'InvalidGroup.NotFound', "The security group 'sg-1' does not exist"],
    [{ SubnetId: 'subnet-1' }, 'InvalidSubnetID.NotFound', "The subnet ID 'subnet-1' does not exist"],
    [{ MinCount: '0' }, 'InvalidParameterValue', 'minCount'],
    [{ MaxCount: '21' }, 'InstanceLimitExceeded', '20'],
    [{ 'Placement.AvailabilityZone': 'us-east-1a' }, 'InvalidParameterValue', '[us-east-1a]'],
    [{ UserData: '#!/bin/sh' }, 'InvalidParameterValue', 'BASE64'],
    [{ ClientToken: 'x'.repeat(65) }, 'InvalidParameterValue', 'clientToken'],
    [{ Colour: 'red' }, 'UnknownParameter', 'The parameter Colour is not recognized'],
    [
      { 'BlockDeviceMapping.1.DeviceName': '/dev/sda1', 'BlockDeviceMapping.1.Ebs.VolumeSize': '8' },
      'InvalidBlockDeviceMapping',
      'expect size >= 45GB',
    ],
    [
      { InstanceType: 'p4d.24xlarge', ...zone('a') },
      'Unsupported',
      'Your requested instance type (p4d.24xlarge) is not supported in your requested Availability Zone (eu-west-1a). Please retry your request by not specifying an Availability Zone or choosing eu-west-1c.',
    ],
    [{ InstanceType: 'p5.48xlarge' }, 'Unsupported', 'not offered in eu-west-1'],
    [{ ...SPOT, 'InstanceMarketOptions.SpotOptions.MaxPrice': '0.01' }, 'SpotMaxPriceTooLow', '0.5054'],
    [{ ...SPOT, 'InstanceMarketOptions.SpotOptions.SpotInstanceType': 'persistent' }, 'UnsupportedOperation', ''],
    [{ DryRun: 'true' }, 'DryRunOperation', 'Request would have succeeded'],
    [{ 'TagSpecification.1.ResourceType': 'car' }, 'InvalidParameterValue', "'car' is not a valid taggable"],
  ])('with %j is refused with %s', async (parameters, code, words) => {
    const rig = await startRig();
    const { refusal, status } = await rig.run(parameters);
    expect(refusal?.[0]).toBe(code);
    expect(refusal?.[1]).toContain(words);
    expect(status).toBe(code === 'DryRunOperation' ? 412 : 400);
    expect(rig.aws.core.allInstances()).toEqual([]);
  });

  it('misses a key that was imported a moment ago', async () => {
    const rig = await startRig({ visibility: { keyLagSec: 20 } });
    expect((await rig.run()).refusal?.[0]).toBe('InvalidKeyPair.NotFound');
    rig.clock.advance(19_999);
    expect((await rig.run()).refusal?.[0]).toBe('InvalidKeyPair.NotFound');
    rig.clock.advance(1);
    expect((await rig.run()).refusal).toBeNull();
  });

  it('without an image is refused with the name of what is missing', async () => {
    const rig = await startRig();
    expect((await rig.ec2('RunInstances', { InstanceType: 'g5.xlarge' })).refusal?.[0]).toBe('MissingParameter');
  });

  it('with more than 16 KB of user data is refused', async () => {
    const rig = await startRig();
    const { refusal } = await rig.run({ UserData: Buffer.alloc(16_385).toString('base64') });
    expect(refusal).toEqual(['InvalidParameterValue', 'User data is limited to 16384 bytes']);
  });

  it('takes 16 KB of user data, a group and a subnet, and says where it is', async () => {
    const rig = await startRig();
    const group = await rig.ec2('CreateSecurityGroup', { GroupName: 'deckhand', GroupDescription: 'x' });
    const groupId = textAt(group.body, 'groupId');
    const subnets = await rig.ec2('DescribeSubnets', {
      'Filter.1.Name': 'availability-zone',
      'Filter.1.Value.1': 'eu-west-1c',
    });
    const subnetId = textAt(subnets.body, 'subnetSet.item.0.subnetId');
    const id = await rig.running({
      'NetworkInterface.1.DeviceIndex': '0',
      'NetworkInterface.1.SubnetId': subnetId,
      'NetworkInterface.1.SecurityGroupId.1': groupId,
      UserData: Buffer.alloc(16_384, '#').toString('base64'),
    });
    const look = await rig.look(id);
    expect(textAt(look, 'placement.availabilityZone')).toBe('eu-west-1c');
    expect(textAt(look, 'groupSet.item.0.groupId')).toBe(groupId);
    expect((await rig.ec2('DeleteSecurityGroup', { GroupId: groupId })).refusal?.[0]).toBe('DependencyViolation');
  });

  it('of several makes as many as there are, at least MinCount, or none', async () => {
    const rig = await startRig({ stock: [{ types: 'g5.xlarge', locations: ['eu-west-1b'], count: 3 }] });
    const few = await rig.run({ MinCount: '4', MaxCount: '6', ...zone('b') });
    expect(few.refusal?.[0]).toBe('InsufficientInstanceCapacity');
    expect(rig.aws.core.allInstances()).toEqual([]);
    const some = await rig.run({ MinCount: '1', MaxCount: '6', ...zone('b') });
    expect(itemsAt(some.body, 'instancesSet').map((i) => textAt(i, 'amiLaunchIndex'))).toEqual(['0', '1', '2']);
  });
});

describe('a launch without capacity', () => {
  it('names the zones that have some', async () => {
    const rig = await startRig({
      stock: [{ types: 'g5.xlarge', locations: ['eu-west-1b', 'eu-west-1c'], count: 1 }],
    });
    const { refusal, status } = await rig.run(zone('a'));
    expect(status).toBe(500);
    expect(refusal).toEqual([
      'InsufficientInstanceCapacity',
      'We currently do not have sufficient g5.xlarge capacity in the Availability Zone you requested (eu-west-1a). Our system will be working on provisioning additional capacity. You can currently get g5.xlarge capacity by not specifying an Availability Zone in your request or choosing eu-west-1b, eu-west-1c.',
    ]);
    expect(rig.aws.core.state.stats.creates).toEqual({
      'aws/eu-west-1a/g5.xlarge/ondemand': { asked: 1, accepted: 0, noCapacity: 1 },
    });
  });

  it('goes to a zone that has some if it names none', async () => {
    const rig = await startRig({ stock: [{ types: 'g5.xlarge', locations: ['eu-west-1c'], count: 1 }] });
    const id = await rig.running();
    expect(textAt(await rig.look(id), 'placement.availabilityZone')).toBe('eu-west-1c');
    expect((await rig.run()).refusal?.[0]).toBe('InsufficientInstanceCapacity');
  });

  it('says less about the spot market, whose stock is its own', async () => {
    const rig = await startRig({ stock: [{ types: '*', markets: ['ondemand'], count: 1 }] });
    expect((await rig.run(SPOT)).refusal).toEqual([
      'InsufficientInstanceCapacity',
      'There is no Spot capacity available that matches your request.',
    ]);
  });

  it('is also a start of a stopped instance whose place was taken', async () => {
    const rig = await startRig({ stock: [{ types: 'g5.xlarge', locations: ['eu-west-1a'], count: 1 }] });
    const id = await rig.running();
    await rig.ec2('StopInstances', { 'InstanceId.1': id });
    rig.clock.advance(30_000);
    await rig.running();
    const { refusal } = await rig.ec2('StartInstances', { 'InstanceId.1': id });
    expect(refusal?.[0]).toBe('InsufficientInstanceCapacity');
    expect(await rig.state(id)).toBe('stopped');
  });
});

describe('vCPU quotas', () => {
  const QUOTAS = { vcpuQuotas: { ondemandP: 0, ondemandG: 8, spotG: 4 } };

  it('count running instances of the families in the region and market', async () => {
    const rig = await startRig({ dialect: QUOTAS });
    const first = await rig.running();
    await rig.running({ InstanceType: 'g4dn.xlarge' });
    expect((await rig.run()).refusal).toEqual([
      'VcpuLimitExceeded',
      'You have requested more vCPU capacity than your current vCPU limit of 8 allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.',
    ]);
    await rig.running(SPOT);
    expect((await rig.run(SPOT)).refusal).toEqual(['MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded']);
    expect((await rig.run({ InstanceType: 'p4d.24xlarge' })).refusal?.[0]).toBe('VcpuLimitExceeded');
    expect((await rig.run({ InstanceType: 't3.medium' })).refusal).toBeNull();
    await rig.ec2('StopInstances', { 'InstanceId.1': first });
    rig.clock.advance(30_000);
    await rig.running();
    expect((await rig.ec2('StartInstances', { 'InstanceId.1': first })).refusal?.[0]).toBe('VcpuLimitExceeded');
  });

  it('can be changed while the simulator runs', async () => {
    const rig = await startRig({ dialect: QUOTAS });
    expect((await rig.control('quotas', { ondemandG: 0 })).status).toBe(200);
    expect((await rig.run()).refusal?.[0]).toBe('VcpuLimitExceeded');
    expect((await rig.control('quotas', { ondemandG: null })).status).toBe(200);
    expect((await rig.run()).refusal).toBeNull();
    expect((await rig.control('quotas', { ondemandX: 1 })).status).toBe(400);
  });
});

describe('a client token', () => {
  it('gives the same instance to the same call', async () => {
    const rig = await startRig();
    const token = { ClientToken: 'once' };
    const id = idOf(await rig.run(token));
    rig.clock.advance(60_000);
    const again = await rig.run(token);
    expect(idOf(again)).toBe(id);
    expect(textAt(again.body, 'instancesSet.item.0.instanceState.name')).toBe('running');
    const found = await rig.ec2('DescribeInstances', { 'Filter.1.Name': 'client-token', 'Filter.1.Value.1': 'once' });
    expect(idsOf(found)).toEqual([id]);
  });

  it('refuses a call with other parameters', async () => {
    const rig = await startRig();
    await rig.run({ ClientToken: 'once' });
    const { refusal } = await rig.run({ ClientToken: 'once', InstanceType: 'g5.2xlarge' });
    expect(refusal?.[0]).toBe('IdempotentParameterMismatch');
    expect(await all(rig)).toHaveLength(1);
  });

  it('holds for one zone only: the same token buys another instance elsewhere', async () => {
    const rig = await startRig();
    const ids = [
      idOf(await rig.run({ ClientToken: 'once', ...zone('a') })),
      idOf(await rig.run({ ClientToken: 'once', ...zone('b') })),
      idOf(await rig.run({ ClientToken: 'once', ...zone('a') })),
    ];
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids[2]).toBe(ids[0]);
  });

  it('is spent when its instance is terminated', async () => {
    const rig = await startRig();
    const id = idOf(await rig.run({ ClientToken: 'once' }));
    await rig.ec2('TerminateInstances', { 'InstanceId.1': id });
    expect((await rig.run({ ClientToken: 'once' })).refusal?.[0]).toBe('IdempotentInstanceTerminated');
  });

  it('is not spent by a refused call', async () => {
    const rig = await startRig({ stock: [], timeline: [{ atSec: 60, stock: [{ types: '*', count: 1 }] }] });
    expect((await rig.run({ ClientToken: 'once' })).refusal?.[0]).toBe('InsufficientInstanceCapacity');
    rig.clock.advance(60_000);
    expect((await rig.run({ ClientToken: 'once' })).refusal).toBeNull();
  });

  it('finds the instance of a call whose answer was lost', async () => {
    const rig = await startRig({ faults: [{ match: { action: 'RunInstances' }, times: 1, effect: 'drop_answer' }] });
    await expect(rig.run({ ClientToken: 'once' })).rejects.toThrow('fetch failed');
    const [made] = rig.aws.core.allInstances();
    expect(idOf(await rig.run({ ClientToken: 'once' }))).toBe(made?.id);
  });

  it('never buys two instances for one zone, whatever is repeated, lost or terminated', () =>
    forAll(
      [
        fc.array(
          fc.record({
            zone: fc.constantFrom('a', 'b', 'c'),
            token: fc.constantFrom('x', 'y'),
            type: fc.constantFrom('g5.xlarge', 'g4dn.xlarge'),
            ends: fc.boolean(),
          }),
          { maxLength: 12 },
        ),
      ],
      async (steps) => {
        const rig = await startRig({
          stock: [{ count: null }],
          faults: [{ match: { action: 'RunInstances', everyN: 3 }, effect: 'drop_answer' }],
        });
        for (const step of steps) {
          const launch = { ClientToken: step.token, InstanceType: step.type, ...zone(step.zone) };
          const answer = await rig.run(launch).catch(nullIfLost);
          if (!step.ends || answer === null || answer.refusal !== null) continue;
          await rig.ec2('TerminateInstances', { 'InstanceId.1': idOf(answer) });
        }
        const bought = rig.aws.core.allInstances().map((i) => i.location);
        const asked = new Set(steps.map((s) => `${s.zone} ${s.token}`));
        expect(bought.length).toBe(asked.size);
      },
    ));
});
