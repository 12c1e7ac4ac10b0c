/**
 * A compact model of rented machines: boots that take minutes or fail, wakes from a kept disk, suspends, and what all of it costs.
 *
 * The life of an instance is that of the product in outline only; what is decided about it is decided by the product.
 */
import type { InstanceView } from '../../domain/fleet/pool/pool.ts';
import { between } from './decks.ts';
import type { VirtualTime } from './events.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How machines behave; times as ranges in ms, chances per create or wake. */
export interface MachineWorld {
  readonly priceUsdPerHour: number;
  readonly volumeUsdPerHour: number;
  readonly slots: number;
  /** From the accepted create to the first call, models pulled. */
  readonly coldBootMs: readonly [number, number];
  /** From the accepted create on a kept disk to the first call. */
  readonly wakeMs: readonly [number, number];
  /** An offer has no stock and says so at once. */
  readonly refusedChance: number;
  /** A create is accepted and turns to an error for lack of stock. */
  readonly asyncFailureChance: number;
  readonly asyncFailureMs: readonly [number, number];
  /** The location of a kept disk has no stock. */
  readonly wakeRefusedChance: number;
  /** From the request to the end of billing. */
  readonly stopMs: number;
}

/** The world of the benchmark: cold boots of 5–10 min, wakes of 2–3 min. */
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

/** One machine, with its bill. */
export class Machine {
  readonly name: string;
  phase: InstanceView['phase'] = 'planned';
  phaseSinceMs: number;
  inFlight = 0;
  idleSinceMs: number | null = null;
  billedSinceMs: number | null = null;
  wakeWhenAsleep = false;
  /** Seconds paid so far, of past boots. */
  paidMs = 0;
  volumeSinceMs: number | null = null;
  volumeMs = 0;
  creates = 0;

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
    if (this.billedSinceMs !== null) this.paidMs += nowMs - this.billedSinceMs;
    this.billedSinceMs = null;
  }

  dropVolume(nowMs: number): void {
    if (this.volumeSinceMs !== null) this.volumeMs += nowMs - this.volumeSinceMs;
    this.volumeSinceMs = null;
  }

  view({ priceUsdPerHour, slots }: MachineWorld): InstanceView {
    const ready = this.phase === 'ready';
    return {
      name: this.name,
      phase: this.phase,
      phaseSinceMs: this.phaseSinceMs,
      inFlight: ready ? this.inFlight : null,
      idleSinceMs: ready ? this.idleSinceMs : null,
      hasPolled: ready,
      billedSinceMs: this.billedSinceMs,
      priceUsdPerHour,
      slots,
      models: [],
    };
  }
}

/** What moves machines along. */
interface Yard {
  readonly time: VirtualTime;
  readonly random: () => number;
  readonly world: MachineWorld;
  /** A machine changed its phase. */
  readonly changed: (machine: Machine) => void;
}

const draw = (random: () => number, [low, high]: readonly [number, number]): number => between(random, low, high);

/** Walks the ladder until a machine boots. */
export function create(machine: Machine, yard: Yard): void {
  const { time, random, world } = yard;
  machine.enter('creating', time.nowMs);
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
    time.at(time.nowMs + draw(random, world.coldBootMs), () => becomeReady(machine, yard));
  };
  attempt();
}

/** Boots a machine from its disk, or a new one where the disk's location is sold out. */
export function wake(machine: Machine, yard: Yard): void {
  const { time, random, world } = yard;
  if (machine.phase === 'suspending') {
    machine.wakeWhenAsleep = true;
    return;
  }
  if (machine.phase !== 'suspended') return;
  machine.wakeWhenAsleep = false;
  machine.enter('waking', time.nowMs);
  machine.creates += 1;
  if (random() < world.wakeRefusedChance) {
    machine.dropVolume(time.nowMs);
    create(machine, yard);
    return;
  }
  machine.startBilling(time.nowMs);
  time.at(time.nowMs + draw(random, world.wakeMs), () => becomeReady(machine, yard));
}

function becomeReady(machine: Machine, yard: Yard): void {
  machine.enter('ready', yard.time.nowMs);
  machine.idleSinceMs = yard.time.nowMs;
  machine.inFlight = 0;
  yard.changed(machine);
}

/** Ends the machine, keeping its disk or not. It is paid until that is done. */
export function stop(machine: Machine, keepDisk: boolean, yard: Yard): void {
  const { time, world } = yard;
  if (machine.phase === 'ready') {
    machine.enter(keepDisk ? 'suspending' : 'destroying', time.nowMs);
    time.at(time.nowMs + world.stopMs, () => {
      machine.stopBilling(time.nowMs);
      machine.enter(keepDisk ? 'suspended' : 'gone', time.nowMs);
      if (!keepDisk) machine.dropVolume(time.nowMs);
      if (machine.wakeWhenAsleep) wake(machine, yard);
      yard.changed(machine);
    });
  } else if (machine.phase === 'suspended' || machine.phase === 'planned') {
    machine.dropVolume(time.nowMs);
    machine.enter('gone', time.nowMs);
    yard.changed(machine);
  }
}
