/**
 * Which things at a provider have lost their owner: a pure decision over what the cloud lists and what the database knows.
 *
 * The cloud is listed before the database is read, so that nothing made in between looks ownerless. Only names of this installation are
 * ever judged; everything else is foreign and left alone. A thing without an owner is seen twice, at least `quarantineMs` apart, before it
 * goes: one look proves nothing.
 */
import { FINAL_PHASES, type InstancePhase } from './instance-life/types.ts';

export const REAPABLE_KINDS = ['instance', 'volume', 'script', 'ssh_key'] as const;
export type ReapableKind = (typeof REAPABLE_KINDS)[number];

/** A thing the provider lists under a name of this installation. */
export interface ListedResource {
  readonly kind: ReapableKind;
  readonly resourceId: string;
  readonly name: string;
  /** Instance the name speaks of; null for things of the whole installation (its key, its scripts). */
  readonly instanceName: string | null;
  /** Null where the provider does not say. */
  readonly createdAtMs: number | null;
  /** Volumes: attached to a machine that is listed. */
  readonly attached: boolean;
}

/** An instance as the database and Temporal know it. */
export interface KnownInstance {
  readonly name: string;
  readonly phase: InstancePhase;
  readonly phaseSinceMs: number;
  /** Its workflow runs. Null = could not be asked: not known is not dead. */
  readonly workflowRuns: boolean | null;
  readonly providerId: string | null;
  readonly osVolumeId: string | null;
  /** Where its disk is kept; null when none is. */
  readonly keptVolumeLocation: string | null;
  /** Host names of its intents that may still be there: being created, created, or without an answer. */
  readonly openHostnames: readonly string[];
}

/** A sighting of an earlier round. */
export interface Candidate {
  readonly kind: ReapableKind;
  readonly resourceId: string;
  readonly firstSeenAtMs: number;
}

export interface ReapInput {
  readonly nowMs: number;
  readonly listed: readonly ListedResource[];
  readonly instances: readonly KnownInstance[];
  /** Provider ids of keys and scripts in use by this installation. */
  readonly idsInUse: ReadonlySet<string>;
  readonly candidates: readonly Candidate[];
  /** Things the database has never heard of are left alone until they are this old: another process may be about to store them. */
  readonly minAgeMs: number;
  readonly quarantineMs: number;
}

/** What becomes of one thing. */
export interface ReapVerdict {
  readonly resource: ListedResource;
  /** `keep` = it has an owner or is too young; `quarantine` = ownerless, seen for the first time or too shortly; `reap` = it goes. */
  readonly verdict: 'keep' | 'quarantine' | 'reap';
  /** One sentence for people. */
  readonly reason: string;
}

/** Instances the database holds for living whose machine or workflow is not there. */
export interface LostInstance {
  readonly name: string;
  readonly reason: string;
}

export interface ReapPlan {
  readonly verdicts: readonly ReapVerdict[];
  readonly lost: readonly LostInstance[];
}

/** Judges every listed thing and every known instance. */
export function planReaping(input: ReapInput): ReapPlan {
  const byName = new Map(input.instances.map((i) => [i.name, i]));
  const firstSeen = new Map(input.candidates.map((c) => [`${c.kind}/${c.resourceId}`, c.firstSeenAtMs]));
  const verdicts = input.listed.map((resource): ReapVerdict => {
    const judged = judge(resource, byName, input);
    if (judged.owned) return { resource, verdict: 'keep', reason: judged.reason };
    const seenAtMs = firstSeen.get(`${resource.kind}/${resource.resourceId}`);
    if (seenAtMs === undefined) return { resource, verdict: 'quarantine', reason: `${judged.reason}; first sighting` };
    const forMs = input.nowMs - seenAtMs;
    if (forMs < input.quarantineMs)
      return {
        resource,
        verdict: 'quarantine',
        reason: `${judged.reason}; in quarantine for ${Math.round(forMs / 1000)} s`,
      };
    return { resource, verdict: 'reap', reason: `${judged.reason}; seen again after ${Math.round(forMs / 1000)} s` };
  });
  return { verdicts, lost: findLost(input) };
}

interface Judgement {
  readonly owned: boolean;
  readonly reason: string;
}

function judge(resource: ListedResource, byName: ReadonlyMap<string, KnownInstance>, input: ReapInput): Judgement {
  if (resource.kind === 'script' || resource.kind === 'ssh_key') {
    if (input.idsInUse.has(resource.resourceId)) return { owned: true, reason: 'in use by this installation' };
    return (
      oldEnough(resource, input) ?? {
        owned: false,
        reason: `this installation uses another ${resource.kind.replace('_', ' ')}`,
      }
    );
  }
  const owner = resource.instanceName === null ? undefined : byName.get(resource.instanceName);
  if (owner === undefined) {
    const name = resource.instanceName ?? resource.name;
    return oldEnough(resource, input) ?? { owned: false, reason: `nothing is known of ${name}` };
  }
  const live = isLive(owner);
  if (resource.kind === 'instance') {
    if (owner.providerId === resource.resourceId && live)
      return { owned: true, reason: `${owner.name} is ${owner.phase}` };
    if (live && owner.openHostnames.includes(resource.name))
      return { owned: true, reason: `${owner.name} has asked for it and looks for it` };
    if (live) return { owned: false, reason: `${owner.name} gave ${resource.name} up and runs on another machine` };
    return { owned: false, reason: deadReason(owner) };
  }
  if (resource.attached) return { owned: true, reason: 'attached to a machine' };
  if (live && (owner.osVolumeId === resource.resourceId || owner.osVolumeId === null))
    return { owned: true, reason: `${owner.name} is ${owner.phase}` };
  if (live) return { owned: false, reason: `${owner.name} has another disk` };
  return { owned: false, reason: deadReason(owner) };
}

/** An instance is taken for living unless its life has ended or its workflow is known not to run. */
const isLive = (instance: KnownInstance): boolean =>
  !FINAL_PHASES.includes(instance.phase) && instance.workflowRuns !== false;

const deadReason = ({ name, phase, workflowRuns }: KnownInstance): string =>
  FINAL_PHASES.includes(phase) || workflowRuns !== false
    ? `${name} is ${phase}`
    : `nobody looks after ${name} any more`;

/** The reason to keep a thing that nobody knows and that is too young to judge; null when it may be judged. */
function oldEnough(resource: ListedResource, { nowMs, minAgeMs }: ReapInput): Judgement | null {
  if (resource.createdAtMs === null) return null;
  const ageMs = nowMs - resource.createdAtMs;
  return ageMs >= minAgeMs
    ? null
    : { owned: true, reason: `only ${Math.round(ageMs / 1000)} s old; too young to judge` };
}

/** The other direction: what the database holds for living and nobody looks after. */
function findLost({ instances }: ReapInput): LostInstance[] {
  return instances
    .filter((i) => !FINAL_PHASES.includes(i.phase) && i.workflowRuns === false)
    .map((i) => ({ name: i.name, reason: `its workflow does not run although it is ${i.phase}` }));
}

/** A suspended instance's disk, for {@link disksToGiveUp}. */
export interface KeptDisk {
  readonly instanceName: string;
  readonly keptSinceMs: number;
}

/** Kept disks of one pool that are too many or too old: the oldest go first. */
export function disksToGiveUp(
  disks: readonly KeptDisk[],
  limits: { readonly nowMs: number; readonly maxCount: number; readonly maxAgeMs: number },
): readonly { readonly instanceName: string; readonly reason: string }[] {
  const newestFirst = disks.toSorted(
    (a, b) => b.keptSinceMs - a.keptSinceMs || a.instanceName.localeCompare(b.instanceName),
  );
  return newestFirst.flatMap((disk, position) => {
    const ageMs = limits.nowMs - disk.keptSinceMs;
    if (ageMs > limits.maxAgeMs)
      return [{ instanceName: disk.instanceName, reason: `its disk is kept for ${Math.round(ageMs / 3_600_000)} h` }];
    if (position >= limits.maxCount)
      return [{ instanceName: disk.instanceName, reason: `the pool keeps at most ${limits.maxCount} disks` }];
    return [];
  });
}
