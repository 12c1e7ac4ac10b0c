/** The simulated DataCrunch to the provider's own Python SDK: what the SDK makes of every answer. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDataCrunchServer, type DataCrunchServer } from '../../simulators/clouds/datacrunch/server.ts';
import { pythonWith } from '../../testing/python-packages.ts';

let python: string;
let server: DataCrunchServer;

beforeAll(async () => {
  python = await pythonWith('verda==1.25.0');
  server = await startDataCrunchServer({
    modelServers: false,
    scenario: {
      // The SDK looks every half second at first; it must be able to see `provisioning`.
      boot: { orderedSec: 0.2, provisioningSec: 8, startSec: 0.2 },
      end: { stopSec: 0.2, deleteSec: 0.5, diskLingerSec: 0.3 },
      storage: { orderSec: 0.2, cloneSec: 1 },
      stock: [{ types: '1A100.40S.22V', locations: ['FIN-02'], markets: ['ondemand'], count: 1 }],
    },
  });
});

afterAll(() => server.stop());

it('gives the SDK what it expects over a whole life of instances, volumes, keys, scripts and containers', async () => {
  const script = path.join(import.meta.dirname, 'lifecycle.py');
  const { stdout } = await promisify(execFile)(python, [script, server.baseUrl]);
  expect(JSON.parse(stdout)).toEqual({
    wrong_secret: ['unauthorized_request', 'Invalid client id or client secret'],
    catalogue: {
      balance: [1000, 'usd'],
      types: server.datacrunch.core.catalogue.types.size,
      price: 1.26,
      spot_price: 0.63,
      vram: 40,
      image: true,
      locations: ['FIN-01', 'FIN-02', 'FIN-03'],
      volume_types: ['NVMe', 'NVMe_Shared', 'HDD'],
      container_types: true,
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
    containers: {
      first: 'image_pulling',
      paused: 'paused',
      replicas: 1,
      max: 2,
      names: ['conformance'],
      resources: true,
      left: 0,
    },
    left: 0,
  });
});
