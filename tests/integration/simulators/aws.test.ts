/** The simulated AWS as a process: what survives a kill, and a model server that is told by a tag. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { folderPerTest } from '../../../testing/per-file.ts';
import { QUICK_MACHINES, scenarioFile, startCloud, type CloudProcess } from '../../../testing/simulator-process.ts';
import { until } from '../../../testing/until.ts';
import { answerOf, at, FORM, itemsAt, signedRequest, textAt, type Answer } from '../../../testing/aws-client.ts';

const AMI_PARAMETER = '/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id';

const send = (cloud: CloudProcess, service: string, headers: Readonly<Record<string, string>>, body: string) =>
  fetch(
    signedRequest({
      service,
      region: 'eu-west-1',
      headers,
      body,
      origin: `http://127.0.0.1:${cloud.port}`,
      at: new Date(),
    }),
  );

const ec2 = async (cloud: CloudProcess, action: string, parameters: Record<string, string> = {}): Promise<Answer> =>
  answerOf(await send(cloud, 'ec2', FORM, new URLSearchParams({ Action: action, ...parameters }).toString()));

const launch = async (cloud: CloudProcess): Promise<Record<string, string>> => {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' };
  const parameter = await send(cloud, 'ssm', headers, JSON.stringify({ Name: AMI_PARAMETER }));
  const { Parameter } = (await parameter.json()) as { Parameter: { Value: string } };
  return { ImageId: Parameter.Value, InstanceType: 'g5.xlarge', MinCount: '1', MaxCount: '1', ClientToken: 'once' };
};

const look = async (cloud: CloudProcess, id: string) => {
  const { body } = await ec2(cloud, 'DescribeInstances', { 'InstanceId.1': id });
  const instance = at(body, 'reservationSet.item.0.instancesSet.item.0');
  const tag = itemsAt(instance, 'tagSet').find((t) => at(t, 'key') === 'deckhand:simulated-model-url');
  return { state: textAt(instance, 'instanceState.name'), modelUrl: tag === undefined ? null : textAt(tag, 'value') };
};

const models = async (url: string): Promise<string[]> =>
  ((await (await fetch(`${url}/api/tags`)).json()) as { models: { name: string }[] }).models.map((m) => m.name);

it('the simulated AWS keeps instances and tokens over kill -9, and models with the disk over a stop', async () => {
  const scenario = scenarioFile({ ...QUICK_MACHINES, visibility: { listLagSec: 0, getLagSec: 0 } });
  const state = path.join(folderPerTest(), 'state.json');
  const start = (): Promise<CloudProcess> => startCloud('aws', '--scenario', scenario, '--state', state);
  let cloud = await start();
  try {
    const wanted = await launch(cloud);
    const id = textAt((await ec2(cloud, 'RunInstances', wanted)).body, 'instancesSet.item.0.instanceId');
    const first = await until(() => look(cloud, id)).is(({ modelUrl }) => modelUrl !== null);
    expect(first.state).toBe('running');
    const pull = await fetch(`${first.modelUrl}/api/pull`, {
      method: 'POST',
      body: JSON.stringify({ model: 'reader-text:1', stream: false }),
    });
    await pull.text();
    expect(pull.status).toBe(200);
    // What was pulled is on the disk as soon as the simulator has looked.
    const onDisk = () => cloud.control<{ volumes: Record<string, { models: string[] }> }>('/state');
    await until(onDisk).is(({ volumes }) => Object.values(volumes)[0]?.models.join() === 'reader-text:1');

    await ec2(cloud, 'StopInstances', { 'InstanceId.1': id });
    const stopped = await until(() => look(cloud, id)).is(({ state }) => state === 'stopped');
    await until(() => look(cloud, id)).is(({ modelUrl }) => modelUrl === null);
    expect(stopped.state).toBe('stopped');
    await cloud.kill('SIGKILL');

    cloud = await start();
    expect((await look(cloud, id)).state).toBe('stopped');
    const again = await ec2(cloud, 'RunInstances', wanted);
    expect(textAt(again.body, 'instancesSet.item.0.instanceId')).toBe(id);
    await ec2(cloud, 'StartInstances', { 'InstanceId.1': id });
    const woken = await until(() => look(cloud, id)).is(({ modelUrl }) => modelUrl !== null);
    expect(Object.values((await onDisk()).volumes).map((v) => v.models)).toEqual([['reader-text:1']]);
    expect(await models(woken.modelUrl ?? '')).toContain('reader-text:1');
  } finally {
    await cloud.kill('SIGTERM');
  }
});
