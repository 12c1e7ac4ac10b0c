/**
 * What a rental's time was spent on, whose it was and what it cost: lines that tile the time of its bill, none twice and none left out.
 *
 * Time is cut at every quarter of an hour, UTC: days of all time zones begin on one. Within a quarter, calls that held slots at the same time
 * share it equally, and what is spent beside them (boot, load, idle, drain, the disk of the machine) is shared by the analyses and tasks that
 * worked in that quarter, in proportion to their time. What a machine costs before its first work belongs to those that worked in the first
 * quarter with work, if that comes within an hour. Quarters without work are nobody's.
 */
import { nanosDivided, SharePot } from './share-pot.ts';
import { costUpTo } from './amounts.ts';
import { billedTimes, paidUntilMs, type BilledTime } from './bill.ts';
import type { CallSpan, LedgerLine, RentalFacts } from './facts.ts';
import type { LedgerKind } from './kinds.ts';
import { CAUSED_WITHIN_MS, periodsOf, type Period } from './periods.ts';

/** Quarters of an hour begin at multiples of this. */
export const QUARTER_MS = 900_000;

/** The beginning of the quarter that a time is in. */
export const quarterOf = (atMs: number): number => Math.floor(atMs / QUARTER_MS) * QUARTER_MS;

/** Kinds that are spent for the work of their quarter. */
const SHARED: ReadonlySet<LedgerKind> = new Set(['boot', 'load', 'idle', 'drain', 'storage']);

/** A quarter, or a part of one that belongs to one stint. */
interface Window {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Lines from what is settled (or the beginning of the bill) until `untilMs` or the end of the bill, in the order of time. With the end come
 * the lines of what was paid in advance and not used. Time in which the bill is paused has none.
 *
 * The same facts give the same lines, however the time is divided into calls of this function, as long as it is divided where
 * `settleableUntil` says.
 */
export function accountRental(facts: RentalFacts, untilMs: number): readonly LedgerLine[] {
  const { bill, settledUntilMs } = facts;
  if (bill === null) return [];
  const endMs = Math.min(untilMs, bill.untilMs ?? untilMs);
  const fromMs = settledUntilMs ?? bill.fromMs;
  const periods = periodsOf(facts, bill.fromMs, untilMs);
  const calls = facts.calls.toSorted(inOrder);
  const times = billedTimes(bill);
  const pots: SharePot[] = [];
  /** Pots of stints from their beginning, for as long as they had no work; null = they had some. */
  const waiting = new Map<number, SharePot[] | null>();
  for (const window of windowsOf(periods, fromMs, endMs)) {
    const pot = fill(facts, times, window, periods, calls);
    pots.push(pot);
    const { stintMs } = pot;
    // What was spent of it before this is settled, with its first work or without.
    if (stintMs === null || stintMs < fromMs) continue;
    const earlier = waiting.get(stintMs) ?? (waiting.has(stintMs) ? null : []);
    if (earlier !== null && !pot.hasWork) waiting.set(stintMs, [...earlier, pot]);
    else if (earlier !== null) {
      waiting.set(stintMs, null);
      if (window.fromMs < stintMs + CAUSED_WITHIN_MS) for (const before of earlier) before.workOf(pot);
    }
  }
  const lines = pots.flatMap((pot) => pot.lines(SHARED));
  return [...lines, ...times.flatMap((time) => unusedLines(facts, time, untilMs))];
}

/** One order for the same calls, however they come: what is left of a division goes by it. */
function inOrder(a: CallSpan, b: CallSpan): number {
  const begin = a.fromMs - b.fromMs;
  if (begin !== 0) return begin;
  const [one, other] = [textOf(a), textOf(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const textOf = ({ tenantId, analysisId, callId, task, slideNumber, untilMs, loadMs }: CallSpan): string =>
  JSON.stringify([callId, tenantId, analysisId, task, slideNumber, untilMs, loadMs]);

function* windowsOf(periods: readonly Period[], fromMs: number, untilMs: number): Generator<Window> {
  const starts = [...new Set(periods.flatMap(({ stintMs }) => stintMs ?? []))].toSorted((a, b) => a - b);
  for (let atMs = fromMs; atMs < untilMs;) {
    const quarterEndMs = quarterOf(atMs) + QUARTER_MS;
    const stintMs = starts.find((start) => start > atMs) ?? Infinity;
    const nextMs = Math.min(quarterEndMs, stintMs, untilMs);
    yield { fromMs: atMs, untilMs: nextMs };
    atMs = nextMs;
  }
}

/** Cuts a window wherever something changes and puts each piece where it belongs. */
function fill(
  facts: RentalFacts,
  times: readonly BilledTime[],
  { fromMs, untilMs }: Window,
  periods: readonly Period[],
  calls: readonly CallSpan[],
): SharePot {
  const { terms } = facts;
  const isIn = (atMs: number): boolean => atMs > fromMs && atMs < untilMs;
  const running = calls.filter((call) => call.fromMs < untilMs && (call.untilMs ?? Infinity) > fromMs);
  const changes = [
    ...periods.map((period) => period.fromMs),
    ...times.flatMap((time) => [time.fromMs, time.untilMs ?? Infinity]),
    ...running.flatMap((call) => [call.fromMs, call.fromMs + call.loadMs, call.untilMs ?? Infinity]),
  ].filter(isIn);
  const cuts = [...new Set([fromMs, ...changes, untilMs])].toSorted((a, b) => a - b);
  const pot = new SharePot();
  for (const [index, startMs] of cuts.entries()) {
    const endMs = cuts[index + 1];
    if (endMs === undefined) break;
    const period = periods.findLast((one) => one.fromMs <= startMs);
    if (period === undefined) continue;
    if (period.stintMs !== null) pot.stintMs = period.stintMs;
    const time = times.find((one) => one.fromMs <= startMs && endMs <= (one.untilMs ?? Infinity));
    if (time === undefined) continue;
    const piece = {
      fromMs: startMs,
      untilMs: endMs,
      micros: BigInt(endMs - startMs) * 1000n,
      nanoUsd: spent(terms.nanoUsdPerHour, time.fromMs, startMs, endMs),
      savedNanoUsd: spent(terms.savedNanoUsdPerHour, time.fromMs, startMs, endMs),
    };
    // Calls of the instance are on the machine that it has; one that it has not, or not any more, does nothing for them.
    const isItsMachine = terms.resource === 'volume' || period.stintMs !== null;
    const now = running.filter((call) => isItsMachine && call.fromMs <= startMs && (call.untilMs ?? Infinity) >= endMs);
    // A disk is for the calls of its machine; it does not answer them.
    if (terms.resource === 'volume') {
      pot.add(period.kind, piece);
      if (period.kind === 'storage') pot.weigh(now, piece.micros);
    } else if (now.length === 0) pot.add(period.kind, piece);
    else {
      const parts = nanosDivided(piece, now.length);
      pot.weigh(now, piece.micros);
      for (const [position, call] of now.entries()) {
        const part = parts[position];
        if (part !== undefined) pot.give(startMs < call.fromMs + call.loadMs ? 'load' : 'busy', call, part);
      }
    }
  }
  return pot;
}

/** Of the running sum of a billed time, the part of an interval. */
const spent = (nanosPerHour: bigint, billFromMs: number, fromMs: number, untilMs: number): bigint =>
  costUpTo(nanosPerHour, untilMs - billFromMs) - costUpTo(nanosPerHour, fromMs - billFromMs);

/** What was paid in advance for a time that ends by `untilMs` and is not given back. */
function unusedLines(
  { bill, terms, settledUntilMs }: RentalFacts,
  { fromMs, untilMs: endMs }: BilledTime,
  untilMs: number,
): readonly LedgerLine[] {
  if (endMs === null || endMs > untilMs) return [];
  // What came before a pause is settled with the time it ended in; what a bill ends with, when it has ended, however late that is known.
  const isPaused = endMs !== bill?.untilMs;
  if (isPaused && settledUntilMs !== null && endMs <= settledUntilMs) return [];
  const paidMs = paidUntilMs({ fromMs, untilMs: endMs }, terms);
  const lines: LedgerLine[] = [];
  for (let atMs = isPaused ? endMs : Math.max(endMs, settledUntilMs ?? endMs); atMs < paidMs;) {
    const nextMs = Math.min(quarterOf(atMs) + QUARTER_MS, paidMs);
    lines.push({
      kind: 'unused',
      fromMs: atMs,
      untilMs: nextMs,
      shareMicros: BigInt(nextMs - atMs) * 1000n,
      nanoUsd: spent(terms.nanoUsdPerHour, fromMs, atMs, nextMs),
      savedNanoUsd: spent(terms.savedNanoUsdPerHour, fromMs, atMs, nextMs),
      owner: null,
    });
    atMs = nextMs;
  }
  return lines;
}
