/** Ending a machine at AWS with the disks that go with it. */
import { describe, expect, it } from 'vitest';
import {
  answerOf,
  instancesXml,
  instanceXml,
  providerOf,
  refusal,
  scriptedAws,
  type AwsScript,
} from './scripted-aws.ts';
import { codeOf } from '../scripted-api.ts';

const ID = 'eu-west-1/i-0abc';
const ok = (action: string) => (): string => answerOf(action, '<return>true</return>');

describe('the end of a machine at AWS', () => {
  const disks = [
    { id: 'vol-0abc', device: '/dev/sda1', deleted: false },
    { id: 'vol-0def', device: '/dev/sdf', deleted: true },
  ];
  const END: AwsScript = {
    DescribeInstances: () => instancesXml(instanceXml({ disks })),
    ModifyInstanceAttribute: ok('ModifyInstanceAttribute'),
    TerminateInstances: () => answerOf('TerminateInstances', '<instancesSet/>'),
    DeleteVolume: ok('DeleteVolume'),
  };
  const marked = (form: Readonly<Record<string, string>> = {}) => [
    form['BlockDeviceMapping.1.DeviceName'],
    form['BlockDeviceMapping.1.Ebs.DeleteOnTermination'],
    form['BlockDeviceMapping.2.DeviceName'],
    form['BlockDeviceMapping.2.Ebs.DeleteOnTermination'],
  ];

  it('takes its system disk and those that are named, and keeps all others', async () => {
    const api = await scriptedAws(END);
    await providerOf(api).deleteInstance(ID, ['eu-west-1/vol-0abc']);
    expect(api.seen.map(({ action }) => action)).toEqual([
      'DescribeInstances',
      'ModifyInstanceAttribute',
      'TerminateInstances',
    ]);
    expect(marked(api.of('ModifyInstanceAttribute')[0]?.form)).toEqual(['/dev/sda1', 'true', '/dev/sdf', 'false']);
  });

  it('changes no disk that is marked right already', async () => {
    const right = disks.map((disk) => ({ ...disk, deleted: true }));
    const api = await scriptedAws({ ...END, DescribeInstances: () => instancesXml(instanceXml({ disks: right })) });
    await providerOf(api).deleteInstance(ID, ['eu-west-1/vol-0def']);
    expect(api.of('ModifyInstanceAttribute')).toEqual([]);
    expect(api.of('TerminateInstances')).toHaveLength(1);
  });

  it('is ordered also where disks cannot be marked, which later rounds delete', async () => {
    const api = await scriptedAws({
      ...END,
      DescribeInstances: () => instancesXml(instanceXml()),
      ModifyInstanceAttribute: () => refusal('IncorrectInstanceState'),
    });
    await providerOf(api).deleteInstance(ID, ['eu-west-1/vol-0abc']);
    expect(api.of('TerminateInstances')).toHaveLength(1);
  });

  it('is not ordered while it would take a disk that is to be kept', async () => {
    const api = await scriptedAws({ ...END, ModifyInstanceAttribute: () => refusal('IncorrectInstanceState') });
    expect(await codeOf(providerOf(api).deleteInstance(ID, []))).toBe('provider_not_yet');
    expect(api.of('TerminateInstances')).toEqual([]);
  });

  it('leaves disks that are still being detached to the next round', async () => {
    const api = await scriptedAws({
      ...END,
      DescribeInstances: () => instancesXml(instanceXml({ state: 'terminated', disks: [] })),
      DeleteVolume: () => refusal('VolumeInUse'),
    });
    await providerOf(api).deleteInstance(ID, ['eu-west-1/vol-0abc']);
    expect(api.of('DeleteVolume')).toHaveLength(1);
  });

  it('is done when the machine ends meanwhile', async () => {
    const api = await scriptedAws({ ...END, TerminateInstances: () => refusal('InvalidInstanceID.NotFound') });
    await expect(providerOf(api).deleteInstance(ID, ['eu-west-1/vol-0def'])).resolves.toBeUndefined();
  });

  it.each([
    ['terminated', 'gone', 0],
    ['shutting-down', 'deleting', 1],
  ])('makes a machine that never ran and is %s %s: AWS shows it for an hour', async (state, status, orders) => {
    const reason = 'Server.InsufficientInstanceCapacity';
    const failed = instancesXml(instanceXml({ state, reason, disks: [] }));
    const api = await scriptedAws({ ...END, DescribeInstances: () => failed });
    const provider = providerOf(api);
    const listed = async () => (await provider.listInstances()).filter(({ id }) => id === ID);
    expect(await provider.getInstance(ID)).toMatchObject({ status: 'failed' });
    // Its create may have had no answer: then the list is where it is found.
    expect(await listed()).toMatchObject([{ id: ID, status: 'failed' }]);
    await provider.deleteInstance(ID, []);
    expect((await provider.getInstance(ID))?.status).toBe(status);
    expect((await listed()).map((instance) => instance.status)).toEqual(status === 'gone' ? [] : [status]);
    expect(api.of('TerminateInstances')).toHaveLength(orders);
  });
});
