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

/** Whether an instance uses up one of the pool's maximum. */
export type TakesPlace = (instance: InstanceView) => boolean;

export type Holds = Readonly<Record<string, Hold>>;

const without = (holds: Holds, name: string): Holds =>
  Object.fromEntries(Object.entries(holds).filter(([key]) => key !== name));

/** Carries out an ask: the holds afterwards, and what the instance is told. */
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

/** Drops holds that are over: their time has come, work is there, or their instance is no more. */
export function currentHolds(holds: Holds, present: ReadonlySet<string>, demand: Demand | null, atMs: number): Holds {
  return Object.fromEntries(
    Object.entries(holds).filter(([name, { kind, untilMs }]) => {
      if (kind === 'asleep') return untilMs !== null && atMs < untilMs && !(demand !== null && hasWork(demand));
      return present.has(name);
    }),
  );
}

/** The pool as `decide()` may dispose of it: without what operators hold. Held machines that run use up the maximum. */
export function underHolds(
  config: PoolConfig,
  instances: readonly InstanceView[],
  holds: Holds,
  takesPlace: TakesPlace,
): { readonly config: PoolConfig; readonly instances: readonly InstanceView[] } {
  const isTakenOut = ({ name }: InstanceView): boolean => {
    const kind = holds[name]?.kind;
    return kind === 'cordoned' || kind === 'drained';
  };
  const takenOut = instances.filter(isTakenOut);
  const rented = takenOut.filter(takesPlace).length;
  const asleep = Object.values(holds).filter((h) => h.kind === 'asleep').length;
  const max = Math.max(0, config.max - rented);
  const min = Math.min(max, Math.max(0, config.min - asleep));
  return { config: { ...config, min, max }, instances: instances.filter((i) => !isTakenOut(i)) };
}

/** Instances taken out that serve all the same: they came back from something that was under way when they were taken out. */
export function takenOutAndServing(instances: readonly InstanceView[], holds: Holds, atMs: number): readonly string[] {
  return instances
    .filter(({ name, phase }) => {
      const hold = holds[name];
      // One taken out in this very look has just been told.
      return hold !== undefined && hold.kind !== 'asleep' && hold.sinceMs < atMs && phase === 'ready';
    })
    .map((i) => i.name);
}

/** Instances that are drained and still awake with their calls done: they are put to sleep now. */
export function drainedAndIdle(instances: readonly InstanceView[], holds: Holds): readonly string[] {
  return instances
    .filter((i) => holds[i.name]?.kind === 'drained' && i.phase === 'cordoned' && i.inFlight === 0)
    .map((i) => i.name);
}

/** Sleeping instances under a hold whose disk is kept for longer than the pool keeps any: a hold does not stop the storage's bill. */
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
