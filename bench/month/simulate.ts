/**
 * Simulates a month of decks on two pools in virtual time.
 */
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import { poolConfigSchema, type SleepPolicyName } from '../../domain/fleet/pool/pool-config.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { seededRandom } from '../../samples/generator/random.ts';
import { arrivals, deckSeconds, follow, planSlides, type Deck } from './decks.ts';
import { VirtualTime } from './events.ts';
import type { MachineWorld } from './machines.ts';
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
}

/** Result of a month. Money in USD, times in seconds. */
export interface MonthResult {
  readonly machineHours: number;
  readonly busyHours: number;
  readonly machineUsd: number;
  readonly storageUsd: number;
  readonly alwaysOnUsd: number;
  readonly clairvoyantUsd: number;
  readonly waitsSec: readonly number[];
  readonly reviewSec: readonly number[];
  readonly unfinished: number;
  readonly creates: number;
  readonly decisions: number;
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
  const { world, billing, sleepPolicy, seed } = setting;
  const time = new VirtualTime();
  const random = seededRandom(seed);
  const wakeCostSec = (middle(world.wakeMs) + world.stopMs) / 1000;
  const coldCostSec = (middle(world.coldBootMs) + world.stopMs) / 1000;
  const makePool = (name: string, gpuClass: GpuClass, max: number): PoolRun =>
    new PoolRun({
      time,
      random,
      world,
      config: poolConfigSchema.parse({ name, classes: [gpuClass], min: 0, max, sleepPolicy }),
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
  const decks = arrivals(setting.decks, setting.lengthMs, random).map((uploadedMs): Deck => {
    const deck: Deck = { uploadedMs, firstCallMs: null, doneMs: null, openCalls: 0, openDescriptions: 0 };
    time.at(uploadedMs, () => pools['gpu-visual'].announce(deckSeconds('gpu-visual')));
    time.at(uploadedMs + RENDER_MS, () => planSlides(deck, scheduler));
    return deck;
  });
  time.runUntil(setting.lengthMs);
  return settle(setting, Object.values(pools), decks, middle(world.wakeMs) / 1000);
}

function settle(
  { world, lengthMs }: MonthSetting,
  pools: readonly PoolRun[],
  decks: readonly Deck[],
  bootSec: number,
): MonthResult {
  const machines = pools.flatMap((p) => p.machines);
  for (const machine of machines) {
    machine.stopBilling(lengthMs);
    machine.dropVolume(lengthMs);
  }
  const sum = (values: readonly number[]): number => values.reduce((total, v) => total + v, 0);
  const machineHours = sum(machines.map((m) => m.paidMs)) / HOUR_MS;
  const busyHours = sum(pools.map((p) => p.busyCallMs)) / world.slots / HOUR_MS;
  const bridgedHours = sum(pools.flatMap((p) => p.gapsSec).map((gap) => Math.min(gap, bootSec))) / 3600;
  const alwaysOnHours = (lengthMs / HOUR_MS) * pools.length;
  const bothUsdPerHour = world.priceUsdPerHour + world.volumeUsdPerHour;
  return {
    machineHours,
    busyHours,
    machineUsd: machineHours * world.priceUsdPerHour,
    storageUsd: (sum(machines.map((m) => m.volumeMs)) / HOUR_MS) * world.volumeUsdPerHour,
    alwaysOnUsd: alwaysOnHours * bothUsdPerHour,
    // The clairvoyant has one machine per pool, always full while it works, and knows each gap; its disk is kept all month.
    clairvoyantUsd: (busyHours + bridgedHours) * world.priceUsdPerHour + alwaysOnHours * world.volumeUsdPerHour,
    waitsSec: decks.flatMap((d) => (d.firstCallMs === null ? [] : [(d.firstCallMs - d.uploadedMs) / 1000])),
    reviewSec: decks.flatMap((d) => (d.doneMs === null ? [] : [(d.doneMs - d.uploadedMs) / 1000])),
    unfinished: decks.filter((d) => d.doneMs === null).length,
    creates: sum(machines.map((m) => m.creates)),
    decisions: sum(pools.map((p) => p.decisions)),
  };
}
