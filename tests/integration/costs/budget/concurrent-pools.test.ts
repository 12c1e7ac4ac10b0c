/**
 * Pools that buy at the same moment under one hard cap, on real transactions: what is charged stays within the cap in every window, whichever pool
 * crashes, is refused, sleeps, wakes or is settled in between.
 */
import { expect } from 'vitest';
import { BudgetCheck } from '../../../../activities/costs/budget/check-create.ts';
import { recordIntent, settleIntent } from '../../../../activities/fleet/instance/create-intent.ts';
import { storeTransitions } from '../../../../activities/fleet/instance/store-transitions.ts';
import { seededRandom } from '../../../../samples/generator/random.ts';
import type { BudgetPeriod } from '../../../../domain/costs/budget/types.ts';
import type { Intent } from '../../../../domain/fleet/instance-life/types.ts';
import type { InstancePhase } from '../../../../domain/fleet/phases.ts';
import { offerKey, type OfferKey } from '../../../../domain/fleet/selection/offer.ts';
import { poolConfigSchema, type PoolConfig } from '../../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { chargedByWindow, type Charge } from '../../../../testing/budget/charged.ts';
import { itWithDatabase as it } from '../../../../testing/database.ts';
import { anInstance } from '../../../../testing/make.ts';
import { instanceRow } from '../../instance-row.ts';
import { propertyRuns } from '../../../../testing/tier.ts';

/** How often pools live through some hours: once in the fast tier. */
const SEEDS = propertyRuns(12, 1, 10);
/** How many worlds are added at most until each kind of event came often enough. */
const FURTHER_SEEDS = 10;
/** At how many moments pools buy at once. */
const MOMENTS = propertyRuns(1_000, 10, 300);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOOK_MS = 4 * MINUTE_MS;
const TIMEZONE = 'Europe/Berlin';
const DISK_USD_PER_HOUR = (0.2 * 50) / 730;

/** Nothing but the budget forbids a create. */
const freely = (): Promise<null> => Promise.resolve(null);

/** Each instance tries an offer of its own: creates on one offer wait for one another anyway. */
const offerOf = (name: string): OfferKey =>
  offerKey({ provider: 'datacrunch', location: name, instanceType: '1H100.80S.30V', market: 'ondemand' });

const budgetCheck = (db: PrismaClient, refundsUnused: boolean, now: () => number): BudgetCheck =>
  new BudgetCheck({
    db,
    capabilities: { billing: { quantumSec: 600, refundsUnused }, billsStopped: true, volumeUsdPerGibMonth: 0.2 },
    accounting: { reserveMs: 10 * MINUTE_MS, timezone: TIMEZONE },
    now,
  });

/** A machine or a disk as the provider bills it. */
interface Billed extends Charge {
  readonly id: string;
  readonly resource: 'instance' | 'volume';
  readonly instance: string;
  untilMs: number;
}

interface Life {
  readonly name: string;
  readonly pool: PoolConfig;
  attempts: number;
  phase: InstancePhase;
  price: number;
  position: number;
  machine: Billed | null;
  disk: Billed | null;
  /** Its wind-down has begun. */
  leavesAtMs: number | null;
  /** Its create was cut off: known to be nothing from then on. */
  nothingAtMs: number | null;
}

class World {
  readonly billed: Billed[] = [];
  readonly counts = { bought: 0, woken: 0, refused: 0, ranOut: 0, crashed: 0 };
  nowMs: number;
  readonly #random: () => number;
  readonly #pools: readonly PoolConfig[];
  readonly #lives: Life[] = [];
  readonly #budget: BudgetCheck;
  readonly #blockMs: number;
  readonly #seed: number;
  readonly #db: PrismaClient;

  constructor(db: PrismaClient, seed: number) {
    this.#db = db;
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.nowMs = Date.parse('2026-10-24T20:00Z') + Math.floor(this.#random() * 4 * HOUR_MS);
    const refundsUnused = this.#random() < 0.5;
    this.#blockMs = refundsUnused ? 0 : 600_000;
    this.#pools = Array.from({ length: 3 }, (_, n) =>
      poolConfigSchema.parse({
        name: `p${n}`,
        classes: ['gpu-visual'],
        timing: { drainTimeoutMs: 5 * MINUTE_MS, idleTickMs: LOOK_MS },
      }),
    );
    this.#budget = budgetCheck(db, refundsUnused, () => this.nowMs);
  }

  async run(): Promise<void> {
    const endMs = this.nowMs + 1.6 * HOUR_MS;
    while (this.nowMs < endMs) {
      // Everybody at the same moment.
      await Promise.all(this.#pools.map((pool) => this.#look(pool)));
      if (this.#random() < 0.3) await this.#settle();
      this.nowMs += 1000 + Math.floor(this.#random() * (LOOK_MS - 1000));
    }
  }

  async #look(pool: PoolConfig): Promise<void> {
    const mine = (): Life[] => this.#lives.filter((life) => life.pool === pool);
    await Promise.all(mine().map((life) => this.#goOn(life)));
    for (const { instance } of await this.#budget.renew(pool)) {
      const life = mine().find(({ name }) => name === instance);
      if (life === undefined) continue;
      this.counts.ranOut += 1;
      this.#leave(life);
    }
    for (const life of mine()) if (life.phase === 'ready' && this.#random() < 0.08) this.#leave(life);
    const asleep = mine().filter((life) => life.phase === 'suspended' && life.leavesAtMs === null);
    await Promise.all([
      ...asleep.filter(() => this.#random() < 0.2).map((life) => this.#buy(life)),
      ...this.#candidates(pool).map((life) => this.#buy(life)),
    ]);
  }

  /** Up to two lives that have no machine yet and try to get one. */
  #candidates(pool: PoolConfig): Life[] {
    if (this.#random() < 0.6) return [];
    const mine = this.#lives.filter((life) => life.pool === pool && life.phase !== 'gone');
    const waiting = mine.filter((life) => life.phase === 'planned');
    const room = Math.max(0, 5 - mine.length);
    return [...waiting, ...Array.from({ length: Math.min(room, 2) }, () => this.#born(pool))].slice(0, 2);
  }

  #born(pool: PoolConfig): Life {
    const name = `s${this.#seed}-${pool.name}-${this.#lives.length}`;
    const life: Life = {
      name,
      pool,
      attempts: 0,
      phase: 'planned',
      price: Math.round((0.4 + this.#random() * 2.5) * 100) / 100,
      position: 0,
      machine: null,
      disk: null,
      leavesAtMs: null,
      nothingAtMs: null,
    };
    this.#lives.push(life);
    return life;
  }

  #leave(life: Life): void {
    if (life.leavesAtMs !== null) return;
    const drainMs = life.phase === 'suspended' ? 0 : this.#random() * life.pool.timing.drainTimeoutMs;
    life.leavesAtMs = this.nowMs + Math.floor(drainMs + this.#random() * 2 * MINUTE_MS);
    const { machine, disk } = life;
    if (machine !== null) {
      const ranMs = life.leavesAtMs - machine.fromMs;
      machine.untilMs =
        machine.fromMs + (this.#blockMs === 0 ? ranMs : Math.ceil(ranMs / this.#blockMs) * this.#blockMs);
    } else if (disk !== null) disk.untilMs = life.leavesAtMs;
  }

  /** What was under way is over. */
  async #goOn(life: Life): Promise<void> {
    if (life.nothingAtMs !== null && life.nothingAtMs <= this.nowMs) {
      life.nothingAtMs = null;
      await this.#store(life, life.disk === null ? 'gone' : 'suspended');
    }
    if (life.leavesAtMs === null || life.leavesAtMs > this.nowMs) return;
    life.leavesAtMs = null;
    if (life.machine === null) {
      life.disk = null;
      return this.#store(life, 'gone');
    }
    life.machine = null;
    return this.#store(life, 'suspended');
  }

  async #buy(life: Life): Promise<void> {
    life.attempts += 1;
    const intent: Intent = {
      id: `${life.name}/${life.attempts}`,
      hostname: `dh-${life.name}-${life.attempts}`,
      offer: offerOf(life.name),
      priceUsdPerHour: life.price,
      volumeId: life.disk?.id ?? null,
    };
    const before = life.phase;
    await this.#store(life, before === 'suspended' ? 'waking' : 'creating');
    const ask = { instance: life.name, pool: life.pool, intent };
    const reserve = () => recordIntent(this.#db, life.name, intent, freely, (tx) => this.#budget.reserve(tx, ask));
    const answer = await reserve();
    if (answer !== null) {
      expect(answer).toMatchObject({ kind: 'held_back', overBudget: true });
      this.counts.refused += 1;
      return this.#store(life, before === 'suspended' ? 'suspended' : 'planned');
    }
    const fate = this.#random();
    if (fate < 0.08) {
      // The process died before anything was sent; what the next one finds is nothing.
      this.counts.crashed += 1;
      life.nothingAtMs = this.nowMs + Math.floor(this.#random() * 20 * MINUTE_MS);
      expect(await reserve()).toMatchObject({ kind: 'unknown' });
      return;
    }
    if (fate < 0.16) {
      const error = { errorClass: 'capacity', message: 'none left' } as const;
      await settleIntent(this.#db, intent, { kind: 'refused', error });
      return this.#store(life, before === 'suspended' ? 'suspended' : 'planned');
    }
    this.counts[before === 'suspended' ? 'woken' : 'bought'] += 1;
    const fromMs = this.nowMs + Math.floor(this.#random() * 5000);
    const bill = (resource: Billed['resource'], usdPerHour: number): Billed => {
      const id = `${resource}-${life.name}-${life.attempts}`;
      const billed = { id, resource, instance: life.name, usdPerHour, fromMs, untilMs: Infinity };
      this.billed.push(billed);
      return billed;
    };
    life.machine = bill('instance', life.price);
    life.disk ??= bill('volume', DISK_USD_PER_HOUR);
    const outcome = { kind: 'created', providerId: life.machine.id, adopted: false, priceUsdPerHour: null } as const;
    await settleIntent(this.#db, intent, outcome);
    await this.#store(life, 'ready');
  }

  async #store(life: Life, phase: InstancePhase): Promise<void> {
    const from = life.phase;
    life.phase = phase;
    const { name, pool, attempts, price, machine, disk } = life;
    const offer = offerOf(name);
    const underWay = phase === 'creating' || phase === 'waking' || machine !== null;
    const row = instanceRow({
      name,
      phase,
      phaseSinceMs: this.nowMs,
      attempts,
      offerKey: offer,
      priceUsdPerHour: price,
      providerId: machine?.id ?? null,
      osVolumeId: disk?.id ?? null,
      keptVolumeLocation: machine === null && disk !== null ? 'FIN-01' : null,
      hostnames: underWay ? [`dh-${name}-${attempts}`] : [],
    });
    const { nowMs: atMs } = this;
    const step = { atMs, from, to: phase, reason: 'a test', priceUsdPerHour: price, offer, providerId: row.providerId };
    const transitions = [{ ...step, volumeIds: [], loadMs: null }];
    await storeTransitions(this.#db, { row, pool, atMs, position: life.position, transitions });
    life.position += 1;
  }

  /** The ledger comes by: what it has settled takes the place of reservations. */
  async #settle(): Promise<void> {
    for (const { id, resource, instance, usdPerHour, fromMs, untilMs } of this.billed) {
      if (fromMs >= this.nowMs) continue;
      const settledMs = Math.min(this.nowMs, untilMs);
      const closed = untilMs <= this.nowMs;
      const data = {
        billedFrom: new Date(fromMs),
        billedUntil: closed ? new Date(untilMs) : null,
        settledUntil: new Date(settledMs),
        settledUsd: ((usdPerHour * (settledMs - fromMs)) / HOUR_MS).toFixed(9),
        closedAt: closed ? new Date(this.nowMs) : null,
      };
      const frozen = { priceUsdPerHour: usdPerHour.toFixed(9), quantumSec: 600, refundsUnused: this.#blockMs === 0 };
      const key = { provider: 'datacrunch', resource, resourceId: id };
      await this.#db.rental.upsert({
        where: { provider_resource_resourceId: key },
        create: { id: `datacrunch/${resource}/${id}`, ...key, instanceName: instance, ...frozen, ...data },
        update: data,
      });
    }
  }

  /** What is charged: of what still runs, all that it may cost until it is gone. */
  async charges(): Promise<Charge[]> {
    const open = await this.#db.budgetReservation.findMany({ where: { releasedAt: null } });
    return this.billed.map((billed) => {
      if (Number.isFinite(billed.untilMs)) return billed;
      const row =
        open.find((r) => r.resourceId === billed.id) ??
        open.find((r) => r.instanceName === billed.instance && r.resource === billed.resource);
      return { ...billed, untilMs: Math.max(this.nowMs, row?.reservedUntil.getTime() ?? 0) };
    });
  }
}

async function empty(db: PrismaClient): Promise<void> {
  await db.$executeRaw`TRUNCATE "Budget", "BudgetReservation", "Rental", "CreateIntent", "InstanceTransition", "FleetInstance", "FleetPool" CASCADE`;
}

it('pools that buy at the same moment are never charged more than the hard cap, and buy up to it', async ({ db }) => {
  const total = { bought: 0, woken: 0, refused: 0, ranOut: 0, crashed: 0 };
  // Pools share one random generator and race for its numbers, so a world differs from run to run and may hold few events of a kind.
  const enough = (): boolean =>
    Math.min(total.bought, total.refused) > SEEDS * 3 &&
    Math.min(total.woken, total.ranOut) > SEEDS &&
    total.crashed > SEEDS / 3;
  for (let seed = 1; seed <= SEEDS || (seed <= SEEDS + FURTHER_SEEDS && !enough()); seed++) {
    await empty(db);
    const random = seededRandom(seed * 7919);
    const caps = new Map<BudgetPeriod, number>([['hour', 1.5 + random() * 6]]);
    if (random() < 0.5) caps.set('day', 3 + random() * 12);
    if (random() < 0.3) caps.set('month', 3 + random() * 15);
    for (const [period, usd] of caps)
      await db.budget.create({ data: { id: period, scope: 'installation', period, hardUsd: usd.toFixed(6) } });
    const world = new World(db, seed);
    await world.run();
    const charges = await world.charges();
    for (const [period, usd] of caps)
      for (const window of chargedByWindow(charges, period, TIMEZONE))
        expect(window.usd, `seed ${seed}, ${period} from ${new Date(window.fromMs).toISOString()}`).toBeLessThanOrEqual(
          usd + 1e-6,
        );
    for (const key of ['bought', 'woken', 'refused', 'ranOut', 'crashed'] as const) total[key] += world.counts[key];
  }
  expect(enough(), JSON.stringify(total)).toBe(true);
}, 900_000);

it('several pools at once buy never more than the hard cap pays, and what is refused had no room', async ({ db }) => {
  const total = { bought: 0, refused: 0 };
  await empty(db);
  for (let seed = 1; seed <= MOMENTS; seed++) {
    const random = seededRandom(seed * 104_729);
    const period = (['hour', 'day', 'month'] as const)[Math.floor(random() * 3)] ?? 'hour';
    const hardUsd = Math.round((0.1 + random() * 3) * 1000) / 1000;
    // Some of the moments are just before a window of an hour, a day and a month ends.
    const nowMs = Date.parse('2026-10-31T22:30Z') + Math.floor(random() * 45 * MINUTE_MS);
    const names = Array.from({ length: 3 + Math.floor(random() * 3) }, (_, n) => `m${seed}-${n}`);
    await db.$transaction([
      db.budgetReservation.deleteMany(),
      db.createIntent.deleteMany(),
      db.instanceTransition.deleteMany(),
      db.rental.deleteMany(),
      db.fleetInstance.deleteMany(),
      db.budget.deleteMany(),
      db.budget.create({ data: { id: 'cap', scope: 'installation', period, hardUsd: hardUsd.toFixed(3) } }),
    ]);
    for (const name of names)
      await anInstance(db, { name, pool: 'p0', phase: 'creating', phaseSince: new Date(nowMs) });
    const budget = budgetCheck(db, random() < 0.5, () => nowMs);
    const pool = poolConfigSchema.parse({ name: 'p0', classes: ['gpu-visual'] });
    const refused: number[] = [];
    await Promise.all(
      names.map(async (name) => {
        const priceUsdPerHour = Math.round((0.4 + random() * 2.5) * 100) / 100;
        const id = `${name}/1`;
        const intent: Intent = { id, hostname: `dh-${name}`, offer: offerOf(name), priceUsdPerHour, volumeId: null };
        const ask = { instance: name, pool, intent };
        const answer = await recordIntent(db, name, intent, freely, (tx) => budget.reserve(tx, ask));
        if (answer !== null) refused.push(priceUsdPerHour);
      }),
    );
    // Each may be charged as long as it is reserved, at its price.
    const rows = await db.budgetReservation.findMany();
    const charges = rows.map((row) => ({
      fromMs: row.fromAt.getTime(),
      untilMs: row.reservedUntil.getTime(),
      usdPerHour: row.priceUsdPerHour.toNumber(),
    }));
    for (const { fromMs, usd } of chargedByWindow(charges, period, TIMEZONE))
      expect(usd, `seed ${seed}, ${period} from ${new Date(fromMs).toISOString()}`).toBeLessThanOrEqual(hardUsd + 1e-9);
    // A machine that was refused while others were bought would have been too much beside all of them.
    const example = charges.find(({ usdPerHour }) => usdPerHour >= 0.4);
    for (const usdPerHour of refused) {
      if (example === undefined) continue;
      const disk = charges.filter((charge) => charge.usdPerHour < 0.4).slice(0, 1);
      const withIt = [...charges, ...disk, { ...example, usdPerHour }];
      const most = chargedByWindow(withIt, period, TIMEZONE).map(({ usd }) => usd);
      expect(Math.max(...most), `seed ${seed}: refused at ${usdPerHour}`).toBeGreaterThan(hardUsd);
    }
    total.refused += refused.length;
    total.bought += names.length - refused.length;
  }
  expect(total.bought).toBeGreaterThan(MOMENTS / 2);
  expect(total.refused).toBeGreaterThan(MOMENTS / 2);
}, 900_000);
