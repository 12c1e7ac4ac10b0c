/**
 * Which things at a provider have lost their owner: a pure decision over what the cloud lists and what the database knows.
 *
 * The cloud is listed before the database is read, so that nothing made in between looks ownerless. Only names of this installation are
 * ever judged; everything else is foreign and left alone. A thing without an owner is seen twice, at least `quarantineMs` apart, before it
 * goes: one look proves nothing.
 */
import { counted } from '../../text/words.ts';
import { isFinal, type InstancePhase } from '../phases.ts';

/** `part` = what is left of a machine that consists of several resources, such as its address. */
export const REAPABLE_KINDS = ['instance', 'volume', 'script', 'ssh_key', 'part', 'deployment'] as const;
export type ReapableKind = (typeof REAPABLE_KINDS)[number];

/** A thing the provider lists under a name of this installation. */
export interface ListedResource {
  readonly kind: ReapableKind;
  readonly provider: string;
  readonly resourceId: string;
  readonly name: string;
  /** Instance the name speaks of; null for things of the whole installation (its key, its scripts). */
  readonly instanceName: string | null;
  /** Null where the provider does not say. */
  readonly createdAtMs: number | null;
  /** Volumes: host name of the machine they were made for, where they are, and which listed machine they hang on. Null for other things. */
  readonly disk: {
    readonly hostname: string;
    readonly location: string;
    readonly attachedTo: string | null;
  } | null;
  /** Deployments: the pool that the name speaks of, and whether it has no replica and costs nothing. Absent for other things. */
  readonly deployment?: { readonly pool: string; readonly isPaused: boolean };
}

/** An instance as the database and Temporal know it. */
export interface KnownInstance {
  readonly name: string;
  readonly phase: InstancePhase;
  /** Its workflow runs. Null = could not be asked: not known is not dead. */
  readonly workflowRuns: boolean | null;
  readonly providerId: string | null;
  readonly osVolumeId: string | null;
  /** Where its disk is kept; null when none is. */
  readonly keptVolumeLocation: string | null;
  /** Host names of its intents that may still be there: being created, created, or without an answer. */
  readonly openHostnames: readonly string[];
}

/** The pool of a deployment, as the fleet file, the database and Temporal know it. */
export interface KnownPool {
  readonly name: string;
  /** The fleet file has it, with a deployment at this provider. */
  readonly isDeployed: boolean;
  /** Its workflow runs. Null = could not be asked. */
  readonly workflowRuns: boolean | null;
  /** Replicas that instances have claimed, or may have. */
  readonly claims: number;
  /** When the last of its claims ended; null = it never had one. */
  readonly claimEndedAtMs: number | null;
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
  /** Pools of the listed deployments. */
  readonly pools: readonly KnownPool[];
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
  /** Machines that go: ids of the disks that hang on them and have no owner either. */
  readonly disksToo: readonly string[];
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
  const verdictOf = (resource: ListedResource): Pick<ReapVerdict, 'verdict' | 'reason'> => {
    const judged = judge(resource, byName, input);
    if (judged.owned) return { verdict: 'keep', reason: judged.reason };
    const seenAtMs = firstSeen.get(`${resource.kind}/${resource.resourceId}`);
    if (seenAtMs === undefined) return { verdict: 'quarantine', reason: `${judged.reason}; first sighting` };
    const forMs = input.nowMs - seenAtMs;
    const forWords = `${Math.round(forMs / 1000)} s`;
    if (forMs < input.quarantineMs)
      return { verdict: 'quarantine', reason: `${judged.reason}; in quarantine for ${forWords}` };
    return { verdict: 'reap', reason: `${judged.reason}; seen again after ${forWords}` };
  };
  const verdicts = input.listed.map((resource): ReapVerdict => {
    const { verdict, reason } = verdictOf(resource);
    const disksToo =
      resource.kind === 'instance' && verdict === 'reap' ? ownerlessDisksOn(resource, byName, input) : [];
    return { resource, verdict, reason, disksToo };
  });
  return { verdicts, lost: findLost(input) };
}

/** A late machine may use the disk that a living instance keeps: only disks without an owner are deleted with it. */
const ownerlessDisksOn = (
  machine: ListedResource,
  byName: ReadonlyMap<string, KnownInstance>,
  input: ReapInput,
): readonly string[] =>
  input.listed
    .filter(({ disk }) => disk !== null && disk.attachedTo === machine.resourceId)
    .filter((volume) => !judgeDisk(volume, byName, input).owned)
    .map((volume) => volume.resourceId);

interface Judgement {
  readonly owned: boolean;
  readonly reason: string;
}

const ownedBy = (reason: string): Judgement => ({ owned: true, reason });
const ownerless = (reason: string): Judgement => ({ owned: false, reason });

function judge(resource: ListedResource, byName: ReadonlyMap<string, KnownInstance>, input: ReapInput): Judgement {
  switch (resource.kind) {
    case 'script':
    case 'ssh_key':
      if (input.idsInUse.has(resource.resourceId)) return ownedBy('in use by this installation');
      return (
        tooYoung(resource, input) ?? ownerless(`this installation uses another ${resource.kind.replace('_', ' ')}`)
      );
    case 'instance':
    case 'part':
      return judgeMachine(resource, byName, input);
    case 'volume':
      // It goes with its machine or after it, never before.
      if ((resource.disk?.attachedTo ?? null) !== null) return ownedBy('attached to a machine');
      return judgeDisk(resource, byName, input);
    case 'deployment':
      return judgeDeployment(resource, input);
  }
}

/**
 * A deployment belongs to its pool, which alone scales it. The pool looks at one that it believes to be at rest no more, so one that has
 * replicas and no claim is nobody's: a create whose answer was lost may take effect after it was given up.
 */
function judgeDeployment(resource: ListedResource, input: ReapInput): Judgement {
  const { deployment, name } = resource;
  const pool = input.pools.find((one) => one.name === deployment?.pool);
  if (deployment === undefined || pool === undefined) return ownedBy(`the pool of ${name} is not known`);
  if (pool.claims > 0) return ownedBy(`pool ${pool.name} has claimed ${counted(pool.claims, 'replica')}`);
  if (pool.workflowRuns === null) return ownedBy(`whether pool ${pool.name} runs is not known`);
  if (pool.claimEndedAtMs !== null && input.nowMs - pool.claimEndedAtMs < input.minAgeMs)
    return ownedBy(`pool ${pool.name} gave its last replica up a short while ago`);
  if (!pool.isDeployed)
    return tooYoung(resource, input) ?? ownerless(`pool ${pool.name} is not configured with it any more`);
  if (!pool.workflowRuns) return ownerless(`no workflow runs for pool ${pool.name} any more`);
  if (deployment.isPaused) return ownedBy(`pool ${pool.name} keeps it paused`);
  return ownerless('it is not paused although no instance has claimed a replica');
}

/**
 * A machine, or a part without its machine: that belongs to a create that may still be under way, and to nothing else. Its name is that of the
 * create.
 */
function judgeMachine(
  resource: ListedResource,
  byName: ReadonlyMap<string, KnownInstance>,
  input: ReapInput,
): Judgement {
  const { kind, name, resourceId } = resource;
  return judgeByOwner(resource, byName, input, (owner) => {
    if (kind === 'instance' && owner.providerId === resourceId) return ownedBy(`${owner.name} is ${owner.phase}`);
    // The life looks for all of these itself and ends what it does not need, late arrivals included.
    if (owner.openHostnames.includes(name)) return ownedBy(`${owner.name} looks after ${name}`);
    return ownerless(`${owner.name} gave ${name} up`);
  });
}

/** Whose disk it is, wherever it hangs. */
function judgeDisk(resource: ListedResource, byName: ReadonlyMap<string, KnownInstance>, input: ReapInput): Judgement {
  const { disk } = resource;
  if (disk === null) return judgeUnknown(resource, input);
  return judgeByOwner(resource, byName, input, (owner) => {
    if (owner.osVolumeId === resource.resourceId) return ownedBy(`${owner.name} is ${owner.phase}`);
    if (owner.openHostnames.includes(disk.hostname)) return ownedBy(`${owner.name} looks after ${disk.hostname}`);
    // An instance that woke cold elsewhere keeps its old disk registered beside the new one.
    if (owner.keptVolumeLocation === disk.location) return ownedBy(`${owner.name} keeps a disk in ${disk.location}`);
    return ownerless(`${owner.name} has another disk`);
  });
}

/** Asks `ofLiving` what the living instance of its name says of a thing. */
function judgeByOwner(
  resource: ListedResource,
  byName: ReadonlyMap<string, KnownInstance>,
  input: ReapInput,
  ofLiving: (owner: KnownInstance) => Judgement,
): Judgement {
  const owner = byName.get(resource.instanceName ?? '');
  if (owner === undefined) return judgeUnknown(resource, input);
  return isLive(owner) ? ofLiving(owner) : ownerless(deadReason(owner));
}

const judgeUnknown = (resource: ListedResource, input: ReapInput): Judgement =>
  tooYoung(resource, input) ?? ownerless(`nothing is known of ${resource.instanceName ?? resource.name}`);

/** An instance is taken for living unless its life has ended or its workflow is known not to run. */
const isLive = (instance: KnownInstance): boolean => !isFinal(instance.phase) && instance.workflowRuns !== false;

const deadReason = ({ name, phase, workflowRuns }: KnownInstance): string =>
  isFinal(phase) || workflowRuns !== false ? `${name} is ${phase}` : `no workflow runs for ${name} any more`;

/** The reason to keep an unknown resource that is too young to judge; null when it may be judged. */
function tooYoung(resource: ListedResource, { nowMs, minAgeMs }: ReapInput): Judgement | null {
  if (resource.createdAtMs === null) return null;
  const ageMs = nowMs - resource.createdAtMs;
  return ageMs >= minAgeMs ? null : ownedBy(`only ${Math.round(ageMs / 1000)} s old; too young to judge`);
}

/** The other direction: instances that the database says are living but that have no workflow. */
function findLost({ instances }: ReapInput): LostInstance[] {
  return instances
    .filter((i) => !isFinal(i.phase) && i.workflowRuns === false)
    .map((i) => ({ name: i.name, reason: `its workflow does not run although it is ${i.phase}` }));
}
