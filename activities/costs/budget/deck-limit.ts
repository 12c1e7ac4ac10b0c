/**
 * Why nothing is bought for one deck, for the one who waits for it: a cap of its tenant or of the document, or a soft cap of the installation
 * that its priority does not pass.
 */
import { URGENT_PRIORITY } from '../../../domain/costs/budget/levels.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { readLimits } from './limits.ts';
import { USUAL_BILL } from './purse.ts';

/** See the file's header; null = nothing of the kind. Caps of other tenants are not told. @param timezone IANA */
export async function deckLimit(
  db: PrismaClient,
  analysisId: string,
  timezone: string,
  now: Date,
): Promise<string | null> {
  const analysis = await db.analysis.findUnique({
    where: { id: analysisId },
    select: { tenantId: true, deckId: true, priority: true },
  });
  if (analysis === null) return null;
  const { reasons } = await readLimits(db, { bill: USUAL_BILL, timezone, now });
  const ids = { document: analysis.deckId, tenant: analysis.tenantId, installation: '*' } as const;
  const isUrgent = analysis.priority <= URGENT_PRIORITY;
  const concerning = reasons.filter(({ scope, id, level }) => id === ids[scope] && (level === 'hard' || !isUrgent));
  return (concerning.find(({ level }) => level === 'hard') ?? concerning[0])?.message ?? null;
}
