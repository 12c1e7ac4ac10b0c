/** A simulated DataCrunch: the provider's public HTTP API over the simulator core (core/simulator.ts), and calls to container deployments. */
import { answerCall } from '../core/call.ts';
import { scenarioReader } from '../core/scenario.ts';
import { openCloud, simulatorOf, type Simulator, type SimulatorOptions } from '../core/simulator.ts';
import { dialectSchema, freshAccount, revokeTokens, type AccountState, type Simulation } from './account.ts';
import { DATACRUNCH_WIRE, isApiCall } from './call.ts';
import { DATACRUNCH_CATALOGUE } from './catalogue.ts';
import { startScheduler } from './deployments.ts';
import { answerAtEndpoint } from './endpoint.ts';
import { Traffic } from './traffic.ts';

export interface SimulatedDataCrunchOptions extends SimulatorOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Credential of calls to container deployments; default `demo-inference`. */
  readonly inferenceKey?: string;
}

/** Its `fetch` is for any URL whose path starts with `/v1` or the name of a container deployment. */
export interface SimulatedDataCrunch extends Simulator<AccountState> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly inferenceKey: string;
  /** Lets calls that wait for a replica look again: a model server came or went. */
  modelServersChanged(): void;
  /** Invalidates every token. */
  revokeTokens(): void;
}

const scenarioOf = scenarioReader('datacrunch');

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedDataCrunch(options: SimulatedDataCrunchOptions = {}): SimulatedDataCrunch {
  const { clientId = 'demo', clientSecret = 'demo', inferenceKey = 'demo-inference' } = options;
  const cloud = openCloud(DATACRUNCH_CATALOGUE, scenarioOf, options);
  const dialect = dialectSchema.parse(cloud.scenario.dialect);
  const credentials = { clientId, clientSecret, inferenceKey };
  const sim: Simulation = { cloud, dialect, ...credentials, traffic: new Traffic(), account: freshAccount() };
  startScheduler(sim);
  const simulator = simulatorOf(sim, (request) =>
    isApiCall(request) ? answerCall(sim, DATACRUNCH_WIRE, request) : answerAtEndpoint(sim, request),
  );
  return {
    ...simulator,
    ...credentials,
    modelServersChanged: () => sim.traffic.wake(),
    revokeTokens: () => revokeTokens(sim),
  };
}
