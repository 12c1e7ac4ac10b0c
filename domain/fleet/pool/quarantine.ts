/**
 * Which instances of a pool are quarantined, released or repaired because of their health. One pure function.
 *
 * At most a fifth of a pool, or one instance, is quarantined at once, the worst first. So an overloaded control worker or gateway that gets no
 * samples quarantines no more than that and ends nothing: missing samples are never repaired. An instance under replacement counts until it
 * serves again, so that a pool that looks faulty as a whole is not ended machine by machine while no replacement can be had.
 */
import { isAcquiring, isPresent, type InstancePhase } from '../phases.ts';
import { durationWords } from '../../text/words.ts';
import { LEVEL_RANK, type HealthFailure, type HealthLevel } from '../../health/types.ts';
import type { HealthAsk, HealthRequest } from '../instance-life/types.ts';

/** Health of an instance as the pool sees it, judged since it last became ready. */
export interface HealthView {
  readonly level: HealthLevel;
  readonly failure: HealthFailure | null;
  readonly reason: string;
  /** Begin of the episode; another episode has another time. */
  readonly sinceMs: number;
}

/** A quarantined instance. Plain JSON: it crosses continue-as-new. */
export interface Quarantine extends Omit<HealthView, 'sinceMs'> {
  /** `watch`: it gets no calls and is checked. `repair`: its remedies are tried. `release`: it is about to serve again. */
  readonly kind: 'watch' | 'repair' | 'release';
  /** Of the episode it was quarantined for. */
  readonly episodeMs: number;
  /** Begin of the quarantine. */
  readonly sinceMs: number;
  /** When `kind` was decided. */
  readonly atMs: number;
}

export type Quarantines = Readonly<Record<string, Quarantine>>;

/** What the pool asks of an instance for its health. */
export interface QuarantineAsk extends Omit<HealthAsk, 'request'> {
  readonly instance: string;
  readonly request: HealthRequest | 'suspend';
}

/** An instance as far as quarantines depend on it. */
export interface JudgedInstance {
  readonly name: string;
  readonly phase: InstancePhase;
  readonly phaseSinceMs: number;
  /** Null = not judged since it became ready. */
  readonly health: HealthView | null;
  /** Held by an operator: it is left alone. */
  readonly isHeld: boolean;
}

export interface QuarantineInput {
  readonly atMs: number;
  readonly instances: readonly JudgedInstance[];
  readonly quarantines: Quarantines;
  /** Episodes that an operator has put an instance back to work in spite of, by name. */
  readonly excused: Readonly<Record<string, number>>;
  /** The pool is at its maximum: the last slow instance goes on serving. */
  readonly isFull: boolean;
  /** There is no work: a degraded instance is suspended, because it wakes on another machine. Never for static hosts. */
  readonly mayPutToSleep: boolean;
}

export interface QuarantinePlan {
  readonly quarantines: Quarantines;
  /** Asked again at every look until the instance's phase shows it; asking twice changes nothing. */
  readonly asks: readonly QuarantineAsk[];
  /** Sentences for people. */
  readonly reasons: readonly string[];
  /** When the answer may change by itself. */
  readonly dueMs: readonly number[];
}

/** Begin of the latest episode for which an instance that does no work is repaired; null = there is none. */
export function sickSince(quarantines: Quarantines): number | null {
  const repaired = Object.values(quarantines).filter(({ kind, level }) => kind === 'repair' && level === 'unhealthy');
  return repaired.length === 0 ? null : Math.max(...repaired.map(({ episodeMs }) => episodeMs));
}

/** Largest share of a pool that may be quarantined, and one instance in any case. */
const LARGEST_SHARE = 0.2;
/** An instance that stays degraded for this long is replaced. */
export const LASTING_MS = 30 * 60_000;

/** The phase of an instance shows within this time what was asked of it. */
const SETTLED_MS = 60_000;

/** A replacement that takes longer no longer counts, so that another unhealthy instance can be repaired. */
const REPLACEMENT_PATIENCE_MS = 30 * 60_000;

/** Most instances that may be quarantined at once in a pool of this size. */
export const largestQuarantine = (size: number): number => Math.max(1, Math.floor(size * LARGEST_SHARE));

export function quarantine(input: QuarantineInput): QuarantinePlan {
  const { instances } = input;
  const quarantined = new Map<string, Quarantine>();
  for (const instance of instances) {
    const entry = input.quarantines[instance.name];
    if (entry !== undefined && isStillQuarantined(instance, entry, input.atMs))
      quarantined.set(instance.name, updated(instance, entry, input));
  }
  const candidates = instances
    .filter((instance) => !quarantined.has(instance.name) && mayBeQuarantined(instance, input.excused))
    .toSorted(worstFirst);
  const serving = instances.filter((p) => p.phase === 'ready' && !p.isHeld && !quarantined.has(p.name)).length;
  const limit = largestQuarantine(serving + quarantined.size);
  const waiting: JudgedInstance[] = [];
  let atWork = serving;
  for (const instance of candidates) {
    const health = instance.health as HealthView;
    // Slow work is better than none, and missing samples prove nothing: the last serving instance is quarantined only if it cannot work.
    const isNeeded = atWork <= 1 && health.level !== 'unhealthy' && (input.isFull || health.level === 'unknown');
    const isLasting = health.level === 'degraded' && input.atMs - health.sinceMs >= LASTING_MS;
    if (quarantined.size >= limit || (isNeeded && !isLasting)) {
      waiting.push(instance);
      continue;
    }
    atWork -= 1;
    quarantined.set(instance.name, newQuarantine(health, input.atMs, isLasting));
  }
  makeRoom(quarantined, waiting, input.atMs);
  return planOf(input, quarantined, waiting, limit);
}

/** False once it serves again, is gone, or is held by an operator. */
function isStillQuarantined({ phase, phaseSinceMs, isHeld }: JudgedInstance, entry: Quarantine, atMs: number): boolean {
  if (isHeld) return false;
  if (isAcquiring(phase)) return entry.kind === 'repair' && atMs - entry.atMs < REPLACEMENT_PATIENCE_MS;
  if (!isPresent(phase)) return false;
  // It recovered before it was cordoned.
  if (phase === 'ready' && entry.kind === 'release' && atMs - entry.atMs > SETTLED_MS) return false;
  return phase !== 'ready' || phaseSinceMs <= entry.atMs;
}

/** By level, then by duration, then by name, so that the result is deterministic. */
function worstFirst(a: JudgedInstance, b: JudgedInstance): number {
  const byLevel = LEVEL_RANK[b.health?.level ?? 'healthy'] - LEVEL_RANK[a.health?.level ?? 'healthy'];
  const byTime = (a.health?.sinceMs ?? 0) - (b.health?.sinceMs ?? 0);
  return byLevel || byTime || (a.name < b.name ? -1 : 1);
}

/** The quarantine as of this look. */
function updated({ health, phase }: JudgedInstance, entry: Quarantine, { atMs }: QuarantineInput): Quarantine {
  if (health === null) return entry;
  const { level, failure, reason, sinceMs: episodeMs } = health;
  const now = { ...entry, level, failure, reason, episodeMs };
  // Its reason has ended without a remedy: nobody repairs a server that is not ours.
  if (entry.kind === 'repair' && phase === 'cordoned' && level === 'healthy') return { ...now, kind: 'release', atMs };
  if (entry.kind !== 'watch') return entry;
  switch (level) {
    case 'healthy':
      return { ...now, kind: 'release', atMs };
    case 'unhealthy':
      return { ...now, kind: 'repair', atMs };
    case 'degraded':
      return atMs - entry.sinceMs >= LASTING_MS ? { ...now, kind: 'repair', atMs } : now;
    case 'unknown':
      return now;
  }
}

const mayBeQuarantined = (
  { name, phase, health, isHeld }: JudgedInstance,
  excused: QuarantineInput['excused'],
): boolean =>
  phase === 'ready' && !isHeld && health !== null && health.level !== 'healthy' && excused[name] !== health.sinceMs;

const newQuarantine = (
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

/** While an unhealthy instance has to wait, the least degraded one that is only watched serves again: it can do some work. */
function makeRoom(quarantined: Map<string, Quarantine>, waiting: readonly JudgedInstance[], atMs: number): void {
  if (!waiting.some((p) => p.health?.level === 'unhealthy')) return;
  if ([...quarantined.values()].some((entry) => entry.kind === 'release')) return;
  const [least] = [...quarantined]
    .filter(([, entry]) => entry.kind === 'watch')
    .toSorted(([, a], [, b]) => LEVEL_RANK[a.level] - LEVEL_RANK[b.level]);
  if (least === undefined) return;
  const [name, entry] = least;
  quarantined.set(name, { ...entry, kind: 'release', reason: `another one is worse (${entry.reason})`, atMs });
}

function planOf(
  { instances, atMs, mayPutToSleep }: QuarantineInput,
  quarantined: ReadonlyMap<string, Quarantine>,
  waiting: readonly JudgedInstance[],
  limit: number,
): QuarantinePlan {
  const asks: QuarantineAsk[] = [];
  const reasons: string[] = [];
  const dueMs: number[] = [];
  for (const [name, entry] of quarantined) {
    const { level, kind, failure, reason, episodeMs, sinceMs } = entry;
    const phase = instances.find((p) => p.name === name)?.phase;
    const sleeps = mayPutToSleep && kind === 'watch' && level === 'degraded' && phase === 'cordoned';
    const request = sleeps ? 'suspend' : REQUESTS[kind];
    if (isDue(request, phase))
      asks.push({ instance: name, request, failure: failure ?? 'no_samples', reason, episodeMs });
    reasons.push(`${name} has been quarantined for ${durationWords(atMs - sinceMs)}, ${WORDS[kind]}: ${reason}`);
    if (kind === 'watch' && level === 'degraded') dueMs.push(sinceMs + LASTING_MS);
    if (phase !== undefined && isAcquiring(phase)) dueMs.push(entry.atMs + REPLACEMENT_PATIENCE_MS);
  }
  for (const { name, health } of waiting) {
    const why =
      quarantined.size >= limit
        ? `${quarantined.size} are quarantined already, and no more than ${limit} may be`
        : 'no other one serves';
    reasons.push(
      `${name} is ${health?.level ?? 'unknown'} and stays in service, because ${why}: ${health?.reason ?? ''}`,
    );
    if (health?.level === 'degraded') dueMs.push(health.sinceMs + LASTING_MS);
  }
  return { quarantines: Object.fromEntries(quarantined), asks, reasons, dueMs: dueMs.filter((due) => due > atMs) };
}

const REQUESTS: Readonly<Record<Quarantine['kind'], QuarantineAsk['request']>> = {
  watch: 'quarantine',
  repair: 'repair',
  release: 'release',
};

const WORDS: Readonly<Record<Quarantine['kind'], string>> = {
  watch: 'watched',
  repair: 'under repair',
  release: 'about to serve again',
};

/** False when the instance's phase shows already what would be asked. */
function isDue(request: QuarantineAsk['request'], phase: InstancePhase | undefined): boolean {
  switch (request) {
    case 'quarantine':
      return phase === 'ready';
    case 'repair':
      return phase === 'ready' || phase === 'cordoned';
    case 'release':
    case 'suspend':
      return phase === 'cordoned';
  }
}

/** Splits instances for `decide()`: watched ones are left out; those under repair count as booting for a while. */
export function underQuarantine<I extends { readonly name: string; readonly phase: InstancePhase }>(
  instances: readonly I[],
  quarantines: Quarantines,
  atMs: number,
): { readonly disposable: readonly I[]; readonly takenOut: readonly I[] } {
  const isOut = ({ name, phase }: I): boolean => {
    const entry = quarantines[name];
    // An instance without a machine is created or withdrawn like any other.
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

/** Within this time no replacement is bought for an instance under repair: a restart takes seconds, a reboot minutes. */
const REPAIR_PATIENCE_MS = 5 * 60_000;
