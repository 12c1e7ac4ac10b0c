/** Activities of the reaper, on queue `fleet`: what it surveys, removes and writes down. */
import { count } from '../../../platform/process-metrics.ts';
import { randomUUID } from 'node:crypto';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { deployerOf } from '../../../clouds/providers.ts';
import { providerError, providerErrorOf } from '../../../clouds/errors.ts';
import { assertNever } from '../../../domain/errors.ts';
import type { ReapVerdict } from '../../../domain/fleet/provider/reaper.ts';
import { countSteps } from '../../metrics/counting.ts';
import { isFinal } from '../../../domain/fleet/phases.ts';
import { countOpenClaims } from '../endpoint/claims.ts';
import type { ReaperDeps } from './listing.ts';
import { surveyResources, type ReapSurvey } from './survey.ts';

/** What became of a removal. */
export interface RemovalOutcome {
  readonly removed: boolean;
  /** Why not, in the provider's words; the next round tries again. */
  readonly message: string | null;
}

export interface ReaperActivities {
  /** Lists the provider first, then reads the database, judges, and remembers sightings (not on a dry run). */
  surveyResources(input: { readonly dryRun: boolean }): Promise<ReapSurvey>;
  /** Removes one thing for good; a refusal is an outcome, not an error. */
  removeResource(verdict: ReapVerdict): Promise<RemovalOutcome>;
  /** Ends the row of an instance whose workflow does not run; what it left at the provider is reaped by the next rounds. */
  endLostInstance(input: { readonly name: string; readonly reason: string }): Promise<void>;
}

export function createReaperActivities(deps: ReaperDeps): ReaperActivities {
  return {
    surveyResources: ({ dryRun }) => surveyResources(deps, dryRun),
    removeResource: (verdict) => removeResource(deps, verdict),
    endLostInstance: (input) => endLostInstance(deps, input),
  };
}

async function removeResource(deps: ReaperDeps, verdict: ReapVerdict): Promise<RemovalOutcome> {
  const { db, accounts, log } = deps;
  const { kind, resourceId, name, provider } = verdict.resource;
  try {
    await remove(deps, accounts.of(provider), verdict);
  } catch (error) {
    const { errorClass, message } = providerErrorOf(error);
    log.warn(
      { kind, resourceId, name, errorClass, message },
      'an orphan could not be removed; the next round tries again',
    );
    return { removed: false, message };
  }
  log.warn({ kind, resourceId, name }, 'orphan removed');
  const removed = await db.reapCandidate.updateMany({
    where: { kind, resourceId, reapedAt: null, provider },
    data: { reapedAt: new Date() },
  });
  count('gpu_orphans_total', { kind }, removed.count);
  return { removed: true, message: null };
}

async function remove(
  { db, endpoints }: Pick<ReaperDeps, 'db' | 'endpoints'>,
  provider: CloudProvider,
  { resource, disksToo }: ReapVerdict,
): Promise<void> {
  const { kind, resourceId, deployment } = resource;
  switch (kind) {
    case 'instance': {
      const machine = await provider.getInstance(resourceId);
      if (machine === null || machine.status === 'gone') return;
      await provider.deleteInstance(resourceId, disksToo);
      return;
    }
    case 'volume':
      return provider.deleteVolume(resourceId);
    case 'script':
      return provider.scripts?.delete(resourceId);
    case 'ssh_key':
      return provider.sshKeys?.delete(resourceId);
    case 'part':
      return provider.leftovers?.delete(resourceId);
    case 'deployment': {
      const deployer = deployerOf(provider.name);
      if (deployer === null || deployment === undefined)
        throw providerError('config', `${provider.name} has no deployment ${resourceId} that could be deleted`);
      // Unlike a machine it is used again under the same name: an instance may have claimed a replica since it was judged.
      if ((await countOpenClaims(db, provider.name, deployment.pool)) > 0)
        throw providerError('transient', `pool ${deployment.pool} has claimed a replica of it meanwhile`);
      return endpoints.delete(deployer, deployment.pool);
    }
    default:
      return assertNever(kind);
  }
}

/** Ends the row of an instance without a workflow: it was terminated, or lost with a Temporal database. Repeating it changes nothing. */
async function endLostInstance(
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
