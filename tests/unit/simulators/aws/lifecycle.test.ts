/** An instance of the simulated EC2 from launch to its last trace, and its disks. */
import { describe, expect, it } from 'vitest';
import { at, idOf, idsOf, itemsAt, startRig, textAt, type Rig } from '../../../../testing/aws-client.ts';

const act = (rig: Rig, action: string, id: string) => rig.ec2(action, { 'InstanceId.1': id });
const volumeOf = async (rig: Rig, id: string): Promise<string> =>
  textAt(await rig.look(id), 'blockDeviceMapping.item.0.ebs.volumeId');
const volumeState = async (rig: Rig, volumeId: string): Promise<string> => {
  const { body, refusal } = await rig.ec2('DescribeVolumes', { 'VolumeId.1': volumeId });
  return refusal?.[0] ?? textAt(body, 'volumeSet.item.0.status');
};
const KEEP = {
  'BlockDeviceMapping.1.DeviceName': '/dev/sda1',
  'BlockDeviceMapping.1.Ebs.VolumeSize': '100',
  'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'false',
};

describe('an instance of EC2', () => {
  it('goes from pending to running, with its disk and addresses', async () => {
    const rig = await startRig();
    const launch = await rig.run({
      'TagSpecification.1.ResourceType': 'instance',
      'TagSpecification.1.Tag.1.Key': 'Name',
      'TagSpecification.1.Tag.1.Value': 'dh-abcd-x-1',
      ...KEEP,
    });
    const id = idOf(launch);
    expect(launch.text).toContain('<RunInstancesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">');
    expect(id).toMatch(/^i-[0-9a-f]{17}$/u);
    expect(await rig.state(id)).toBe('pending');
    expect(at(await rig.look(id), 'ipAddress')).toBeUndefined();
    rig.clock.advance(60_000);
    const running = await rig.look(id);
    expect(textAt(running, 'instanceState.code')).toBe('16');
    expect(textAt(running, 'ipAddress')).toMatch(/^198\.18\./u);
    expect(textAt(running, 'tagSet.item.0.value')).toBe('dh-abcd-x-1');
    expect(textAt(running, 'blockDeviceMapping.item.0.ebs.deleteOnTermination')).toBe('false');
    expect(rig.aws.core.instance(id).hostname).toBe('dh-abcd-x-1');
  });

  it('is stopped and started with the same id and disk and another public address', async () => {
    const rig = await startRig();
    const id = await rig.running();
    const [ip, disk] = [textAt(await rig.look(id), 'ipAddress'), await volumeOf(rig, id)];
    const stop = await act(rig, 'StopInstances', id);
    expect(at(stop.body, 'instancesSet.item.0')).toEqual({
      instanceId: id,
      currentState: { code: '64', name: 'stopping' },
      previousState: { code: '16', name: 'running' },
    });
    expect((await act(rig, 'StartInstances', id)).refusal?.[0]).toBe('IncorrectInstanceState');
    rig.clock.advance(30_000);
    expect(await rig.state(id)).toBe('stopped');
    const stopped = await rig.look(id);
    expect(textAt(stopped, 'stateReason.code')).toBe('Client.UserInitiatedShutdown');
    expect(textAt(stopped, 'reason')).toMatch(/^User initiated \(2026-10-05 08:\d\d:\d\d GMT\)$/u);
    await act(rig, 'StartInstances', id);
    expect(await rig.state(id)).toBe('pending');
    rig.clock.advance(20_000);
    const again = await rig.look(id);
    expect(textAt(again, 'instanceState.name')).toBe('running');
    expect(await volumeOf(rig, id)).toBe(disk);
    expect(textAt(again, 'ipAddress')).not.toBe(ip);
    expect(at(again, 'stateReason')).toBeUndefined();
  });

  it('changes its type while it is stopped, and only then', async () => {
    const rig = await startRig();
    const id = await rig.running();
    const change = (type: string) => rig.ec2('ModifyInstanceAttribute', { InstanceId: id, 'InstanceType.Value': type });
    expect((await change('g5.2xlarge')).refusal?.[0]).toBe('IncorrectInstanceState');
    await act(rig, 'StopInstances', id);
    rig.clock.advance(30_000);
    expect((await change('g6.xlarge')).refusal?.[0]).toBe('Unsupported');
    expect((await change('g5.2xlarge')).refusal).toBeNull();
    await act(rig, 'StartInstances', id);
    rig.clock.advance(20_000);
    expect(textAt(await rig.look(id), 'instanceType')).toBe('g5.2xlarge');
    expect(
      rig.aws.core
        .ledger()
        .meters.filter((m) => m.resource === 'instance')
        .map((m) => m.usdPerHour),
    ).toEqual([1.123, 1.35296]);
  });

  it('is terminated once, however often it is asked for, and shown for an hour', async () => {
    const rig = await startRig();
    const id = await rig.running();
    const first = await act(rig, 'TerminateInstances', id);
    expect(textAt(first.body, 'instancesSet.item.0.currentState.name')).toBe('shutting-down');
    rig.clock.advance(30_000);
    const again = await act(rig, 'TerminateInstances', id);
    expect(textAt(again.body, 'instancesSet.item.0.previousState.name')).toBe('terminated');
    expect(idsOf(await rig.ec2('DescribeInstances'))).toEqual([id]);
    expect((await act(rig, 'StartInstances', id)).refusal?.[0]).toBe('IncorrectInstanceState');
    rig.clock.advance(3_600_000);
    expect(idsOf(await rig.ec2('DescribeInstances'))).toEqual([]);
    expect((await act(rig, 'TerminateInstances', id)).refusal).toEqual([
      'InvalidInstanceID.NotFound',
      `The instance ID '${id}' does not exist`,
    ]);
  });

  it('is terminated while it is pending', async () => {
    const rig = await startRig();
    const id = idOf(await rig.run());
    expect((await act(rig, 'StopInstances', id)).refusal?.[0]).toBe('IncorrectInstanceState');
    await act(rig, 'TerminateInstances', id);
    rig.clock.advance(30_000);
    expect(await rig.state(id)).toBe('terminated');
    expect(rig.aws.core.ledger().chargedUsd).toBe(0);
  });

  it('is in lists only after a while, and by its id a little sooner', async () => {
    const rig = await startRig({ visibility: { listLagSec: 8, getLagSec: 3 } });
    const id = idOf(await rig.run());
    expect((await act(rig, 'CreateTags', id)).refusal?.[0]).toBe('UnknownParameter');
    await expect(rig.look(id)).rejects.toThrow(/InvalidInstanceID\.NotFound/u);
    rig.clock.advance(3000);
    expect(await rig.state(id)).toBe('pending');
    expect(idsOf(await rig.ec2('DescribeInstances'))).toEqual([]);
    rig.clock.advance(5000);
    expect(idsOf(await rig.ec2('DescribeInstances'))).toEqual([id]);
  });

  it('is not seen from another region', async () => {
    const rig = await startRig();
    const id = await rig.running();
    expect(idsOf(await rig.ec2('DescribeInstances', {}, 'us-east-1'))).toEqual([]);
    expect((await rig.ec2('TerminateInstances', { 'InstanceId.1': id }, 'us-east-1')).refusal?.[0]).toBe(
      'InvalidInstanceID.NotFound',
    );
  });

  it('reboots: its checks begin anew and it keeps its address', async () => {
    const rig = await startRig();
    const id = await rig.running();
    rig.clock.advance(60_000);
    const status = async () =>
      textAt((await act(rig, 'DescribeInstanceStatus', id)).body, 'instanceStatusSet.item.0.instanceStatus.status');
    expect(await status()).toBe('ok');
    await act(rig, 'RebootInstances', id);
    expect(await status()).toBe('initializing');
    rig.clock.advance(20_000);
    expect(await status()).toBe('ok');
    expect(await rig.state(id)).toBe('running');
  });

  it('says where its model server is, by a tag', async () => {
    const rig = await startRig();
    const id = await rig.running();
    rig.aws.core.setModelUrl(id, 'http://127.0.0.1:4711');
    expect(itemsAt(await rig.look(id), 'tagSet')).toEqual([
      { key: 'deckhand:simulated-model-url', value: 'http://127.0.0.1:4711' },
    ]);
  });
});

describe('the disks of an instance of EC2', () => {
  it('go with it, or stay if DeleteOnTermination is false', async () => {
    const rig = await startRig();
    const [gone, kept] = [await rig.running(), await rig.running(KEEP)];
    const disks = [await volumeOf(rig, gone), await volumeOf(rig, kept)] as const;
    await rig.ec2('TerminateInstances', { 'InstanceId.1': gone, 'InstanceId.2': kept });
    rig.clock.advance(30_000);
    expect(await volumeState(rig, disks[0])).toBe('InvalidVolume.NotFound');
    expect(await volumeState(rig, disks[1])).toBe('available');
  });

  it('go or stay as ModifyInstanceAttribute says', async () => {
    const rig = await startRig();
    const id = await rig.running();
    const disk = await volumeOf(rig, id);
    await rig.ec2('ModifyInstanceAttribute', {
      InstanceId: id,
      'BlockDeviceMapping.1.DeviceName': '/dev/sda1',
      'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'false',
    });
    await act(rig, 'TerminateInstances', id);
    rig.clock.advance(30_000);
    expect(await volumeState(rig, disk)).toBe('available');
    expect((await rig.ec2('DeleteVolume', { VolumeId: disk })).refusal).toBeNull();
    expect((await rig.ec2('DeleteVolume', { VolumeId: disk })).refusal?.[0]).toBe('InvalidVolume.NotFound');
  });

  it('are attached, refused while in use, and detached', async () => {
    const rig = await startRig();
    const zone = { 'Placement.AvailabilityZone': 'eu-west-1b' };
    const id = await rig.running(zone);
    const made = await rig.ec2('CreateVolume', { AvailabilityZone: 'eu-west-1b', Size: '50', VolumeType: 'gp3' });
    const disk = textAt(made.body, 'volumeId');
    expect(await volumeState(rig, disk)).toBe('creating');
    rig.clock.advance(2000);
    const attach = { VolumeId: disk, InstanceId: id, Device: '/dev/sdf' };
    expect((await rig.ec2('AttachVolume', attach)).refusal).toBeNull();
    expect((await rig.ec2('AttachVolume', attach)).refusal?.[0]).toBe('VolumeInUse');
    expect((await rig.ec2('DeleteVolume', { VolumeId: disk })).refusal?.[0]).toBe('VolumeInUse');
    const root = await volumeOf(rig, id);
    expect((await rig.ec2('DetachVolume', { VolumeId: root })).refusal?.[0]).toBe('OperationNotPermitted');
    expect((await rig.ec2('DetachVolume', { VolumeId: disk })).refusal).toBeNull();
    expect(await volumeState(rig, disk)).toBe('available');
    const elsewhere = await rig.ec2('CreateVolume', { AvailabilityZone: 'eu-west-1c', Size: '50' });
    rig.clock.advance(2000);
    const far = { VolumeId: textAt(elsewhere.body, 'volumeId'), InstanceId: id, Device: '/dev/sdg' };
    expect((await rig.ec2('AttachVolume', far)).refusal?.[0]).toBe('InvalidVolume.ZoneMismatch');
  });
});

describe('a launch that EC2 accepts and does not carry out', () => {
  it.each([
    ['no_capacity_later', {}, 'Server.InsufficientInstanceCapacity'],
    ['boot_fails', {}, 'Server.InternalError'],
    ['boot_fails', { as: 'installation_failed' }, 'Client.InternalError'],
  ] as const)('ends terminated with a reason after %s %j, at no cost', async (effect, more, code) => {
    const rig = await startRig({ faults: [{ match: { action: 'RunInstances' }, effect, ...more }] });
    const id = await rig.running();
    rig.clock.advance(30_000);
    const look = await rig.look(id);
    expect(textAt(look, 'instanceState.name')).toBe('terminated');
    expect(textAt(look, 'stateReason.code')).toBe(code);
    const { meters } = rig.aws.core.ledger();
    expect(meters.filter((m) => m.resource === 'instance')).toEqual([]);
    expect(meters.every((m) => m.untilMs !== null)).toBe(true);
    expect(rig.aws.core.units('g5.xlarge', 'eu-west-1a', 'ondemand')).toBe(8);
  });

  it('is a start that falls back to stopped for lack of capacity', async () => {
    const rig = await startRig({
      faults: [{ match: { action: 'StartInstances' }, effect: 'no_capacity_later', afterSec: 5 }],
    });
    const id = await rig.running();
    await act(rig, 'StopInstances', id);
    rig.clock.advance(30_000);
    expect((await act(rig, 'StartInstances', id)).refusal).toBeNull();
    expect(await rig.state(id)).toBe('pending');
    rig.clock.advance(60_000);
    const look = await rig.look(id);
    expect(textAt(look, 'instanceState.name')).toBe('stopped');
    expect(textAt(look, 'stateReason.code')).toBe('Server.InsufficientInstanceCapacity');
  });
});
