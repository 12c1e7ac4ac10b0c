/**
 * `deckhand bench month`: the cost of a month of decks on GPUs that exist only while there is work, compared with GPUs that are always on and
 * with a clairvoyant that knows every gap.
 *
 * The load is 50 hours of busy machines a month. A GPU-hour is an hour of a machine that runs as many calls at a time as it has slots. Both
 * sides pay for their disks.
 */
import { decide } from '../../domain/fleet/pool/decide/decide.ts';
import { newPoolMemory, type DecideInput } from '../../domain/fleet/pool/pool.ts';
import { poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { percentile, type Figures } from '../figures.ts';
import { MONTH_MS } from './decks.ts';
import { WORLD, type MachineWorld } from './machines.ts';
import { decksFor, simulateMonth, type MonthResult } from './simulate.ts';
import { addBurst, addTwoProviders } from './two-providers.ts';
import { mean, saved, savedByClairvoyant, total } from './totals.ts';

const GPU_HOURS = 50;
const SEEDS = [1, 2, 3, 4, 5];
/** Blocks of 10 minutes, prepaid; the unused part is refunded. */
const BILLING = { quantumSec: 600, refundsUnused: true };
const NVME_USD_PER_GIB_HOUR = 0.2 / 730;

/** A rented machine. Prices of autumn 2026, per machine. */
interface Rented {
  readonly name: string;
  readonly priceUsdPerHour: number;
  readonly diskGib: number;
}

/** The cheapest type that holds the models of both pools with four calls each (48 GB), with the default disk. */
const CHEAPEST: Rented = { name: '1A6000.10V, 50 GiB disk', priceUsdPerHour: 0.6, diskGib: 50 };
/** The same with a disk twice as large; and the first choice of the default selector. */
const OTHERS: readonly Rented[] = [
  { name: '1A6000.10V, 100 GiB disk', priceUsdPerHour: 0.6, diskGib: 100 },
  { name: '1H100.80S.30V, 100 GiB disk', priceUsdPerHour: 3.7, diskGib: 100 },
];

type Tell = (line: string) => void;

/** Runs the benchmark. */
export async function benchMonth(figures: Figures, tell: Tell): Promise<void> {
  const decks = decksFor(GPU_HOURS, WORLD.slots);
  tell(`${decks} decks a month, ${GPU_HOURS} GPU-hours at ${WORLD.slots} calls side by side; ${SEEDS.length} months`);
  const months = simulate(CHEAPEST, decks);
  const title = CHEAPEST.name;
  figures.add(`${title}: saved against always on, worst month`, Math.min(...months.map(saved)), 'share', '>= 0.90');
  figures.add(`${title}: saved against always on, mean`, mean(months.map(saved)), 'share');
  figures.add(`${title}: a clairvoyant would save`, mean(months.map(savedByClairvoyant)), 'share');
  figures.add(`${title}: cost ÷ that of a clairvoyant`, mean(months.map((m) => total(m) / m.clairvoyantUsd)), 'ratio');
  figures.add(`${title}: machines`, mean(months.map((m) => m.machineUsd)), 'USD/month');
  figures.add(`${title}: disks`, mean(months.map((m) => m.storageUsd)), 'USD/month');
  figures.add(`${title}: always on`, mean(months.map((m) => m.alwaysOnUsd)), 'USD/month');
  figures.add(`${title}: cost per document`, mean(months.map((m) => total(m) / m.reviewSec.length)), 'USD');
  figures.add('machine hours', mean(months.map((m) => m.machineHours)), 'h');
  figures.add('machine hours at work', mean(months.map((m) => m.busyHours)), 'h');
  figures.add('decks not done when the month ends, most', Math.max(...months.map((m) => m.unfinished)), 'decks');
  const waits = months.flatMap((m) => m.waitsSec);
  figures.add('queue wait, upload to first call: mean', mean(waits), 's', '<= 300');
  figures.add('queue wait, upload to first call: p95', percentile(waits, 0.95), 's', '<= 600');
  const reviews = months.flatMap((m) => m.reviewSec);
  figures.add('review, upload to last result: mean', mean(reviews), 's');
  figures.add('review, upload to last result: p95', percentile(reviews, 0.95), 's');
  for (const rented of OTHERS) {
    const other = simulate(rented, decks);
    figures.add(`${rented.name}: saved against always on, mean`, mean(other.map(saved)), 'share');
    figures.add(`${rented.name}: a clairvoyant would save`, mean(other.map(savedByClairvoyant)), 'share');
    figures.add(`${rented.name}: cost per document`, mean(other.map((m) => total(m) / m.reviewSec.length)), 'USD');
  }
  const settings = { world: worldOf(CHEAPEST), billing: BILLING, decks };
  addTwoProviders(figures, settings, SEEDS);
  addBurst(figures, settings, SEEDS);
  figures.add('decide(): decisions', decisionsPerSecond(), '1/s', '>= 10000');
}

const worldOf = ({ priceUsdPerHour, diskGib }: Rented): MachineWorld => ({
  ...WORLD,
  priceUsdPerHour,
  volumeUsdPerHour: diskGib * NVME_USD_PER_GIB_HOUR,
});

const simulate = (rented: Rented, decks: number): MonthResult[] =>
  SEEDS.map((seed) =>
    simulateMonth({ world: worldOf(rented), billing: BILLING, sleepPolicy: 'auto', decks, lengthMs: MONTH_MS, seed }),
  );

/** Decisions a second on an idle pool with many observed gaps, the slowest kind. */
function decisionsPerSecond(): number {
  const memory = newPoolMemory();
  const instance = (name: string): DecideInput['observation']['instances'][number] => ({
    name,
    phase: 'ready',
    phaseSinceMs: 0,
    inFlight: 0,
    idleSinceMs: 1000,
    hasPolled: true,
    billedSinceMs: 0,
    priceUsdPerHour: 1,
    models: ['gemma3:12b'],
  });
  const input: DecideInput = {
    config: poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'], max: 3 }),
    billing: BILLING,
    wakeCostSec: 180,
    volumeUsdPerHour: 0.01,
    slots: 4,
    random01: 0.5,
    memory: { ...memory, target: 3, idleGapsSec: Array.from({ length: 200 }, (_, i) => 30 + ((i * 7919) % 3600)) },
    observation: {
      atMs: 2000,
      demand: { openCalls: 0, openSeconds: 0, comingSeconds: 0, byClass: [], oldestAgeMs: null, criticalCalls: 0 },
      instances: ['visual-1', 'visual-2', 'visual-3'].map(instance),
      recentCalls: 1,
      busySlotSeconds: 0,
    },
  };
  const count = 20_000;
  const startedMs = performance.now();
  for (let i = 0; i < count; i++) decide({ ...input, observation: { ...input.observation, atMs: 2000 + i } });
  return count / ((performance.now() - startedMs) / 1000);
}
