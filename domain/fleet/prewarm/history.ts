/**
 * What really became of the instances that a pool warmed, read from the histories of its instances and the arrivals of decks.
 *
 * An instance was warmed for nothing (a miss) when it slept again or ended before a deck came. A boot is a cold start when no other instance of
 * the pool was ready and a deck came before it was: somebody waited for it.
 */
import type { Arrival } from './forecast.ts';
import { PREWARM_PREFIX } from './warming.ts';

/** A row of the history of an instance. */
export interface HistoryRow {
  readonly instance: string;
  readonly atMs: number;
  readonly fromPhase: string | null;
  readonly toPhase: string;
  readonly reason: string;
}

/** An instance that was warmed. */
export interface WarmedInstance {
  readonly instance: string;
  /** When it was woken or created. */
  readonly atMs: number;
  /** Null = it has not been ready. */
  readonly readyAtMs: number | null;
  /** The first deck while it was warm or booted; null = none came. */
  readonly arrivedAtMs: number | null;
  /** When it slept again or ended; null = it has not. */
  readonly endedAtMs: number | null;
  /** Null = it is still warm, and no deck has come yet. */
  readonly isHit: boolean | null;
  /** Waiting that it saved, seconds. */
  readonly savedSec: number;
}

/** A boot that a deck waited for. */
export interface ColdStart {
  readonly atMs: number;
  readonly waitedSec: number;
}

/** What the histories say. */
export interface WarmHistory {
  /** In order of time. */
  readonly warmed: readonly WarmedInstance[];
  readonly coldStarts: readonly ColdStart[];
}

/** Phases in which nothing is paid any more but a disk. */
const ENDS: ReadonlySet<string> = new Set(['suspended', 'gone', 'failed']);
/** Phases in which a life, or a wake, begins. */
const BEGINS: ReadonlySet<string> = new Set(['planned', 'waking']);

/** A pool notices a deck within this time, and arrivals are known by the minute. */
const NOTICED_MS = 2 * 60_000;

/** One time that an instance was up, or tried to be. */
interface Usage extends Pick<WarmedInstance, 'instance' | 'atMs' | 'readyAtMs' | 'endedAtMs'> {
  readonly reason: string;
}

/**
 * Reads the histories of one pool.
 *
 * @param rows of all its instances; each instance's in order of time
 * @param arrivals in order of time
 */
export function warmHistory(rows: readonly HistoryRow[], arrivals: readonly Arrival[]): WarmHistory {
  const usages = [...Map.groupBy(rows, ({ instance }) => instance).values()]
    .flatMap(usagesOf)
    .toSorted((a, b) => a.atMs - b.atMs);
  const isWarmed = ({ reason }: Usage): boolean => reason.startsWith(PREWARM_PREFIX);
  return {
    warmed: usages.filter(isWarmed).map((usage) => judged(usage, arrivals)),
    coldStarts: usages.flatMap((usage): ColdStart[] => {
      const { atMs, readyAtMs } = usage;
      if (isWarmed(usage) || readyAtMs === null || usages.some((other) => isReadyAt(other, atMs))) return [];
      const first = arrivals.find((arrival) => arrival.atMs >= atMs - NOTICED_MS && arrival.atMs < readyAtMs);
      // Woken for the pool's minimum, or by an operator.
      if (first === undefined) return [];
      return [{ atMs, waitedSec: (readyAtMs - Math.max(atMs, first.atMs)) / 1000 }];
    }),
  };
}

function usagesOf(rows: readonly HistoryRow[]): Usage[] {
  return rows.flatMap((row, index): Usage[] => {
    if (!BEGINS.has(row.toPhase) || row.fromPhase === row.toPhase) return [];
    // An instance that tries the next offer is planned once more: the same life.
    if (row.toPhase === 'planned' && row.fromPhase !== null) return [];
    const after = rows.slice(index + 1);
    const end = after.findIndex(({ toPhase }) => ENDS.has(toPhase));
    const own = end === -1 ? after : after.slice(0, end);
    return [
      {
        instance: row.instance,
        atMs: row.atMs,
        reason: row.reason,
        readyAtMs: own.find(({ toPhase }) => toPhase === 'ready')?.atMs ?? null,
        endedAtMs: end === -1 ? null : (after[end]?.atMs ?? null),
      },
    ];
  });
}

const isReadyAt = ({ readyAtMs, endedAtMs }: Usage, atMs: number): boolean =>
  readyAtMs !== null && readyAtMs <= atMs && (endedAtMs === null || atMs < endedAtMs);

function judged({ instance, atMs, readyAtMs, endedAtMs }: Usage, arrivals: readonly Arrival[]): WarmedInstance {
  const untilMs = endedAtMs ?? Infinity;
  const arrivedAtMs = arrivals.find((arrival) => arrival.atMs >= atMs && arrival.atMs < untilMs)?.atMs ?? null;
  const isHit = arrivedAtMs !== null ? true : endedAtMs === null ? null : false;
  // A deck that comes while the instance boots waits for the rest of the boot.
  const savedMs =
    arrivedAtMs === null || readyAtMs === null ? 0 : Math.min(readyAtMs - atMs, Math.max(0, arrivedAtMs - atMs));
  return { instance, atMs, readyAtMs, arrivedAtMs, endedAtMs, isHit, savedSec: savedMs / 1000 };
}
