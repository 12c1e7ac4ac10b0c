/** Parts that the rigs of the provider contract share: a simulator in one process on one virtual clock. */
import type { CallRateLimit } from '../../../clouds/call-rate-limit.ts';
import type { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { FaultRuleInput } from '../../../simulators/clouds/core/faults.ts';
import type { Simulator } from '../../../simulators/clouds/core/simulator.ts';
import { livingMachines } from '../../fleet/virtual-cloud.ts';
import type { ContractFaults, ContractRig, RefusalReason, RefusedCall } from '../rig.ts';

const PASS_MS = 5_000;

/** Takes any number of calls at once. */
export const UNLIMITED: CallRateLimit = { take: () => Promise.resolve(null), report: () => Promise.resolve() };

/** Options that open a client of a simulator: calls without sockets, and the simulator's clock. */
export const clientOptions = (simulator: Simulator, clock: VirtualClock) => ({
  rateLimit: UNLIMITED,
  fetch: (input: string, init: RequestInit) => simulator.fetch(input, init),
  now: () => clock.nowMs(),
  pause: (ms: number) => {
    clock.advance(Math.ceil(ms));
    return Promise.resolve();
  },
});

/** How a provider's simulator is made to refuse. */
export interface Refusing {
  /** Rules that come with the scenario: they go on beside those that a test adds. */
  readonly always: readonly FaultRuleInput[];
  readonly matches: Readonly<Record<RefusedCall, NonNullable<FaultRuleInput['match']>>>;
  /** Answers of the service; the others come from the state of the simulated account. */
  readonly answers: Partial<Record<RefusalReason, FaultRuleInput>>;
  /** Code of a wrong request. */
  readonly wrongCode: string;
  /** How long after a create it fails for lack of capacity. */
  readonly failsAfterSec?: number;
  /** Sets the account's limits to nothing, or to none. */
  limit(state: 'quota' | 'billing' | 'none'): void | Promise<void>;
}

/** The faults of a rig over a simulator. */
export function faultsOf(simulator: Simulator, refusing: Refusing): ContractFaults {
  const { always, matches, answers, wrongCode, failsAfterSec } = refusing;
  const addFault = (rule: FaultRuleInput): void => simulator.setFaults([rule, ...always]);
  const next = { ...matches.create, nth: 1 };
  return {
    refuse: (call, reason) => {
      const answer = answers[reason];
      if (answer !== undefined) return addFault({ ...answer, match: matches[call] });
      return reason === 'quota' || reason === 'billing'
        ? refusing.limit(reason)
        : simulator.core.setStock([{ types: '*', count: 0 }]);
    },
    refuseInWords: (message) =>
      addFault({ match: matches.create, effect: 'error', status: 400, code: wrongCode, message }),
    loseCreateAnswer: () => addFault({ match: next, effect: 'drop_answer' }),
    failAfterCreate: () =>
      addFault({
        match: next,
        effect: 'no_capacity_later',
        ...(failsAfterSec === undefined ? {} : { afterSec: failsAfterSec }),
      }),
    mend: async () => {
      simulator.setFaults(always);
      simulator.core.setStock([{ types: '*', count: 8 }]);
      await refusing.limit('none');
    },
  };
}

/** Sets quotas of the account, as its control routes take them. */
export async function setQuotas(simulator: Simulator, quotas: Readonly<Record<string, number | null>>): Promise<void> {
  const call = { method: 'POST', body: JSON.stringify(quotas) };
  const { ok } = await simulator.fetch('http://127.0.0.1/_control/quotas', call);
  if (!ok) throw new Error('the simulator takes no quotas');
}

/** The parts of a rig that look at the simulator, and let its time pass. */
export const partsOf = (
  { core }: Simulator,
  clock: VirtualClock,
): Pick<ContractRig, 'livingHostnames' | 'pass' | 'close'> => ({
  livingHostnames: () => Promise.resolve(livingMachines(core).map(({ hostname }) => hostname)),
  pass: () => {
    clock.advance(PASS_MS);
    return Promise.resolve();
  },
  close: () => Promise.resolve(),
});
