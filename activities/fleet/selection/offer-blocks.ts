/** Blocks as the database keeps them: one row per scope, shared by all pools and processes. */
import { afterFailure, failureScopeKey } from '../../../domain/fleet/selection/offer-memory.ts';
import { offerKey, parseOfferKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { OfferMemory } from '../../../domain/fleet/selection/ladder.ts';
import type { OfferBlock, PrismaClient } from '../../../generated/prisma/client.ts';
import { lockForTransaction } from '../../../platform/locks.ts';

const toMemory = ({ blockedUntil, lastFailureAt, ...row }: OfferBlock): OfferMemory => ({
  ...row,
  blockedUntilMs: blockedUntil.getTime(),
  lastFailureAtMs: lastFailureAt.getTime(),
});

/** Everything remembered of a provider's offers. */
export async function readOfferMemory(db: Pick<PrismaClient, 'offerBlock'>, provider: string): Promise<OfferMemory[]> {
  const rows = await db.offerBlock.findMany({
    where: { OR: [{ scopeKey: provider }, { scopeKey: { startsWith: `${provider}/` } }] },
    orderBy: { scopeKey: 'asc' },
  });
  return rows.map(toMemory);
}

/** Everything that is blocked now, at any provider. */
export async function readStandingBlocks(db: Pick<PrismaClient, 'offerBlock'>, now: Date): Promise<OfferMemory[]> {
  const rows = await db.offerBlock.findMany({ where: { blockedUntil: { gt: now } }, orderBy: { scopeKey: 'asc' } });
  return rows.map(toMemory);
}

/**
 * Lifts blocks before their time, and forgets the failures behind them: the next one is the first again.
 *
 * @param scope the scope as it is written; null = every block
 * @returns the blocks that were lifted
 */
export async function liftBlocks(db: PrismaClient, scope: string | null, now: Date): Promise<OfferMemory[]> {
  return db.$transaction(async (tx) => {
    const standing = await readStandingBlocks(tx, now);
    const lifted = standing.filter(({ scopeKey: written }) => scope === null || written === scope);
    await tx.offerBlock.deleteMany({ where: { scopeKey: { in: lifted.map((block) => block.scopeKey) } } });
    return lifted;
  });
}

/** Remembers how a create on an offer ended; `error` null = it succeeded, which clears the offer itself and nothing wider. */
export async function rememberOutcome(
  db: PrismaClient,
  key: OfferKey,
  error: ProviderErrorInfo | null,
  nowMs: number,
): Promise<void> {
  const offer = parseOfferKey(key);
  if (error === null) {
    await db.offerBlock.deleteMany({ where: { scopeKey: offerKey(offer) } });
    return;
  }
  const scope = failureScopeKey(offer, error);
  if (scope === null) return;
  await db.$transaction(async (tx) => {
    // Two processes that fail at once would both read the same row: one after the other, so that neither is lost.
    await lockForTransaction(tx, `offer-block/${scope}`);
    const row = await tx.offerBlock.findUnique({ where: { scopeKey: scope } });
    const memory = afterFailure(row === null ? null : toMemory(row), offer, error, nowMs);
    if (memory === null) return;
    const columns = {
      errorClass: memory.errorClass,
      blockedUntil: new Date(memory.blockedUntilMs),
      repeats: memory.repeats,
      lastFailureAt: new Date(memory.lastFailureAtMs),
      message: memory.message,
    };
    await tx.offerBlock.upsert({
      where: { scopeKey: scope },
      create: { scopeKey: scope, ...columns },
      update: columns,
    });
  });
}
