/**
 * A survey: everything of ours at the provider, judged against what the database and Temporal know.
 */
import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { FINAL_PHASES } from '../../../domain/fleet/instance-life/types.ts';
import { isOurSshKey, ownerOf, scriptFingerprintOf, volumeOwnerOf } from '../../../domain/fleet/names.ts';
import {
  disksToGiveUp,
  planReaping,
  type KnownInstance,
  type ListedResource,
  type ReapVerdict,
} from '../../../domain/fleet/reaper.ts';
import { INSTANCE_PHASES, type InstancePhase } from '../../../domain/fleet/instance-life/types.ts';
import { makeInstanceWorkflowId } from '../../../workflows/instance/contract.ts';
import type { ReaperDeps, ReapSurvey } from './activities.ts';

/** Ended instances whose left-overs are still looked for, days. */
const REMEMBERED_DAYS = 30;
/** Sightings of things that went by themselves are forgotten after this, ms. */
const FORGET_AFTER_MS = 3_600_000;

interface Listing {
  readonly ours: readonly ListedResource[];
  readonly foreign: number;
}

/** See {@link ReaperActivities.surveyResources}. */
export async function surveyResources(deps: ReaperDeps, dryRun: boolean): Promise<ReapSurvey> {
  const { db, fleet, provider } = deps;
  // The cloud first: what is stored between the two looks then has its owner.
  const { ours, foreign } = await listOurs(deps);
  const nowMs = Date.now();
  const [instances, idsInUse, rows] = await Promise.all([
    knownInstances(deps),
    idsOfThisInstallation(deps, ours),
    db.reapCandidate.findMany({ where: { provider: provider.name, reapedAt: null } }),
  ]);
  const candidates = rows.map((row) => ({
    kind: row.kind as ListedResource['kind'],
    resourceId: row.resourceId,
    firstSeenAtMs: row.firstSeenAt.getTime(),
  }));
  const { minAgeMs, quarantineMs } = fleet.reaper;
  const plan = planReaping({ nowMs, listed: ours, instances, idsInUse, candidates, minAgeMs, quarantineMs });
  const ownerless = plan.verdicts.filter((v) => v.verdict !== 'keep');
  if (!dryRun) await rememberSightings(deps, ownerless, nowMs);
  return {
    kept: plan.verdicts.length - ownerless.length,
    foreign,
    quarantined: ownerless.filter((v) => v.verdict === 'quarantine'),
    toReap: ownerless.filter((v) => v.verdict === 'reap'),
    lost: plan.lost,
    givenUp: await disksPastTheirLimits(deps, nowMs),
  };
}

async function listOurs({ provider, fleet }: ReaperDeps): Promise<Listing> {
  const id = fleet.installationId;
  const [machines, volumes, scripts, keys] = await Promise.all([
    provider.listInstances(),
    provider.listVolumes(),
    provider.listScripts(),
    provider.listSshKeys(),
  ]);
  const listedIds = new Set(machines.map((m) => m.id));
  const all: (ListedResource | null)[] = [
    ...machines.map((m) => {
      const owner = ownerOf(m.hostname, id);
      if (owner === null || m.status === 'gone' || m.status === 'deleting') return null;
      return listed('instance', m.id, m.hostname, owner.instance, m.createdAtMs);
    }),
    ...volumes.map((v) => {
      const owner = volumeOwnerOf(v.name, id);
      if (owner === null || v.status === 'trashed' || v.status === 'deleted') return null;
      // A provider may still name the machine a disk was attached to after that machine has gone.
      const attached = v.status !== 'detached' && v.instanceId !== null && listedIds.has(v.instanceId);
      return { ...listed('volume', v.id, v.name, owner.instance, v.createdAtMs), attached };
    }),
    ...scripts.map((s) =>
      scriptFingerprintOf(s.name, id) === null ? null : listed('script', s.id, s.name, null, s.createdAtMs),
    ),
    ...keys.map((k) => (isOurSshKey(k.name, id) ? listed('ssh_key', k.id, k.name, null, null) : null)),
  ];
  const ours = all.filter((r) => r !== null);
  return { ours, foreign: all.length - ours.length };
}

const listed = (
  kind: ListedResource['kind'],
  resourceId: string,
  name: string,
  instanceName: string | null,
  createdAtMs: number | null,
): ListedResource => ({ kind, resourceId, name, instanceName, createdAtMs, attached: false });

async function knownInstances({ db, provider, temporal }: ReaperDeps): Promise<KnownInstance[]> {
  const since = new Date(Date.now() - REMEMBERED_DAYS * 86_400_000);
  const rows = await db.fleetInstance.findMany({
    where: { provider: provider.name, OR: [{ endedAt: null }, { endedAt: { gt: since } }] },
    include: { intents: { where: { state: { in: ['creating', 'created', 'unknown'] } } } },
  });
  return Promise.all(
    rows.map(async (row): Promise<KnownInstance> => {
      const phase = phaseOf(row.phase);
      return {
        name: row.name,
        phase,
        phaseSinceMs: row.phaseSince.getTime(),
        workflowRuns: FINAL_PHASES.includes(phase) ? false : await workflowRuns(temporal, row.name),
        providerId: row.providerId,
        osVolumeId: row.osVolumeId,
        keptVolumeLocation: row.keptVolumeLocation,
        openHostnames: row.intents.map((i) => i.hostname),
      };
    }),
  );
}

function phaseOf(text: string): InstancePhase {
  const phase = INSTANCE_PHASES.find((p) => p === text);
  if (phase === undefined) throw new RangeError(`"${text}" is not a phase of an instance`);
  return phase;
}

/** Null when Temporal does not say: not known is not dead. */
async function workflowRuns(temporal: ReaperDeps['temporal'], name: string): Promise<boolean | null> {
  try {
    const { status } = await temporal.workflow.getHandle(makeInstanceWorkflowId(name)).describe();
    return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? false : null;
  }
}

/** Ids of the key and of the newest scripts of this installation, one per pool; older ones are of an earlier configuration. */
async function idsOfThisInstallation(
  { db, provider, fleet }: ReaperDeps,
  ours: readonly ListedResource[],
): Promise<ReadonlySet<string>> {
  const key = await db.fleetKey.findUnique({
    where: { provider_installationId: { provider: provider.name, installationId: fleet.installationId } },
  });
  const newestScripts = ours
    .filter((r) => r.kind === 'script')
    .toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))
    .slice(0, Math.max(1, fleet.pools.length));
  const ids = [key?.providerKeyId, ...newestScripts.map((r) => r.resourceId)].filter((id) => id !== undefined);
  return new Set(ids);
}

async function rememberSightings(
  { db, provider }: ReaperDeps,
  ownerless: readonly ReapVerdict[],
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  for (const { resource, reason } of ownerless) {
    const { kind, resourceId, name } = resource;
    await db.reapCandidate.upsert({
      where: { provider_kind_resourceId: { provider: provider.name, kind, resourceId } },
      create: {
        id: randomUUID(),
        provider: provider.name,
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
  // What has an owner again, or is gone, starts anew when it is next seen without one.
  const stillOwnerless = ownerless.map((v) => v.resource.resourceId);
  await db.reapCandidate.deleteMany({
    where: {
      provider: provider.name,
      reapedAt: null,
      resourceId: { notIn: stillOwnerless },
    },
  });
  await db.reapCandidate.deleteMany({
    where: { provider: provider.name, reapedAt: { lt: new Date(nowMs - FORGET_AFTER_MS) } },
  });
}

async function disksPastTheirLimits(
  { db, fleet, provider }: ReaperDeps,
  nowMs: number,
): Promise<ReapSurvey['givenUp']> {
  const rows = await db.fleetInstance.findMany({
    where: { provider: provider.name, phase: 'suspended', keptVolumeLocation: { not: null } },
  });
  return fleet.pools.flatMap((pool) => {
    const disks = rows
      .filter((r) => r.pool === pool.name)
      .map((r) => ({ instanceName: r.name, keptSinceMs: r.phaseSince.getTime() }));
    const limits = { nowMs, maxCount: pool.maxKeptVolumes, maxAgeMs: pool.maxKeptVolumeAgeHours * 3_600_000 };
    return disksToGiveUp(disks, limits).map((d) => ({ ...d, pool: pool.name }));
  });
}
