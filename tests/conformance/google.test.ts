/** The simulated Google to clients of others: Google's own Python library, and Apache Libcloud. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveSimulator, type SimulatorServer } from '../../simulators/clouds/core/serving.ts';
import { createSimulatedGoogle } from '../../simulators/clouds/google/app.ts';
import { folderPerTest } from '../../testing/per-file.ts';
import { pythonWith, reportOf } from '../../testing/python-packages.ts';

const EMAIL = 'conformance@simulated-project.iam.gserviceaccount.com';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

let server: SimulatorServer;

beforeEach(async () => {
  const simulator = createSimulatedGoogle({
    serviceAccounts: { [EMAIL]: publicKey.export({ type: 'spki', format: 'pem' }) as string },
    scenario: {
      boot: { orderedSec: 0.2, provisioningSec: 0.4, startSec: 0.3 },
      end: { stopSec: 0.3, deleteSec: 0.3 },
      storage: { orderSec: 0.2 },
      dialect: { operationSec: 0.2 },
      stock: [
        { types: 'g2-*', count: 4 },
        { types: 'n1-*', count: 4 },
      ],
    },
  });
  server = await serveSimulator(simulator, { modelServers: false });
});

afterEach(() => server.stop());

const report = (python: string, script: string, ...more: readonly string[]): Promise<unknown> =>
  reportOf(python, `tests/conformance/${script}`, String(server.port), ...more);

/** The key file of a service account, as Google's console gives it. */
function keyFile(): string {
  const file = path.join(folderPerTest(), 'key.json');
  const key = {
    type: 'service_account',
    project_id: 'simulated-project',
    private_key_id: 'k1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: EMAIL,
    token_uri: `${server.origin}/token`,
  };
  writeFileSync(file, JSON.stringify(key), { mode: 0o600 });
  return file;
}

it("gives Google's library what it expects over a whole life of instances, disks, operations and firewall rules", async () => {
  const python = await pythonWith('google-cloud-compute==1.57.0', 'requests==2.34.2');
  expect(await report(python, 'google_compute.py', keyFile())).toEqual({
    zones: [
      'europe-west1-b',
      'europe-west1-c',
      'europe-west1-d',
      'europe-west4-a',
      'europe-west4-b',
      'europe-west4-c',
      'us-central1-a',
      'us-central1-b',
      'us-central1-c',
      'us-central1-f',
    ],
    stranger: [401, 'authError'],
    stranger_token: 'invalid_grant',
    same_zones: true,
    catalogue: {
      l4: [4, 16_384, 'nvidia-l4', 1],
      gpus: ['nvidia-a100-80gb', 'nvidia-l4', 'nvidia-tesla-a100', 'nvidia-tesla-t4'],
      types: 191,
      types_by_threes: 191,
    },
    image: ['ubuntu-accelerator-2404-amd64-with-nvidia-580', 20],
    network: ['default', '22', [409, 'alreadyExists']],
    same_operation: true,
    machine: {
      status: 'RUNNING',
      labels: { 'made-by': 'conformance' },
      has_address: true,
      disk: [100, 'READY', 1, false],
      listed: ['machine'],
      filtered: ['machine'],
      name_taken: [409, 'alreadyExists'],
      in_use: [400, 'resourceInUseByAnotherResource'],
      no_type: [400, 'invalid'],
      no_capacity: [503, 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'],
      live_migration: [400, 'badRequest'],
    },
    attached: ['n1-standard-4', ['nvidia-tesla-t4', 1]],
    sleep: ['TERMINATED', 'RUNNING', 'g2-standard-8'],
    type_while_running: [400, 'RESOURCE_NOT_READY'],
    gone: true,
    kept: ['READY', 0],
    spot: ['RUNNING', 'SPOT', true],
    left: [0, 0],
  });
});

it('gives Apache Libcloud what it expects over a whole life of a node and its disks', async () => {
  const python = await pythonWith('apache-libcloud==3.9.1');
  expect(await report(python, 'google_libcloud.py')).toEqual({
    zones: 10,
    regions: ['europe-west1', 'europe-west4', 'us-central1'],
    size: [16_384, 4],
    all_sizes: 191,
    networks: ['default'],
    node: ['running', 1, { 'made-by': 'libcloud' }, 'g2-standard-4'],
    listed: ['node'],
    name_taken: ['ResourceExistsError', 'alreadyExists'],
    no_capacity: ['GoogleBaseError', 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS'],
    volume: ['80', 'READY', ['InvalidRequestError', 'resourceInUseByAnotherResource']],
    woken: ['TERMINATED', 'RUNNING', 'g2-standard-8', true],
    gone: ['ResourceNotFoundError', null],
    again: ['running', ['node-os']],
    data: ['20', true],
    firewall: ['libcloud', [{ IPProtocol: 'tcp', ports: ['22'] }], true],
    // The second node took the disk along.
    left: [0, []],
  });
});
