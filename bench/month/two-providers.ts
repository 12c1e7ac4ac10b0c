/**
 * The figures of months on two providers with spot: with the default settings, with those of a pool that is to be cheap and answers within ten
 * minutes, and with many decks at once.
 */
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import { percentile, type Figures } from '../figures.ts';
import { MONTH_MS } from './decks.ts';
import type { MachineWorld } from './machines.ts';
import { simulateMonth, type MonthResult, type PoolSettings } from './simulate.ts';
import { mean, saved, savedByClairvoyant, total } from './totals.ts';

/** The share of spot, and that of decks that are critical. */
const SPOT_RATIO = 0.7;
const CRITICAL_SHARE = 0.1;

/**
 * Settings for a goal of ten minutes: the queue is to be done within them, and waiting below the goal is worth nothing, so that one disk is kept at
 * most and only while it saves machine time.
 */
const TEN_MINUTES: PoolSettings = { maxKeptVolumes: 1, waitingUsdPerMinute: 0, timing: { drainGoalMs: 600_000 } };

/** A pull of 17 GB at 500 Mbit/s takes 4.6 min; copied from a shared filesystem of the location they take about half a minute. */
const SAVED_BY_CACHE_MS = 240_000;

const DECKS_AT_ONCE = 200;
const MOST_AT_ONCE = 10;

/** A month without its pools' settings. */
export interface PlainMonth {
  readonly world: MachineWorld;
  readonly billing: BillingCapability;
  readonly decks: number;
}

/** Adds months with spot beside the same months on demand only: the same decks and the same stock. @param seeds of each month */
export function addTwoProviders(figures: Figures, plain: PlainMonth, seeds: readonly number[]): void {
  const months = (spotRatio: number, pools: PoolSettings): MonthResult[] =>
    seeds.map((seed) =>
      simulateMonth({
        ...plain,
        sleepPolicy: 'auto',
        lengthMs: MONTH_MS,
        seed,
        spot: { spotRatio, criticalShare: CRITICAL_SHARE },
        pools,
      }),
    );
  const title = `two providers, spot ratio ${SPOT_RATIO}`;
  addMonths(figures, `${title}, default settings`, months(SPOT_RATIO, {}));
  const mixed = months(SPOT_RATIO, TEN_MINUTES);
  addMonths(figures, `${title}, goal of 10 min`, mixed);
  addSpot(figures, title, mixed, months(0, TEN_MINUTES));
  const { world } = plain;
  const [shortest, longest] = world.coldBootMs;
  const cached = seeds.map((seed) =>
    simulateMonth({
      ...plain,
      world: { ...world, coldBootMs: [shortest - SAVED_BY_CACHE_MS, longest - SAVED_BY_CACHE_MS] },
      sleepPolicy: 'auto',
      lengthMs: MONTH_MS,
      seed,
      spot: { spotRatio: SPOT_RATIO, criticalShare: CRITICAL_SHARE },
    }),
  );
  figures.add(
    'models on a shared filesystem: order of a new machine until it takes calls, mean',
    mean(cached.flatMap((m) => m.newMachineSec)),
    's',
    '<= 300',
  );
}

function addMonths(figures: Figures, title: string, months: readonly MonthResult[]): void {
  const add = (name: string, value: number, unit: string, aim: string | null = null): void =>
    figures.add(`${title}: ${name}`, value, unit, aim);
  add('saved against always on, worst month', Math.min(...months.map(saved)), 'share');
  add('saved against always on, mean', mean(months.map(saved)), 'share', '>= 0.93');
  add('a clairvoyant would save', mean(months.map(savedByClairvoyant)), 'share');
  add('cost ÷ that of a clairvoyant', mean(months.map((m) => total(m) / m.clairvoyantUsd)), 'ratio', '<= 1.15');
  add(
    'cost ÷ that of a clairvoyant that gives up disks',
    mean(months.map((m) => total(m) / m.clairvoyantWithoutDisksUsd)),
    'ratio',
  );
  add('machines', mean(months.map((m) => m.machineUsd)), 'USD/month');
  add('disks', mean(months.map((m) => m.storageUsd)), 'USD/month');
  add('machine hours', mean(months.map((m) => m.machineHours)), 'h');
  add('decks not done when the month ends, most', Math.max(...months.map((m) => m.unfinished)), 'decks');
  const waits = months.flatMap((m) => m.waitsSec);
  add('queue wait, mean', mean(waits), 's');
  add('queue wait, p95', percentile(waits, 0.95), 's', '<= 600');
  const woken = months.flatMap((m) => m.wokenMachineSec);
  const started = months.flatMap((m) => m.newMachineSec);
  add('order of a machine until it takes calls, mean', mean([...woken, ...started]), 's', '<= 300');
  add('order of a new machine until it takes calls, models pulled, mean', mean(started), 's');
  add('wake until it takes calls, mean', mean(woken), 's');
  const responses = months.flatMap((m) => m.responseSec);
  add('too few machines until one is ordered, longest', Math.max(...responses), 's', '<= 120');
}

/** What spot saved and cost. */
function addSpot(
  figures: Figures,
  title: string,
  mixed: readonly MonthResult[],
  onDemand: readonly MonthResult[],
): void {
  const savedOf = (of: (m: MonthResult) => number): number => 1 - mean(mixed.map(of)) / mean(onDemand.map(of));
  figures.add(
    `${title}: saved against on demand only, machines`,
    savedOf((m) => m.machineUsd),
    'share',
    '>= 0.30',
  );
  figures.add(`${title}: saved against on demand only, with disks`, savedOf(total), 'share');
  figures.add(`${title}: machines on demand only`, mean(onDemand.map((m) => m.machineUsd)), 'USD/month');
  figures.add(`${title}: spot, of the machine hours`, mean(mixed.map((m) => m.spotShare)), 'share');
  figures.add(`${title}: machine hours on demand only`, mean(onDemand.map((m) => m.machineHours)), 'h');
  figures.add(`${title}: evictions`, mean(mixed.map((m) => m.evictions)), '1/month');
  figures.add(`${title}: calls made again`, mean(mixed.map((m) => m.repeatedCalls)), '1/month');
  figures.add(`${title}: machine hours of calls made again`, mean(mixed.map((m) => m.repeatedHours)), 'h/month');
  figures.add(`${title}: boots of machines taken back`, mean(mixed.map((m) => m.lostBootHours)), 'h/month');
  const waitsOnDemand = onDemand.flatMap((m) => m.waitsSec);
  figures.add(`${title}: queue wait on demand only, p95`, percentile(waitsOnDemand, 0.95), 's');
}

/** Adds what becomes of many decks that are uploaded at once. */
export function addBurst(figures: Figures, { world, billing }: PlainMonth, seeds: readonly number[]): void {
  const bursts = seeds.map((seed) =>
    simulateMonth({
      world,
      billing,
      sleepPolicy: 'auto',
      decks: DECKS_AT_ONCE,
      atOnce: true,
      lengthMs: 24 * 3_600_000,
      seed,
      spot: { spotRatio: SPOT_RATIO, criticalShare: CRITICAL_SHARE },
      pools: { max: MOST_AT_ONCE },
    }),
  );
  const title = `${DECKS_AT_ONCE} decks at once, two pools of at most ${MOST_AT_ONCE}`;
  figures.add(`${title}: not done within a day`, Math.max(...bursts.map((m) => m.unfinished)), 'decks', '<= 0');
  figures.add(
    `${title}: machines at a time, most`,
    Math.max(...bursts.map((m) => m.mostMachines)),
    'machines',
    `<= ${2 * MOST_AT_ONCE}`,
  );
  const reviews = bursts.flatMap((m) => m.reviewSec);
  figures.add(`${title}: review, mean`, mean(reviews), 's');
  figures.add(`${title}: review, last`, Math.max(...reviews), 's');
  figures.add(
    `${title}: too few machines until one is ordered, longest`,
    Math.max(...bursts.flatMap((m) => m.responseSec)),
    's',
    '<= 120',
  );
}
