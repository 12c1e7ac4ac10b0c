/** Re-checks demand during a suspension, when the instance takes no calls any more. */
import type { Context } from '@temporalio/activity';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { isCapacity, phasesThat } from '../../../domain/fleet/phases.ts';
import { queuesOf, type PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import { DECISION_QUERY, makePoolWorkflowId, type PoolReport } from '../../../contracts/pool.ts';
import { NO_LIMITS, type DemandLimits } from '../../costs/budget/work-limits.ts';
import { hasWorkFor } from './demand.ts';

/** Answer of the pool. */
export interface PoolSays {
  readonly target: number;
  /** An operator cordoned or drained the instance. */
  readonly isHeld: boolean;
}

const QUERY_DEADLINE_MS = 3000;

/**
 * True when there is open work and there are fewer other instances than the target (at least one). An instance that an operator cordoned or
 * drained is not wanted; without the pool's answer, work alone decides.
 */
export async function stillWanted(
  db: PrismaClient,
  says: PoolSays | null,
  { pool, instance }: { readonly pool: PoolConfig; readonly instance: string },
  now: Date,
  limits: DemandLimits = NO_LIMITS,
): Promise<boolean> {
  if (says?.isHeld === true) return false;
  if (!(await hasWorkFor(db, pool.classes, now, limits, queuesOf(pool)))) return false;
  if (says === null) return true;
  const others = await db.fleetInstance.count({
    where: { pool: pool.name, name: { not: instance }, phase: { in: phasesThat(isCapacity) } },
  });
  return others < Math.max(1, says.target);
}

/** Asks the pool; null when it does not answer. */
export async function askPool(
  { client, log }: Pick<Context, 'client' | 'log'>,
  pool: string,
  instance: string,
): Promise<PoolSays | null> {
  try {
    const { target, holds } = await client.withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
      client.workflow.getHandle(makePoolWorkflowId(pool)).query<PoolReport>(DECISION_QUERY),
    );
    const kind = holds[instance]?.kind;
    return { target, isHeld: kind === 'cordoned' || kind === 'drained' };
  } catch (error) {
    // The pool does not run or is busy; work alone then decides.
    log.debug('the pool did not answer', { pool, error: String(error) });
    return null;
  }
}
