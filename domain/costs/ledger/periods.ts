/**
 * What a rental was used for since the start of its billing, from the history of its instance.
 *
 * Periods follow one another without a gap. The periods of one use of a machine form a usage interval: from its boot or wake until it is
 * suspended or ends. The cost of a usage interval before its first work is shared by that work.
 */
import { isFinal, type InstancePhase } from '../../fleet/phases.ts';
import type { CallSpan, LedgerKind, OwnerRow, RentalFacts } from './facts.ts';

/** Work that starts later than this after the start of a usage interval does not pay for its boot. */
export const FIRST_WORK_WITHIN_MS = 3_600_000;

/** A period; the last one has no end. */
export interface Period {
  readonly fromMs: number;
  readonly kind: LedgerKind;
  /** Start of its usage interval; null = it belongs to none, and its cost is not shared. */
  readonly usageFromMs: number | null;
}

/**
 * Periods of a billed rental.
 *
 * @param knownUntilMs a boot that is less than an hour old at this time may still serve
 */
export function periodsOf(facts: RentalFacts, billFromMs: number, knownUntilMs: number): readonly Period[] {
  const rows = atIncreasingTimes(facts.rows);
  switch (facts.terms.resource) {
    case 'instance':
      return machinePeriods(facts, rows, billFromMs, knownUntilMs);
    case 'volume':
      return diskPeriods(facts, rows, billFromMs);
  }
}

/** True when a call held a slot at some time between the two. */
export const hasWorkIn = (calls: readonly CallSpan[], fromMs: number, untilMs: number): boolean =>
  calls.some((call) => Math.max(call.fromMs, fromMs) < Math.min(call.untilMs ?? Infinity, untilMs));

const isNamedBy = ({ resource, resourceId }: RentalFacts['terms'], row: OwnerRow): boolean =>
  resource === 'volume' ? row.volumeIds.includes(resourceId) : row.providerId === resourceId;

/** True while the rental's instance exists and has not named it: the instance may not have seen it yet. */
export const isAwaited = ({ terms, rows }: RentalFacts): boolean => {
  const last = rows.at(-1);
  return last !== undefined && !isFinal(last.phase) && !rows.some((row) => isNamedBy(terms, row));
};

/** True when the instance named the rental so late that the time before counts as failed. */
const isNamedLate = (row: OwnerRow, billFromMs: number): boolean => row.atMs >= billFromMs + FIRST_WORK_WITHIN_MS;

/** Rows with increasing times, also where a clock was set back. */
function atIncreasingTimes(rows: readonly OwnerRow[]): readonly OwnerRow[] {
  let latestMs = -Infinity;
  return rows.map((row) => {
    latestMs = Math.max(latestMs, row.atMs);
    return row.atMs === latestMs ? row : { ...row, atMs: latestMs };
  });
}

/** The kind of time in which the instance does not name the rental: being deleted while the instance exists, then without an owner. */
const unnamed = (row: OwnerRow | undefined): Pick<Period, 'kind' | 'usageFromMs'> => ({
  kind: row === undefined || isFinal(row.phase) ? 'orphan' : 'failed',
  usageFromMs: null,
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
  let usageFromMs: number | null = isLate ? null : billFromMs;
  const log = new PeriodLog(billFromMs, isLate ? 'failed' : 'boot', usageFromMs);
  let served = false;
  let everServed = false;
  let before: InstancePhase | null = null;
  const readyAt = new Map<number, { readonly atMs: number; readonly loadMs: number }>();
  for (const row of rows.slice(first)) {
    if (!isNamed(row)) {
      const { kind } = unnamed(row);
      usageFromMs = null;
      before = null;
      log.enter(row.atMs, kind, null);
      continue;
    }
    const { phase } = row;
    if (usageFromMs === null || (before === 'suspended' && phase === 'waking')) {
      usageFromMs = Math.max(row.atMs, billFromMs);
      served = false;
    }
    before = phase;
    if (phase === 'ready') {
      if (!readyAt.has(usageFromMs)) readyAt.set(usageFromMs, { atMs: row.atMs, loadMs: row.loadMs ?? 0 });
      served = true;
      everServed = true;
    }
    log.enter(row.atMs, kindOf(phase, { served, everServed }), usageFromMs);
  }
  const billEndMs = facts.bill?.untilMs ?? Infinity;
  /** Until when a usage interval may start to serve or get the work it was started for. */
  const limitOf = (startMs: number): number => {
    const after = log.periods.find((period) => period.fromMs > startMs && period.usageFromMs !== startMs);
    return Math.min(startMs + FIRST_WORK_WITHIN_MS, after?.fromMs ?? Infinity, billEndMs);
  };
  return log.periods.flatMap((period, index): readonly Period[] => {
    if (period.kind !== 'boot' || period.usageFromMs === null) return [period];
    const ready = readyAt.get(period.usageFromMs);
    const limitMs = limitOf(period.usageFromMs);
    const decided = knownUntilMs >= limitMs;
    const inTime = ready !== undefined && ready.atMs < limitMs;
    const worked = hasWorkIn(facts.calls, period.usageFromMs, limitMs);
    if (!inTime && decided && !worked) return [{ ...period, kind: 'failed' }];
    const untilMs = log.periods[index + 1]?.fromMs ?? Infinity;
    if (ready === undefined || !inTime || ready.loadMs <= 0) return [period];
    return withLoad(period, untilMs, ready);
  });
}

/** Splits the model loading time off the end of a boot. */
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
      // A machine that served before and is being attached again or repaired is of no use.
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
  }
}

function diskPeriods(facts: RentalFacts, rows: readonly OwnerRow[], billFromMs: number): readonly Period[] {
  const { location } = facts.terms;
  const isNamed = (row: OwnerRow): boolean => isNamedBy(facts.terms, row);
  const first = rows.findIndex(isNamed);
  const firstRow = rows[first];
  if (firstRow === undefined) return unnamedThroughout(rows, billFromMs);
  /** The machine it is attached to; null = it is kept. An instance that woke in another location keeps its old disk as well. */
  const machineOf = (row: OwnerRow): string | null =>
    location === null || row.location === null || row.location === location ? row.providerId : null;
  const machine = machineOf(firstRow);
  // The disk was created with the machine on which it was first seen.
  const isLate = isNamedLate(firstRow, billFromMs);
  let on = isLate ? null : machine;
  let usageFromMs = on === null ? null : billFromMs;
  const log = new PeriodLog(billFromMs, isLate ? 'failed' : on === null ? 'suspended' : 'storage', usageFromMs);
  for (const row of rows.slice(first)) {
    if (!isNamed(row)) {
      on = null;
      usageFromMs = null;
      log.enter(row.atMs, unnamed(row).kind, null);
      continue;
    }
    const now = machineOf(row);
    if (now === null) usageFromMs = null;
    else if (now !== on || usageFromMs === null) usageFromMs = Math.max(row.atMs, billFromMs);
    on = now;
    log.enter(row.atMs, now === null ? 'suspended' : 'storage', usageFromMs);
  }
  return log.periods;
}

/** Periods of a rental that no row names. */
function unnamedThroughout(rows: readonly OwnerRow[], billFromMs: number): readonly Period[] {
  const log = new PeriodLog(billFromMs, unnamed(rows[0]).kind, null);
  for (const row of rows) log.enter(row.atMs, unnamed(row).kind, null);
  return log.periods;
}

/** Collects periods. Periods before the start of billing are dropped; of several at one time the last counts. */
class PeriodLog {
  readonly periods: Period[];

  constructor(fromMs: number, kind: LedgerKind, usageFromMs: number | null) {
    this.periods = [{ fromMs, kind, usageFromMs }];
  }

  enter(atMs: number, kind: LedgerKind, usageFromMs: number | null): void {
    const last = this.periods.at(-1);
    if (last === undefined) return;
    const fromMs = Math.max(atMs, last.fromMs);
    if (fromMs === last.fromMs) this.periods.pop();
    const previous = this.periods.at(-1);
    if (previous?.kind === kind && previous.usageFromMs === usageFromMs) return;
    this.periods.push({ fromMs, kind, usageFromMs });
  }
}
