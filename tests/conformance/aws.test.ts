/** The simulated AWS to clients of others: AWS's own Python SDK, and Apache Libcloud. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSimulatedAws } from '../../simulators/clouds/aws/app.ts';
import { serveSimulator, type SimulatorServer } from '../../simulators/clouds/core/serving.ts';
import { pythonWith, reportOf } from '../../testing/python-packages.ts';

let server: SimulatorServer;

beforeEach(async () => {
  const simulator = createSimulatedAws({
    scenario: {
      boot: { orderedSec: 0.3, provisioningSec: 0.7, startSec: 0.5 },
      end: { stopSec: 0.5, deleteSec: 0.5 },
      storage: { orderSec: 0.2 },
      visibility: { listLagSec: 0, getLagSec: 0 },
      stock: [{ types: 'g5.*', locations: ['eu-west-1b'], count: 2 }],
    },
  });
  server = await serveSimulator(simulator, { modelServers: false });
});

afterEach(() => server.stop());

it('gives boto3 what it expects over a whole life of instances, volumes, keys, groups and spot requests', async () => {
  const python = await pythonWith('boto3==1.44.8');
  expect(await reportOf(python, 'tests/conformance/aws_boto3.py', server.origin)).toEqual({
    wrong_secret: [
      ['SignatureDoesNotMatch', 403],
      ['SignatureDoesNotMatch', 403],
      ['InvalidSignatureException', 400],
    ],
    catalogue: {
      identity: '123456789012',
      regions: ['eu-central-1', 'eu-west-1', 'us-east-1'],
      zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
      gpu: ['A10G', 22_888],
      vcpus: 4,
      types: 17,
      offered: ['eu-west-1c'],
      price: [1, '1.1230000000'],
      spot_prices: 3,
    },
    image: '/dev/sda1',
    no_parameter: ['ParameterNotFound', 400],
    network: {
      subnets: 3,
      rule: [22, '10.0.0.0/8'],
      rule_twice: ['InvalidPermission.Duplicate', 400],
      key_twice: ['InvalidKeyPair.Duplicate', 400],
      keys: ['conformance'],
    },
    no_capacity: ['InsufficientInstanceCapacity', 500],
    instance: {
      dry_run: ['DryRunOperation', 412],
      first_state: 'pending',
      same: true,
      mismatch: ['IdempotentParameterMismatch', 400],
      has_ip: true,
      groups: ['conformance'],
      zone: 'eu-west-1b',
      volume: [[100, 'in-use', '/dev/sda1']],
      tagged: ['instance', 'volume'],
      in_use: ['VolumeInUse', 400],
      type_while_running: ['IncorrectInstanceState', 400],
      stopping: ['running', 'stopping'],
      woken: ['g5.2xlarge', true],
      terminating: 'shutting-down',
      reason: 'Client.UserInitiatedShutdown',
      again: 'terminated',
      token_spent: ['IdempotentInstanceTerminated', 400],
      unknown: ['InvalidInstanceID.NotFound', 400],
      volumes_left: 0,
    },
    spot: { lifecycle: 'spot', request: ['active', 'fulfilled', true], stop: ['UnsupportedOperation', 400] },
    left: [0, 1],
    invalid: ['InvalidAction', 400],
  });
});

it('gives Apache Libcloud what it expects over a whole life of a node and its volumes', async () => {
  const python = await pythonWith('apache-libcloud==3.9.1');
  expect(await reportOf(python, 'tests/conformance/aws_libcloud.py', String(server.port))).toEqual({
    locations: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
    keys: ['libcloud'],
    first_state: 'pending',
    same: true,
    mismatch: 'IdempotentParameterMismatch',
    no_capacity: 'InsufficientInstanceCapacity',
    not_offered: 'Unsupported',
    running: ['libcloud', 1, 'g5.xlarge'],
    volume: [true, 'VolumeInUse', true, true],
    woken: ['g5.2xlarge', true],
    kept: [[80, expect.stringMatching(/^vol-/u)]],
  });
});
