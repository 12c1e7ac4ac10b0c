/**
 * Pools that buy, go on, sleep, wake and end at random under hard caps, on a virtual clock: what the provider charges stays within every cap in
 * every window, and nothing is refused that would have fitted.
 */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../samples/generator/random.ts';
import { whyRefused, type Caps } from '../../../../domain/costs/budget/allowance.ts';
import { reservationTimes, type ReservationTimes } from '../../../../domain/costs/budget/reservation-times.ts';
import {
  isDue,
  isUsedUp,
  purchaseClaims,
  renewDisk,
  renewMachine,
} from '../../../../domain/costs/budget/reservation-claims.ts';
import type { BudgetPeriod, BudgetRule, Claim } from '../../../../domain/costs/budget/types.ts';
import { timingSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import { chargedByWindow, chargedBetween, clockWindow, type Charge } from '../../../../testing/budget/charged.ts';
import { forAll } from '../../../../testing/property.ts';
import { propertyRuns } from '../../../../testing/tier.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SEEDS = 1_000;
/** The longest time between two looks of a pool. */
const LOOK_MS = 5 * MINUTE_MS;

/** Hundredths. */
const percent = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max }).map((n) => n / 100);

const caps = fc.record({
  hour: fc.option(percent(50, 1200), { nil: null }),
  day: fc.option(percent(100, 3000), { nil: null }),
  month: fc.option(percent(200, 6000), { nil: null }),
});

const plan = fc.record({
  caps,
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
  // Among the beginnings: both changes of clocks, the end of a month, the end of a year.
  startMs: fc
    .tuple(
      fc.constantFrom(
        '2026-03-28T20:00Z',
        '2026-10-24T20:00Z',
        '2026-01-31T18:00Z',
        '2026-12-31T20:00Z',
        '2026-06-10T08:00Z',
      ),
      fc.integer({ min: 0, max: 6 * 3600 }),
    )
    .map(([at, plusSec]) => Date.parse(at) + plusSec * 1000),
  hours: fc.integer({ min: 2, max: 7 }),
  billing: fc.constantFrom(
    { quantumSec: 600, refundsUnused: true },
    { quantumSec: 600, refundsUnused: false },
    { quantumSec: 3600, refundsUnused: false },
    { quantumSec: 1, refundsUnused: false },
  ),
  reserveMin: fc.integer({ min: 1, max: 40 }),
  pools: fc.array(
    fc.record({
      drainMin: fc.integer({ min: 0, max: 30 }),
      max: fc.integer({ min: 1, max: 4 }),
      /** How eagerly it buys at a look, and how soon it ends what it has. */
      eager01: percent(2, 100),
      restless01: percent(0, 10),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  settles01: percent(0, 30),
  seed: fc.nat(),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

interface Machine {
  readonly pool: number;
  readonly usdPerHour: number;
  readonly billedFromMs: number;
  reserved: Claim;
  /** Its wind-down has begun: charged until then. */
  endsAtMs: number | null;
  settledMs: number;
  disk: Disk;
}

interface Disk {
  readonly pool: number;
  readonly usdPerHour: number;
  readonly fromMs: number;
  reserved: Claim;
  endsAtMs: number | null;
  asleep: boolean;
}

/** One run of a plan. */
class World {
  readonly #plan: Plan;
  readonly #times: readonly ReservationTimes[];
  readonly #rules: readonly BudgetRule[];
  readonly #blockMs: number;
  readonly #draw: () => number;
  readonly #machines: Machine[] = [];
  readonly #disks: Disk[] = [];
  /** Until something in it changes. */
  #knownCaps: Caps | null = null;
  readonly counts = { bought: 0, woken: 0, refused: 0, ranOut: 0 };
  nowMs: number;

  constructor(given: Plan) {
    this.#plan = given;
    this.nowMs = given.startMs;
    this.#draw = seededRandom(given.seed);
    this.#blockMs = given.billing.refundsUnused ? 0 : given.billing.quantumSec * 1000;
    this.#times = given.pools.map(({ drainMin }) =>
      reservationTimes(
        timingSchema.parse({ drainTimeoutMs: drainMin * MINUTE_MS || 1, idleTickMs: LOOK_MS }),
        given.billing,
        given.reserveMin * MINUTE_MS,
      ),
    );
    this.#rules = (['hour', 'day', 'month'] as const).flatMap((period: BudgetPeriod & keyof Plan['caps']) => {
      const usd = given.caps[period];
      return usd === null
        ? []
        : [{ scope: 'installation' as const, scopeId: '*', period, softUsd: null, hardUsd: new Decimal(usd) }];
    });
  }

  /** Whole milliseconds. */
  #upTo(mostMs: number): number {
    return Math.floor(this.#draw() * (mostMs + 1));
  }

  run(): void {
    const endMs = this.nowMs + this.#plan.hours * HOUR_MS;
    const looks = this.#plan.pools.map(() => this.nowMs);
    while (this.nowMs < endMs) {
      const pool = looks.indexOf(Math.min(...looks));
      this.nowMs = Math.max(this.nowMs, looks[pool] ?? this.nowMs);
      this.#look(pool);
      // The pool looks at least this often.
      looks[pool] = this.nowMs + 1 + this.#upTo(LOOK_MS - 1);
      if (this.#draw() < this.#plan.settles01) this.#settle();
    }
  }

  #caps(): Caps {
    this.#knownCaps ??= this.#fillCaps();
    return this.#knownCaps;
  }

  #fillCaps(): Caps {
    const settled = this.#machines
      .filter((m) => m.settledMs > m.billedFromMs)
      .map(({ usdPerHour, billedFromMs: fromMs, settledMs: untilMs }) => {
        const usd = new Decimal(usdPerHour).times(untilMs - fromMs).dividedBy(HOUR_MS);
        return { usd, fromMs, untilMs };
      });
    const open = [
      ...this.#machines.map((m) => ({ ...m.reserved, fromMs: Math.max(m.reserved.fromMs, m.settledMs) })),
      ...this.#disks.map((d) => d.reserved),
    ];
    const claims = open.filter((claim) => claim.untilMs > claim.fromMs);
    return { rules: this.#rules, timezone: this.#plan.timezone, spending: { settled, claims } };
  }

  #look(pool: number): void {
    const times = this.#times[pool];
    const config = this.#plan.pools[pool];
    if (times === undefined || config === undefined) return;
    this.#seeEnds();
    const mine = this.#machines.filter((m) => m.pool === pool && m.endsAtMs === null);
    for (const machine of mine) this.#renew(machine, times);
    for (const disk of this.#disks.filter((d) => d.pool === pool && d.asleep && d.endsAtMs === null))
      this.#renewDisk(disk, times);
    for (const machine of mine.filter((m) => m.endsAtMs === null)) {
      const ranOut = isUsedUp(machine.reserved, times.windDownMs, this.nowMs);
      if (ranOut) this.counts.ranOut += 1;
      if (ranOut || this.#draw() < config.restless01) this.#end(machine, config.drainMin * MINUTE_MS);
    }
    const isThere = (m: Machine): boolean => m.endsAtMs === null || m.endsAtMs > this.nowMs;
    const there = this.#machines.filter((m) => m.pool === pool && isThere(m)).length;
    if (there < config.max && this.#draw() < config.eager01) this.#buy(pool, times);
  }

  #renew(machine: Machine, times: ReservationTimes): void {
    if (!isDue(machine.reserved, times, times.windDownMs, this.nowMs)) return;
    const otherDisks = this.#disks.filter((d) => d !== machine.disk && d.endsAtMs === null).map((d) => d.reserved);
    const disksKeptUntilMs = this.nowMs + 24 * HOUR_MS;
    const running = { machine: machine.reserved, disk: machine.disk.reserved, otherDisks, disksKeptUntilMs };
    const untilMs = renewMachine(this.#caps(), running, times, this.nowMs);
    if (untilMs === null) return;
    this.#knownCaps = null;
    machine.reserved = { ...machine.reserved, untilMs };
    const diskUntilMs = Math.max(machine.disk.reserved.untilMs, untilMs + times.diskWindDownMs);
    machine.disk.reserved = { ...machine.disk.reserved, untilMs: diskUntilMs };
  }

  #renewDisk(disk: Disk, times: ReservationTimes): void {
    if (isDue(disk.reserved, times, times.diskWindDownMs, this.nowMs)) {
      const untilMs = renewDisk(this.#caps(), disk.reserved, times, this.nowMs);
      if (untilMs !== null) {
        this.#knownCaps = null;
        disk.reserved = { ...disk.reserved, untilMs };
      }
    }
    if (!isUsedUp(disk.reserved, times.diskWindDownMs, this.nowMs)) return;
    disk.endsAtMs = this.nowMs + this.#upTo(MINUTE_MS);
  }

  /** Wind-down: calls in progress, then the provider's own time, then the rest of a block that is paid in full. */
  #end(machine: Machine, drainMs: number): void {
    const stoppedMs = this.nowMs + this.#upTo(drainMs) + this.#upTo(2 * MINUTE_MS);
    const ranMs = stoppedMs - machine.billedFromMs;
    machine.endsAtMs =
      machine.billedFromMs + (this.#blockMs === 0 ? ranMs : Math.ceil(ranMs / this.#blockMs) * this.#blockMs);
    machine.disk.asleep = true;
  }

  /** What was seen to have ended is released: what it was really charged for stays. */
  #seeEnds(): void {
    for (const machine of this.#machines)
      if (machine.endsAtMs !== null && machine.endsAtMs <= this.nowMs) this.#release(machine, machine.endsAtMs);
    for (const disk of this.#disks)
      if (disk.endsAtMs !== null && disk.endsAtMs <= this.nowMs) this.#release(disk, disk.endsAtMs);
  }

  #release(rented: Machine | Disk, untilMs: number): void {
    if (rented.reserved.untilMs === untilMs) return;
    this.#knownCaps = null;
    rented.reserved = { ...rented.reserved, untilMs };
  }

  /** The ledger comes by. */
  #settle(): void {
    this.#knownCaps = null;
    for (const machine of this.#machines)
      machine.settledMs = Math.max(machine.billedFromMs, Math.min(this.nowMs, machine.endsAtMs ?? this.nowMs));
  }

  #buy(pool: number, times: ReservationTimes): void {
    const usdPerHour = Math.round((0.3 + this.#draw() * 3) * 100) / 100;
    const kept = this.#disks.find((d) => d.pool === pool && d.asleep && d.endsAtMs === null) ?? null;
    const diskUsdPerHour = 0.0137;
    const purchase = {
      usdPerHour: new Decimal(usdPerHour),
      diskUsdPerHour: new Decimal(diskUsdPerHour),
      diskUntilMs: kept === null ? null : kept.reserved.untilMs,
    };
    const [machineClaim, diskClaim] = purchaseClaims(purchase, times, this.nowMs);
    const refusal = whyRefused(this.#caps(), () => [machineClaim, diskClaim], this.nowMs);
    if (refusal !== null) {
      this.counts.refused += 1;
      this.#checkRefusal([machineClaim, diskClaim]);
      return;
    }
    this.#knownCaps = null;
    if (kept === null) this.counts.bought += 1;
    else this.counts.woken += 1;
    const rented = { pool, usdPerHour: diskUsdPerHour, fromMs: this.nowMs };
    const disk = kept ?? { ...rented, reserved: diskClaim, endsAtMs: null, asleep: false };
    if (kept === null) this.#disks.push(disk);
    else kept.reserved = { ...kept.reserved, untilMs: diskClaim.untilMs };
    disk.asleep = false;
    const billedFromMs = this.nowMs + this.#upTo(5000);
    this.#machines.push({ pool, usdPerHour, billedFromMs, reserved: machineClaim, endsAtMs: null, settledMs: 0, disk });
  }

  /** A refusal has to be true: with what may still be charged for what is there, one more could exceed a cap. */
  #checkRefusal(asked: readonly Claim[]): void {
    const worst: Charge[] = [
      ...this.#machines.map((m) => ({ ...m.reserved, usdPerHour: m.usdPerHour })),
      ...this.#disks.map((d) => ({ usdPerHour: d.usdPerHour, fromMs: d.fromMs, untilMs: d.reserved.untilMs })),
      ...asked.map((c) => ({ ...c, usdPerHour: c.usdPerHour.toNumber() })),
    ];
    const exceeded = this.#rules.some(({ period, hardUsd }) =>
      asked.some((claim) => {
        for (let atMs = claim.fromMs; atMs < claim.untilMs;) {
          const [start, end] = clockWindow(period, atMs, this.#plan.timezone);
          if (chargedBetween(worst, start, end) > (hardUsd?.toNumber() ?? Infinity) - 1e-9) return true;
          atMs = end;
        }
        return false;
      }),
    );
    expect(exceeded, 'a purchase that fits was refused').toBe(true);
  }

  charges(): Charge[] {
    return [
      ...this.#machines.map((m) => ({
        usdPerHour: m.usdPerHour,
        fromMs: m.billedFromMs,
        // What still runs may be charged for its whole wind-down time.
        untilMs: m.endsAtMs ?? Math.max(this.nowMs, m.reserved.untilMs),
      })),
      ...this.#disks.map((d) => ({ ...d, untilMs: d.endsAtMs ?? d.reserved.untilMs })),
    ];
  }

  check(): void {
    const charges = this.charges();
    for (const { period, hardUsd } of this.#rules)
      for (const { fromMs, usd } of chargedByWindow(charges, period, this.#plan.timezone))
        expect(usd, `${period} from ${new Date(fromMs).toISOString()}`).toBeLessThanOrEqual(
          (hardUsd?.toNumber() ?? 0) + 1e-9,
        );
  }
}

it('concurrent pools never have more charged in any window than its hard cap, and buy whenever it allows it', async () => {
  const total = { bought: 0, woken: 0, refused: 0, ranOut: 0 };
  await forAll([plan], { runs: SEEDS, seed: 6 }, (given) => {
    const world = new World(given);
    world.run();
    world.check();
    for (const key of ['bought', 'woken', 'refused', 'ranOut'] as const) total[key] += world.counts[key];
  });
  // Not for want of purchases, nor of caps that were felt.
  const runs = propertyRuns(SEEDS);
  expect(total.bought).toBeGreaterThan(runs);
  expect(total.woken).toBeGreaterThan(runs);
  expect(total.refused).toBeGreaterThan(runs);
  expect(total.ranOut).toBeGreaterThan(runs / 2);
});
