/**
 * Plans of lives that go wrong, for properties: what goes wrong with which command, how the provider misbehaves, when the process dies and what is
 * asked of the instance. Within what the provider promises: a create takes effect and shows up within its visibility window, or never.
 */
import fc from 'fast-check';
import type { InstanceRequest } from '../../domain/fleet/instance-life/types.ts';
import type { FaultRuleInput } from '../../simulators/clouds/core/faults.ts';
import type { CommandFault } from './command-faults.ts';

/** Deckhand's own clock is suddenly so much later, or (negative) earlier. */
export interface ClockJump {
  readonly atSec: number;
  readonly bySec: number;
}

/** One life. Plain JSON, so that a failing one can be kept. */
export interface LifePlan {
  readonly seed: number;
  readonly commandFaults: readonly CommandFault[];
  readonly faults: readonly FaultRuleInput[];
  readonly crashesAtSec: readonly number[];
  /** Jumps of Deckhand's own clock. */
  readonly jumps?: readonly ClockJump[];
  readonly requests: readonly { readonly atSec: number; readonly request: InstanceRequest }[];
  /** Destroyed at this time, whatever it is at; null = first when it is ready. */
  readonly destroyAtSec: number | null;
}

const commandFault: fc.Arbitrary<CommandFault> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<CommandFault>({ kind: 'fine' }) },
  fc.constantFrom<CommandFault>(
    { kind: 'lost_before' },
    { kind: 'lost_after' },
    { kind: 'crash' },
    { kind: 'twice' },
    { kind: 'executed_twice' },
  ),
  fc.integer({ min: 1, max: 90 }).map((seconds): CommandFault => ({ kind: 'late', seconds })),
);

/** Which calls a provider's faults are about: a create, the list, a look at one, and what changes one. */
export interface FaultyCalls {
  readonly create: NonNullable<FaultRuleInput['match']>;
  readonly list: NonNullable<FaultRuleInput['match']>;
  readonly one: NonNullable<FaultRuleInput['match']>;
  readonly act: NonNullable<FaultRuleInput['match']>;
}

export const DATACRUNCH_CALLS: FaultyCalls = {
  create: { method: 'POST', path: '/instances' },
  list: { method: 'GET', path: '/instances' },
  one: { method: 'GET', path: '/instances/*' },
  act: { method: 'PUT', path: '/instances' },
};

/** A look at one instance of EC2 is a list with its id: one rule stands for both. */
export const AWS_CALLS: FaultyCalls = {
  create: { path: '/ec2/RunInstances' },
  list: { path: '/ec2/DescribeInstances' },
  one: { path: '/ec2/DescribeInstances' },
  act: { path: '/ec2/TerminateInstances' },
};

export const GOOGLE_CALLS: FaultyCalls = {
  create: { method: 'POST', path: '/zones/*/instances' },
  list: { method: 'GET', path: '/aggregated/instances' },
  one: { method: 'GET', path: '/zones/*' },
  act: { method: 'DELETE', path: '/zones/*' },
};

export const AZURE_CALLS: FaultyCalls = {
  create: { method: 'PUT', path: '/Microsoft.Compute/virtualMachines/*' },
  list: { method: 'GET', path: '/Microsoft.Compute/virtualMachines' },
  one: { method: 'GET', path: '/Microsoft.Compute/virtualMachines/*' },
  act: { method: 'DELETE', path: '/Microsoft.Compute/virtualMachines/*' },
};

const nth = fc.integer({ min: 1, max: 3 });
const often = fc.constantFrom(0.1, 0.3);
const late = fc.integer({ min: 1, max: 25 });

/** A fault without the calls that it is about. */
type Effect = FaultRuleInput extends infer Rule ? (Rule extends unknown ? Omit<Rule, 'match'> : never) : never;

// A late list (30 s) on top of a late machine (25 s) still shows it within the window of 60 s.
const faultOf = ({ create, list, one, act }: FaultyCalls): fc.Arbitrary<FaultRuleInput> => {
  const atCreate = (n: number, effect: Effect) => ({ match: { ...create, nth: n }, ...effect }) as FaultRuleInput;
  const nthCreate = (effect: Effect) => nth.map((n) => atCreate(n, effect));
  const oftenAt = (match: FaultyCalls['list'], effect: Effect) =>
    often.map((probability) => ({ match: { ...match, probability }, ...effect }) as FaultRuleInput);
  return fc.oneof(
    nthCreate({ effect: 'drop_answer' }),
    nthCreate({ effect: 'timeout' }),
    fc.tuple(nth, fc.constantFrom(500, 503, 504)).map(([n, status]) => atCreate(n, { effect: 'error', status })),
    nthCreate({ effect: 'html_502' }),
    nthCreate({ effect: 'rate_limit', retryAfterSec: 7 }),
    fc.tuple(nth, late).map(([n, delaySec]) => atCreate(n, { effect: 'lands_later', delaySec })),
    fc.tuple(nth, late).map(([n, lagSec]) => atCreate(n, { effect: 'list_lag', lagSec })),
    nthCreate({ effect: 'no_capacity_later' }),
    nthCreate({ effect: 'boot_fails' }),
    nthCreate({ effect: 'unknown_status' }),
    fc
      .tuple(nth, fc.constantFrom(300, 1000, 1600))
      .map(([n, deletableAfterSec]) => atCreate(n, { effect: 'hang_provisioning', deletableAfterSec })),
    nthCreate({ effect: 'model_fault', fault: 'cpu_only' }),
    fc.tuple(often, fc.integer({ min: 1, max: 30 })).map(([probability, bySec]): FaultRuleInput => ({
      match: { ...list, probability },
      effect: 'stale_list',
      bySec,
    })),
    oftenAt(list, { effect: 'error', status: 500 }),
    oftenAt(one, { effect: 'html_502' }),
    oftenAt(act, { effect: 'drop_answer' }),
    oftenAt(act, { effect: 'error', status: 500 }),
    oftenAt(act, { effect: 'duplicate' }),
  );
};

const request = fc.record({
  atSec: fc.integer({ min: 0, max: 400 }),
  request: fc.constantFrom<InstanceRequest>('serve', 'cordon', 'uncordon', 'suspend', 'wake'),
});

/** Any life at a provider. */
export const lifePlanAt = (calls: FaultyCalls): fc.Arbitrary<LifePlan> =>
  fc.record({
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    commandFaults: fc.array(commandFault, { maxLength: 25 }),
    faults: fc.array(faultOf(calls), { maxLength: 3 }),
    crashesAtSec: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 2 }),
    requests: fc.array(request, { maxLength: 3 }),
    destroyAtSec: fc.option(fc.integer({ min: 0, max: 300 }), { nil: null, freq: 2 }),
  });

/** Any life at DataCrunch. */
export const lifePlan = lifePlanAt(DATACRUNCH_CALLS);

const jump: fc.Arbitrary<ClockJump> = fc.record({
  atSec: fc.integer({ min: 0, max: 300 }),
  bySec: fc.oneof(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -7200, max: 7200 })),
});

/** Any life through which Deckhand's own clock jumps. */
export const jumpyLifePlan: fc.Arbitrary<LifePlan> = fc
  .tuple(lifePlan, fc.array(jump, { minLength: 1, maxLength: 3 }))
  .map(([plan, jumps]) => ({ ...plan, jumps }));
