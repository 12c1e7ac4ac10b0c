/**
 * What a pool does about the health of its instances: which take no new work, which go back to work, which are repaired. One pure function.
 *
 * A limit protects the pool: at most a fifth of it, or one instance, is out of service for its health at the same time, the worst first. So an
 * overloaded controller or gateway that gets no samples takes out no more than that and ends nothing: missing samples are never repaired.
 * An instance that is replaced counts until it serves again, so that a pool that looks faulty as a whole is not ended machine by machine
 * while no replacement can be had.
 */
import { isAcquiring, isPresent, type InstancePhase } from '../phases.ts';
import { durationWords } from '../../text/words.ts';
import type { HealthFailure, HealthLevel } from '../../health/types.ts';
import type { HealthRequest } from '../instance-life/types.ts';

/** Health of an instance as the pool sees it, judged since it last became ready. */
export interface HealthView {
  readonly level: HealthLevel;
  readonly failure: HealthFailure | null;
  readonly reason: string;
  /** Begin of the episode; another episode has another time. */
  readonly sinceMs: number;
}

/** An instance that is out of service for its health. Plain JSON: it crosses continue-as-new. */
export interface Quarantine {
  /** `watch`: it takes no work and is looked at. `repair`: its remedies are tried. `release`: it is on its way back to work. */
  readonly kind: 'watch' | 'repair' | 'release';
  readonly level: HealthLevel;
  readonly failure: HealthFailure | null;
  readonly reason: string;
  /** Of the episode it was taken out for. */
  readonly episodeMs: number;
  /** Since when it is out of service. */
  readonly sinceMs: number;
  /** When what is being done was decided. */
  readonly atMs: number;
}

export type Quarantines = Readonly<Record<string, Quarantine>>;

/** What the pool asks of an instance for its health. */
export interface HealthAsk {
  readonly instance: string;
  readonly request: HealthRequest | 'suspend';
  readonly failure: HealthFailure;
  readonly reason: string;
  readonly episodeMs: number;
}

/** An instance as far as this is concerned. */
export interface JudgedInstance {
  readonly name: string;
  readonly phase: InstancePhase;
  readonly phaseSinceMs: number;
  /** Null = not judged since it became ready. */
  readonly health: HealthView | null;
  /** An operator has taken it out: it is left alone. */
  readonly isHeld: boolean;
}

export interface QuarantineInput {
  readonly atMs: number;
  readonly instances: readonly JudgedInstance[];
  readonly quarantines: Quarantines;
  /** Episodes that an operator has put an instance back to work in spite of, by name. */
  readonly excused: Readonly<Record<string, number>>;
  /** No machine more may be had: the last one that works slowly is kept at work. */
  readonly isFull: boolean;
  /** There is no work: a degraded instance is put to sleep, because it wakes on another machine. Never for servers that run already. */
  readonly mayPutToSleep: boolean;
}

export interface QuarantinePlan {
  readonly quarantines: Quarantines;
  /** To be asked again at every look until the instance shows it; asking twice changes nothing. */
  readonly asks: readonly HealthAsk[];
  /** Sentences for people. */
  readonly reasons: readonly string[];
  /** When the answer may change by itself. */
  readonly dueMs: readonly number[];
}

/** A pool may have this share of its instances out of service, and one in any case. */
const LARGEST_SHARE = 0.2;
/** An instance that stays degraded for this long is replaced. */
export const LASTING_MS = 30 * 60_000;

/** What was asked of an instance shows by then. */
const SETTLED_MS = 60_000;

const RANK: Readonly<Record<HealthLevel, number>> = { healthy: 0, unknown: 1, degraded: 2, unhealthy: 3 };
/** A replacement that takes longer is not had at present: others that do no work get their turn. */
const REPLACEMENT_PATIENCE_MS = 30 * 60_000;

/** Instances that may be out of service at the same time in a pool of so many. */
export const largestQuarantine = (size: number): number => Math.max(1, Math.floor(size * LARGEST_SHARE));

/** See the file's header. */
export function quarantine(input: QuarantineInput): QuarantinePlan {
  const { instances } = input;
  const standing = new Map<string, Quarantine>();
  for (const instance of instances) {
    const entry = input.quarantines[instance.name];
    if (entry !== undefined && isStillOut(instance, entry, input.atMs))
      standing.set(instance.name, updated(instance, entry, input));
  }
  const candidates = instances
    .filter((instance) => !standing.has(instance.name) && mayBeTaken(instance, input.excused))
    .toSorted(worstFirst);
  const serving = instances.filter((p) => p.phase === 'ready' && !p.isHeld && !standing.has(p.name)).length;
  const limit = largestQuarantine(serving + standing.size);
  const waiting: JudgedInstance[] = [];
  let atWork = serving;
  for (const instance of candidates) {
    const health = instance.health as HealthView;
    // Slow work is better than none, and silence proves nothing: the last one at work is only taken out for what stops its work anyway.
    const isNeeded = atWork <= 1 && health.level !== 'unhealthy' && (input.isFull || health.level === 'unknown');
    const isLasting = health.level === 'degraded' && input.atMs - health.sinceMs >= LASTING_MS;
    if (standing.size >= limit || (isNeeded && !isLasting)) {
      waiting.push(instance);
      continue;
    }
    atWork -= 1;
    standing.set(instance.name, taken(health, input.atMs, isLasting));
  }
  makeRoom(standing, waiting, input.atMs);
  return planOf(input, standing, waiting, limit);
}

/** False once it is back, gone, or an operator's business. */
function isStillOut({ phase, phaseSinceMs, isHeld }: JudgedInstance, entry: Quarantine, atMs: number): boolean {
  if (isHeld) return false;
  if (isAcquiring(phase)) return entry.kind === 'repair' && atMs - entry.atMs < REPLACEMENT_PATIENCE_MS;
  if (!isPresent(phase)) return false;
  // Better before it was ever taken out.
  if (phase === 'ready' && entry.kind === 'release' && atMs - entry.atMs > SETTLED_MS) return false;
  return phase !== 'ready' || phaseSinceMs <= entry.atMs;
}

/** Level first, then for how long; the name decides what is left, so that the answer is always the same. */
function worstFirst(a: JudgedInstance, b: JudgedInstance): number {
  const byLevel = RANK[b.health?.level ?? 'healthy'] - RANK[a.health?.level ?? 'healthy'];
  const byTime = (a.health?.sinceMs ?? 0) - (b.health?.sinceMs ?? 0);
  return byLevel || byTime || (a.name < b.name ? -1 : 1);
}

/** What is done now about one that is out of service already. */
function updated({ health }: JudgedInstance, entry: Quarantine, { atMs }: QuarantineInput): Quarantine {
  if (entry.kind !== 'watch' || health === null) return entry;
  const { level, failure, reason, sinceMs: episodeMs } = health;
  const now = { ...entry, level, failure, reason, episodeMs };
  switch (level) {
    case 'healthy':
      return { ...now, kind: 'release', atMs };
    case 'unhealthy':
      return { ...now, kind: 'repair', atMs };
    case 'degraded':
      return atMs - entry.sinceMs >= LASTING_MS ? { ...now, kind: 'repair', atMs } : now;
    case 'unknown':
      return now;
    default:
      return level satisfies never;
  }
}

const mayBeTaken = ({ name, phase, health, isHeld }: JudgedInstance, excused: QuarantineInput['excused']): boolean =>
  phase === 'ready' && !isHeld && health !== null && health.level !== 'healthy' && excused[name] !== health.sinceMs;

const taken = (
  { level, failure, reason, sinceMs: episodeMs }: HealthView,
  atMs: number,
  isLasting: boolean,
): Quarantine => ({
  kind: level === 'unhealthy' || isLasting ? 'repair' : 'watch',
  level,
  failure,
  reason,
  episodeMs,
  sinceMs: atMs,
  atMs,
});

/** Where an unhealthy one has to wait, the least degraded of those that are only watched goes back to work: it can do some. */
function makeRoom(standing: Map<string, Quarantine>, waiting: readonly JudgedInstance[], atMs: number): void {
  if (!waiting.some((p) => p.health?.level === 'unhealthy')) return;
  if ([...standing.values()].some((entry) => entry.kind === 'release')) return;
  const [least] = [...standing]
    .filter(([, entry]) => entry.kind === 'watch')
    .toSorted(([, a], [, b]) => RANK[a.level] - RANK[b.level]);
  if (least === undefined) return;
  const [name, entry] = least;
  standing.set(name, { ...entry, kind: 'release', reason: `another one is worse off (${entry.reason})`, atMs });
}

function planOf(
  { instances, atMs, mayPutToSleep }: QuarantineInput,
  standing: ReadonlyMap<string, Quarantine>,
  waiting: readonly JudgedInstance[],
  limit: number,
): QuarantinePlan {
  const asks: HealthAsk[] = [];
  const reasons: string[] = [];
  const dueMs: number[] = [];
  for (const [name, entry] of standing) {
    const { level, kind, failure, reason, episodeMs, sinceMs } = entry;
    const phase = instances.find((p) => p.name === name)?.phase;
    const sleeps = mayPutToSleep && kind === 'watch' && level === 'degraded' && phase === 'cordoned';
    const request = sleeps ? 'suspend' : REQUESTS[kind];
    if (isDue(request, phase))
      asks.push({ instance: name, request, failure: failure ?? 'no_samples', reason, episodeMs });
    reasons.push(`${name} is out of service for ${durationWords(atMs - sinceMs)}, ${WORDS[kind]}: ${reason}`);
    if (kind === 'watch' && level === 'degraded') dueMs.push(sinceMs + LASTING_MS);
    if (phase !== undefined && isAcquiring(phase)) dueMs.push(entry.atMs + REPLACEMENT_PATIENCE_MS);
  }
  for (const { name, health } of waiting) {
    const why =
      standing.size >= limit
        ? `${standing.size} are out of service already, and no more than ${limit} may be`
        : 'no other one is at work';
    reasons.push(
      `${name} is ${health?.level ?? 'unknown'} and stays in service, because ${why}: ${health?.reason ?? ''}`,
    );
    if (health?.level === 'degraded') dueMs.push(health.sinceMs + LASTING_MS);
  }
  return { quarantines: Object.fromEntries(standing), asks, reasons, dueMs: dueMs.filter((due) => due > atMs) };
}

const REQUESTS: Readonly<Record<Quarantine['kind'], HealthAsk['request']>> = {
  watch: 'quarantine',
  repair: 'repair',
  release: 'release',
};

const WORDS: Readonly<Record<Quarantine['kind'], string>> = {
  watch: 'watched',
  repair: 'under repair',
  release: 'on its way back',
};

/** An instance that shows already what it is asked is not asked again. */
function isDue(request: HealthAsk['request'], phase: InstancePhase | undefined): boolean {
  switch (request) {
    case 'quarantine':
      return phase === 'ready';
    case 'repair':
      return phase === 'ready' || phase === 'cordoned';
    case 'release':
    case 'suspend':
      return phase === 'cordoned';
    default:
      return request satisfies never;
  }
}

/** Instances of `decide()`: without those that only watching keeps out of work, and with those under repair as what will soon be at work again. */
export function underQuarantine<I extends { readonly name: string; readonly phase: InstancePhase }>(
  instances: readonly I[],
  quarantines: Quarantines,
  atMs: number,
): { readonly disposable: readonly I[]; readonly takenOut: readonly I[] } {
  const isOut = ({ name, phase }: I): boolean => {
    const entry = quarantines[name];
    // One without a machine is to be had or given up like any other.
    return (
      entry !== undefined && !isAcquiring(phase) && (entry.kind !== 'repair' || atMs - entry.atMs > REPAIR_PATIENCE_MS)
    );
  };
  return {
    disposable: instances
      .filter((i) => !isOut(i))
      .map((i) =>
        quarantines[i.name] !== undefined && i.phase === 'cordoned' ? { ...i, phase: 'booting' as const } : i,
      ),
    takenOut: instances.filter(isOut),
  };
}

/** A restart takes seconds, a reboot minutes: within this nothing is bought in the place of an instance under repair. */
const REPAIR_PATIENCE_MS = 5 * 60_000;
