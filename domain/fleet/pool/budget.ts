/**
 * How budgets limit a pool: machines whose reservation is used up are left out of its decision and ended, and no machine is bought for the
 * minimum above a soft cap.
 */
import type { InstanceRequest } from '../instance-life/types.ts';
import { isAwake, type InstancePhase } from '../phases.ts';
import { leaveOut, type CountsAgainstMax, type Disposable } from './holds.ts';
import type { PoolConfig } from './pool-config.ts';
import type { InstanceView } from './pool.ts';

/** An instance whose reservation is used up. */
export interface Unpaid {
  readonly instance: string;
  readonly phase: InstancePhase;
  readonly reason: string;
}

/** What budgets allow a pool. Plain JSON, because it is stored in Temporal histories. */
export interface PoolBudget {
  /** Instances whose reservation is used up. */
  readonly unpaid: readonly Unpaid[];
  /** A soft cap is reached: no machine is bought for the pool's minimum without urgent work. */
  readonly urgentOnly: boolean;
  /** There is open work, and all of it is over a budget of its tenant or deck. Machines are not kept for it. */
  readonly onlyOverBudget: boolean;
  /** Why no machine is bought; null = no budget prevents it. */
  readonly message: string | null;
  /** The reached caps of tenants and decks, as sentences for operators. */
  readonly limited: readonly string[];
}

/** Something asked of an instance because of a budget. */
export interface BudgetAsk {
  readonly instance: string;
  readonly request: InstanceRequest;
  readonly reason: string;
}

/** The pool without the machines that have to end; they count against the maximum until they are gone. */
export function underBudget(
  { config, instances }: Disposable,
  budget: PoolBudget | undefined,
  countsAgainstMax: CountsAgainstMax,
): Disposable {
  if (budget === undefined) return { config, instances };
  const ending = overBudget(config, instances, budget);
  const wanted = budget.urgentOnly ? { ...config, min: 0 } : config;
  return leaveOut({ config: wanted, instances }, ({ name }) => ending.has(name), countsAgainstMax);
}

/**
 * What is asked of instances whose reservation is used up: a serving instance finishes its calls and sleeps; one that is not ready yet, or
 * sleeps on a disk that cannot be paid, is destroyed.
 */
export function budgetAsks(
  config: PoolConfig,
  instances: readonly InstanceView[],
  budget: PoolBudget | undefined,
): readonly BudgetAsk[] {
  if (budget === undefined) return [];
  const ending = overBudget(config, instances, budget);
  return instances.flatMap(({ name: instance, phase, inFlight }): BudgetAsk[] => {
    const reason = ending.get(instance);
    if (reason === undefined) return [];
    switch (phase) {
      case 'ready':
        return [{ instance, request: 'suspend', reason }];
      case 'cordoned':
        // It is being suspended already, unless it is held in this phase without a call.
        return inFlight === 0 ? [{ instance, request: 'suspend', reason }] : [];
      case 'booting':
      case 'waking':
      case 'suspended':
        return [{ instance, request: 'destroy', reason }];
      case 'planned':
      case 'creating':
      case 'suspending':
      case 'destroying':
      case 'gone':
      case 'failed':
        return [];
    }
  });
}

/** Instances that have to end, with the reason. */
function overBudget(
  config: PoolConfig,
  instances: readonly InstanceView[],
  { unpaid, onlyOverBudget, limited }: PoolBudget,
): ReadonlyMap<string, string> {
  const ending = new Map(unpaid.map(({ instance, reason }) => [instance, reason]));
  if (!onlyOverBudget || config.min > 0) return ending;
  const why = limited[0] ?? 'The only open work is over its budget.';
  for (const { name, phase } of instances) if (isAwake(phase) && !ending.has(name)) ending.set(name, why);
  return ending;
}
