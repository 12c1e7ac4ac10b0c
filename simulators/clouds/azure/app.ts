/**
 * A simulated Azure: sign-in, the management API for machines, disks and networks, and the public price list over the simulator core
 * (core/simulator.ts).
 *
 *     const response = await azure.fetch('http://azure.simulated/subscriptions/…/providers/Microsoft.Compute/virtualMachines?api-version=2024-07-01');
 *
 * One address serves all services; their paths tell them apart. Tenant and subscription are those of `AZURE_SIMULATOR_CREDENTIALS`. A further
 * scenario: `new-subscription`; what a scenario leaves out is as at Azure (`AZURE_DEFAULTS`).
 */
import { answerCall } from '../core/call.ts';
import { POSTPAID, scenarioReader } from '../core/scenario.ts';
import { openCloud, simulatorOf, type Simulator, type SimulatorOptions } from '../core/simulator.ts';
import { dialectSchema, freshAccount, type AccountState, type AzureSecrets, type Simulation } from './account.ts';
import { followPhases } from './arm/machines.ts';
import { AZURE_WIRE } from './call.ts';
import { AZURE_CATALOGUE } from './catalogue.ts';

export interface SimulatedAzureOptions extends SimulatorOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface SimulatedAzure extends Simulator<AccountState> {
  readonly secrets: AzureSecrets;
  /** Names of the network pieces that exist, with their types; for tests. */
  pieces(): readonly string[];
}

const TENANT = '00000000-0000-4000-8000-00000000da01';
const SUBSCRIPTION = '00000000-0000-4000-8000-00000000da02';

/** Billing: per second while a machine has a place on a host. */
const AZURE_DEFAULTS = {
  ...POSTPAID,
  boot: { orderedSec: [5, 15], provisioningSec: [30, 90], startSec: [20, 60] },
  end: { ...POSTPAID.end, stopSec: [15, 45], deleteSec: [15, 45] },
  visibility: { listLagSec: [0, 2], getLagSec: 0 },
  billing: { ...POSTPAID.billing, volumeUsdPerGibMonth: 0.2 },
  spot: { noticeSec: 30 },
} as const;

const scenarioOf = scenarioReader('azure', AZURE_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedAzure(options: SimulatedAzureOptions = {}): SimulatedAzure {
  const { clientId = 'demo', clientSecret = 'demo' } = options;
  const secrets = { tenantId: TENANT, clientId, clientSecret, subscriptionId: SUBSCRIPTION };
  const cloud = openCloud(AZURE_CATALOGUE, scenarioOf, options);
  const dialect = dialectSchema.parse(cloud.scenario.dialect);
  const sim: Simulation = { cloud, dialect, secrets, account: freshAccount(dialect) };
  followPhases(sim);
  return {
    ...simulatorOf(sim, (request) => answerCall(sim, AZURE_WIRE, request)),
    secrets,
    pieces: () => {
      const nowMs = cloud.settle();
      return Object.values(sim.account.pieces)
        .filter(({ goneAtMs }) => goneAtMs === null || goneAtMs > nowMs)
        .map(({ type, name }) => `${type}/${name}`);
    },
  };
}
