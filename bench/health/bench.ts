/**
 * `deckhand bench health`: one minute of the health loops of 500 instances: each measurement is judged by the product's code and stored in a real
 * Postgres, and each pool observes its instances with their health. Machines are simulated, one in twenty has a fault.
 *
 * All measurements of a minute are stored at once, eight at a time; in production they are spread over the minute.
 */
import { storeHealth } from '../../activities/health/store-health.ts';
import { observePool } from '../../activities/fleet/pool/observe.ts';
import type { StoreHealthInput } from '../../activities/health/contract.ts';
import { judge, type HealthObservation } from '../../domain/health/judge.ts';
import { nextLook } from '../../domain/health/looks.ts';
import { stateAfterCheck, type HealthState } from '../../domain/health/state.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { closeDatabase, createDatabase } from '../../platform/db.ts';
import { FaultyMachine, type MachineFault, type Traffic } from '../../testing/fleet/faulty-machine.ts';
import { HEALTH_SETTINGS } from '../../testing/fleet/virtual-health.ts';
import { startPostgres } from '../../testing/postgres-server.ts';
import type { Figures } from '../figures.ts';
import { median } from '../pipeline/decks.ts';

const INSTANCES = 500;
const POOLS = 10;
const ROUNDS = 10;
/** Activities that a control process runs side by side. */
const AT_ONCE = 8;
const MINUTE_MS = 60_000;
/** One in so many machines has a fault. */
const FAULTY_ONE_IN = 20;
const FAULTS: readonly MachineFault[] = [
  { kind: 'xid', xid: 31 },
  { kind: 'hot', marginC: 2 },
  { kind: 'silent' },
  { kind: 'cpu' },
  { kind: 'slow', factor: 5 },
];
const TRAFFIC: readonly Traffic[] = [{ kind: 'idle' }, { kind: 'busy', inFlight: 2, callMs: 20_000 }];

/** Runs the benchmark. */
export async function benchHealth(figures: Figures, tell: (line: string) => void): Promise<void> {
  const postgres = await startPostgres();
  try {
    const db = createDatabase(await postgres.migratedDatabase(), { applicationName: 'deckhand-bench' });
    try {
      tell(`${INSTANCES} instances in ${POOLS} pools, ${ROUNDS} minutes of one sample each`);
      // The first sample is due a minute after the readiness check.
      const startMs = Date.now() - (ROUNDS + 1) * MINUTE_MS;
      await writeInstances(db, startMs);
      const loops = Array.from({ length: INSTANCES }, (_, index) => new Loop(index, startMs));
      const seconds: number[] = [];
      const looks: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const untilMs = startMs + (round + 1) * MINUTE_MS;
        const beganMs = performance.now();
        await eachOf(loops, (loop) => loop.runUntil(db, untilMs));
        const observedMs = performance.now();
        await eachOf(poolNames, (pool) => observe(db, pool, untilMs));
        looks.push((performance.now() - observedMs) / 1000 / POOLS);
        seconds.push((performance.now() - beganMs) / 1000);
        tell(`minute ${round}: ${(seconds.at(-1) ?? 0).toFixed(2)} s`);
      }
      const slowest = Math.max(...seconds);
      figures.add(`a minute of ${INSTANCES} instances, median of ${ROUNDS}`, median(seconds), 's');
      figures.add(`a minute of ${INSTANCES} instances, slowest of ${ROUNDS}`, slowest, 's', '<= 60');
      figures.add('share of the minute, slowest', (slowest * 1000) / MINUTE_MS, 'share');
      figures.add(`a pool of ${INSTANCES / POOLS} instances observed`, median(looks), 's');
      figures.add('samples stored', await db.healthSample.count(), 'samples', `>= ${INSTANCES * (ROUNDS - 1)}`);
      figures.add('instances found unhealthy, degraded or unknown', await countFaulty(db), 'instances');
    } finally {
      await closeDatabase(db);
    }
  } finally {
    await postgres.stop();
  }
}

const poolNames = Array.from({ length: POOLS }, (_, index) => `pool${index}`);
const poolOf = (index: number): string => poolNames[index % POOLS] ?? '';
const nameOf = (index: number): string => `gpu-${index}`;

async function writeInstances(db: PrismaClient, readyAtMs: number): Promise<void> {
  const readyAt = new Date(readyAtMs);
  await db.fleetPool.createMany({
    data: poolNames.map((name) => ({
      name,
      provider: 'bench',
      classes: ['gpu-visual'],
      selector: 'h100',
      min: 0,
      max: 100,
      reasons: [],
    })),
  });
  const numbers = Array.from({ length: INSTANCES }, (_, index) => index);
  await db.fleetInstance.createMany({
    data: numbers.map((index) => ({
      name: nameOf(index),
      pool: poolOf(index),
      provider: 'bench',
      phase: 'ready',
      phaseSince: readyAt,
      readyAt,
      reason: 'bench',
    })),
  });
  await db.instanceServing.createMany({
    data: numbers.map((index) => ({
      instanceName: nameOf(index),
      gateway: `gateway-${index % 20}`,
      attachment: 1,
      state: 'serving',
      slots: 4,
      models: ['gemma3:12b'],
      startedAt: readyAt,
      seenAt: new Date(),
    })),
  });
}

/** The health loop of one instance, as its workflow runs it. */
class Loop {
  readonly #name: string;
  readonly #pool: string;
  readonly #machine: FaultyMachine;
  #state: HealthState;
  #nowMs: number;

  constructor(index: number, provedAtMs: number) {
    this.#name = nameOf(index);
    this.#pool = poolOf(index);
    const traffic = TRAFFIC[index % TRAFFIC.length] ?? { kind: 'idle' };
    this.#machine = new FaultyMachine({ traffic });
    if (index % FAULTY_ONE_IN === 0)
      this.#machine.setFault(FAULTS[(index / FAULTY_ONE_IN) % FAULTS.length] ?? null, provedAtMs + 2 * MINUTE_MS);
    const passed = { atMs: provedAtMs, before: null, isSameMachine: false, isRebooted: false };
    this.#state = stateAfterCheck(passed, HEALTH_SETTINGS);
    this.#nowMs = provedAtMs;
  }

  /** Makes, judges and stores every look that is due by then. */
  async runUntil(db: PrismaClient, untilMs: number): Promise<void> {
    for (;;) {
      const look = nextLook(this.#state, HEALTH_SETTINGS);
      const askedAtMs = Math.max(this.#nowMs, look.atMs);
      if (askedAtMs >= untilMs) return;
      const observation = this.#look(look, askedAtMs);
      this.#nowMs = observation.atMs;
      const before = this.#state;
      const judgement = judge(before, observation, HEALTH_SETTINGS);
      this.#state = judgement.state;
      await storeHealth(db, this.#stored(before, observation, judgement.isChanged));
    }
  }

  #look(look: ReturnType<typeof nextLook>, askedAtMs: number): HealthObservation {
    if (this.#machine.isSilent) {
      const atMs = askedAtMs + 15_000;
      return { kind: 'missing', atMs, askedAtMs, message: 'no worker picked it up', gatewaySeenAtMs: null };
    }
    if (look.kind === 'sample') {
      const measurement = this.#machine.measure(askedAtMs);
      return { kind: 'measured', atMs: askedAtMs + 500, askedAtMs, measurement };
    }
    const reading = this.#machine.probe(askedAtMs, HEALTH_SETTINGS.probeTimeoutMs, look.model);
    return { kind: 'probed', atMs: reading.atMs, reading };
  }

  #stored(before: HealthState, observation: HealthObservation, isChanged: boolean): StoreHealthInput {
    const { level, failure, reason, sinceMs, sampledAtMs, probedAtMs, probeMs, baselineProbeMs } = this.#state;
    const { atMs } = observation;
    const change = { atMs, from: before.level, to: level, failure, reason, action: 'none' as const };
    const seen = { lastSampleAtMs: sampledAtMs, lastProbeAtMs: probedAtMs, probeMs, baselineProbeMs };
    return {
      instance: this.#name,
      pool: this.#pool,
      atMs,
      health: { level, failure, reason, sinceMs, ...seen, quarantinedSinceMs: null },
      sample:
        observation.kind === 'measured'
          ? { kind: 'measured', atMs, measurement: observation.measurement, probeMs }
          : observation.kind === 'missing'
            ? { kind: 'missing', atMs, message: observation.message }
            : null,
      changes: isChanged ? [change] : [],
    };
  }
}

const observe = (db: PrismaClient, pool: string, atMs: number): Promise<unknown> =>
  observePool(db, { pool, classes: ['gpu-visual'], wakeIntents: [], births: [] }, new Date(atMs));

/** Does something for each of them, so many at a time. */
async function eachOf<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all];
  const take = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

const countFaulty = (db: PrismaClient): Promise<number> =>
  db.instanceHealth.count({ where: { level: { not: 'healthy' } } });
