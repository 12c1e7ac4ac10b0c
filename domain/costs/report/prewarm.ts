/**
 * What warming instances ahead of decks came to in a period, by pool: what was spent for nothing, the waiting that it saved, and how much better
 * a clairvoyant would have done over the same decks. It knows each of them, has a machine ready just then, and pays for no idle time.
 *
 * Time is counted at the price that the ledger froze for the machine.
 */
import { Decimal } from 'decimal.js';
import type { WarmHistory, WarmedInstance } from '../../fleet/prewarm/history.ts';
import { amountText, sumOf } from './amount.ts';
import type { CostReport } from './document.ts';
import type { RentalSpan } from './sums.ts';

type PrewarmLine = CostReport['prewarm'][number];

const HOUR_MS = 3_600_000;

/** Time for which a machine of an instance was billed. */
export interface BilledMachine extends Pick<RentalSpan, 'usdPerHour' | 'fromMs' | 'untilMs'> {
  readonly instance: string;
}

/** What the line of a pool is made from. */
export interface PrewarmInput {
  readonly pool: string;
  /** With a day before and after the period, for what began or ended there. */
  readonly history: WarmHistory;
  readonly machines: readonly BilledMachine[];
  readonly waitingUsdPerMinute: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** See the file's header. Null where nothing was warmed in the period. */
export function prewarmLine(input: PrewarmInput): PrewarmLine | null {
  const { pool, history, waitingUsdPerMinute, fromMs, untilMs } = input;
  const isOfPeriod = ({ atMs }: { readonly atMs: number }): boolean => atMs >= fromMs && atMs < untilMs;
  const warmed = history.warmed.filter(isOfPeriod);
  if (warmed.length === 0) return null;
  const hits = warmed.filter(({ isHit }) => isHit === true);
  const misses = warmed.filter(({ isHit }) => isHit === false);
  const worth = (seconds: number): Decimal => new Decimal(seconds).dividedBy(60).times(waitingUsdPerMinute);
  const cost = (own: readonly WarmedInstance[]): Decimal => sumOf(own.map((one) => costOf(one, input.machines)));
  const waitedSec = total(history.coldStarts.filter(isOfPeriod).map((start) => start.waitedSec));
  const savedSec = total(hits.map((hit) => hit.savedSec));
  const bootSec = total(hits.map(({ atMs, readyAtMs }) => (readyAtMs === null ? 0 : (readyAtMs - atMs) / 1000)));
  const missUsd = cost(misses);
  const idleUsd = cost(hits);
  const savedUsd = worth(savedSec);
  const clairvoyantUsd = worth(waitedSec + bootSec);
  return {
    pool,
    warmed: warmed.length,
    hits: hits.length,
    misses: misses.length,
    missUsd: amountText(missUsd),
    idleUsd: amountText(idleUsd),
    savedSec: Math.round(savedSec),
    savedUsd: amountText(savedUsd),
    waitedSec: Math.round(waitedSec),
    regretUsd: amountText(clairvoyantUsd.minus(savedUsd).plus(missUsd).plus(idleUsd)),
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A miss costs until it slept again, a hit from when it was ready until the deck: the boot would be paid anyway. */
function costOf(one: WarmedInstance, machines: readonly BilledMachine[]): Decimal {
  const [fromMs, untilMs] =
    one.isHit === true ? [one.readyAtMs ?? Infinity, one.arrivedAtMs ?? 0] : [one.atMs, one.endedAtMs ?? one.atMs];
  const parts = machines
    .filter(({ instance }) => instance === one.instance)
    .map((machine) => {
      const ms = Math.min(untilMs, machine.untilMs ?? Infinity) - Math.max(fromMs, machine.fromMs);
      return new Decimal(machine.usdPerHour).times(Math.max(0, ms)).dividedBy(HOUR_MS);
    });
  return sumOf(parts);
}
