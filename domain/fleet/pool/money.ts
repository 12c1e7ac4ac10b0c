/**
 * What budgets change of a pool's decision: machines without money are left out of it and sent away, and a minimum is no reason to buy beyond
 * a soft cap.
 */
import type { InstanceRequest } from '../instance-life/types.ts';
import { isAwake, type InstancePhase } from '../phases.ts';
import type { TakesPlace } from './holds.ts';
import type { PoolConfig } from './pool-config.ts';
import type { InstanceView } from './pool.ts';

/** An instance whose reservation is used up. */
export interface Unpaid {
  readonly instance: string;
  readonly phase: InstancePhase;
  readonly reason: string;
}

/** What budgets allow a pool. Plain JSON, because it is stored in Temporal histories. */
export interface PoolMoney {
  /** Instances whose reservation is used up. */
  readonly unpaid: readonly Unpaid[];
  /** A soft cap is reached: no machine is bought for the pool's minimum without urgent work. */
  readonly urgentOnly: boolean;
  /** There is open work, and all of it is over a budget of its tenant or deck. Machines are not kept for it. */
  readonly onlyOverBudget: boolean;
  /** Why no machine is bought, for everybody who waits; null = no budget prevents it. */
  readonly message: string | null;
  /** The reached caps of tenants and decks, as sentences for operators. */
  readonly limited: readonly string[];
}

/** What `decide()` may dispose of. */
interface Disposable {
  readonly config: PoolConfig;
  readonly instances: readonly InstanceView[];
}

/** Something asked of an instance because of money. */
export interface MoneyAsk {
  readonly instance: string;
  readonly request: InstanceRequest;
  readonly reason: string;
}

/** The pool as `decide()` may dispose of it. Machines that have to go use up the maximum until they are gone. */
export function underBudget(
  { config, instances }: Disposable,
  money: PoolMoney | undefined,
  takesPlace: TakesPlace,
): Disposable {
  if (money === undefined) return { config, instances };
  const going = new Set(goingOf(config, instances, money).keys());
  const left = instances.filter((i) => !going.has(i.name));
  const rented = instances.filter((i) => going.has(i.name) && takesPlace(i)).length;
  const max = Math.max(0, config.max - rented);
  const min = money.urgentOnly ? 0 : Math.min(max, config.min);
  return { config: { ...config, min, max }, instances: left };
}

/**
 * What is asked of instances whose money is used up: one that serves finishes its calls and sleeps, one that is not ready yet, or sleeps on a
 * disk that cannot be paid, ends.
 */
export function asksForMoney(
  config: PoolConfig,
  instances: readonly InstanceView[],
  money: PoolMoney | undefined,
): readonly MoneyAsk[] {
  if (money === undefined) return [];
  const going = goingOf(config, instances, money);
  return instances.flatMap(({ name: instance, phase, inFlight }): MoneyAsk[] => {
    const reason = going.get(instance);
    if (reason === undefined) return [];
    switch (phase) {
      case 'ready':
        return [{ instance, request: 'suspend', reason }];
      case 'cordoned':
        // On its way already, unless it is held there without a call.
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
      default:
        return phase satisfies never;
    }
  });
}

/** Why nothing is bought, and for whom nothing is. */
export const moneyReasons = (
  money: PoolMoney | undefined,
): { readonly first: readonly string[]; readonly last: readonly string[] } => ({
  first: [money?.message ?? []].flat(),
  last: money?.limited ?? [],
});

/** Instances that have to go, with the reason. */
function goingOf(
  config: PoolConfig,
  instances: readonly InstanceView[],
  { unpaid, onlyOverBudget, limited }: PoolMoney,
): ReadonlyMap<string, string> {
  const going = new Map(unpaid.map(({ instance, reason }) => [instance, reason]));
  if (!onlyOverBudget || config.min > 0) return going;
  const why = limited[0] ?? 'The only open work is over its budget.';
  for (const { name, phase } of instances) if (isAwake(phase) && !going.has(name)) going.set(name, why);
  return going;
}
