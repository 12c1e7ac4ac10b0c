/**
 * A simulated AWS: the Query API of EC2 and parts of SSM, Pricing and STS over the simulator core, in process or behind a socket (main.ts).
 *
 *     const aws = createSimulatedAws({ clock: new VirtualClock(), scenario: { stock: [{ types: 'g6.*', count: 1 }] } });
 *     const response = await aws.fetch('http://aws.simulated/', { method: 'POST', headers: signed, body: 'Action=DescribeInstances&…' });
 *
 * One address serves all services and regions: both are in the credential scope of the signature (version 4). Credentials are `demo`/`demo`
 * unless given. `scenario` is a name (`default`, `demo`, `drought`, `new-account`, `spot-storm`), a file, or the object itself (core/scenario.ts); what it
 * leaves out is as at AWS (`AWS_DEFAULTS`). The rest is as in datacrunch/app.ts.
 */
import path from 'node:path';
import { RealClock, VirtualClock, type Clock } from '../core/clock.ts';
import { fetchOver } from '../core/connection.ts';
import { faultRuleSchema, type FaultRuleInput } from '../core/faults.ts';
import { scenarioNames, scenarioReader, type Scenario, type ScenarioInput } from '../core/scenario.ts';
import { SimulatedCloud } from '../core/simulated-cloud.ts';
import { dialectSchema, freshAccount, type AwsSnapshot, type Simulation } from './account.ts';
import { answerCall } from './call.ts';
import { AWS_CATALOGUE } from './catalogue.ts';
import { followPhases } from './ec2/states.ts';

export interface SimulatedAwsOptions {
  /** Name, file or object; default `default`. */
  readonly scenario?: string | ScenarioInput;
  /** Default: what the scenario says. */
  readonly clock?: Clock;
  /** Default: the scenario's. */
  readonly seed?: number;
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
}

export interface SimulatedAws {
  /** Like the global `fetch`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Answers a request, for a server with a socket. @throws ConnectionFault when there is no answer */
  answer(request: Request): Promise<Response>;
  /** The cloud behind the API: stock, prices, evictions, ledger, all resources. */
  readonly core: SimulatedCloud;
  readonly clock: Clock;
  readonly scenario: Scenario;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Replaces the fault script. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  snapshot(): AwsSnapshot;
  restore(snapshot: AwsSnapshot): void;
}

const SCENARIOS = path.resolve(import.meta.dirname, 'scenarios');

/** Names of the scenarios of the simulated AWS. */
export const awsScenarioNames = (): string[] => scenarioNames(SCENARIOS);

/**
 * What a scenario leaves out. Billing: per second and at least a minute from the start of each run, nothing while stopped but the disks.
 * The account is never empty.
 */
const AWS_DEFAULTS = {
  boot: { orderedSec: [2, 6], provisioningSec: [15, 60], startSec: [15, 45] },
  end: {
    stopSec: [10, 40],
    deleteSec: [10, 40],
    diskLingerSec: 0,
    deletesWhileProvisioning: true,
    stopReleasesStock: true,
  },
  storage: { orderSec: 2 },
  visibility: { listLagSec: [0, 3], getLagSec: [0, 1] },
  billing: {
    quantumSec: 0,
    refundsUnused: true,
    minimumSec: 60,
    billsStopped: false,
    from: 'running',
    balanceUsd: 1_000_000_000,
    volumeUsdPerGibMonth: 0.088,
  },
  spot: { noticeSec: 120 },
  rateLimits: null,
} as const;

const scenarioOf = scenarioReader(SCENARIOS, AWS_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedAws(options: SimulatedAwsOptions = {}): SimulatedAws {
  const scenario = scenarioOf(options.scenario ?? 'default');
  const clock = options.clock ?? (scenario.clock === 'virtual' ? new VirtualClock() : new RealClock());
  const core = new SimulatedCloud({ scenario, catalogue: AWS_CATALOGUE, clock, seed: options.seed });
  const dialect = dialectSchema.parse(scenario.dialect);
  const sim: Simulation = {
    cloud: core,
    dialect,
    accessKeyId: options.accessKeyId ?? 'demo',
    secretAccessKey: options.secretAccessKey ?? 'demo',
    account: freshAccount(dialect),
  };
  followPhases(sim);
  return {
    core,
    clock,
    scenario,
    accessKeyId: sim.accessKeyId,
    secretAccessKey: sim.secretAccessKey,
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
