/**
 * Activities of the reaper, on queue `fleet`: what it surveys, removes and writes down.
 */
import { count } from '../../../platform/process-metrics.ts';
import type { Client } from '@temporalio/client';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { providerErrorOf } from '../../../clouds/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { ReapVerdict } from '../../../domain/fleet/provider/reaper.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { Fleet } from '../../../platform/fleet-config.ts';
import type { Logger } from '../../../platform/log.ts';
import type { ReapReport } from '../../../contracts/reaper.ts';
import { endLostInstance } from './lost.ts';
import { surveyResources } from './survey.ts';

/** What a survey found; `toReap` is still to be removed. */
export type ReapSurvey = Pick<ReapReport, 'kept' | 'foreign' | 'quarantined' | 'lost'> & {
  readonly toReap: readonly ReapVerdict[];
};

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

/** What the reaper works with. */
export interface ReaperDeps {
  readonly db: PrismaClient;
  readonly provider: CloudProvider;
  readonly fleet: Fleet;
  readonly temporal: Client;
  readonly log: Logger;
  /** Script that prepares a machine of a pool, as a first boot would bring it now. */
  readonly startupScript: (pool: PoolConfig) => Promise<string>;
}

export function createReaperActivities(deps: ReaperDeps): ReaperActivities {
  return {
    surveyResources: ({ dryRun }) => surveyResources(deps, dryRun),
    removeResource: (verdict) => removeResource(deps, verdict),
    endLostInstance: (input) => endLostInstance(deps, input),
  };
}

async function removeResource({ db, provider, log }: ReaperDeps, verdict: ReapVerdict): Promise<RemovalOutcome> {
  const { kind, resourceId, name } = verdict.resource;
  try {
    await remove(provider, verdict);
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
    where: { provider: provider.name, kind, resourceId, reapedAt: null },
    data: { reapedAt: new Date() },
  });
  count('gpu_orphans_total', { kind }, removed.count);
  return { removed: true, message: null };
}

async function remove(provider: CloudProvider, { resource, disksToo }: ReapVerdict): Promise<void> {
  const { kind, resourceId } = resource;
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
      return provider.deleteScript(resourceId);
    case 'ssh_key':
      return provider.deleteSshKey(resourceId);
  }
}
