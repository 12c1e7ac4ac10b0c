/**
 * What the health of instances changes of a pool: who is out of service, what is asked of them, and what `decide()` may dispose of.
 */
import { hasWork } from '../../../domain/fleet/pool/demand.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { InstanceView, Observation } from '../../../domain/fleet/pool/pool.ts';
import {
  quarantine,
  underQuarantine,
  type QuarantinePlan,
  type Quarantines,
} from '../../../domain/health/quarantine.ts';
import type { OperatorAsk, PoolResumeState } from '../../../contracts/pool.ts';
import type { TakesPlace } from './holds.ts';
import { askInstance, askInstanceForHealth } from './instances.ts';

/** What is remembered of health between looks. */
type HealthMemory = Pick<PoolResumeState, 'holds' | 'quarantines' | 'excused'>;

/** What is to be done about the health of a pool's instances. */
export function healthPlan(
  { config, isStatic }: { readonly config: PoolConfig; readonly isStatic: boolean },
  { atMs, instances, demand }: Observation,
  { holds, quarantines, excused }: HealthMemory,
  takesPlace: TakesPlace,
): QuarantinePlan {
  const isQuiet = demand !== null && !hasWork(demand);
  return quarantine({
    atMs,
    patients: instances.map(({ name, phase, phaseSinceMs, health }) => ({
      name,
      phase,
      phaseSinceMs,
      health: health ?? null,
      isHeld: holds[name] !== undefined,
    })),
    quarantines: quarantines ?? {},
    excused: excused ?? {},
    isFull: isStatic || instances.filter(takesPlace).length >= config.max,
    mayPutToSleep: !isStatic && isQuiet && config.sleepPolicy !== 'never',
  });
}

/** Asks what the plan says. Asking again changes nothing. */
export async function askForHealth(asks: QuarantinePlan['asks']): Promise<void> {
  for (const { instance, request, ...why } of asks) {
    if (request === 'suspend') await askInstance(instance, request, `${why.reason}; there is no work, so it sleeps`);
    else await askInstanceForHealth(instance, { request, ...why });
  }
}

/** The pool as `decide()` may dispose of it: without what is out of service. Such machines that run use up the maximum. */
export function withoutIll(
  { config, instances }: { readonly config: PoolConfig; readonly instances: readonly InstanceView[] },
  quarantines: Quarantines,
  atMs: number,
  takesPlace: TakesPlace,
): { readonly config: PoolConfig; readonly instances: readonly InstanceView[] } {
  const { disposable, takenOut } = underQuarantine(instances, quarantines, atMs);
  const max = Math.max(0, config.max - takenOut.filter(takesPlace).length);
  return { config: { ...config, max, min: Math.min(config.min, max) }, instances: disposable };
}

type Excused = Readonly<Record<string, number>>;

/** An operator who puts an instance back to work knows better than its health, until that changes. */
export function withExcuse(
  excused: Excused,
  { instance, request }: OperatorAsk,
  instances: readonly InstanceView[],
): Excused {
  const health = instances.find((i) => i.name === instance)?.health ?? null;
  if ((request !== 'uncordon' && request !== 'wake') || health === null) return excused;
  return { ...excused, [instance]: health.sinceMs };
}

/** Excuses of instances that are still there. */
export const currentExcuses = (excused: Excused, present: ReadonlySet<string>): Excused =>
  Object.fromEntries(Object.entries(excused).filter(([name]) => present.has(name)));
