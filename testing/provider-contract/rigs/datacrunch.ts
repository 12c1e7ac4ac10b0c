/** The rig of the provider contract for DataCrunch: its client over its simulator, in one process on one virtual clock. */
import { createDataCrunchClient, type DataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { livingMachines } from '../../fleet/virtual-cloud.ts';
import type { ContractRig, RefusalReason, RefusedCall } from '../rig.ts';

export interface DataCrunchRig extends ContractRig {
  readonly simulator: SimulatedDataCrunch;
  readonly client: DataCrunchClient;
  readonly clock: VirtualClock;
}

const PASS_MS = 5_000;
const CREATE = { method: 'POST', path: '/instances' } as const;

/** Answers of the service; the others come from the state of the simulated account. */
const REFUSALS: Partial<Record<RefusalReason, FaultRuleInput>> = {
  auth: { effect: 'error', status: 401, code: 'unauthorized_request', message: 'Unauthorized' },
  throttled: { effect: 'rate_limit', retryAfterSec: 3 },
  transient: { effect: 'error', status: 500, code: 'server_error', message: 'Internal server error' },
};

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openDataCrunchRig(scenario: ScenarioInput = {}): DataCrunchRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedDataCrunch({ scenario, clock });
  const { core } = simulator;
  const now = (): number => clock.nowMs();
  const client = createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: simulator.clientId, clientSecret: simulator.clientSecret },
    fetch: (input, init) => simulator.fetch(input, init),
    now,
    pause: (ms) => {
      clock.advance(ms);
      return Promise.resolve();
    },
  });
  const provider = DATACRUNCH.open({ client, now });
  const always = scenario.faults ?? [];
  // Counts begin anew with each change of the script: silence at the n-th call would come again, and hide what the test does.
  const often = always.filter((rule) => rule.effect !== 'timeout');
  const addFault = (rule: FaultRuleInput): void => simulator.setFaults([rule, ...often]);
  const refuse = (call: RefusedCall, reason: RefusalReason): void => {
    const answer = REFUSALS[reason];
    if (answer !== undefined) return addFault({ ...answer, match: call === 'read' ? { method: 'GET' } : CREATE });
    if (reason === 'capacity') core.setStock([{ types: '*', count: 0 }]);
    else if (reason === 'quota') core.setQuotas({ gpus: 0 });
    else core.setBalance(0);
  };
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
    faults: {
      refuse,
      refuseInWords: (message) =>
        addFault({ match: CREATE, effect: 'error', status: 400, code: 'invalid_request', message }),
      loseCreateAnswer: () => addFault({ match: { ...CREATE, nth: 1 }, effect: 'drop_answer' }),
      failAfterCreate: () => addFault({ match: { ...CREATE, nth: 1 }, effect: 'no_capacity_later' }),
      mend: () => {
        simulator.setFaults(often);
        core.setStock([{ types: '*', count: 8 }]);
        core.setQuotas({ gpus: null });
        core.setBalance(1000);
      },
    },
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
    livingHostnames: () => Promise.resolve(livingMachines(core).map(({ hostname }) => hostname)),
    pass: () => {
      clock.advance(PASS_MS);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
