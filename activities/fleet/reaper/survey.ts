/** A survey: everything of ours at the provider, judged against what the database and Temporal know. */
import { noteAnswer } from '../../metrics/provider-answers.ts';
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  planReaping,
  type KnownInstance,
  type KnownPool,
  type ListedResource,
  type ReapVerdict,
} from '../../../domain/fleet/provider/reaper.ts';
import { INSTANCE_PHASES, type InstancePhase } from '../../../domain/fleet/phases.ts';
import { makeInstanceWorkflowId } from '../../../contracts/instance.ts';
import { makePoolWorkflowId } from '../../../contracts/pool.ts';
import { scriptsInUse, type ListedScript } from '../../../domain/fleet/provider/scripts-in-use.ts';
import { STATIC } from '../../../clouds/fleet.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { errorInfo, isAnswer } from '../instance/provider-answer.ts';
import { scriptFingerprint } from '../instance/boot-material.ts';
import type { ReapReport } from '../../../contracts/reaper.ts';
import { countOpenClaims } from '../endpoint/claims.ts';
import { listOurs, type ReaperDeps } from './listing.ts';

/** What a survey found; `toReap` is still to be removed. */
export type ReapSurvey = Pick<ReapReport, 'kept' | 'foreign' | 'quarantined' | 'lost' | 'unanswered'> & {
  readonly toReap: readonly ReapVerdict[];
};

/** Days for which leftovers of ended instances are still looked for. */
const REMEMBERED_DAYS = 30;
/** Sightings of resources that disappeared are forgotten after this time, ms. */
const FORGET_AFTER_MS = 3_600_000;

/**
 * See {@link ReaperActivities.surveyResources}. One provider after the other: one that does not answer keeps none of the others from being looked
 * at.
 *
 * @throws the error of the first provider when none answers
 */
export async function surveyResources(deps: ReaperDeps, dryRun: boolean): Promise<ReapSurvey> {
  const surveys: ReapSurvey[] = [];
  const failures: { readonly provider: string; readonly message: string; readonly error: unknown }[] = [];
  for (const provider of deps.accounts.all) {
    const { value, error } = await settled(() => surveyProvider(deps, provider, dryRun));
    if (value !== null) {
      surveys.push(value);
      await noteAnswer(deps.db, provider.name, new Date());
    } else if (isAnswer(error)) failures.push({ provider: provider.name, message: errorInfo(error).message, error });
    else throw error;
  }
  const [first] = failures;
  if (surveys.length === 0 && first !== undefined) throw first.error;
  const sum = (count: (survey: ReapSurvey) => number): number => surveys.reduce((all, one) => all + count(one), 0);
  const lost = surveys.flatMap((survey) => survey.lost);
  return {
    kept: sum((survey) => survey.kept),
    foreign: sum((survey) => survey.foreign),
    quarantined: surveys.flatMap((survey) => survey.quarantined),
    toReap: surveys.flatMap((survey) => survey.toReap),
    // Every provider is held against all instances, so each survey names the same ones.
    lost: [...new Map(lost.map((instance) => [instance.name, instance])).values()],
    ...(failures.length === 0 ? {} : { unanswered: failures.map(({ provider, message }) => ({ provider, message })) }),
  };
}

async function settled<T>(
  work: () => Promise<T>,
): Promise<{ value: T; error: null } | { value: null; error: unknown }> {
  try {
    return { value: await work(), error: null };
  } catch (error) {
    return { value: null, error };
  }
}

async function surveyProvider(deps: ReaperDeps, provider: CloudProvider, dryRun: boolean): Promise<ReapSurvey> {
  const { db, fleet } = deps;
  // The provider is read first, so that everything created meanwhile already has an owner in the database.
  const { listed, ourScripts, foreign } = await listOurs(deps, provider);
  const nowMs = Date.now();
  const [instances, pools, idsInUse, rows] = await Promise.all([
    knownInstances(deps),
    knownPools(deps, provider.name, listed),
    idsInUseOf(deps, provider.name, ourScripts),
    db.reapCandidate.findMany({ where: { provider: provider.name, reapedAt: null } }),
  ]);
  const candidates = rows.map((row) => ({
    kind: row.kind as ListedResource['kind'],
    resourceId: row.resourceId,
    firstSeenAtMs: row.firstSeenAt.getTime(),
  }));
  const { minAgeMs, quarantineMs } = fleet.reaper;
  const plan = planReaping({ nowMs, listed, instances, pools, idsInUse, candidates, minAgeMs, quarantineMs });
  const ownerless = plan.verdicts.filter((v) => v.verdict !== 'keep');
  if (!dryRun) await rememberSightings(deps, provider.name, ownerless, nowMs);
  return {
    kept: plan.verdicts.length - ownerless.length,
    foreign,
    quarantined: ownerless.filter((v) => v.verdict === 'quarantine'),
    toReap: ownerless.filter((v) => v.verdict === 'reap'),
    lost: plan.lost,
  };
}

/** Instances of all providers: one may have its machine at one and a disk at another. */
async function knownInstances({ db, temporal }: ReaperDeps): Promise<KnownInstance[]> {
  const since = new Date(Date.now() - REMEMBERED_DAYS * 86_400_000);
  const rows = await db.fleetInstance.findMany({
    where: { provider: { not: STATIC }, OR: [{ endedAt: null }, { endedAt: { gt: since } }] },
    include: { intents: { where: { state: { in: ['creating', 'created', 'unknown'] } } } },
  });
  return Promise.all(
    rows.map(async (row): Promise<KnownInstance> => {
      const runs = row.endedAt === null ? await workflowRuns(temporal, makeInstanceWorkflowId(row.name)) : false;
      // A life that ended between the two questions has written so before its workflow ended.
      const { phase } =
        runs === false && row.endedAt === null
          ? await db.fleetInstance.findUniqueOrThrow({ where: { name: row.name } })
          : row;
      return {
        name: row.name,
        phase: phaseOf(phase),
        workflowRuns: runs,
        providerId: row.providerId,
        osVolumeId: row.osVolumeId,
        keptVolumeLocation: row.keptVolumeLocation,
        openHostnames: row.intents.map((i) => i.hostname),
      };
    }),
  );
}

/** Pools of the listed deployments, whose replicas are booked as `bookedAs`. */
function knownPools(
  { db, endpoints, temporal }: ReaperDeps,
  bookedAs: string,
  listed: readonly ListedResource[],
): Promise<KnownPool[]> {
  const names = listed.flatMap(({ deployment }) => deployment?.pool ?? []);
  return Promise.all(
    names.map(async (name): Promise<KnownPool> => {
      const pool = endpoints.poolOf(name);
      const workflow = await workflowRuns(temporal, makePoolWorkflowId(name));
      const claims = await countOpenClaims(db, bookedAs, name);
      const ended = await db.createIntent.aggregate({
        where: { offerKey: { startsWith: `${bookedAs}/` }, instance: { pool: name } },
        _max: { settledAt: true },
      });
      return {
        name,
        isDeployed: pool?.endpoint?.deployment !== undefined && endpoints.bookedAs(pool) === bookedAs,
        workflowRuns: workflow,
        claims,
        claimEndedAtMs: ended._max.settledAt?.getTime() ?? null,
      };
    }),
  );
}

function phaseOf(text: string): InstancePhase {
  const phase = INSTANCE_PHASES.find((p) => p === text);
  if (phase === undefined) throw new RangeError(`"${text}" is not a phase of an instance`);
  return phase;
}

/** Null when Temporal does not answer. */
async function workflowRuns(temporal: ReaperDeps['temporal'], workflowId: string): Promise<boolean | null> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? false : null;
  }
}

/** Ids of this installation's key and of the scripts that a boot may name. */
async function idsInUseOf(
  { db, fleet, startupScript }: ReaperDeps,
  provider: string,
  scripts: readonly ListedScript[],
): Promise<ReadonlySet<string>> {
  const [key, oldest, texts] = await Promise.all([
    db.fleetKey.findUnique({
      where: { provider_installationId: { provider, installationId: fleet.installationId } },
    }),
    db.fleetInstance.findFirst({
      where: { provider, endedAt: null },
      orderBy: { createdAt: 'asc' },
    }),
    Promise.all(fleet.pools.map(startupScript)),
  ]);
  const used = scriptsInUse(scripts, new Set(texts.map(scriptFingerprint)), oldest?.createdAt.getTime() ?? null);
  return new Set([...used.map((script) => script.id), ...(key === null ? [] : [key.providerKeyId])]);
}

async function rememberSightings(
  { db }: ReaperDeps,
  provider: string,
  ownerless: readonly ReapVerdict[],
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  // Removed, and there again: the provider took the order and did not follow it, so it is judged anew.
  await db.reapCandidate.deleteMany({
    where: {
      provider,
      reapedAt: { not: null },
      resourceId: { in: ownerless.map((v) => v.resource.resourceId) },
    },
  });
  for (const { resource, reason } of ownerless) {
    const { kind, resourceId, name } = resource;
    await db.reapCandidate.upsert({
      where: { provider_kind_resourceId: { provider, kind, resourceId } },
      create: {
        id: randomUUID(),
        provider,
        kind,
        resourceId,
        name,
        reason,
        firstSeenAt: now,
        lastSeenAt: now,
        sightings: 1,
      },
      update: { lastSeenAt: now, sightings: { increment: 1 }, reason },
    });
  }
  // Resources that have an owner again, or are gone, are forgotten.
  const stillOwnerless = ownerless.map((v) => v.resource.resourceId);
  await db.reapCandidate.deleteMany({
    where: {
      provider,
      reapedAt: null,
      resourceId: { notIn: stillOwnerless },
    },
  });
  await db.reapCandidate.deleteMany({
    where: { provider, reapedAt: { lt: new Date(nowMs - FORGET_AFTER_MS) } },
  });
}
