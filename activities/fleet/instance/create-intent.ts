/**
 * The record of a create: written before the provider is asked, settled by what came of it.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Intent } from '../../../domain/fleet/instance-life/types.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider-errors.ts';
import type { CreateOutcome } from './contract.ts';

/**
 * Writes the intent. Answers null when it is new, else what an earlier run of the same create left: that one is never sent again.
 */
export async function recordIntent(db: PrismaClient, instance: string, intent: Intent): Promise<CreateOutcome | null> {
  const { count } = await db.createIntent.createMany({
    data: [
      {
        id: intent.id,
        instanceName: instance,
        hostname: intent.hostname,
        offerKey: intent.offer,
        priceUsdPerHour: intent.priceUsdPerHour,
        fromVolumeId: intent.volumeId,
      },
    ],
    skipDuplicates: true,
  });
  if (count === 1) return null;
  const known = await db.createIntent.findUniqueOrThrow({ where: { id: intent.id } });
  if (known.state === 'created' && known.providerId !== null) {
    return { kind: 'created', providerId: known.providerId, adopted: true, priceUsdPerHour: null };
  }
  if (known.state === 'refused') {
    const errorClass = (known.errorClass ?? 'transient') as ProviderErrorClass;
    return { kind: 'refused', error: { errorClass, message: known.message ?? 'refused' } };
  }
  return { kind: 'unknown', message: 'it was sent before, and no answer is known' };
}

/** True while nobody has begun to look for the intent's machine: the last moment at which a create may be sent. */
export async function mayStillBeSent(db: PrismaClient, intent: Intent): Promise<boolean> {
  return (await db.createIntent.count({ where: { id: intent.id, state: 'creating' } })) === 1;
}

/** Writes what became of it. */
export async function settleIntent(db: PrismaClient, intent: Intent, outcome: CreateOutcome): Promise<void> {
  const settledAt = new Date();
  const where = { id: intent.id };
  switch (outcome.kind) {
    case 'created': {
      const { providerId } = outcome;
      await db.createIntent.update({ where, data: { state: 'created', providerId, settledAt } });
      return;
    }
    case 'refused': {
      const { errorClass, message } = outcome.error;
      await db.createIntent.update({ where, data: { state: 'refused', errorClass, message, settledAt } });
      return;
    }
    case 'unknown':
      // Not settled: whoever looks for it by name settles it.
      await db.createIntent.updateMany({
        where: { ...where, state: 'creating' },
        data: { state: 'unknown', message: outcome.message },
      });
      return;
    default:
      return outcome satisfies never;
  }
}
