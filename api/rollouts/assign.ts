/** What the active rollout decides for a new analysis. */
import { sideOf, type RolloutSide } from '../../domain/rollouts/assignment.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/** Columns of a new analysis under a rollout, and the models it uses. */
export interface Assignment {
  readonly columns: { readonly rolloutId: string; readonly rolloutSide: RolloutSide; readonly poolName: string | null };
  /** Null: as without the rollout. */
  readonly profile: string | null;
  /** Instead of the configured ones. */
  readonly models: readonly { readonly task: string; readonly modelName: string }[];
}

/** The side of a deck and what follows from it; null when no rollout is active, or it leaves the tenant out. */
export async function assignmentOf(
  tx: Prisma.TransactionClient,
  deck: { readonly tenantId: string; readonly deckId: string },
): Promise<Assignment | null> {
  const active = await tx.rollout.findFirst({ where: { state: 'active' }, include: { models: true } });
  const side = active === null ? null : sideOf(active, deck);
  if (active === null || side === null) return null;
  const isCandidate = side === 'candidate';
  return {
    columns: { rolloutId: active.id, rolloutSide: side, poolName: isCandidate ? active.pool : null },
    profile: isCandidate ? active.profile : null,
    models: isCandidate ? active.models : [],
  };
}
