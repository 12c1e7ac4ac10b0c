/**
 * What a rental was at, from the beginning of its bill on, as the history of its instance tells it.
 *
 * Periods follow one another without a gap. Those of one use of a machine form a stint: from its boot, or its wake, until it sleeps or is
 * given up. What a stint costs before it has any work is shared by those it was begun for.
 */
import { isFinal, type InstancePhase } from '../../fleet/phases.ts';
import type { LedgerKind } from './kinds.ts';
import type { CallSpan, OwnerRow, RentalFacts } from './facts.ts';

/** Work that comes this long after a stint began was not what it was begun for. */
export const CAUSED_WITHIN_MS = 3_600_000;

/** A period; the last one goes on. */
export interface Period {
  readonly fromMs: number;
  readonly kind: LedgerKind;
  /** When its stint began; null = it belongs to none, and nobody shares it. */
  readonly stintMs: number | null;
}

/**
 * Periods of a rental that has a bill.
 *
 * @param knownUntilMs a boot that is younger than an hour by then may still come to serve
 */
export function periodsOf(facts: RentalFacts, billFromMs: number, knownUntilMs: number): readonly Period[] {
  const rows = atIncreasingTimes(facts.rows);
  switch (facts.terms.resource) {
    case 'instance':
      return machinePeriods(facts, rows, billFromMs, knownUntilMs);
    case 'volume':
      return diskPeriods(facts, rows, billFromMs);
    default:
      return facts.terms.resource satisfies never;
  }
}

/** True when a call held a slot at some time in between. */
export const hasWorkIn = (calls: readonly CallSpan[], fromMs: number, untilMs: number): boolean =>
  calls.some((call) => Math.max(call.fromMs, fromMs) < Math.min(call.untilMs ?? Infinity, untilMs));

const isNamedBy = ({ resource, resourceId }: RentalFacts['terms'], row: OwnerRow): boolean =>
  resource === 'volume' ? row.volumeIds.includes(resourceId) : row.providerId === resourceId;

/** True while the life that a thing was made for goes on and has not named it: it may just not have seen it yet. */
export const isAwaited = ({ terms, rows }: RentalFacts): boolean => {
  const last = rows.at(-1);
  return last !== undefined && !isFinal(last.phase) && !rows.some((row) => isNamedBy(terms, row));
};

/** True for what its instance named so late that it was taken for useless until then. */
const isNamedLate = (row: OwnerRow, billFromMs: number): boolean => row.atMs >= billFromMs + CAUSED_WITHIN_MS;

/** Rows at times that never go back, as a clock that was set may. */
function atIncreasingTimes(rows: readonly OwnerRow[]): readonly OwnerRow[] {
  let latestMs = -Infinity;
  return rows.map((row) => {
    latestMs = Math.max(latestMs, row.atMs);
    return row.atMs === latestMs ? row : { ...row, atMs: latestMs };
  });
}

/** What a thing is at while its instance does not name it: on its way out as long as the life goes on, then nobody's. */
const unnamed = (row: OwnerRow | undefined): Pick<Period, 'kind' | 'stintMs'> => ({
  kind: row === undefined || isFinal(row.phase) ? 'orphan' : 'failed',
  stintMs: null,
});

function machinePeriods(
  facts: RentalFacts,
  rows: readonly OwnerRow[],
  billFromMs: number,
  knownUntilMs: number,
): readonly Period[] {
  const isNamed = (row: OwnerRow): boolean => isNamedBy(facts.terms, row);
  const first = rows.findIndex(isNamed);
  const firstRow = rows[first];
  if (firstRow === undefined) return unnamedThroughout(rows, billFromMs);
  const isLate = isNamedLate(firstRow, billFromMs);
  let stintMs: number | null = isLate ? null : billFromMs;
  const log = new PeriodLog(billFromMs, isLate ? 'failed' : 'boot', stintMs);
  let served = false;
  let everServed = false;
  let before: InstancePhase | null = null;
  const readyAt = new Map<number, { readonly atMs: number; readonly loadMs: number }>();
  for (const row of rows.slice(first)) {
    if (!isNamed(row)) {
      const { kind } = unnamed(row);
      stintMs = null;
      before = null;
      log.enter(row.atMs, kind, null);
      continue;
    }
    const { phase } = row;
    if (stintMs === null || (before === 'suspended' && phase === 'waking')) {
      stintMs = Math.max(row.atMs, billFromMs);
      served = false;
    }
    before = phase;
    if (phase === 'ready') {
      if (!readyAt.has(stintMs)) readyAt.set(stintMs, { atMs: row.atMs, loadMs: row.loadMs ?? 0 });
      served = true;
      everServed = true;
    }
    log.enter(row.atMs, kindOf(phase, { served, everServed }), stintMs);
  }
  const billEndMs = facts.bill?.untilMs ?? Infinity;
  /** Until when a stint may come to serve, or to have the work that it was begun for. */
  const limitOf = (stint: number): number => {
    const after = log.periods.find((period) => period.fromMs > stint && period.stintMs !== stint);
    return Math.min(stint + CAUSED_WITHIN_MS, after?.fromMs ?? Infinity, billEndMs);
  };
  return log.periods.flatMap((period, index): readonly Period[] => {
    if (period.kind !== 'boot' || period.stintMs === null) return [period];
    const ready = readyAt.get(period.stintMs);
    const limitMs = limitOf(period.stintMs);
    const decided = knownUntilMs >= limitMs;
    const inTime = ready !== undefined && ready.atMs < limitMs;
    const worked = hasWorkIn(facts.calls, period.stintMs, limitMs);
    if (!inTime && decided && !worked) return [{ ...period, kind: 'failed' }];
    const untilMs = log.periods[index + 1]?.fromMs ?? Infinity;
    if (ready === undefined || !inTime || ready.loadMs <= 0) return [period];
    return withLoad(period, untilMs, ready);
  });
}

/** The last part of a boot is the time its models took to load. */
function withLoad(
  period: Period,
  untilMs: number,
  ready: { readonly atMs: number; readonly loadMs: number },
): readonly Period[] {
  const loadFromMs = Math.max(period.fromMs, ready.atMs - ready.loadMs);
  if (loadFromMs >= untilMs || period.fromMs >= ready.atMs) return [period];
  const load: Period = { ...period, fromMs: loadFromMs, kind: 'load' };
  return loadFromMs === period.fromMs ? [load] : [period, load];
}

function kindOf(
  phase: InstancePhase,
  { served, everServed }: { readonly served: boolean; readonly everServed: boolean },
): LedgerKind {
  switch (phase) {
    case 'planned':
    case 'creating':
    case 'booting':
    case 'waking':
      // A machine that served and is being attached again or repaired is paid for and of no use.
      return served ? 'failed' : 'boot';
    case 'ready':
      return 'idle';
    case 'cordoned':
    case 'suspending':
      return 'drain';
    case 'suspended':
      return 'suspended';
    case 'destroying':
      return everServed ? 'drain' : 'failed';
    case 'gone':
    case 'failed':
      return 'orphan';
    default:
      return phase satisfies never;
  }
}

function diskPeriods(facts: RentalFacts, rows: readonly OwnerRow[], billFromMs: number): readonly Period[] {
  const { location } = facts.terms;
  const isNamed = (row: OwnerRow): boolean => isNamedBy(facts.terms, row);
  const first = rows.findIndex(isNamed);
  const firstRow = rows[first];
  if (firstRow === undefined) return unnamedThroughout(rows, billFromMs);
  /** The machine it hangs on; null = it is kept. One that woke elsewhere keeps its old disk beside the new one. */
  const machineOf = (row: OwnerRow): string | null =>
    location === null || row.location === null || row.location === location ? row.providerId : null;
  const machine = machineOf(firstRow);
  // It was there before anybody saw it: made with the machine that it was first seen on.
  const isLate = isNamedLate(firstRow, billFromMs);
  let on = isLate ? null : machine;
  let stintMs = on === null ? null : billFromMs;
  const log = new PeriodLog(billFromMs, isLate ? 'failed' : on === null ? 'suspended' : 'storage', stintMs);
  for (const row of rows.slice(first)) {
    if (!isNamed(row)) {
      on = null;
      stintMs = null;
      log.enter(row.atMs, unnamed(row).kind, null);
      continue;
    }
    const now = machineOf(row);
    if (now === null) stintMs = null;
    else if (now !== on || stintMs === null) stintMs = Math.max(row.atMs, billFromMs);
    on = now;
    log.enter(row.atMs, now === null ? 'suspended' : 'storage', stintMs);
  }
  return log.periods;
}

/** Of a thing that no row names. */
function unnamedThroughout(rows: readonly OwnerRow[], billFromMs: number): readonly Period[] {
  const log = new PeriodLog(billFromMs, unnamed(rows[0]).kind, null);
  for (const row of rows) log.enter(row.atMs, unnamed(row).kind, null);
  return log.periods;
}

/** Periods as they are entered; what is before the bill is left out, and of several at one time the last holds. */
class PeriodLog {
  readonly periods: Period[];

  constructor(fromMs: number, kind: LedgerKind, stintMs: number | null) {
    this.periods = [{ fromMs, kind, stintMs }];
  }

  enter(atMs: number, kind: LedgerKind, stintMs: number | null): void {
    const last = this.periods.at(-1);
    if (last === undefined) return;
    const fromMs = Math.max(atMs, last.fromMs);
    if (fromMs === last.fromMs) this.periods.pop();
    const previous = this.periods.at(-1);
    if (previous?.kind === kind && previous.stintMs === stintMs) return;
    this.periods.push({ fromMs, kind, stintMs });
  }
}
