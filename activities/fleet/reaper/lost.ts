/**
 * Ends the row of an instance nobody looks after: its workflow was terminated, or its history is gone with a Temporal database.
 */
import { countSteps } from '../../metrics/counting.ts';
import { randomUUID } from 'node:crypto';
import { isFinal } from '../../../domain/fleet/phases.ts';
import type { ReaperDeps } from './activities.ts';

/** Writes the last transition; repeating it changes nothing. */
export async function endLostInstance(
  { db, log }: ReaperDeps,
  { name, reason }: { readonly name: string; readonly reason: string },
): Promise<void> {
  const ended = await db.$transaction(async (tx) => {
    const instance = await tx.fleetInstance.findUnique({ where: { name } });
    if (instance === null || isFinal(instance.phase)) return null;
    const last = await tx.instanceTransition.findFirst({
      where: { instanceName: name },
      orderBy: { position: 'desc' },
    });
    const at = new Date();
    const position = (last?.position ?? -1) + 1;
    await tx.instanceTransition.create({
      data: {
        id: randomUUID(),
        instanceName: name,
        position,
        at,
        fromPhase: instance.phase,
        toPhase: 'gone',
        reason,
        priceUsdPerHour: instance.priceUsdPerHour,
        offerKey: instance.offerKey,
        providerId: instance.providerId,
      },
    });
    await tx.fleetInstance.update({ where: { name }, data: { phase: 'gone', phaseSince: at, reason, endedAt: at } });
    await tx.instanceServing.deleteMany({ where: { instanceName: name } });
    return position;
  });
  if (ended !== null) await countSteps(db, name, ended);
  log.error({ instance: name, reason }, 'an instance was lost; what it left at the provider is reaped');
}
