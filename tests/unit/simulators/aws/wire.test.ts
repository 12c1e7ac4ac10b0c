/** How the simulated AWS answers what goes wrong: signatures, unknown operations, throttling, scripted faults, restarts. */
import { describe, expect, it } from 'vitest';
import type { FaultRuleInput } from '../../../../simulators/clouds/core/faults.ts';
import { createSimulatedAws } from '../../../../simulators/clouds/aws/app.ts';
import {
  answerOf,
  at,
  callJson,
  FORM,
  idOf,
  idsOf,
  signedRequest,
  startRig,
  textAt,
} from '../../../../testing/aws-client.ts';

const rigWith = (...faults: FaultRuleInput[]) => startRig({ faults });

describe('a signature', () => {
  const call = async (service: string, more: { accessKeyId?: string; secret?: string; region?: string }) => {
    const { aws } = await startRig();
    const body = service === 'sts' ? 'Action=GetCallerIdentity' : 'Action=DescribeRegions';
    return answerOf(await aws.fetch(signedRequest({ service, region: 'eu-west-1', headers: FORM, body, ...more })));
  };

  it.each([
    ['ec2', { accessKeyId: 'nobody' }, 401, 'AuthFailure'],
    ['ec2', { secret: 'wrong' }, 403, 'SignatureDoesNotMatch'],
    ['ec2', { region: 'mars-1' }, 401, 'AuthFailure'],
    ['sts', { accessKeyId: 'nobody' }, 403, 'InvalidClientTokenId'],
    ['sts', { secret: 'wrong' }, 403, 'SignatureDoesNotMatch'],
  ])('to %s with %j is refused', async (service, more, status, code) => {
    const answer = await call(service, more);
    expect([answer.status, answer.refusal?.[0]]).toEqual([status, code]);
  });

  it('covers the body: a changed one is refused', async () => {
    const { aws } = await startRig();
    const signed = signedRequest({
      service: 'ec2',
      region: 'eu-west-1',
      headers: FORM,
      body: 'Action=DescribeRegions',
    });
    const forged = new Request(signed.url, { method: 'POST', headers: signed.headers, body: 'Action=DescribeVpcs' });
    expect((await answerOf(await aws.fetch(forged))).refusal?.[0]).toBe('SignatureDoesNotMatch');
  });

  it('is not left out', async () => {
    const { aws } = await startRig();
    const answer = await answerOf(await aws.fetch('http://aws.simulated/?Action=DescribeRegions'));
    expect([answer.status, answer.refusal?.[0]]).toEqual([403, 'MissingAuthenticationToken']);
  });

  it('that is right says who it is', async () => {
    const answer = await call('sts', {});
    expect(textAt(answer.body, 'GetCallerIdentityResult.Arn')).toBe('arn:aws:iam::123456789012:user/demo');
  });

  it('that is too old is refused, where the clock is the real one', async () => {
    const aws = createSimulatedAws();
    const signed = signedRequest({
      service: 'ec2',
      region: 'eu-west-1',
      headers: FORM,
      body: 'Action=DescribeRegions',
    });
    expect((await answerOf(await aws.fetch(signed))).refusal?.[0]).toBe('RequestExpired');
  });
});

it('an operation that is not simulated is not valid, in the words of each service', async () => {
  const rig = await startRig();
  const ec2 = await rig.ec2('CreateFleet');
  expect([ec2.status, ec2.refusal]).toEqual([
    400,
    ['InvalidAction', 'The action CreateFleet is not valid for this web service.'],
  ]);
  expect((await rig.ec2('toString')).refusal?.[0]).toBe('InvalidAction');
  const ssm = await callJson(rig.aws, 'ssm', 'AmazonSSM.PutParameter', {});
  expect(ssm).toMatchObject({ status: 400, body: { __type: 'UnknownOperationException' } });
});

it('calls beyond the limits of the scenario are throttled, per region and operation', async () => {
  const rig = await startRig({ rateLimits: { project: 100, endpoint: 2, list: 3 } });
  const describe = () => rig.ec2('DescribeInstances');
  for (let call = 0; call < 3; call += 1) expect((await describe()).refusal).toBeNull();
  const throttled = await describe();
  expect([throttled.status, throttled.refusal]).toEqual([503, ['RequestLimitExceeded', 'Request limit exceeded.']]);
  expect((await rig.ec2('DescribeInstances', {}, 'us-east-1')).refusal).toBeNull();
  rig.clock.advance(60_000);
  expect((await describe()).refusal).toBeNull();
});

describe('a scripted fault', () => {
  const match = { action: 'DescribeInstances' };

  it.each([
    [{ effect: 'error', status: 500 }, 500, 'InternalError'],
    [{ effect: 'error', status: 503 }, 503, 'Unavailable'],
    [{ effect: 'error', status: 403 }, 403, 'UnauthorizedOperation'],
    [{ effect: 'error', status: 400, code: 'OptInRequired' }, 400, 'OptInRequired'],
    [{ effect: 'rate_limit' }, 503, 'RequestLimitExceeded'],
  ] as const)('%j answers instead of EC2', async (fault, status, code) => {
    const rig = await rigWith({ match, ...fault });
    const answer = await rig.ec2('DescribeInstances');
    expect([answer.status, answer.refusal?.[0]]).toEqual([status, code]);
    expect((await rig.ec2('DescribeVolumes')).refusal).toBeNull();
    expect(rig.aws.core.state.stats.calls).toMatchObject({ 'POST /ec2/DescribeInstances': 1 });
  });

  it('speaks JSON where the service does', async () => {
    const rig = await startRig();
    rig.aws.setFaults([{ match: { path: '/pricing/*' }, effect: 'rate_limit' }]);
    const answer = await callJson(rig.aws, 'pricing', 'AWSPriceListService.GetProducts', {});
    expect(answer).toMatchObject({ status: 400, body: { __type: 'ThrottlingException' } });
  });

  it('lets a launch without an answer take effect later', async () => {
    const rig = await rigWith({ match: { action: 'RunInstances' }, times: 1, effect: 'lands_later', delaySec: 90 });
    await expect(rig.run({ ClientToken: 'once' })).rejects.toThrow('fetch failed');
    expect(idsOf(await rig.ec2('DescribeInstances'))).toEqual([]);
    rig.clock.advance(90_000);
    const [id] = idsOf(await rig.ec2('DescribeInstances'));
    expect(idOf(await rig.run({ ClientToken: 'once' }))).toBe(id);
  });

  it('makes a duplicated launch one launch where it has a token, else two', async () => {
    const rig = await rigWith({ match: { action: 'RunInstances' }, effect: 'duplicate' });
    await rig.run({ ClientToken: 'once' });
    expect(rig.aws.core.allInstances()).toHaveLength(1);
    await rig.run();
    expect(rig.aws.core.allInstances()).toHaveLength(3);
  });

  it('answers with an earlier list, and with a state that EC2 does not have', async () => {
    const rig = await startRig();
    const id = await rig.running();
    rig.aws.setFaults([
      { match: { ...match, nth: 1 }, effect: 'stale_list', bySec: 30 },
      { match: { ...match, nth: 2 }, effect: 'unknown_status', word: 'thawing' },
    ]);
    const stale = await rig.ec2('DescribeInstances');
    expect(textAt(stale.body, 'reservationSet.item.0.instancesSet.item.0.instanceState.name')).toBe('pending');
    expect(await rig.state(id)).toBe('thawing');
    expect(await rig.state(id)).toBe('running');
  });

  it('can meet a launch by type, zone and market, also where the zone is in the subnet', async () => {
    const rig = await startRig();
    const { body } = await rig.ec2('DescribeSubnets');
    const SubnetId = textAt(body, 'subnetSet.item.1.subnetId');
    rig.aws.setFaults([
      {
        match: { instanceType: 'g5.*', location: 'eu-west-1b', market: 'spot' },
        effect: 'error',
        status: 500,
        code: 'InsufficientInstanceCapacity',
      },
    ]);
    expect((await rig.run({ SubnetId })).refusal).toBeNull();
    const spot = await rig.run({ SubnetId, 'InstanceMarketOptions.MarketType': 'spot' });
    expect(spot.refusal?.[0]).toBe('InsufficientInstanceCapacity');
  });
});

describe('a restored simulator', () => {
  it('knows instances, tokens, keys, groups and attachments, and goes on', async () => {
    const rig = await startRig();
    const id = await rig.running({ ClientToken: 'once' });
    await rig.ec2('StopInstances', { 'InstanceId.1': id });
    const copy = JSON.parse(JSON.stringify(rig.aws.snapshot())) as ReturnType<typeof rig.aws.snapshot>;
    const other = await startRig();
    other.aws.restore(copy);
    expect(idOf(await other.run({ ClientToken: 'once' }))).toBe(id);
    other.clock.advance(30_000);
    const look = await other.look(id);
    expect(textAt(look, 'instanceState.name')).toBe('stopped');
    expect(textAt(look, 'blockDeviceMapping.item.0.deviceName')).toBe('/dev/sda1');
    expect(at(look, 'ipAddress')).toBeUndefined();
  });
});

it('a part that a scenario names keeps the other defaults of AWS', () => {
  const { scenario } = createSimulatedAws({ scenario: { end: { stopSec: 1 }, billing: { minimumSec: 0 } } });
  expect(scenario.end).toMatchObject({ stopSec: [1, 1], stopReleasesStock: true });
  expect(scenario.billing).toMatchObject({ minimumSec: 0, from: 'running', billsStopped: false });
  expect(createSimulatedAws().scenario.billing.minimumSec).toBe(60);
});
