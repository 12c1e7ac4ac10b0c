/** The simulated DataCrunch to the provider's own Python SDK: what the SDK makes of every answer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveSimulator, type SimulatorServer } from '../../simulators/clouds/core/serving.ts';
import { createSimulatedDataCrunch } from '../../simulators/clouds/datacrunch/app.ts';
import { MACHINE_TYPES } from '../../simulators/clouds/datacrunch/catalogue.ts';
import { pythonWith, reportOf } from '../../testing/python-packages.ts';

let python: string;
let server: SimulatorServer;

beforeAll(async () => {
  python = await pythonWith('verda==1.25.0');
  const simulator = createSimulatedDataCrunch({
    scenario: {
      // The SDK looks every half second at first; it must be able to see `provisioning`.
      boot: { orderedSec: 0.2, provisioningSec: 8, startSec: 0.2 },
      end: { stopSec: 0.2, deleteSec: 0.5, diskLingerSec: 0.3 },
      storage: { orderSec: 0.2, cloneSec: 1 },
      stock: [
        { types: '1A100.40S.22V', locations: ['FIN-02'], markets: ['ondemand'], count: 1 },
        { types: '16H200', locations: ['FIN-02'], count: 1 },
        { types: 'container.1xH100', count: 1 },
      ],
    },
  });
  server = await serveSimulator(simulator);
});

afterAll(() => server.stop());

it('gives the SDK what it expects over a whole life of instances, volumes, keys, scripts and containers', async () => {
  expect(await reportOf(python, 'tests/conformance/lifecycle.py', `${server.origin}/v1`)).toEqual({
    wrong_secret: ['unauthorized_request', 'Invalid client id or client secret'],
    catalogue: {
      balance: [1000, 'usd'],
      types: MACHINE_TYPES.length,
      price: 1.26,
      spot_price: 0.63,
      vram: 40,
      image: true,
      locations: ['FIN-01', 'FIN-02', 'FIN-03'],
      volume_types: ['NVMe', 'NVMe_Shared', 'HDD'],
      container_types: true,
      eur: 1.0836,
      long_term: 0,
      jobs: 0,
      cluster_types: true,
      cluster_images: ['ubuntu-22.04-cuda-12.9-cluster'],
      cluster_available: true,
      available: true,
      available_elsewhere: false,
      available_spot: false,
      available_unknown: false,
      rows: 3,
      rows_of_one: 1,
    },
    keys_and_scripts: {
      key: 'conformance',
      keys: ['conformance'],
      script: '#!/bin/sh\ntrue\n',
      scripts: ['conformance'],
    },
    instance: {
      first_status: 'provisioning',
      image: 'ubuntu-24.04-cuda-12.8-open-docker',
      bad_hostname: ['invalid_request', 'hostname must be a valid hostname'],
      cuda_on_cpu: ['invalid_request', 'Operating system is not valid for this instance type'],
      refused_while_provisioning: ['forbidden_action', "Can't discontinue a provisioning instance"],
      listed: true,
      has_ip: true,
      price: 1.26,
      os_volume: ['conformance-os', 80, 'attached', true],
      listed_after: 0,
      discontinued: true,
      refused_twice: ['forbidden_action', "Can't discontinue a discontinued instance"],
      unknown: ['invalid_request', 'Invalid instance id'],
      restore: ['invalid_request', expect.stringContaining('action')],
    },
    volume_boot: { same_disk: true, keys: [], script: null, in_trash: [] },
    volume: { grown: ['renamed', 60], copy: 'copy', trash: ['renamed'], left: 0, purged: 'deleted' },
    cluster: { first_status: 'provisioning', nodes: ['cluster-1', 'cluster-2'], shared: [['shared', 100]], left: 0 },
    containers: {
      first: 'image_pulling',
      paused: 'paused',
      replicas: 1,
      max: 2,
      names: ['conformance'],
      resources: true,
      wrong_key: true,
      generated: true,
      status: 'healthy',
      left: 0,
    },
    left: 0,
  });
});
