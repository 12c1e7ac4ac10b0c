/**
 * Reads states that were carried through continue-as-new by earlier versions. They held what is now `step` and `memory` as a word
 * (`errand`) and as numbers by composed names (`notes`).
 */
import type { HealthFailure } from '../../health/types.ts';
import {
  NEW_MEMORY,
  type Leftover,
  type LifeMemory,
  type LifeStep,
  type LifeTime,
  type ReadinessFailure,
  type Repairs,
  type StepKind,
} from './memory.ts';
import type { InstanceState } from './types.ts';

/** A state of an earlier version. */
export type EarlierState = Omit<InstanceState, 'step' | 'memory'> & {
  readonly errand: string;
  readonly notes: Readonly<Record<string, number>>;
};

/** The state as this version holds it. */
export function restoreState(stored: InstanceState | EarlierState): InstanceState {
  if (!('notes' in stored)) return stored;
  const { errand, notes, ...others } = stored;
  return { ...others, step: stepOf(errand, notes), memory: memoryOf(notes) };
}

const RENAMED: Readonly<Record<string, StepKind>> = {
  unborn: 'new',
  seeking: 'finding',
  proving: 'checking',
  vanishing: 'discontinuing',
};

function stepOf(errand: string, notes: EarlierState['notes']): LifeStep {
  const kind = RENAMED[errand] ?? (errand as StepKind);
  const orderedAtMs = notes['orderedAt'] ?? null;
  const sinceMs = notes['removeSince'] ?? null;
  switch (kind) {
    case 'pausing':
      return { kind, untilMs: notes['pauseUntil'] ?? 0 };
    case 'finding':
      return { kind, looks: notes['seekLooks'] ?? 0 };
    case 'starting':
      return { kind, sinceMs: notes['bootSince'] ?? 0, pollMs: notes['pollMs'] ?? 0 };
    case 'repairing':
    case 'watched':
      return { kind, attachAtMs: notes['attachAt'] ?? 0 };
    case 'removing':
      return { kind, sinceMs: sinceMs ?? 0, orderedAtMs, isEndedByProvider: notes['endedByProvider'] !== undefined };
    case 'draining':
      return { kind, sinceMs: notes['drainSince'] ?? 0 };
    case 'stopping':
      return { kind, sinceMs: sinceMs ?? 0, orderedAtMs };
    case 'discontinuing':
      return { kind, sinceMs, orderedAtMs };
    case 'ending':
      return { kind, orderedAtMs };
    case 'changing_type':
      throw new RangeError('no earlier version changed types');
    default:
      return { kind };
  }
}

const TIMES: Readonly<Record<string, LifeTime>> = {
  absentSince: 'absentSince',
  landsUntil: 'landsUntil',
  lookedAt: 'lookedAt',
  watchAt: 'leftoversDueAt',
  rankedAt: 'rankedAt',
  proveSince: 'checkingSince',
};

function memoryOf(notes: EarlierState['notes']): LifeMemory {
  /** Notes named `<prefix>:<key>`, by key. */
  const under = (prefix: string): [string, number][] =>
    Object.entries(notes).flatMap(([name, value]): [string, number][] =>
      name.startsWith(`${prefix}:`) ? [[name.slice(prefix.length + 1), value]] : [],
    );
  const keysUnder = (prefix: string): string[] => under(prefix).map(([key]) => key);
  const leftovers: Record<string, Leftover> = {};
  const leftoverTimes = { leaving: 'leavingSinceMs', given_up: 'givenUpSinceMs', absent: 'absentSinceMs' } as const;
  for (const [prefix, field] of Object.entries(leftoverTimes))
    for (const [name, atMs] of under(prefix)) leftovers[name] = { ...leftovers[name], [field]: atMs };
  const repairs = under('health').map(([failure, count]): [string, Repairs] => [
    failure,
    { count, lastMs: notes[`healthAt:${failure}`] ?? 0, reboots: notes[`healthReboots:${failure}`] ?? 0 },
  ]);
  return {
    ...NEW_MEMORY,
    times: Object.fromEntries(
      Object.entries(notes).flatMap(([name, atMs]) => (TIMES[name] === undefined ? [] : [[TIMES[name], atMs]])),
    ),
    emptyPasses: notes['emptyPasses'] ?? 0,
    volumeRefusals: notes['volumeRefused'] ?? 0,
    strategy: notes['strategy'] ?? 0,
    isPriced: notes['priced'] !== undefined,
    hasReplacedForModels: notes['modelReplaced'] !== undefined,
    endsAsFailed: notes['endAsFailed'] !== undefined,
    loadMs: notes['loadMs'] ?? null,
    alerted: keysUnder('told'),
    readinessFailures: Object.fromEntries(under('proof')) as Partial<Record<ReadinessFailure, number>>,
    repairs: Object.fromEntries(repairs) as Partial<Record<HealthFailure, Repairs>>,
    repairedEpisodeMs: notes['healthEpisode'] ?? null,
    leftovers,
    endedUnseen: keysUnder('blind'),
    endedWithoutDisks: keysUnder('bare'),
  };
}
