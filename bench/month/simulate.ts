/** Simulates a month of decks on two pools in virtual time. */
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import { poolConfigSchema, type PoolConfig, type SleepPolicyName } from '../../domain/fleet/pool/pool-config.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { seededRandom } from '../../samples/generator/random.ts';
import { arrivals, deckSeconds, follow, planSlides, type Deck } from './decks.ts';
import { VirtualTime } from './events.ts';
import type { Machine, MachineWorld } from './machines.ts';
import { TwoProviderMarket } from './market.ts';
import { PoolRun } from './pool-run.ts';

/** Parameters of a month. */
export interface MonthSetting {
  readonly world: MachineWorld;
  readonly billing: BillingCapability;
  readonly sleepPolicy: SleepPolicyName;
  readonly decks: number;
  /** A month, or less for a quick look. */
  readonly lengthMs: number;
  readonly seed: number;
  /** Two providers instead of the world's one price: the share of spot, and of decks that are critical. */
  readonly spot?: { readonly spotRatio: number; readonly criticalShare: number };
  /** Settings of both pools that differ from the defaults. */
  readonly pools?: PoolSettings;
  /** All decks are uploaded as the month begins, instead of in the course of it. */
  readonly atOnce?: true;
}

/** See {@link PoolConfig}. */
export interface PoolSettings {
  readonly max?: number;
  readonly maxKeptVolumes?: number;
  readonly waitingUsdPerMinute?: number;
  readonly timing?: Partial<PoolConfig['timing']>;
}

/** Result of a month. Money in USD, times in seconds. */
export interface MonthResult {
  readonly machineHours: number;
  readonly busyHours: number;
  readonly machineUsd: number;
  readonly storageUsd: number;
  readonly alwaysOnUsd: number;
  /** Cost to one who knows each gap and keeps every disk. */
  readonly clairvoyantUsd: number;
  /** As above, and gives up disks in gaps that are longer than their storage is worth. */
  readonly clairvoyantWithoutDisksUsd: number;
  /** From the order of a machine, a new one or a woken one, until it takes calls. */
  readonly newMachineSec: readonly number[];
  readonly wokenMachineSec: readonly number[];
  /** From the moment that a pool has fewer machines than its work asks for until it orders one. */
  readonly responseSec: readonly number[];
  /** Machines of both pools that were rented at a time, at most. */
  readonly mostMachines: number;
  readonly waitsSec: readonly number[];
  readonly reviewSec: readonly number[];
  readonly unfinished: number;
  readonly creates: number;
  readonly decisions: number;
  /** In a market of two providers. */
  readonly evictions: number;
  readonly repeatedCalls: number;
  /** Hours of calls that came to nothing, and of boots of machines that were taken back. */
  readonly repeatedHours: number;
  readonly lostBootHours: number;
  /** Share of the machine hours that was spot. */
  readonly spotShare: number;
}

/** Pages are rendered and planned this long after the upload. */
const RENDER_MS = 3000;
const HOUR_MS = 3_600_000;

/** Number of decks that keep machines busy for this many hours. */
export const decksFor = (gpuHours: number, slots: number): number =>
  Math.round((gpuHours * 3600 * slots) / (deckSeconds('gpu-visual') + deckSeconds('gpu-text')));

const middle = ([low, high]: readonly [number, number]): number => (low + high) / 2;

/** Runs a month. */
export function simulateMonth(setting: MonthSetting): MonthResult {
  const { world, billing, sleepPolicy, seed, spot, pools: own } = setting;
  const market = spot === undefined ? undefined : new TwoProviderMarket(seed);
  const time = new VirtualTime();
  const random = seededRandom(seed);
  const wakeCostSec = (middle(world.wakeMs) + world.stopMs) / 1000;
  const coldCostSec = (middle(world.coldBootMs) + world.stopMs) / 1000;
  const makePool = (name: string, gpuClass: GpuClass, max: number): PoolRun =>
    new PoolRun({
      time,
      random,
      world,
      config: poolConfigSchema.parse({
        name,
        classes: [gpuClass],
        min: 0,
        max,
        sleepPolicy,
        ...choiceOf(spot),
        ...own,
      }),
      ...(market === undefined ? {} : { market }),
      billing,
      wakeCostSec,
      coldCostSec,
      gpuClass,
      ended: (call) => follow(call, scheduler),
    });
  const pools: Record<GpuClass, PoolRun> = {
    'gpu-visual': makePool('visual', 'gpu-visual', 3),
    'gpu-text': makePool('text', 'gpu-text', 5),
  };
  const scheduler: Parameters<typeof follow>[1] = {
    nowMs: () => time.nowMs,
    random,
    plan: (gpuClass, calls) =>
      pools[gpuClass].plan(calls, gpuClass === 'gpu-visual' ? calls.reduce((sum, c) => sum + c.expectedSec, 0) : 0),
  };
  const uploads =
    setting.atOnce === true
      ? Array.from({ length: setting.decks }, () => 0)
      : arrivals(setting.decks, setting.lengthMs, random);
  const decks = uploads.map((uploadedMs): Deck => {
    const isCritical = isCriticalDeck(uploadedMs, spot?.criticalShare ?? 0);
    const deck: Deck = { uploadedMs, firstCallMs: null, doneMs: null, openCalls: 0, openDescriptions: 0, isCritical };
    time.at(uploadedMs, () => pools['gpu-visual'].announce(deckSeconds('gpu-visual')));
    time.at(uploadedMs + RENDER_MS, () => planSlides(deck, scheduler));
    return deck;
  });
  time.runUntil(setting.lengthMs);
  return settle(setting, Object.values(pools), decks, { wakeCostSec, coldCostSec, market });
}

/** The cheapest machine per slide of both providers, with a share of spot. */
const choiceOf = (spot: MonthSetting['spot']) =>
  spot === undefined ? {} : { selector: 'cheapest', spotRatio: spot.spotRatio };

/** Without a random number, so that months with and without critical decks are the same otherwise. */
const isCriticalDeck = (uploadedMs: number, share: number): boolean => (uploadedMs % 1000) / 1000 < share;

function settle(
  { world, lengthMs }: MonthSetting,
  pools: readonly PoolRun[],
  decks: readonly Deck[],
  {
    wakeCostSec,
    coldCostSec,
    market,
  }: { wakeCostSec: number; coldCostSec: number; market: TwoProviderMarket | undefined },
): MonthResult {
  const machines = pools.flatMap((p) => p.machines);
  for (const machine of machines) {
    machine.stopBilling(lengthMs);
    machine.dropVolume(lengthMs);
  }
  const sum = (values: readonly number[]): number => values.reduce((total, v) => total + v, 0);
  const machineHours = sum(machines.map((m) => m.paidMs)) / HOUR_MS;
  const busyHours = sum(pools.map((p) => p.busyCallMs)) / world.slots / HOUR_MS;
  const gapsSec = pools.flatMap((p) => p.gapsSec);
  // Knowledge of the gap saves neither the stop nor the wake: it only decides whether to stay awake.
  const bridgedHours = sum(gapsSec.map((gap) => Math.min(gap, wakeCostSec))) / 3600;
  const alwaysOnHours = (lengthMs / HOUR_MS) * pools.length;
  const machineUsd = market === undefined ? machineHours * world.priceUsdPerHour : sum(machines.map((m) => m.paidUsd));
  // The clairvoyant rents what this month rented on average: it knows gaps, not prices.
  const meanUsdPerHour = market === undefined ? world.priceUsdPerHour : machineUsd / machineHours;
  const bothUsdPerHour = world.priceUsdPerHour + world.volumeUsdPerHour;
  const storedUsd = (seconds: number): number => (seconds / 3600) * world.volumeUsdPerHour;
  const runUsd = (seconds: number): number => (seconds / 3600) * meanUsdPerHour;
  const cheapestGapUsd = (gap: number): number =>
    Math.min(
      runUsd(Math.min(gap, wakeCostSec)) + storedUsd(gap),
      runUsd(Math.min(gap, coldCostSec)) + storedUsd(Math.min(gap, coldCostSec)),
    );
  return {
    machineHours,
    busyHours,
    machineUsd,
    storageUsd: (sum(machines.map((m) => m.volumeMs)) / HOUR_MS) * world.volumeUsdPerHour,
    alwaysOnUsd: alwaysOnHours * bothUsdPerHour,
    // The clairvoyant has one machine per pool, always full while it works, and knows each gap; its disk is kept all month.
    clairvoyantUsd: (busyHours + bridgedHours) * meanUsdPerHour + alwaysOnHours * world.volumeUsdPerHour,
    clairvoyantWithoutDisksUsd:
      runUsd(busyHours * 3600) + storedUsd(alwaysOnHours * 3600 - sum(gapsSec)) + sum(gapsSec.map(cheapestGapUsd)),
    newMachineSec: machines.flatMap((m) => m.newSec),
    wokenMachineSec: machines.flatMap((m) => m.wokenSec),
    responseSec: pools.flatMap((p) => p.responseSec),
    mostMachines: mostAtATime(machines),
    waitsSec: decks.flatMap((d) => (d.firstCallMs === null ? [] : [(d.firstCallMs - d.uploadedMs) / 1000])),
    reviewSec: decks.flatMap((d) => (d.doneMs === null ? [] : [(d.doneMs - d.uploadedMs) / 1000])),
    unfinished: decks.filter((d) => d.doneMs === null).length,
    creates: sum(machines.map((m) => m.creates)),
    decisions: sum(pools.map((p) => p.decisions)),
    evictions: market?.evictions ?? 0,
    repeatedCalls: sum(pools.map((p) => p.repeatedCalls)),
    repeatedHours: sum(pools.map((p) => p.repeatedMs)) / world.slots / HOUR_MS,
    lostBootHours: sum(machines.map((m) => m.lostBootMs)) / HOUR_MS,
    spotShare: machineHours === 0 ? 0 : sum(machines.map((m) => m.spotMs)) / HOUR_MS / machineHours,
  };
}

/** How many machines were billed at a time, at most. */
function mostAtATime(machines: readonly Machine[]): number {
  const changes = machines.flatMap((m) =>
    m.billed.flatMap(([fromMs, untilMs]) => [
      { atMs: fromMs, by: 1 },
      { atMs: untilMs, by: -1 },
    ]),
  );
  let now = 0;
  let most = 0;
  for (const { by } of changes.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
