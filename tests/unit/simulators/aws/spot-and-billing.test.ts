/** Spot instances of the simulated EC2: prices, notice, eviction; and what instances cost. */
import { describe, expect, it } from 'vitest';
import { at, itemsAt, startRig, textAt, type Rig } from '../../../../testing/aws-client.ts';

const SPOT = { 'InstanceMarketOptions.MarketType': 'spot' };
const HOUR_MS = 3_600_000;

const statusOf = async (rig: Rig, requestId: string): Promise<string> => {
  const { body } = await rig.ec2('DescribeSpotInstanceRequests', { 'SpotInstanceRequestId.1': requestId });
  return textAt(body, 'spotInstanceRequestSet.item.0.status.code');
};
const machineUsd = (rig: Rig): number =>
  rig.aws.core
    .ledger()
    .meters.filter((m) => m.resource === 'instance')
    .reduce((sum, m) => sum + m.chargedUsd, 0);

describe('a spot instance', () => {
  it('gets two minutes of notice before it is terminated', async () => {
    const rig = await startRig();
    const id = await rig.running(SPOT);
    const look = await rig.look(id);
    expect(textAt(look, 'instanceLifecycle')).toBe('spot');
    const request = textAt(look, 'spotInstanceRequestId');
    expect(request).toMatch(/^sir-[0-9a-f]{8}$/u);
    expect(await statusOf(rig, request)).toBe('fulfilled');
    rig.aws.core.evict(id);
    expect(await statusOf(rig, request)).toBe('marked-for-termination');
    rig.clock.advance(119_999);
    expect(await rig.state(id)).toBe('running');
    rig.clock.advance(1);
    expect(await rig.state(id)).toBe('terminated');
    expect(textAt(await rig.look(id), 'stateReason.code')).toBe('Server.SpotInstanceTermination');
    expect(await statusOf(rig, request)).toBe('instance-terminated-no-capacity');
  });

  it('evicted by the scenario gets its notice too, once', async () => {
    const rig = await startRig({ timeline: [61, 90, 170].map((atSec) => ({ atSec, evict: 'g5.*' })) });
    const id = await rig.running(SPOT);
    const onDemand = await rig.running();
    rig.clock.advance(59_999);
    expect(rig.aws.core.instance(id).history.at(-1)).toMatchObject({ phase: 'running' });
    rig.clock.advance(HOUR_MS / 2);
    const { history } = rig.aws.core.instance(id);
    expect((history.at(-1)?.atMs ?? 0) - rig.aws.core.state.startedAtMs).toBe(181_000);
    expect(await rig.state(onDemand)).toBe('running');
  });

  it('cannot be stopped', async () => {
    const rig = await startRig();
    const id = await rig.running(SPOT);
    const { refusal } = await rig.ec2('StopInstances', { 'InstanceId.1': id });
    expect(refusal?.[0]).toBe('UnsupportedOperation');
    expect(refusal?.[1]).toContain('one-time Spot Instance request');
  });

  it('that its user ends in the notice is not evicted', async () => {
    const rig = await startRig();
    const id = await rig.running(SPOT);
    const request = textAt(await rig.look(id), 'spotInstanceRequestId');
    rig.aws.core.evict(id);
    await rig.ec2('TerminateInstances', { 'InstanceId.1': id });
    rig.clock.advance(300_000);
    expect(await statusOf(rig, request)).toBe('instance-terminated-by-user');
  });
});

it('the history of spot prices has a price from before the start, and every change since', async () => {
  const rig = await startRig({ timeline: [{ atSec: 600, prices: [{ types: 'g5.xlarge', spotUsd: 0.9 }] }] });
  const from = new Date(rig.clock.nowMs()).toISOString();
  rig.clock.advance(700_000);
  const ask = (more: Record<string, string> = {}) =>
    rig.ec2('DescribeSpotPriceHistory', {
      'InstanceType.1': 'g5.xlarge',
      'ProductDescription.1': 'Linux/UNIX',
      AvailabilityZone: 'eu-west-1a',
      StartTime: from,
      ...more,
    });
  const rows = itemsAt((await ask()).body, 'spotPriceHistorySet');
  // Prices of a scenario are those of us-east-1.
  expect(rows.map((r) => textAt(r, 'spotPrice'))).toEqual(['1.004672', '0.505350']);
  const now = await ask({ StartTime: new Date(rig.clock.nowMs()).toISOString() });
  expect(itemsAt(now.body, 'spotPriceHistorySet')).toHaveLength(1);
  expect(itemsAt((await ask({ 'ProductDescription.1': 'Windows' })).body, 'spotPriceHistorySet')).toEqual([]);
});

describe('an instance costs', () => {
  it('nothing while it is pending, then by the second, at least a minute', async () => {
    const rig = await startRig();
    const id = await rig.running();
    expect(machineUsd(rig)).toBeCloseTo((1.123 * 60) / 3600, 9);
    rig.clock.advance(59_000);
    expect(machineUsd(rig)).toBeCloseTo((1.123 * 60) / 3600, 9);
    rig.clock.advance(12_000);
    expect(machineUsd(rig)).toBeCloseTo((1.123 * 71) / 3600, 9);
    await rig.ec2('TerminateInstances', { 'InstanceId.1': id });
    rig.clock.advance(HOUR_MS);
    expect(machineUsd(rig)).toBeCloseTo((1.123 * 71) / 3600, 9);
  });

  it('only its disk while it is stopped, and a minute again for each start', async () => {
    const rig = await startRig();
    const id = await rig.running();
    rig.clock.advance(HOUR_MS);
    await rig.ec2('StopInstances', { 'InstanceId.1': id });
    rig.clock.advance(10 * HOUR_MS);
    expect(machineUsd(rig)).toBeCloseTo(1.123, 9);
    const disk = rig.aws.core.ledger().meters.find((m) => m.resource === 'volume');
    expect(disk?.untilMs).toBeNull();
    await rig.ec2('StartInstances', { 'InstanceId.1': id });
    rig.clock.advance(20_000);
    await rig.ec2('StopInstances', { 'InstanceId.1': id });
    rig.clock.advance(HOUR_MS);
    expect(machineUsd(rig)).toBeCloseTo(1.123 * (1 + 1 / 60), 9);
  });

  it('its price in its region and market', async () => {
    const rig = await startRig();
    await rig.running(SPOT);
    rig.clock.advance(HOUR_MS);
    const { body } = await rig.ec2('DescribeSpotPriceHistory', {
      'InstanceType.1': 'g5.xlarge',
      AvailabilityZone: 'eu-west-1a',
    });
    const price = Number(textAt(body, 'spotPriceHistorySet.item.0.spotPrice'));
    expect(machineUsd(rig)).toBeCloseTo(price, 6);
    expect(at(body, 'nextToken')).toBe('');
  });
});
