/** One pool of the month: its queue of calls, its machines, and its rounds, in which the product's own `decide()` decides. */
import { decide } from '../../domain/fleet/pool/decide/decide.ts';
import { isCapacity } from '../../domain/fleet/phases.ts';
import { RECENT_CALLS_WINDOW_MS } from '../../domain/fleet/pool/demand.ts';
import { newPoolMemory, type Decision, type Demand, type PoolMemory } from '../../domain/fleet/pool/pool.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import type { Call } from './decks.ts';
import type { VirtualTime } from './events.ts';
import { create, Machine, stop, wake, type Buyer, type MachineWorld } from './machines.ts';
import type { TwoProviderMarket } from './market.ts';
import { marketBuyer } from './rented.ts';

/** Parameters of a pool. */
export interface PoolSetting {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly world: MachineWorld;
  readonly config: PoolConfig;
  readonly billing: BillingCapability;
  readonly wakeCostSec: number;
  readonly coldCostSec: number;
  readonly gpuClass: GpuClass;
  readonly ended: (call: Call) => void;
  /** Where machines are bought; absent in a world with one price. */
  readonly market?: TwoProviderMarket;
}

/** A call on a machine. */
interface RunningCall {
  readonly call: Call;
  readonly machine: Machine;
  readonly sinceMs: number;
}

/** A running pool. */
export class PoolRun {
  readonly machines: Machine[] = [];
  /** Gaps without work. */
  readonly gapsSec: number[] = [];
  /** See `MonthResult`. */
  readonly responseSec: number[] = [];
  busyCallMs = 0;
  decisions = 0;
  comingSec = 0;
  readonly #setting: PoolSetting;
  /** Calls that were made again because their machine was taken back. */
  repeatedCalls = 0;
  /** Time that those took in vain, on all machines. */
  repeatedMs = 0;
  #waiting: Call[] = [];
  readonly #running = new Set<RunningCall>();
  #endedAtMs: number[] = [];
  readonly #buyer: Buyer | undefined;
  #memory: PoolMemory = newPoolMemory();
  #nextLookMs = -1;
  #emptySinceMs: number | null = 0;
  /** Since when it has fewer machines than its work asks for; null = it has as many. */
  #shortSinceMs: number | null = null;

  constructor(setting: PoolSetting) {
    this.#setting = setting;
    const { config, market } = setting;
    if (market !== undefined)
      this.#buyer = marketBuyer({ config, market, loseCalls: (machine) => this.#loseCalls(machine) });
    this.look();
  }

  /** Announces expected work, and decides at once. */
  announce(seconds: number): void {
    this.#workCame();
    this.comingSec += seconds;
    this.look();
  }

  /** Adds planned calls, of which `wereAnnouncedSec` had been announced. */
  plan(calls: readonly Call[], wereAnnouncedSec: number): void {
    this.#workCame();
    this.comingSec -= wereAnnouncedSec;
    this.#waiting.push(...calls);
    this.#assign();
    this.look();
  }

  /** Observes, decides, acts. */
  look(): void {
    const { time, random, world, config, billing, wakeCostSec, coldCostSec, market } = this.#setting;
    const nowMs = time.nowMs;
    this.#endedAtMs = this.#endedAtMs.filter((t) => nowMs - t <= RECENT_CALLS_WINDOW_MS);
    const decision = decide({
      config,
      billing,
      ...(market === undefined ? {} : { billings: market.billings }),
      wakeCostSec,
      coldCostSec,
      volumeUsdPerHour: world.volumeUsdPerHour,
      slots: world.slots,
      memory: this.#memory,
      random01: random(),
      observation: {
        atMs: nowMs,
        demand: this.#demand(),
        instances: this.machines.filter((m) => m.phase !== 'gone').map((m) => m.view(world)),
        recentCalls: this.#endedAtMs.length,
        busySlotSeconds: 0,
      },
    });
    this.decisions += 1;
    this.#memory = decision.memory;
    this.#followResponse(decision, nowMs);
    const buyer = this.#buyer === undefined ? {} : { buyer: this.#buyer };
    const context = { time, random, world, ...buyer, changed: () => this.#changed() };
    for (const action of decision.actions) {
      if (action.kind === 'create') {
        const machine = new Machine(`${config.name}-${this.machines.length + 1}`, nowMs);
        machine.wanted = action.market ?? null;
        this.machines.push(machine);
        create(machine, context);
        continue;
      }
      const machine = this.machines.find((m) => m.name === action.instance);
      if (machine === undefined) continue;
      if (action.kind === 'wake') {
        machine.wanted = action.market ?? machine.wanted;
        wake(machine, context);
      } else if (action.kind !== 'uncordon') stop(machine, action.kind === 'suspend', context);
    }
    this.#lookAt(decision.nextLookAtMs);
  }

  #followResponse({ wish, actions }: Decision, nowMs: number): void {
    const ordered = actions.filter(({ kind }) => kind === 'create' || kind === 'wake').length;
    const has = this.machines.filter((m) => isCapacity(m.phase) && !m.isTakenBack).length;
    if (has >= Math.min(wish, this.#setting.config.max)) this.#shortSinceMs = null;
    else this.#shortSinceMs ??= nowMs;
    if (ordered === 0 || this.#shortSinceMs === null) return;
    this.responseSec.push((nowMs - this.#shortSinceMs) / 1000);
    this.#shortSinceMs = null;
  }

  #lookAt(atMs: number): void {
    this.#nextLookMs = atMs;
    this.#setting.time.at(atMs, () => {
      // An earlier round has planned another time.
      if (this.#nextLookMs === atMs) this.look();
    });
  }

  #changed(): void {
    this.#assign();
    this.look();
  }

  #demand(): Demand {
    const open = [...[...this.#running].map(({ call }) => call), ...this.#waiting];
    const openSeconds = open.reduce((sum, call) => sum + call.expectedSec, 0);
    const oldest = open.reduce<number | null>(
      (min, c) => (min === null ? c.plannedMs : Math.min(min, c.plannedMs)),
      null,
    );
    return {
      openCalls: open.length,
      openSeconds,
      comingSeconds: this.comingSec,
      byClass: [{ gpuClass: this.#setting.gpuClass, openCalls: open.length, openSeconds }],
      oldestAgeMs: oldest === null ? null : this.#setting.time.nowMs - oldest,
      criticalCalls: open.filter(({ deck }) => deck.isCritical === true).length,
    };
  }

  /** Gives waiting calls to free slots. */
  #assign(): void {
    const { time, world } = this.#setting;
    for (const machine of this.machines) {
      while (canTake(machine, world.slots) && this.#waiting.length > 0) {
        const call = this.#waiting.shift();
        if (call === undefined) break;
        machine.inFlight += 1;
        const running = { call, machine, sinceMs: time.nowMs };
        this.#running.add(running);
        call.deck.firstCallMs ??= time.nowMs;
        time.at(time.nowMs + call.takesMs / machine.speed, () => this.#end(running));
      }
    }
  }

  /** The calls on a machine that was taken back are made again, before all others. */
  #loseCalls(machine: Machine): void {
    const lost = [...this.#running].filter((running) => running.machine === machine);
    for (const running of lost) {
      this.#running.delete(running);
      this.repeatedMs += this.#setting.time.nowMs - running.sinceMs;
    }
    this.repeatedCalls += lost.length;
    machine.inFlight = 0;
    this.#waiting.unshift(...lost.map(({ call }) => call));
  }

  #end(running: RunningCall): void {
    const { time, ended } = this.#setting;
    const { machine, call } = running;
    // Its machine was taken back meanwhile.
    if (!this.#running.has(running) || machine.isLost) return;
    machine.inFlight -= 1;
    machine.idleSinceMs = time.nowMs;
    this.#running.delete(running);
    this.#endedAtMs.push(time.nowMs);
    this.busyCallMs += time.nowMs - running.sinceMs;
    ended(call);
    this.#assign();
    if (this.#running.size === 0 && this.#waiting.length === 0 && this.comingSec === 0) this.#emptySinceMs = time.nowMs;
  }

  #workCame(): void {
    if (this.#emptySinceMs !== null) this.gapsSec.push((this.#setting.time.nowMs - this.#emptySinceMs) / 1000);
    this.#emptySinceMs = null;
  }
}

const canTake = ({ phase, isLost, inFlight }: Machine, slots: number): boolean =>
  phase === 'ready' && !isLost && inFlight < slots;
