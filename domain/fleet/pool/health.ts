/**
 * How health changes a pool: which instances are quarantined, what is asked of them, and which are left for `decide()`.
 */
import { hasWork } from './demand.ts';
import { limitsWithout, type CountsAgainstMax, type Disposable } from './holds.ts';
import type { PoolConfig } from './pool-config.ts';
import type { InstanceView, Observation } from './pool.ts';
import type { OperatorAsk, PoolAsk, PoolState } from './pool-state.ts';
import { quarantine, underQuarantine, type QuarantinePlan, type Quarantines } from './quarantine.ts';

/** What is to be done about the health of a pool's instances. */
export function quarantinePlan(
  { config, isStatic }: { readonly config: PoolConfig; readonly isStatic: boolean },
  { atMs, instances, demand }: Observation,
  { holds, quarantines, excused }: Pick<PoolState, 'holds' | 'quarantines' | 'excused'>,
  countsAgainstMax: CountsAgainstMax,
): QuarantinePlan {
  const isQuiet = demand !== null && !hasWork(demand);
  return quarantine({
    atMs,
    instances: instances.map(({ name, phase, phaseSinceMs, health }) => ({
      name,
      phase,
      phaseSinceMs,
      health: health ?? null,
      isHeld: holds[name] !== undefined,
    })),
    quarantines,
    excused: excused ?? {},
    isFull: isStatic || instances.filter(countsAgainstMax).length >= config.max,
    mayPutToSleep: !isStatic && isQuiet && config.sleepPolicy !== 'never',
  });
}

/** The asks of a quarantine plan, as they are sent. */
export const askForHealth = (asks: QuarantinePlan['asks']): PoolAsk[] =>
  asks.map(({ request, instance, reason, ...why }) =>
    request === 'suspend'
      ? { kind: 'ask', instance, request, reason: `${reason}; there is no work, so it sleeps` }
      : { kind: 'ask_for_health', instance, request, reason, ...why },
  );

/** The pool without its quarantined instances; those with a machine count against the maximum. */
export function withoutQuarantined(
  { config, instances }: Disposable,
  quarantines: Quarantines,
  atMs: number,
  countsAgainstMax: CountsAgainstMax,
): Disposable {
  const { disposable, takenOut } = underQuarantine(instances, quarantines, atMs);
  return { config: limitsWithout(config, takenOut, countsAgainstMax), instances: disposable };
}

type Excused = Readonly<Record<string, number>>;

/** An operator's `uncordon` or `wake` overrides the health of an instance until its health changes. */
export function excuse(
  excused: Excused,
  { instance, request }: OperatorAsk,
  instances: readonly InstanceView[],
): Excused {
  const health = instances.find((i) => i.name === instance)?.health ?? null;
  if ((request !== 'uncordon' && request !== 'wake') || health === null) return excused;
  return { ...excused, [instance]: health.sinceMs };
}
