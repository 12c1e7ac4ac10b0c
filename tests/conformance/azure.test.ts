/** The simulated Azure to clients of others: Azure's own Python SDK, and Apache Libcloud. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSimulatedAzure } from '../../simulators/clouds/azure/app.ts';
import { serveSimulator, type SimulatorServer } from '../../simulators/clouds/core/serving.ts';
import { pythonWith, reportOf } from '../../testing/python-packages.ts';

let server: SimulatorServer;

beforeEach(async () => {
  const simulator = createSimulatedAzure({
    scenario: {
      boot: { orderedSec: 0.3, provisioningSec: 0.7, startSec: 0.5 },
      end: { stopSec: 0.5, deleteSec: 0.5 },
      visibility: { listLagSec: 0, getLagSec: 0 },
      dialect: { networkSec: 0.1 },
      stock: [{ types: '*_T4_v3', locations: ['northeurope'], count: 1 }],
    },
  });
  server = await serveSimulator(simulator, { modelServers: false });
});

afterEach(() => server.stop());

it('gives the SDK of Azure what it expects over a whole life of a machine, its network and its disk', async () => {
  const python = await pythonWith('azure-mgmt-compute==39.0.0', 'azure-mgmt-network==33.1.0');
  expect(await reportOf(python, 'tests/conformance/azure_sdk.py', server.origin)).toEqual({
    wrong_secret: [401, 'invalid_client'],
    wrong_token: ['InvalidAuthenticationToken', 401],
    sku: { vCPUs: '4', MemoryGB: '28', GPUs: '1' },
    skus: 12,
    no_group: ['ResourceGroupNotFound', 404],
    network: ['Succeeded', true, '10.20.0.4'],
    ip_in_use: ['PublicIPAddressCannotBeDeleted', 400],
    made: ['Succeeded', 'Standard_NC4as_T4_v3', ['PowerState/running'], { 'made-by': 'sdk' }],
    again: ['PreconditionFailed', 412],
    listed: [['sdk'], [['PowerState/running']]],
    disk: [64, 'Attached', 'Linux', true],
    disk_in_use: ['OperationNotAllowed', 409],
    resize_running: ['OperationNotAllowed', 409],
    asleep: [['PowerState/deallocated'], 'Reserved'],
    awake: [['PowerState/running'], 'Standard_NC8as_T4_v3'],
    gone: ['ResourceNotFound', 404],
    kept: [['sdk-os', 'Unattached']],
    woken: ['Succeeded', 'sdk-os', true],
    left: [[], []],
    no_capacity: ['SkuNotAvailable', 409],
    interfaces: [],
  });
});

it('gives Apache Libcloud what it expects over a whole life of a node', async () => {
  const python = await pythonWith('apache-libcloud==3.9.1');
  expect(await reportOf(python, 'tests/conformance/azure_libcloud.py', String(server.port))).toEqual({
    locations: ['eastus', 'northeurope', 'westeurope'],
    size: [28_672, 4],
    root: [400, 'InvalidParameter'],
    no_capacity: [409, 'SkuNotAvailable'],
    first_state: 'Creating',
    running: [1, 1, { 'made-by': 'libcloud' }, 'Standard_NC4as_T4_v3'],
    volumes: [['libcloud', 64, 'inuse']],
    in_use: [400, 'NicInUse'],
    ended: true,
    left: [[], [], [], ['libcloud-ip']],
  });
});
