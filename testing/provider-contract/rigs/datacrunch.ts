/** The rig of the provider contract for DataCrunch: its client over its simulator, in one process on one virtual clock. */
import { createDataCrunchClient, type DataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import type { ContractRig } from '../rig.ts';
import { clientOptions, faultsOf, partsOf, type Refusing } from './simulated.ts';

export interface DataCrunchRig extends ContractRig {
  readonly simulator: SimulatedDataCrunch;
  readonly client: DataCrunchClient;
  readonly clock: VirtualClock;
}

const CREATE = { method: 'POST', path: '/instances' } as const;

const ANSWERS: Refusing['answers'] = {
  auth: { effect: 'error', status: 401, code: 'unauthorized_request', message: 'Unauthorized' },
  throttled: { effect: 'rate_limit', retryAfterSec: 3 },
  transient: { effect: 'error', status: 500, code: 'server_error', message: 'Internal server error' },
};

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openDataCrunchRig(scenario: ScenarioInput = {}): DataCrunchRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedDataCrunch({ scenario, clock });
  const { core } = simulator;
  const { fetch, now, pause } = clientOptions(simulator, clock);
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: simulator.clientId, clientSecret: simulator.clientSecret },
    fetch,
    now,
    pause,
  });
  const provider = DATACRUNCH.open({ client, now });
  // Counts begin anew with each change of the script: silence at the n-th call would come again, and hide what the test does.
  const always = (scenario.faults ?? []).filter((rule) => rule.effect !== 'timeout');
  return {
    provider,
    simulator,
    client,
    clock,
    // A stopped machine keeps its place here, so a start always finds it.
    missing: new Set(['start capacity', 'start quota', 'create token']),
    unknownIds: {
      instance: '7777abcd-0000-4000-8000-000000000000',
      volume: '8888abcd-0000-4000-8000-000000000000',
    },
    faults: faultsOf(simulator, {
      always,
      // No start is refused there.
      matches: { create: CREATE, start: CREATE, read: { method: 'GET' } },
      answers: ANSWERS,
      wrongCode: 'invalid_request',
      limit: (state) => {
        if (state !== 'billing') core.setQuotas({ gpus: state === 'none' ? null : 0 });
        if (state !== 'quota') core.setBalance(state === 'none' ? 1000 : 0);
      },
    }),
    makeForeignInstance: async (hostname) => {
      const [type] = await client.catalogue.instanceTypes('usd');
      return client.instances.create({
        instance_type: type?.instance_type ?? '',
        // Host names are checked there; the name of a disk may be anything.
        hostname: hostname.replaceAll(/[^a-z0-9.-]/gu, ''),
        os_volume: { name: hostname, size: 50 },
        description: 'not ours',
        location_code: 'FIN-01',
        is_spot: false,
        contract: 'PAY_AS_YOU_GO',
        image: type?.supported_os[0] ?? '',
        ssh_key_ids: [await client.sshKeys.create('not ours', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 other')],
        tags: [],
      });
    },
    makeDataVolume: (name, location) =>
      client.volumes.create({ name, type: 'NVMe', size: 50, location_code: location }),
    ...partsOf(simulator, clock),
  };
}
