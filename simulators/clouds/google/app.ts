/**
 * A simulated Google: parts of Compute Engine, the price list and the token server over the simulator core (core/simulator.ts).
 *
 *     const response = await google.fetch('http://google.simulated/compute/v1/projects/simulated-project/zones', { headers });
 *
 * One address serves all services: `/token`, `/compute/v1` and `/v1/services` (billing). Service accounts are those given with their public
 * keys. Further scenarios: `new-project`, `spot-storm`; what a scenario leaves out is as at Google (`GOOGLE_DEFAULTS`).
 */
import { answerCall } from '../core/call.ts';
import { POSTPAID, scenarioReader } from '../core/scenario.ts';
import { openCloud, simulatorOf, type Simulator, type SimulatorOptions } from '../core/simulator.ts';
import { dialectSchema, freshAccount, type AccountState, type Simulation } from './account.ts';
import { GOOGLE_WIRE } from './call.ts';
import { GOOGLE_CATALOGUE } from './catalogue.ts';
import { followPhases } from './compute/phases.ts';

export interface SimulatedGoogleOptions extends SimulatorOptions {
  readonly project?: string;
  readonly refreshToken?: string;
  /** Service accounts by their address, with the public halves of their keys (PEM). */
  readonly serviceAccounts?: Readonly<Record<string, string>>;
}

export interface SimulatedGoogle extends Simulator<AccountState> {
  readonly project: string;
  readonly refreshToken: string;
}

/** Billing: per second and at least a minute from the start of each run. */
const GOOGLE_DEFAULTS = {
  ...POSTPAID,
  boot: { orderedSec: [1, 4], provisioningSec: [10, 40], startSec: [10, 30] },
  end: { ...POSTPAID.end, stopSec: [10, 40], deleteSec: [10, 40] },
  storage: { orderSec: 2 },
  billing: { ...POSTPAID.billing, minimumSec: 60, volumeUsdPerGibMonth: 0.11 },
  spot: { noticeSec: 30 },
} as const;

const scenarioOf = scenarioReader('google', GOOGLE_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedGoogle(options: SimulatedGoogleOptions = {}): SimulatedGoogle {
  const { project = 'simulated-project', refreshToken = 'demo', serviceAccounts = {} } = options;
  const cloud = openCloud(GOOGLE_CATALOGUE, scenarioOf, options);
  const dialect = dialectSchema.parse(cloud.scenario.dialect);
  const credentials = { clientId: 'demo', clientSecret: 'demo', refreshToken, serviceAccounts };
  const sim: Simulation = { cloud, dialect, project, credentials, account: freshAccount(dialect) };
  followPhases(sim);
  const simulator = simulatorOf(sim, (request) => answerCall(sim, GOOGLE_WIRE, request));
  return { ...simulator, project, refreshToken };
}
