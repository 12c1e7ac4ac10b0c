/**
 * A simulated provider in process: the shell around what its folder says about its API.
 *
 *     const clock = new VirtualClock();
 *     const datacrunch = createSimulatedDataCrunch({ clock, scenario: { stock: [{ types: '1H100*', count: 1 }] } });
 *     const response = await datacrunch.fetch('http://datacrunch.simulated/v1/oauth2/token', { method: 'POST', body: … });
 *     clock.advance(60_000);
 *     datacrunch.core.allInstances();      // what exists, whatever the API shows
 *     datacrunch.core.ledger();            // what was charged
 *
 * `scenario` is a name (`default`, `demo`, `drought` and the provider's own), a file, or the object itself (scenario.ts); faults are in it or set
 * with `setFaults`. Credentials are `demo` unless given. `fetch` never opens a socket: a fault that cuts the connection rejects like undici does
 * (`TypeError: fetch failed`); one that never answers rejects with a `TimeoutError` at once on a virtual clock, and on the real clock when the
 * caller's signal fires. State is plain JSON: `snapshot()`, `restore()`.
 */
import { RealClock, VirtualClock, type Clock } from './clock.ts';
import { fetchOver } from './connection.ts';
import type { Catalogue } from './context.ts';
import { faultRuleSchema, type FaultRuleInput } from './faults.ts';
import type { ScenarioInput, Scenario } from './scenario.ts';
import { SimulatedCloud } from './simulated-cloud.ts';
import type { CloudState } from './state.ts';

export interface SimulatorOptions {
  /** Name, file or object; default `default`. */
  readonly scenario?: string | ScenarioInput;
  /** Default: what the scenario says. */
  readonly clock?: Clock;
  /** Default: the scenario's. */
  readonly seed?: number | undefined;
}

/** The state of a simulator as plain JSON. */
export interface Snapshot<Account> {
  readonly cloud: CloudState;
  readonly account: Account;
}

export interface Simulator<Account = unknown> {
  /** Like the global `fetch`. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Answers a request, for a server with a socket. @throws ConnectionFault when there is no answer */
  answer(request: Request): Promise<Response>;
  /** The cloud behind the API: stock, prices, balance, quotas, evictions, ledger, all resources. */
  readonly core: SimulatedCloud;
  readonly clock: Clock;
  readonly scenario: Scenario;
  /** Replaces the fault script. */
  setFaults(rules: readonly FaultRuleInput[]): void;
  snapshot(): Snapshot<Account>;
  restore(snapshot: Snapshot<Account>): void;
}

/** A fresh cloud with the goods of a provider. @throws Error when the scenario is not valid */
export function openCloud(
  catalogue: Catalogue,
  scenarioOf: (input: string | ScenarioInput) => Scenario,
  options: SimulatorOptions,
): SimulatedCloud {
  const scenario = scenarioOf(options.scenario ?? 'default');
  const clock = options.clock ?? (scenario.clock === 'virtual' ? new VirtualClock() : new RealClock());
  return new SimulatedCloud({ scenario, catalogue, clock, seed: options.seed });
}

/** The simulator of an account. */
export function simulatorOf<Account>(
  sim: { readonly cloud: SimulatedCloud; account: Account },
  answer: (request: Request) => Promise<Response>,
): Simulator<Account> {
  const { cloud } = sim;
  return {
    core: cloud,
    clock: cloud.clock,
    scenario: cloud.scenario,
    answer,
    fetch: fetchOver(answer, cloud.clock),
    setFaults: (rules) => cloud.setFaults(rules.map((rule) => faultRuleSchema.parse(rule))),
    snapshot: () => ({ cloud: cloud.snapshot(), account: structuredClone(sim.account) }),
    restore: (snapshot) => {
      cloud.restore(snapshot.cloud);
      sim.account = structuredClone(snapshot.account);
    },
  };
}
