/**
 * Divides a rental's billed time into ledger lines: what the time was spent on, its owner and its cost. The lines cover the billing interval
 * completely and without overlap.
 *
 * Time is cut at every quarter of an hour, UTC, because days of all time zones begin on one. Within a quarter, concurrent calls share their
 * time equally. Time without a call (boot, load, idle, drain, the disk of the machine) is shared by the analyses and tasks that worked in
 * that quarter, in proportion to their time. Costs before a machine's first work go to the first quarter with work, if it comes within an
 * hour. Quarters without work have no owner.
 */
import type { TimeSpan } from '../budget/types.ts';
import { nanosDivided, CostShares } from './cost-shares.ts';
import { billedTimes, costUpTo, paidUntilMs, type BilledTime } from './amounts.ts';
import type { CallSpan, LedgerKind, LedgerLine, RentalFacts } from './facts.ts';
import { FIRST_WORK_WITHIN_MS, periodsOf, type Period } from './periods.ts';

/** Quarters of an hour start at multiples of this. */
export const QUARTER_MS = 900_000;

/** Start of the quarter that contains a time. */
export const quarterOf = (atMs: number): number => Math.floor(atMs / QUARTER_MS) * QUARTER_MS;

/** Kinds whose cost is shared by the work of their quarter. */
const SHARED: ReadonlySet<LedgerKind> = new Set(['boot', 'load', 'idle', 'drain', 'storage']);

/**
 * Lines from the settled time (or the start of billing) until `untilMs` or the end of billing, in order of time. At the end of billing the
 * lines of prepaid, unused time are added. Time in which billing is paused has no lines, unless the stopped machine costs something.
 *
 * The same facts give the same lines, however the time is divided between calls of this function, provided it is divided at times that
 * `settleableUntil` returns.
 */
export function accountRental(facts: RentalFacts, untilMs: number): readonly LedgerLine[] {
  const { bill, settledUntilMs } = facts;
  if (bill === null) return [];
  const endMs = Math.min(untilMs, bill.untilMs ?? untilMs);
  const fromMs = settledUntilMs ?? bill.fromMs;
  const periods = periodsOf(facts, bill.fromMs, untilMs);
  const calls = facts.calls.toSorted(inOrder);
  const times = billedTimes(bill, facts.terms);
  const shares: CostShares[] = [];
  /** Shares of usage intervals before their first work; null = the interval had work. */
  const withoutWork = new Map<number, CostShares[] | null>();
  for (const window of windowsOf(periods, fromMs, endMs)) {
    const current = sharesOf(facts, times, window, periods, calls);
    shares.push(current);
    const { usageFromMs } = current;
    // The interval's earlier part is settled already.
    if (usageFromMs === null || usageFromMs < fromMs) continue;
    const earlier = withoutWork.get(usageFromMs) ?? (withoutWork.has(usageFromMs) ? null : []);
    if (earlier !== null && !current.hasWork) withoutWork.set(usageFromMs, [...earlier, current]);
    else if (earlier !== null) {
      withoutWork.set(usageFromMs, null);
      if (window.fromMs < usageFromMs + FIRST_WORK_WITHIN_MS) for (const before of earlier) before.workOf(current);
    }
  }
  const lines = shares.flatMap((each) => each.lines(SHARED));
  return [...lines, ...times.flatMap((time) => unusedLines(facts, time, untilMs))];
}

/** A stable order of calls, because the remainders of divisions depend on it. */
function inOrder(a: CallSpan, b: CallSpan): number {
  const begin = a.fromMs - b.fromMs;
  if (begin !== 0) return begin;
  const [one, other] = [textOf(a), textOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const textOf = ({ tenantId, analysisId, callId, task, slideNumber, untilMs, loadMs }: CallSpan): string =>
  JSON.stringify([callId, tenantId, analysisId, task, slideNumber, untilMs, loadMs]);

function* windowsOf(periods: readonly Period[], fromMs: number, untilMs: number): Generator<TimeSpan> {
  const starts = [...new Set(periods.flatMap(({ usageFromMs }) => usageFromMs ?? []))].toSorted((a, b) => a - b);
  for (let atMs = fromMs; atMs < untilMs;) {
    const quarterEndMs = quarterOf(atMs) + QUARTER_MS;
    const nextUsageMs = starts.find((start) => start > atMs) ?? Infinity;
    const nextMs = Math.min(quarterEndMs, nextUsageMs, untilMs);
    yield { fromMs: atMs, untilMs: nextMs };
    atMs = nextMs;
  }
}

/** Cuts a window at every change and assigns each piece to a kind and, for calls, an owner. */
function sharesOf(
  facts: RentalFacts,
  times: readonly BilledTime[],
  { fromMs, untilMs }: TimeSpan,
  periods: readonly Period[],
  calls: readonly CallSpan[],
): CostShares {
  const { terms } = facts;
  const isIn = (atMs: number): boolean => atMs > fromMs && atMs < untilMs;
  const running = calls.filter((call) => call.fromMs < untilMs && (call.untilMs ?? Infinity) > fromMs);
  const changes = [
    ...periods.map((period) => period.fromMs),
    ...times.flatMap((time) => [time.fromMs, time.untilMs ?? Infinity]),
    ...running.flatMap((call) => [call.fromMs, call.fromMs + call.loadMs, call.untilMs ?? Infinity]),
  ].filter(isIn);
  const cuts = [...new Set([fromMs, ...changes, untilMs])].toSorted((a, b) => a - b);
  const shares = new CostShares();
  for (const [index, startMs] of cuts.entries()) {
    const endMs = cuts[index + 1];
    if (endMs === undefined) break;
    const period = periods.findLast((one) => one.fromMs <= startMs);
    if (period === undefined) continue;
    if (period.usageFromMs !== null) shares.usageFromMs = period.usageFromMs;
    const time = times.find((one) => one.fromMs <= startMs && endMs <= (one.untilMs ?? Infinity));
    if (time === undefined) continue;
    const piece = {
      fromMs: startMs,
      untilMs: endMs,
      micros: BigInt(endMs - startMs) * 1000n,
      nanoUsd: spent(time.nanoUsdPerHour, time.fromMs, startMs, endMs),
      savedNanoUsd: time.isStopped ? 0n : spent(terms.savedNanoUsdPerHour, time.fromMs, startMs, endMs),
    };
    // Calls run on the instance's current machine; an earlier machine does no work for them.
    const isItsMachine = terms.resource === 'volume' || period.usageFromMs !== null;
    const now = running.filter((call) => isItsMachine && call.fromMs <= startMs && (call.untilMs ?? Infinity) >= endMs);
    // A disk is used by the calls of its machine, but has no `busy` time.
    if (terms.resource === 'volume') {
      shares.add(period.kind, piece);
      if (period.kind === 'storage') shares.weigh(now, piece.micros);
    } else if (now.length === 0) shares.add(period.kind, piece);
    else {
      const parts = nanosDivided(piece, now.length);
      shares.weigh(now, piece.micros);
      for (const [position, call] of now.entries()) {
        const part = parts[position];
        if (part !== undefined) shares.give(startMs < call.fromMs + call.loadMs ? 'load' : 'busy', call, part);
      }
    }
  }
  return shares;
}

/** Cost of a part of a billed time, as a difference of running sums. */
const spent = (nanosPerHour: bigint, billFromMs: number, fromMs: number, untilMs: number): bigint =>
  costUpTo(nanosPerHour, untilMs - billFromMs) - costUpTo(nanosPerHour, fromMs - billFromMs);

/** Lines for prepaid time that is not refunded, of a billed time that ends by `untilMs`. */
function unusedLines(
  { bill, terms, settledUntilMs }: RentalFacts,
  { fromMs, untilMs: endMs, nanoUsdPerHour, isStopped }: BilledTime,
  untilMs: number,
): readonly LedgerLine[] {
  if (endMs === null || endMs > untilMs) return [];
  // Time before a pause is settled at the pause; the last billed time when billing has ended, even if that is known late.
  const isPaused = endMs !== bill?.untilMs;
  if (isPaused && settledUntilMs !== null && endMs <= settledUntilMs) return [];
  const paidMs = paidUntilMs({ fromMs, untilMs: endMs, isStopped }, terms);
  const lines: LedgerLine[] = [];
  for (let atMs = isPaused ? endMs : Math.max(endMs, settledUntilMs ?? endMs); atMs < paidMs;) {
    const nextMs = Math.min(quarterOf(atMs) + QUARTER_MS, paidMs);
    lines.push({
      kind: 'unused',
      fromMs: atMs,
      untilMs: nextMs,
      shareMicros: BigInt(nextMs - atMs) * 1000n,
      nanoUsd: spent(nanoUsdPerHour, fromMs, atMs, nextMs),
      savedNanoUsd: spent(terms.savedNanoUsdPerHour, fromMs, atMs, nextMs),
      owner: null,
    });
    atMs = nextMs;
  }
  return lines;
}
