/**
 * A simulated AWS: the Query API of EC2 and parts of SSM, Pricing and STS over the simulator core (core/simulator.ts).
 *
 *     const response = await aws.fetch('http://aws.simulated/', { method: 'POST', headers: signed, body: 'Action=DescribeInstances&…' });
 *
 * One address serves all services and regions: both are in the credential scope of the signature (version 4). Further scenarios: `new-account`,
 * `spot-storm`; what a scenario leaves out is as at AWS (`AWS_DEFAULTS`).
 */
import { answerCall } from '../core/call.ts';
import { POSTPAID, scenarioReader } from '../core/scenario.ts';
import { openCloud, simulatorOf, type Simulator, type SimulatorOptions } from '../core/simulator.ts';
import { dialectSchema, freshAccount, type AccountState, type Simulation } from './account.ts';
import { AWS_WIRE } from './call.ts';
import { AWS_CATALOGUE } from './catalogue.ts';
import { followPhases } from './ec2/states.ts';

export interface SimulatedAwsOptions extends SimulatorOptions {
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
}

export interface SimulatedAws extends Simulator<AccountState> {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Billing: per second and at least a minute from the start of each run. */
const AWS_DEFAULTS = {
  ...POSTPAID,
  boot: { orderedSec: [2, 6], provisioningSec: [15, 60], startSec: [15, 45] },
  end: { ...POSTPAID.end, stopSec: [10, 40], deleteSec: [10, 40] },
  storage: { orderSec: 2 },
  visibility: { listLagSec: [0, 3], getLagSec: [0, 1] },
  billing: { ...POSTPAID.billing, minimumSec: 60, volumeUsdPerGibMonth: 0.088 },
  spot: { noticeSec: 120 },
} as const;

const scenarioOf = scenarioReader('aws', AWS_DEFAULTS);

/** See the file's header. @throws Error when the scenario is not valid */
export function createSimulatedAws(options: SimulatedAwsOptions = {}): SimulatedAws {
  const { accessKeyId = 'demo', secretAccessKey = 'demo' } = options;
  const cloud = openCloud(AWS_CATALOGUE, scenarioOf, options);
  const dialect = dialectSchema.parse(cloud.scenario.dialect);
  const sim: Simulation = { cloud, dialect, accessKeyId, secretAccessKey, account: freshAccount(dialect) };
  followPhases(sim);
  const simulator = simulatorOf(sim, (request) => answerCall(sim, AWS_WIRE, request));
  return { ...simulator, accessKeyId, secretAccessKey };
}
