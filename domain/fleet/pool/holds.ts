/**
 * What an operator asks of an instance, and how long it overrides the pool's own decisions.
 *
 * - `cordon` holds until `uncordon` or `wake`: the instance takes no calls and counts against the maximum while it runs; the pool may use
 *   another one instead.
 * - `drain` is `cordon`, and sleep once its calls are done; it holds as long.
 * - `suspend` and `destroy` hold for the pool's down delay against the minimum alone: work brings an instance back at once.
 * - `uncordon` and `wake` lift what was asked before; afterwards the sleep policy decides as for every instance that just became ready.
 */
import { assertNever } from '../../errors.ts';
import { hasWork } from './demand.ts';
import type { InstanceRequest } from '../instance-life/types.ts';
import type { PoolConfig } from './pool-config.ts';
import type { Demand, InstanceView } from './pool.ts';
import type { Hold, OperatorAsk } from './pool-state.ts';

/** True when an instance counts against the pool's maximum. */
export type CountsAgainstMax = (instance: InstanceView) => boolean;

export type Holds = Readonly<Record<string, Hold>>;

const without = (holds: Holds, name: string): Holds =>
  Object.fromEntries(Object.entries(holds).filter(([key]) => key !== name));

/** Applies an ask: the holds afterwards, and what is asked of the instance. */
export function applyAsk(
  holds: Holds,
  { instance, request, by }: OperatorAsk,
  atMs: number,
  downDelayMs: number,
): { readonly holds: Holds; readonly request: InstanceRequest } {
  const hold = (kind: Hold['kind'], untilMs: number | null): Holds => ({
    ...holds,
    [instance]: { kind, by, sinceMs: atMs, untilMs },
  });
  switch (request) {
    case 'cordon':
      return { holds: hold('cordoned', null), request: 'cordon' };
    case 'drain':
      return { holds: hold('drained', null), request: 'cordon' };
    case 'suspend':
    case 'destroy':
      return { holds: hold('asleep', atMs + downDelayMs), request };
    case 'uncordon':
    case 'wake':
      return { holds: without(holds, instance), request };
    default:
      return assertNever(request);
  }
}

/** Drops holds that are over: expired, overridden by work, or of an instance that is gone. */
export function currentHolds(holds: Holds, present: ReadonlySet<string>, demand: Demand | null, atMs: number): Holds {
  return Object.fromEntries(
    Object.entries(holds).filter(([name, { kind, untilMs }]) => {
      if (kind === 'asleep') return untilMs !== null && atMs < untilMs && !(demand !== null && hasWork(demand));
      return present.has(name);
    }),
  );
}

/** Input of `decide()` about a pool. */
export interface Disposable {
  readonly config: PoolConfig;
  readonly instances: readonly InstanceView[];
}

/** The pool without these instances: those with a machine count against its maximum. */
export const leaveOut = (
  { config, instances }: Disposable,
  isLeftOut: CountsAgainstMax,
  countsAgainstMax: CountsAgainstMax,
): Disposable => ({
  config: limitsWithout(config, instances.filter(isLeftOut), countsAgainstMax),
  instances: instances.filter((i) => !isLeftOut(i)),
});

/** The limits of a pool without these instances: those with a machine count against its maximum. */
export function limitsWithout(
  config: PoolConfig,
  leftOut: readonly InstanceView[],
  countsAgainstMax: CountsAgainstMax,
): PoolConfig {
  const max = Math.max(0, config.max - leftOut.filter(countsAgainstMax).length);
  return { ...config, max, min: Math.min(config.min, max) };
}

/** The pool without the instances that operators hold; those with a machine count against the maximum. */
export function underHolds(
  config: PoolConfig,
  instances: readonly InstanceView[],
  holds: Holds,
  countsAgainstMax: CountsAgainstMax,
): Disposable {
  const isTakenOut = ({ name }: InstanceView): boolean => {
    const kind = holds[name]?.kind;
    return kind === 'cordoned' || kind === 'drained';
  };
  const asleep = Object.values(holds).filter((h) => h.kind === 'asleep').length;
  const wanted = { ...config, min: Math.max(0, config.min - asleep) };
  return leaveOut({ config: wanted, instances }, isTakenOut, countsAgainstMax);
}

/** Held instances that serve nevertheless: something that was under way when they were held has made them ready. */
export function takenOutAndServing(instances: readonly InstanceView[], holds: Holds, atMs: number): readonly string[] {
  return instances
    .filter(({ name, phase }) => {
      const hold = holds[name];
      // An instance that was cordoned at this look has been asked already.
      return hold !== undefined && hold.kind !== 'asleep' && hold.sinceMs < atMs && phase === 'ready';
    })
    .map((i) => i.name);
}

/** Drained instances that are awake without a call: they are suspended now. */
export function drainedAndIdle(instances: readonly InstanceView[], holds: Holds): readonly string[] {
  return instances
    .filter((i) => holds[i.name]?.kind === 'drained' && i.phase === 'cordoned' && i.inFlight === 0)
    .map((i) => i.name);
}

/** Held, suspended instances whose disk is older than the pool keeps any: a hold does not stop the cost of storage. */
export function heldTooLong(
  config: PoolConfig,
  instances: readonly InstanceView[],
  holds: Holds,
  atMs: number,
): readonly string[] {
  const maxAgeMs = config.maxKeptVolumeAgeHours * 3_600_000;
  return instances
    .filter((i) => holds[i.name] !== undefined && i.phase === 'suspended' && atMs - i.phaseSinceMs > maxAgeMs)
    .map((i) => i.name);
}
