/**
 * What a pool's machines would have cost running all the time: what renting them only while there is work is worth.
 *
 * Of each pool the most machines that were rented at once are taken to run from the beginning of the period, or the installation's first
 * rental where that is later, to its end or now, each at the mean
 * price that the pool's machines had. Disks are not counted on that side, so what was saved is rather too small than too large.
 */
import { Decimal } from 'decimal.js';
import type { TimeSpan } from '../budget/types.ts';
import { amountText, shareOf, sumOf } from './amount.ts';
import type { CostReport } from './document.ts';
import type { RentalSpan } from './sums.ts';

type AlwaysOn = NonNullable<CostReport['alwaysOn']>;

const HOUR_MS = 3_600_000;

/** What always-on is computed from. */
export interface AlwaysOnInput {
  readonly rentals: readonly RentalSpan[];
  /** What each pool really cost in the period, machines and disks. */
  readonly spentByPool: ReadonlyMap<string, Decimal>;
  readonly fromMs: number;
  /** End of the period, or now while it is under way. */
  readonly untilMs: number;
}

/** See the file's header. A pool that rented no machine in the period is left out. */
export function alwaysOnOf({ rentals, spentByPool, fromMs, untilMs }: AlwaysOnInput): AlwaysOn {
  const hours = new Decimal(Math.max(0, untilMs - fromMs)).dividedBy(HOUR_MS);
  const ofPools = Map.groupBy(
    rentals.filter(({ resource, pool }) => resource === 'instance' && pool !== null),
    ({ pool }) => pool ?? '',
  );
  const pools = [...ofPools].flatMap(([pool, own]) => {
    const spans = own.flatMap((rental) => clipped(rental, fromMs, untilMs));
    const machines = mostAtOnce(spans);
    if (machines === 0) return [];
    const timeMs = sumOf(spans.map((s) => s.untilMs - s.fromMs));
    const usdPerHour = sumOf(spans.map((s) => new Decimal(s.usdPerHour).times(s.untilMs - s.fromMs))).dividedBy(timeMs);
    const usd = usdPerHour.times(hours).times(machines);
    // Servers that run already cost nothing here.
    if (usd.isZero()) return [];
    return [{ pool, machines, usdPerHour, usd, spentUsd: spentByPool.get(pool) ?? new Decimal(0) }];
  });
  const usd = sumOf(pools.map((p) => p.usd));
  const savedUsd = usd.minus(sumOf(pools.map((p) => p.spentUsd)));
  return {
    usd: amountText(usd),
    savedUsd: amountText(savedUsd),
    savedShare: shareOf(savedUsd, usd),
    pools: pools
      .toSorted((a, b) => b.usd.comparedTo(a.usd) || (a.pool < b.pool ? -1 : 1))
      .map((p) => ({
        pool: p.pool,
        machines: p.machines,
        usdPerHour: amountText(p.usdPerHour),
        usd: amountText(p.usd),
        spentUsd: amountText(p.spentUsd),
      })),
  };
}

type Span = TimeSpan & Pick<RentalSpan, 'usdPerHour'>;

function clipped(rental: RentalSpan, fromMs: number, untilMs: number): Span[] {
  const span = {
    fromMs: Math.max(rental.fromMs, fromMs),
    untilMs: Math.min(rental.untilMs ?? untilMs, untilMs),
    usdPerHour: rental.usdPerHour,
  };
  return span.untilMs > span.fromMs ? [span] : [];
}

/** Most spans that share an instant; one that ends as another begins shares none with it. */
function mostAtOnce(spans: readonly Span[]): number {
  const changes = spans
    .flatMap(({ fromMs, untilMs }) => [
      { atMs: fromMs, by: 1 },
      { atMs: untilMs, by: -1 },
    ])
    .toSorted((a, b) => a.atMs - b.atMs || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
