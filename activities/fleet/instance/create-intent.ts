/** The record of a create: written before the provider is asked, settled with its outcome. */
import { count, countCommitted } from '../../../platform/process-metrics.ts';
import type { CreateIntent, PrismaClient } from '../../../generated/prisma/client.ts';
import type { CreateOutcome, Intent } from '../../../domain/fleet/instance-life/types.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { lockForTransaction } from '../../../platform/locks.ts';
import type { Transaction } from '../../../platform/db.ts';

/** Why no create may be sent on the intent's offer now; null = it may. Reads in the transaction it is given. */
export type LaunchCheck = (tx: Transaction) => Promise<string | null>;

/** Reserves the create's money; why there is none, or null. In the same transaction, so that both stand or neither. */
export type MoneyCheck = (tx: Transaction) => Promise<{ readonly message: string } | null>;

/** Many creates on one offer may wait for one another. */
const RECORDED_WITHIN_MS = 30_000;

/**
 * Writes the intent. Returns null when it is new and may be sent, else its outcome: an earlier run of the same create is never sent
 * again, and one that `mayLaunch` or the budget refuses was never sent.
 *
 * Creates on one offer are recorded one after the other, so that each sees those before it: of several at the same time only as many are
 * sent as the launch limit allows.
 */
export async function recordIntent(
  db: PrismaClient,
  instance: string,
  intent: Intent,
  mayLaunch: LaunchCheck,
  reserve: MoneyCheck = () => Promise.resolve(null),
): Promise<CreateOutcome | null> {
  const record = async (tx: Transaction): Promise<CreateOutcome | null> => {
    await lockForTransaction(tx, `launch/${intent.offer}`);
    const known = await tx.createIntent.findUnique({ where: { id: intent.id } });
    if (known !== null) return outcomeKnown(known);
    const blocked = await mayLaunch(tx);
    const noMoney = blocked === null ? await reserve(tx) : null;
    const why = blocked ?? noMoney?.message ?? null;
    const heldBack = why === null ? {} : ({ state: 'refused', message: why, settledAt: new Date() } as const);
    await tx.createIntent.create({
      data: {
        id: intent.id,
        instanceName: instance,
        hostname: intent.hostname,
        offerKey: intent.offer,
        priceUsdPerHour: intent.priceUsdPerHour,
        fromVolumeId: intent.volumeId,
        ...heldBack,
      },
    });
    if (why === null) return null;
    return { kind: 'held_back', message: why, ...(noMoney === null ? {} : { overBudget: true }) };
  };
  return countCommitted(() => db.$transaction(record, { timeout: RECORDED_WITHIN_MS, maxWait: RECORDED_WITHIN_MS }));
}

/** Outcome of a create that was recorded before. Without an error class, Deckhand refused it. */
function outcomeKnown({ state, providerId, errorClass, message }: CreateIntent): CreateOutcome {
  if (state === 'created' && providerId !== null) {
    return { kind: 'created', providerId, adopted: true, priceUsdPerHour: null };
  }
  if (state === 'refused') {
    const words = message ?? 'refused';
    if (errorClass === null) return { kind: 'held_back', message: words };
    return { kind: 'refused', error: { errorClass: errorClass as ProviderErrorClass, message: words } };
  }
  return { kind: 'unknown', message: 'it was sent before, and no answer is known' };
}

/** True until the search for the intent's machine begins: after that the create must not be sent. */
export async function mayStillBeSent(db: PrismaClient, intent: Intent): Promise<boolean> {
  return (await db.createIntent.count({ where: { id: intent.id, state: 'creating' } })) === 1;
}

/** Stores the outcome. */
export async function settleIntent(db: PrismaClient, intent: Intent, outcome: CreateOutcome): Promise<void> {
  const settledAt = new Date();
  const where = { id: intent.id };
  // Counted once: when its answer is known, or when it is known that there is none.
  const isCounted = !(await mayStillBeSent(db, intent));
  const counted = (result: string): void => {
    if (!isCounted) count('gpu_create_attempts_total', { offer: intent.offer, class: result });
  };
  switch (outcome.kind) {
    case 'created': {
      const { providerId } = outcome;
      await db.createIntent.update({ where, data: { state: 'created', providerId, settledAt } });
      counted('created');
      return;
    }
    case 'refused': {
      const { errorClass, message } = outcome.error;
      await db.createIntent.update({ where, data: { state: 'refused', errorClass, message, settledAt } });
      counted(errorClass);
      return;
    }
    case 'held_back':
      // Settled when it was recorded.
      return;
    case 'unknown':
      // Not settled: the search by host name settles it.
      await db.createIntent.updateMany({
        where: { ...where, state: 'creating' },
        data: { state: 'unknown', message: outcome.message },
      });
      counted('unknown');
      return;
    default:
      return outcome satisfies never;
  }
}
