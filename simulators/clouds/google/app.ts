/**
 * A simulated Google: parts of Compute Engine, the price list and the token server over the simulator core, in process or behind a socket
 * (main.ts).
 *
 *     const google = createSimulatedGoogle({ clock: new VirtualClock(), scenario: { stock: [{ types: 'g2-*', count: 1 }] } });
 *     const response = await google.fetch('http://google.simulated/compute/v1/projects/simulated-project/zones', { headers });
 *
 * One address serves all services: `/token`, `/compute/v1` and `/v1/services` (billing). The login is `demo`/`demo`/`demo` unless given; service
 * accounts are those given with their public keys. `scenario` is a name (`default`, `demo`, `drought`, `new-project`, `spot-storm`), a file, or the
 * object itself (core/scenario.ts); what it leaves out is as at Google (`GOOGLE_DEFAULTS`). The rest is as in datacrunch/app.ts.
 */
import path from 'node:path';
import { RealClock, VirtualClock, type Clock } from '../core/clock.ts';
import { fetchOver } from '../core/connection.ts';
import { faultRuleSchema, type FaultRuleInput } from '../core/faults.ts';
import { scenarioNames, scenarioReader, type Scenario, type ScenarioInput } from '../core/scenario.ts';
import { SimulatedCloud } from '../core/simulated-cloud.ts';
import { dialectSchema, freshAccount, type GoogleSnapshot, type Simulation } from './account.ts';
import { answerCall } from './call.ts';
import { GOOGLE_CATALOGUE } from './catalogue.ts';
import { followPhases } from './compute/phases.ts';

export interface SimulatedGoogleOptions {
  /** Name, file or object; default `default`. */
  readonly scenario?: string | ScenarioInput;
  /** Default: what the scenario says. */
  readonly clock?: Clock;
  /** Default: the scenario's. */
  readonly seed?: number;
  readonly project?: string;
  readonly refreshToken?: string;
  /** Service accounts by their address, with the public halves of their keys (PEM). */
  readonly serviceAccounts?: Readonly<Record<string, string>>;
}

export interface SimulatedGoogle {
  /** Like the global `fetch`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Answers a request, for a server with a socket. @throws ConnectionFault when there is no answer */
  answer(request: Request): Promise<Response>;
  /** The cloud behind the API: stock, prices, evictions, ledger, all resources. */
  readonly core: SimulatedCloud;
  readonly clock: Clock;
  readonly scenario: Scenario;
  readonly project: string;
  readonly refreshToken: string;
  /** Replaces the fault script. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  snapshot(): GoogleSnapshot;
  restore(snapshot: GoogleSnapshot): void;
}

const SCENARIOS = path.resolve(import.meta.dirname, 'scenarios');

/** Names of the scenarios of the simulated Google. */
export const googleScenarioNames = (): string[] => scenarioNames(SCENARIOS);

/**
 * What a scenario leaves out. Billing: per second and at least a minute from the start of each run, nothing while stopped but the disks.
 * The account is never empty.
 */
const GOOGLE_DEFAULTS = {
  boot: { orderedSec: [1, 4], provisioningSec: [10, 40], startSec: [10, 30] },
  end: {
    stopSec: [10, 40],
    deleteSec: [10, 40],
    diskLingerSec: 0,
    deletesWhileProvisioning: true,
    stopReleasesStock: true,
  },
  storage: { orderSec: 2 },
  billing: {
    quantumSec: 0,
    refundsUnused: true,
    minimumSec: 60,
    billsStopped: false,
    from: 'running',
    balanceUsd: 1_000_000_000,
    volumeUsdPerGibMonth: 0.11,
  },
  spot: { noticeSec: 30 },
  rateLimits: null,
} as const;

const scenarioOf = scenarioReader(SCENARIOS, GOOGLE_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedGoogle(options: SimulatedGoogleOptions = {}): SimulatedGoogle {
  const scenario = scenarioOf(options.scenario ?? 'default');
  const clock = options.clock ?? (scenario.clock === 'virtual' ? new VirtualClock() : new RealClock());
  const core = new SimulatedCloud({ scenario, catalogue: GOOGLE_CATALOGUE, clock, seed: options.seed });
  const dialect = dialectSchema.parse(scenario.dialect);
  const refreshToken = options.refreshToken ?? 'demo';
  const sim: Simulation = {
    cloud: core,
    dialect,
    project: options.project ?? 'simulated-project',
    credentials: {
      clientId: 'demo',
      clientSecret: 'demo',
      refreshToken,
      serviceAccounts: options.serviceAccounts ?? {},
    },
    account: freshAccount(dialect),
  };
  followPhases(sim);
  return {
    core,
    clock,
    scenario,
    project: sim.project,
    refreshToken,
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
