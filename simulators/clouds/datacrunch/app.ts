/**
 * A simulated DataCrunch: the provider's public HTTP API over the simulator core, in process or behind a socket (main.ts).
 *
 *     const clock = new VirtualClock();
 *     const datacrunch = createSimulatedDataCrunch({ clock, scenario: { stock: [{ types: '1H100*', count: 1 }] } });
 *     const response = await datacrunch.fetch('http://datacrunch.simulated/v1/oauth2/token', { method: 'POST', body: … });
 *     clock.advance(60_000);
 *     datacrunch.core.allInstances();      // what exists, whatever the API shows
 *     datacrunch.core.ledger();            // what was charged
 *
 * `scenario` is a name (`default`, `demo`, `drought`), a file, or the object itself (core/scenario.ts); faults are in it or set with
 * `setFaults`. Credentials are `demo`/`demo` unless given. `fetch` never opens a socket: a fault that cuts the connection rejects like
 * undici does (`TypeError: fetch failed`); one that never answers rejects with a `TimeoutError` at once on a virtual clock, and on the real
 * clock when the caller's signal fires. State is plain JSON: `snapshot()`, `restore()`.
 */
import { faultRuleSchema, type FaultRuleInput } from '../core/faults.ts';
import { RealClock, VirtualClock, type Clock } from '../core/clock.ts';
import { scenarioReader, type Scenario, type ScenarioInput } from '../core/scenario.ts';
import { SimulatedCloud } from '../core/simulated-cloud.ts';
import { freshAccount, type DataCrunchSnapshot, type Simulation, dialectSchema } from './account.ts';
import { answerCall } from './call.ts';
import { DATACRUNCH_CATALOGUE } from './catalogue.ts';
import { fetchOver } from '../core/connection.ts';
import { startScheduler } from './deployments.ts';
import { Traffic } from './traffic.ts';

export interface SimulatedDataCrunchOptions {
  /** Name, file or object; default `default`. */
  readonly scenario?: string | ScenarioInput;
  /** Default: what the scenario says. */
  readonly clock?: Clock;
  /** Default: the scenario's. */
  readonly seed?: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Credential of calls to container deployments; default `demo-inference`. */
  readonly inferenceKey?: string;
}

export interface SimulatedDataCrunch {
  /** Like the global `fetch`, for any URL whose path starts with `/v1` or the name of a container deployment. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Answers a request, for a server with a socket. @throws ConnectionFault when there is no answer */
  answer(request: Request): Promise<Response>;
  /** The cloud behind the API: stock, prices, balance, quotas, evictions, ledger, all resources. */
  readonly core: SimulatedCloud;
  readonly clock: Clock;
  readonly scenario: Scenario;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly inferenceKey: string;
  /** Lets calls that wait for a replica look again: a model server came or went. */
  modelServersChanged(): void;
  /** Replaces the fault script. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  /** Invalidates every token. */
  revokeTokens(): void;
  snapshot(): DataCrunchSnapshot;
  restore(snapshot: DataCrunchSnapshot): void;
}

const scenarioOf = scenarioReader();

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedDataCrunch(options: SimulatedDataCrunchOptions = {}): SimulatedDataCrunch {
  const scenario = scenarioOf(options.scenario ?? 'default');
  const clock = options.clock ?? (scenario.clock === 'virtual' ? new VirtualClock() : new RealClock());
  const core = new SimulatedCloud({ scenario, catalogue: DATACRUNCH_CATALOGUE, clock, seed: options.seed });
  const sim: Simulation = {
    cloud: core,
    dialect: dialectSchema.parse(scenario.dialect),
    clientId: options.clientId ?? 'demo',
    clientSecret: options.clientSecret ?? 'demo',
    inferenceKey: options.inferenceKey ?? 'demo-inference',
    traffic: new Traffic(),
    account: freshAccount(),
  };
  startScheduler(sim);
  return {
    core,
    clock,
    scenario,
    clientId: sim.clientId,
    clientSecret: sim.clientSecret,
    inferenceKey: sim.inferenceKey,
    modelServersChanged: () => sim.traffic.wake(),
    answer: (request) => answerCall(sim, request),
    fetch: fetchOver((request) => answerCall(sim, request), clock),
    setFaults: (rules) => core.setFaults(rules.map((rule) => faultRuleSchema.parse(rule))),
    revokeTokens: () => {
      sim.account = { ...sim.account, tokens: {} };
    },
    snapshot: () => ({ cloud: core.snapshot(), account: structuredClone(sim.account) }),
    restore: (snapshot) => {
      core.restore(snapshot.cloud);
      const { deployments, ...account } = structuredClone(snapshot.account);
      // A deployment in a state file from before deployments had replicas is not taken up.
      const whole = Object.entries(deployments).filter(([, deployment]) => 'replicas' in deployment);
      sim.account = { ...account, deployments: Object.fromEntries(whole) };
    },
  };
}
