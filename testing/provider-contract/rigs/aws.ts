/** The rig of the provider contract for AWS: its client over its simulator, in one process on one virtual clock. */
import { z } from 'zod';
import { query } from '../../../clouds/aws/http/query.ts';
import type { AwsCredentials } from '../../../clouds/aws/http/sign.ts';
import { createAwsTransport } from '../../../clouds/aws/http/transport.ts';
import type { Fetch } from '../../../clouds/http/wire.ts';
import { requiredList, id } from '../../../clouds/aws/http/xml.ts';
import { AWS } from '../../../clouds/aws/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedAws } from '../../../simulators/clouds/aws/app.ts';
import { orderFor } from '../acts.ts';
import type { ContractRig } from '../rig.ts';
import { clientOptions, faultsOf, partsOf, setQuotas, UNLIMITED, type Refusing } from './simulated.ts';

/** Of every rig for AWS. */
export const REGION = 'eu-west-1';
export const UNKNOWN_AWS_IDS = {
  instance: `${REGION}/i-0123456789abcdef0`,
  volume: `${REGION}/vol-0123456789abcdef0`,
} as const;

const MATCHES = {
  create: { path: '/ec2/RunInstances' },
  start: { path: '/ec2/StartInstances' },
  read: { path: '/ec2/Describe*' },
} as const;

const ANSWERS: Refusing['answers'] = {
  auth: { effect: 'error', status: 401, code: 'AuthFailure', message: 'AWS was not able to validate the credentials' },
  throttled: { effect: 'rate_limit' },
  transient: { effect: 'error', status: 500, code: 'InternalError', message: 'An internal error has occurred' },
};

const NO_QUOTAS = { ondemandP: null, ondemandG: null, spotP: null, spotG: null };
const ZERO_QUOTAS = { ondemandP: 0, ondemandG: 0, spotP: 0, spotG: 0 };

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openAwsRig(scenario: ScenarioInput = {}): ContractRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedAws({ scenario, clock });
  const credentials = { accessKeyId: simulator.accessKeyId, secretAccessKey: simulator.secretAccessKey };
  const baseUrl = 'http://127.0.0.1/';
  const options = clientOptions(simulator, clock);
  const at = { baseUrl, credentials, fetch: options.fetch };
  const provider = AWS.open({
    settings: { regions: [REGION], profile: null, subnetIds: {}, baseUrl },
    credentials,
    installationId: 'contract',
    ...options,
  });
  const rig: ContractRig = {
    provider,
    // There is no prepaid account, and nothing that the API remembers of what was.
    missing: new Set(['create billing', 'bill']),
    unknownIds: UNKNOWN_AWS_IDS,
    faults: faultsOf(simulator, {
      always: scenario.faults ?? [],
      matches: MATCHES,
      answers: ANSWERS,
      wrongCode: 'InvalidParameterValue',
      limit: (state) => setQuotas(simulator, state === 'none' ? NO_QUOTAS : ZERO_QUOTAS),
    }),
    makeForeignInstance: (name) => makeForeign(rig, name, at),
    makeDataVolume: (name, location) => makeVolume(name, location, at),
    ...partsOf(simulator, clock),
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
export async function makeForeign(rig: ContractRig, name: string, at: At): Promise<string> {
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
