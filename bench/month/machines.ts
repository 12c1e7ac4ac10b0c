/**
 * A compact model of rented machines: boots that take minutes or fail, wakes from a kept disk, suspends, and their cost.
 *
 * It simplifies the life of an instance; all decisions about it are made by the product.
 */
import type { RankedOffer } from '../../domain/fleet/selection/ladder.ts';
import type { Market } from '../../domain/fleet/selection/offer.ts';
import type { InstanceView } from '../../domain/fleet/pool/pool.ts';
import { between } from './decks.ts';
import type { VirtualTime } from './events.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Behaviour of machines; times as ranges in ms, probabilities per create or wake. */
export interface MachineWorld {
  readonly priceUsdPerHour: number;
  readonly volumeUsdPerHour: number;
  readonly slots: number;
  /** From the accepted create to the first call, models pulled. */
  readonly coldBootMs: readonly [number, number];
  /** From the accepted create on a kept disk to the first call. */
  readonly wakeMs: readonly [number, number];
  /** An offer has no stock and refuses at once. */
  readonly refusedChance: number;
  /** A create is accepted and fails later for lack of stock. */
  readonly asyncFailureChance: number;
  readonly asyncFailureMs: readonly [number, number];
  /** The location of a kept disk has no stock. */
  readonly wakeRefusedChance: number;
  /** From the request to the end of billing. */
  readonly stopMs: number;
}

/** Behaviour in the benchmark: cold boots of 5–10 min, wakes of 2–3 min. */
export const WORLD: MachineWorld = {
  priceUsdPerHour: 0.6,
  volumeUsdPerHour: (100 * 0.2) / 730,
  slots: 4,
  coldBootMs: [5 * MINUTE, 10 * MINUTE],
  wakeMs: [2 * MINUTE, 3 * MINUTE],
  refusedChance: 0.1,
  asyncFailureChance: 0.03,
  asyncFailureMs: [30 * SECOND, 90 * SECOND],
  wakeRefusedChance: 0.04,
  stopMs: 45 * SECOND,
};

/** The next offer is tried after this. */
const NEXT_OFFER_MS = 2 * SECOND;

/** One machine and its costs. */
export class Machine {
  readonly name: string;
  phase: InstanceView['phase'] = 'planned';
  phaseSinceMs: number;
  /** What it is rented as, or was last; null in a world with one price. */
  offer: RankedOffer | null = null;
  /** What it was made for, in a pool with a mix. */
  wanted: Market | null = null;
  /** How many times as fast as usual it answers. */
  speed = 1;
  isTakenBack = false;
  /** It is gone, and the pool does not know yet. */
  isLost = false;
  /** Counts its boots, so that what was planned for an earlier one is void. */
  boots = 0;
  inFlight = 0;
  idleSinceMs: number | null = null;
  billedSinceMs: number | null = null;
  wakeWhenAsleep = false;
  /** Billed time of past boots, and its price in a market of several. */
  paidMs = 0;
  paidUsd = 0;
  spotMs = 0;
  /** Boots of machines that were taken back. */
  lostBootMs = 0;
  volumeSinceMs: number | null = null;
  volumeMs = 0;
  creates = 0;
  /** When it was ordered or woken; null once it has taken calls. */
  orderedAtMs: number | null = null;
  /** From such an order until it took calls: of new machines, and of those that came back from their disk. */
  readonly newSec: number[] = [];
  readonly wokenSec: number[] = [];
  /** The stretches of time that it was billed for. */
  readonly billed: (readonly [fromMs: number, untilMs: number])[] = [];

  constructor(name: string, nowMs: number) {
    this.name = name;
    this.phaseSinceMs = nowMs;
  }

  enter(phase: InstanceView['phase'], nowMs: number): void {
    this.phase = phase;
    this.phaseSinceMs = nowMs;
  }

  startBilling(nowMs: number): void {
    this.billedSinceMs = nowMs;
    this.volumeSinceMs ??= nowMs;
  }

  stopBilling(nowMs: number): void {
    if (this.billedSinceMs !== null) {
      const ms = nowMs - this.billedSinceMs;
      this.billed.push([this.billedSinceMs, nowMs]);
      this.paidMs += ms;
      if (this.offer?.market === 'spot') this.spotMs += ms;
      this.paidUsd += ((this.offer?.priceUsdPerHour ?? 0) * ms) / 3_600_000;
    }
    this.billedSinceMs = null;
  }

  dropVolume(nowMs: number): void {
    if (this.volumeSinceMs !== null) this.volumeMs += nowMs - this.volumeSinceMs;
    this.volumeSinceMs = null;
  }

  view({ priceUsdPerHour }: MachineWorld): InstanceView {
    const ready = this.phase === 'ready';
    return {
      name: this.name,
      phase: this.phase,
      phaseSinceMs: this.phaseSinceMs,
      inFlight: ready ? this.inFlight : null,
      idleSinceMs: ready ? this.idleSinceMs : null,
      hasPolled: ready,
      billedSinceMs: this.billedSinceMs,
      priceUsdPerHour: this.offer?.priceUsdPerHour ?? priceUsdPerHour,
      models: [],
      ...(this.offer === null ? {} : { provider: this.offer.provider }),
      ...marketView(this),
      ...(this.isTakenBack ? { isTakenBack: true } : {}),
    };
  }
}

/** The market of its machine, or the one it is for while it has none. */
function marketView({ phase, offer, wanted }: Machine): Pick<InstanceView, 'market'> {
  const rented = phase === 'suspended' || phase === 'suspending' || offer === null ? wanted : offer.market;
  return rented === null ? {} : { market: rented };
}

/** The simulation as machines use it. */
export interface MachineContext {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly world: MachineWorld;
  /** Where machines are bought; absent in a world with one price. */
  readonly buyer?: Buyer;
  /** A machine changed its phase. */
  readonly changed: (machine: Machine) => void;
}

/** Buys machines in a market of several offers; see `rented.ts`. */
export interface Buyer {
  readonly create: (machine: Machine, context: MachineContext) => void;
  readonly wake: (machine: Machine, context: MachineContext) => void;
  /** A machine sleeps on its disk; otherwise nothing is left of it. */
  readonly keepsDisk: (machine: Machine) => boolean;
}

export const draw = (random: () => number, [low, high]: readonly [number, number]): number =>
  between(random, low, high);

/** Tries offers until a machine boots. */
export function create(machine: Machine, context: MachineContext): void {
  const { time, random, world, buyer } = context;
  machine.orderedAtMs ??= time.nowMs;
  machine.enter('creating', time.nowMs);
  if (buyer !== undefined) return buyer.create(machine, context);
  const attempt = (): void => {
    if (machine.phase !== 'creating') return;
    machine.creates += 1;
    if (random() < world.refusedChance) return time.at(time.nowMs + NEXT_OFFER_MS, attempt);
    machine.startBilling(time.nowMs);
    machine.enter('booting', time.nowMs);
    if (random() < world.asyncFailureChance) {
      return time.at(time.nowMs + draw(random, world.asyncFailureMs), () => {
        machine.stopBilling(time.nowMs);
        machine.dropVolume(time.nowMs);
        machine.enter('creating', time.nowMs);
        attempt();
      });
    }
    time.at(time.nowMs + draw(random, world.coldBootMs), () => becomeReady(machine, context));
  };
  attempt();
}

/** Boots a machine from its disk, or a new one if the disk's location has no stock. */
export function wake(machine: Machine, context: MachineContext): void {
  const { time, random, world } = context;
  if (machine.phase === 'suspending') {
    machine.wakeWhenAsleep = true;
    return;
  }
  if (machine.phase !== 'suspended') return;
  machine.wakeWhenAsleep = false;
  machine.orderedAtMs = time.nowMs;
  machine.enter('waking', time.nowMs);
  machine.creates += 1;
  if (context.buyer !== undefined) return context.buyer.wake(machine, context);
  if (random() < world.wakeRefusedChance) {
    machine.dropVolume(time.nowMs);
    create(machine, context);
    return;
  }
  machine.startBilling(time.nowMs);
  time.at(time.nowMs + draw(random, world.wakeMs), () => becomeReady(machine, context));
}

/** It takes work from now on. */
export function becomeReady(machine: Machine, context: MachineContext): void {
  if (machine.orderedAtMs !== null) {
    const list = machine.phase === 'waking' ? machine.wokenSec : machine.newSec;
    list.push((context.time.nowMs - machine.orderedAtMs) / 1000);
  }
  machine.orderedAtMs = null;
  machine.enter('ready', context.time.nowMs);
  machine.idleSinceMs = context.time.nowMs;
  machine.inFlight = 0;
  context.changed(machine);
}

/** Ends the machine and keeps or drops its disk. It is billed until it has ended. */
export function stop(machine: Machine, wantsDisk: boolean, context: MachineContext): void {
  const { time, world, buyer } = context;
  const keepDisk = wantsDisk && (buyer?.keepsDisk(machine) ?? true);
  if (machine.phase === 'ready') {
    machine.enter(keepDisk ? 'suspending' : 'destroying', time.nowMs);
    machine.boots += 1;
    time.at(time.nowMs + world.stopMs, () => {
      machine.stopBilling(time.nowMs);
      machine.enter(keepDisk ? 'suspended' : 'gone', time.nowMs);
      if (!keepDisk) machine.dropVolume(time.nowMs);
      if (machine.wakeWhenAsleep) wake(machine, context);
      context.changed(machine);
    });
  } else if (machine.phase === 'waking' && machine.billedSinceMs === null) machine.enter('suspended', time.nowMs);
  else if (machine.phase === 'suspended' || machine.phase === 'planned') {
    machine.dropVolume(time.nowMs);
    machine.enter('gone', time.nowMs);
    context.changed(machine);
  }
}
