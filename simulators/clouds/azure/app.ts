/**
 * A simulated Azure: sign-in, the management API for machines, disks and networks, and the public price list over the simulator core, in
 * process or behind a socket (main.ts).
 *
 *     const azure = createSimulatedAzure({ clock: new VirtualClock(), scenario: { stock: [{ types: '*_T4_v3', count: 1 }] } });
 *     const response = await azure.fetch('http://azure.simulated/subscriptions/…/providers/Microsoft.Compute/virtualMachines?api-version=2024-07-01');
 *
 * One address serves all services; their paths tell them apart. Client id and secret are `demo`/`demo` unless given, tenant and subscription
 * those of `AZURE_SIMULATOR_CREDENTIALS`. `scenario` is a name (`default`, `demo`, `drought`, `new-subscription`), a file, or the object itself
 * (core/scenario.ts); what it leaves out is as at Azure (`AZURE_DEFAULTS`). The rest is as in datacrunch/app.ts.
 */
import path from 'node:path';
import { RealClock, VirtualClock, type Clock } from '../core/clock.ts';
import { fetchOver } from '../core/connection.ts';
import { faultRuleSchema, type FaultRuleInput } from '../core/faults.ts';
import { scenarioNames, scenarioReader, type Scenario, type ScenarioInput } from '../core/scenario.ts';
import { SimulatedCloud } from '../core/simulated-cloud.ts';
import { dialectSchema, freshAccount, type AzureSecrets, type AzureSnapshot, type Simulation } from './account.ts';
import { followPhases } from './arm/machines.ts';
import { answerCall } from './call.ts';
import { AZURE_CATALOGUE } from './catalogue.ts';

export interface SimulatedAzureOptions {
  /** Name, file or object; default `default`. */
  readonly scenario?: string | ScenarioInput;
  /** Default: what the scenario says. */
  readonly clock?: Clock;
  /** Default: the scenario's. */
  readonly seed?: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface SimulatedAzure {
  /** Like the global `fetch`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Answers a request, for a server with a socket. @throws ConnectionFault when there is no answer */
  answer(request: Request): Promise<Response>;
  /** The cloud behind the API: stock, prices, evictions, ledger, all resources. */
  readonly core: SimulatedCloud;
  readonly clock: Clock;
  readonly scenario: Scenario;
  readonly secrets: AzureSecrets;
  /** Names of the network pieces that exist, with their types; for tests. */
  pieces(): readonly string[];
  /** Replaces the fault script. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  snapshot(): AzureSnapshot;
  restore(snapshot: AzureSnapshot): void;
}

const SCENARIOS = path.resolve(import.meta.dirname, 'scenarios');
const TENANT = '00000000-0000-4000-8000-00000000da01';
const SUBSCRIPTION = '00000000-0000-4000-8000-00000000da02';

/** Names of the scenarios of the simulated Azure. */
export const azureScenarioNames = (): string[] => scenarioNames(SCENARIOS);

/**
 * What a scenario leaves out. Billing: per second while a machine has a place on a host, nothing while deallocated but the disks. The account
 * is never empty.
 */
const AZURE_DEFAULTS = {
  boot: { orderedSec: [5, 15], provisioningSec: [30, 90], startSec: [20, 60] },
  end: {
    stopSec: [15, 45],
    deleteSec: [15, 45],
    diskLingerSec: 0,
    deletesWhileProvisioning: true,
    stopReleasesStock: true,
  },
  visibility: { listLagSec: [0, 2], getLagSec: 0 },
  billing: {
    quantumSec: 0,
    refundsUnused: true,
    billsStopped: false,
    from: 'running',
    balanceUsd: 1_000_000_000,
    volumeUsdPerGibMonth: 0.2,
  },
  spot: { noticeSec: 30 },
  rateLimits: null,
} as const;

const scenarioOf = scenarioReader(SCENARIOS, AZURE_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedAzure(options: SimulatedAzureOptions = {}): SimulatedAzure {
  const scenario = scenarioOf(options.scenario ?? 'default');
  const clock = options.clock ?? (scenario.clock === 'virtual' ? new VirtualClock() : new RealClock());
  const core = new SimulatedCloud({ scenario, catalogue: AZURE_CATALOGUE, clock, seed: options.seed });
  const dialect = dialectSchema.parse(scenario.dialect);
  const { clientId = 'demo', clientSecret = 'demo' } = options;
  const secrets = { tenantId: TENANT, clientId, clientSecret, subscriptionId: SUBSCRIPTION };
  const sim: Simulation = { cloud: core, dialect, secrets, account: freshAccount(dialect) };
  followPhases(sim);
  return {
    core,
    clock,
    scenario,
    secrets,
    pieces: () => {
      const nowMs = core.settle();
      return Object.values(sim.account.pieces)
        .filter(({ goneAtMs }) => goneAtMs === null || goneAtMs > nowMs)
        .map(({ type, name }) => `${type}/${name}`);
    },
    answer: (request) => answerCall(sim, request),
    fetch: fetchOver((request) => answerCall(sim, request), clock),
    setFaults: (rules) => core.setFaults(rules.map((rule) => faultRuleSchema.parse(rule))),
    snapshot: () => ({ cloud: core.snapshot(), account: structuredClone(sim.account) }),
    restore: (snapshot) => {
      core.restore(snapshot.cloud);
      sim.account = structuredClone(snapshot.account);
    },
  };
}
