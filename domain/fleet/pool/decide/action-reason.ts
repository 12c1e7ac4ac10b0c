/** What an instance is told when its pool asks something of it. */
import type { Decision, PoolAction } from '../pool.ts';

/**
 * The reason of one action: the move of the target where there was one, else what was said of this instance. The first reason of a decision
 * alone may be about a target that stays, which explains no stop.
 *
 * @param targetBefore the target before the decision
 */
export function actionReason(
  action: PoolAction,
  { reasons, target }: Pick<Decision, 'reasons' | 'target'>,
  targetBefore: number,
): string {
  const own = action.kind === 'create' ? undefined : reasons.find((reason) => reason.startsWith(`${action.instance} `));
  // An instance that ends has its own reason: others of the same move are only put to sleep.
  const move = target === targetBefore || action.kind === 'destroy' ? undefined : reasons[0];
  return move ?? own ?? reasons[0] ?? 'the pool decided so';
}
