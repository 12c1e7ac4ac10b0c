/** The rig of the provider contract for AWS: its client over its simulator, in one process on one virtual clock. */
import { z } from 'zod';
import { query } from '../../../clouds/aws/http/query.ts';
import type { AwsCredentials } from '../../../clouds/aws/http/sign.ts';
import { createAwsTransport } from '../../../clouds/aws/http/transport.ts';
import type { Fetch } from '../../../clouds/http/wire.ts';
import { requiredList, id } from '../../../clouds/aws/http/xml.ts';
import { AWS } from '../../../clouds/aws/provider.ts';
import type { CallRateLimit } from '../../../clouds/call-rate-limit.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedAws } from '../../../simulators/clouds/aws/app.ts';
import { orderFor } from '../acts.ts';
import { livingMachines } from '../../fleet/virtual-cloud.ts';
import type { ContractRig, RefusalReason, RefusedCall } from '../rig.ts';

/** Of every rig for AWS. */
export const REGION = 'eu-west-1';
export const UNKNOWN_AWS_IDS = {
  instance: `${REGION}/i-0123456789abcdef0`,
  volume: `${REGION}/vol-0123456789abcdef0`,
} as const;

const PASS_MS = 5_000;
const PATHS: Readonly<Record<RefusedCall, string>> = {
  create: '/ec2/RunInstances',
  start: '/ec2/StartInstances',
  read: '/ec2/Describe*',
};

/** Answers of the service; the others come from the state of the simulated account. */
const REFUSALS: Partial<Record<RefusalReason, FaultRuleInput>> = {
  auth: { effect: 'error', status: 401, code: 'AuthFailure', message: 'AWS was not able to validate the credentials' },
  throttled: { effect: 'rate_limit' },
  transient: { effect: 'error', status: 500, code: 'InternalError', message: 'An internal error has occurred' },
};

const NO_QUOTAS = { ondemandP: null, ondemandG: null, spotP: null, spotG: null };
const ZERO_QUOTAS = { ondemandP: 0, ondemandG: 0, spotP: 0, spotG: 0 };

/** Takes any number of calls at once. */
export const UNLIMITED: CallRateLimit = { take: () => Promise.resolve(null), report: () => Promise.resolve() };

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openAwsRig(scenario: ScenarioInput = {}): ContractRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedAws({ scenario, clock });
  const { core } = simulator;
  const credentials = { accessKeyId: simulator.accessKeyId, secretAccessKey: simulator.secretAccessKey };
  const baseUrl = 'http://127.0.0.1/';
  const provider = AWS.open({
    settings: { regions: [REGION], profile: null, subnetIds: {}, baseUrl },
    credentials,
    installationId: 'contract',
    rateLimit: UNLIMITED,
    fetch: (input, init) => simulator.fetch(input, init),
    now: () => clock.nowMs(),
    pause: (ms) => {
      clock.advance(Math.ceil(ms));
      return Promise.resolve();
    },
  });
  const always = scenario.faults ?? [];
  const addFault = (rule: FaultRuleInput): void => simulator.setFaults([rule, ...always]);
  const setQuotas = async (quotas: Readonly<Record<string, number | null>>): Promise<void> => {
    const call = { method: 'POST', body: JSON.stringify(quotas) };
    const { ok } = await simulator.fetch(`${baseUrl}_control/quotas`, call);
    if (!ok) throw new Error('the simulator takes no quotas');
  };
  const rig: ContractRig = {
    provider,
    // There is no prepaid account, and nothing that the API remembers of what was.
    missing: new Set(['create billing', 'bill']),
    unknownIds: UNKNOWN_AWS_IDS,
    faults: {
      refuse: (call, reason) => {
        const answer = REFUSALS[reason];
        if (answer !== undefined) return addFault({ ...answer, match: { path: PATHS[call] } });
        return reason === 'quota' ? setQuotas(ZERO_QUOTAS) : core.setStock([{ types: '*', count: 0 }]);
      },
      refuseInWords: (message) =>
        addFault({
          match: { path: PATHS.create },
          effect: 'error',
          status: 400,
          code: 'InvalidParameterValue',
          message,
        }),
      loseCreateAnswer: () => addFault({ match: { path: PATHS.create, nth: 1 }, effect: 'drop_answer' }),
      failAfterCreate: () => addFault({ match: { path: PATHS.create, nth: 1 }, effect: 'no_capacity_later' }),
      mend: async () => {
        simulator.setFaults(always);
        core.setStock([{ types: '*', count: 8 }]);
        await setQuotas(NO_QUOTAS);
      },
    },
    makeForeignInstance: (name) =>
      makeForeign(rig, name, { baseUrl, credentials, fetch: (input, init) => simulator.fetch(input, init) }),
    makeDataVolume: (name, location) =>
      makeVolume(name, location, { baseUrl, credentials, fetch: (input, init) => simulator.fetch(input, init) }),
    livingHostnames: () => Promise.resolve(livingMachines(core).map(({ hostname }) => hostname)),
    pass: () => {
      clock.advance(PASS_MS);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
  return rig;
}

/** Where calls beside the port go. */
interface At {
  readonly baseUrl: string;
  readonly credentials: AwsCredentials;
  readonly fetch: Fetch;
}

/** A data volume in a zone. @returns its id in the provider's form */
export async function makeVolume(name: string, zone: string, at: At): Promise<string> {
  const http = createAwsTransport({ ...at, rateLimit: UNLIMITED, now: Date.now, pause: () => Promise.resolve() });
  const { volumeId } = await query(
    http,
    {
      kind: 'create',
      region: REGION,
      action: 'CreateVolume',
      input: {
        AvailabilityZone: zone,
        Size: 50,
        VolumeType: 'gp3',
        TagSpecification: [{ ResourceType: 'volume', Tag: [{ Key: 'Name', Value: name }] }],
      },
    },
    z.object({ volumeId: id }),
  );
  return `${REGION}/${volumeId}`;
}

/** Runs an instance with no token, key or tag of ours but a name. @returns its id in the provider's form */
export async function makeForeign(
  rig: { readonly provider: CloudProvider } & ContractRig,
  name: string,
  at: At,
): Promise<string> {
  const http = createAwsTransport({ ...at, rateLimit: UNLIMITED, now: Date.now, pause: () => Promise.resolve() });
  const order = await orderFor(rig, 'dh-contract-foreign');
  const { imageId } = await rig.provider.prepareCreate(order);
  const { instancesSet } = await query(
    http,
    {
      kind: 'create',
      region: REGION,
      action: 'RunInstances',
      input: {
        ImageId: imageId,
        InstanceType: order.instanceType,
        MinCount: 1,
        MaxCount: 1,
        Placement: { AvailabilityZone: order.location },
        TagSpecification: [{ ResourceType: 'instance', Tag: [{ Key: 'Name', Value: name }] }],
      },
    },
    z.object({ instancesSet: requiredList(z.object({ instanceId: id })) }),
  );
  return `${REGION}/${instancesSet[0]?.instanceId ?? ''}`;
}
