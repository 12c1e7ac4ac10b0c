/**
 * A pool of instances with their health on virtual time: lives interpreted over simulated providers, a health loop for each, and the pool's
 * part of it, as the workflows put them together. What goes wrong with a machine is given as data.
 */
import { expect } from 'vitest';
import { healthAct, healthStanding, type HealthAct } from '../../domain/fleet/instance-life/health-standing.ts';
import type { InstanceState, Machine } from '../../domain/fleet/instance-life/types.ts';
import {
  largestQuarantine,
  quarantine,
  type HealthAsk,
  type HealthView,
  type Patient,
  type Quarantines,
} from '../../domain/health/quarantine.ts';
import { SickMachine, type Sickness, type Traffic } from './sick-machine.ts';
import { VirtualHealth } from './virtual-health.ts';
import type { Proof } from './virtual-gateway.ts';
import { VirtualInstance } from './virtual-instance.ts';
import { fixedLadder, simulatedOffer } from './virtual-ladder.ts';

/** What ends a sickness; a sickness of the place comes back with every machine there. */
export interface Cure {
  readonly restart?: boolean;
  readonly reboot?: boolean;
}

export interface ClinicOptions {
  readonly count: number;
  readonly traffic?: Traffic;
  /** The most instances of the pool; as many as there are by default. */
  readonly max?: number;
  readonly work?: boolean;
}

/** An act with its instance and time. */
export interface ClinicAct extends HealthAct {
  readonly atMs: number;
  readonly instance: string;
}

const STEP_MS = 1_000;
/** The pool looks this often. */
const POOL_MS = 5_000;

const LADDER = fixedLadder([
  simulatedOffer('1H100.80S.30V', 'FIN-01'),
  simulatedOffer('1A100.22V', 'FIN-02'),
  simulatedOffer('1L40S.20V', 'FIN-03'),
]);

const SOLD_OUT = fixedLadder([]);

/** One instance. */
class Bed {
  readonly life: VirtualInstance;
  readonly machines = new Map<string, SickMachine>();
  health: VirtualHealth | null = null;
  /** When its level changed, and to what. */
  sinceMs = 0;
  level = 'healthy';
  failure: string | null = null;
  cure: Cure = {};
  /** Nothing is to be had any more. */
  isSoldOut = false;
  readonly #traffic: Traffic;
  #standing: ReturnType<typeof healthStanding> | null = null;
  #before: InstanceState;
  #isRebooted = false;
  /** The machine that is judged. */
  #healthOf: string | null = null;
  readonly #acts: ClinicAct[];

  constructor(name: string, traffic: Traffic, acts: ClinicAct[]) {
    this.#traffic = traffic;
    this.#acts = acts;
    this.life = new VirtualInstance({
      name,
      rank: (provider) => {
        const [stocked, soldOut] = [LADDER(provider), SOLD_OUT(provider)];
        return (...asked) => (this.isSoldOut ? soldOut : stocked)(...asked);
      },
      scenario: { boot: { orderedSec: [1, 5], provisioningSec: [5, 30] }, rateLimits: null },
      check: (life) => this.#follow(life),
    });
    this.#before = this.life.state;
    this.life.gateway.consult = (machine) => this.#proof(machine);
    this.life.gateway.onTouched = (machine, how) => this.#touched(machine, how);
  }

  /** The machine it has; null while it has none. */
  get machine(): SickMachine | null {
    const id = this.life.state.machine?.providerId;
    return id === undefined ? null : this.#machineOf(id);
  }

  get isLookedAt(): boolean {
    return this.#standing !== null && this.#standing.mode !== 'away';
  }

  /** As the pool's look shows it. */
  get patient(): Patient {
    const { name, phase, phaseSinceMs } = this.life.state;
    const state = this.health?.state;
    const health: HealthView | null =
      state === undefined || (phase !== 'ready' && phase !== 'cordoned')
        ? null
        : { level: state.level, failure: state.failure, reason: state.reason, sinceMs: state.sinceMs };
    return { name, phase, phaseSinceMs, health, isHeld: false };
  }

  #machineOf(id: string): SickMachine {
    const known = this.machines.get(id);
    if (known !== undefined) return known;
    const machine = new SickMachine({ traffic: this.#traffic });
    this.machines.set(id, machine);
    return machine;
  }

  #follow(life: VirtualInstance): void {
    const { state, nowMs } = life;
    const act = healthAct(this.#before, state);
    this.#before = state;
    if (act !== null) {
      this.#acts.push({ ...act, atMs: nowMs, instance: state.name });
      this.#isRebooted ||= act.action === 'reboot';
    }
    const standing = healthStanding(state);
    const before = this.#standing;
    this.#standing = standing;
    if (standing.mode === 'away') return;
    this.health?.skipTo(nowMs);
    if (standing.mode !== 'serving' || (before?.mode === 'serving' && before.machine === standing.machine)) return;
    const machine = this.machine;
    if (machine === null) return;
    if (this.health === null || this.#healthOf !== standing.machine) this.health = new VirtualHealth(machine, nowMs);
    else this.health.prove(nowMs, { isSameMachine: true, isRebooted: this.#isRebooted });
    this.#healthOf = standing.machine;
    this.#isRebooted = false;
  }

  #proof(machine: Machine): Proof | null {
    const { sickness } = this.#machineOf(machine.providerId);
    switch (sickness?.kind) {
      case 'wedged':
        return { failure: 'timeout' };
      case 'cpu':
        return { failure: 'cpu_only' };
      case 'no_gpu':
        return { failure: 'no_gpu' };
      case 'xid':
        return sickness.xid === 79 ? { failure: 'no_gpu' } : null;
      default:
        return null;
    }
  }

  #touched(machine: Machine, how: 'restart' | 'reboot'): void {
    const sick = this.#machineOf(machine.providerId);
    if (how === 'reboot') sick.reboot();
    if (this.cure[how] === true) sick.fall(null, this.life.nowMs);
    // What is not cured shows again in the log of the next boot.
    else if (how === 'reboot' && sick.sickness?.kind === 'xid') sick.log.push(sick.sickness.xid);
  }
}

/** See the file's header. */
export class VirtualClinic {
  readonly beds: readonly Bed[];
  readonly acts: ClinicAct[] = [];
  quarantines: Quarantines = {};
  /** Most instances that were out of service at the same time. */
  mostOut = 0;
  readonly #options: ClinicOptions;
  #lookedAtMs = 0;

  constructor(options: ClinicOptions) {
    this.#options = options;
    const traffic = options.traffic ?? { kind: 'busy', inFlight: 2, callMs: 20_000 };
    this.beds = Array.from({ length: options.count }, (_, n) => new Bed(`visual-${n + 1}`, traffic, this.acts));
  }

  get nowMs(): number {
    return this.beds[0]?.life.nowMs ?? 0;
  }

  bed(index: number): Bed {
    const bed = this.beds[index];
    if (bed === undefined) throw new Error(`there is no instance ${index}`);
    return bed;
  }

  /** Boots all. */
  async open(): Promise<void> {
    await this.runUntil(() => this.beds.every((bed) => bed.life.state.phase === 'ready'));
  }

  /** Something goes wrong with an instance's present machine. */
  fall(index: number, sickness: Sickness | null, cure: Cure = {}): void {
    const bed = this.bed(index);
    bed.cure = cure;
    bed.machine?.fall(sickness, this.nowMs);
  }

  async runFor(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    while (this.nowMs < endMs) await this.#step();
  }

  /** Lets time pass until the condition holds. @throws Error when it does not within the limit */
  async runUntil(condition: () => boolean, limitMs = 3 * 3_600_000): Promise<void> {
    const endMs = this.nowMs + limitMs;
    while (!condition()) {
      if (this.nowMs > endMs) throw new Error(this.describe());
      await this.#step();
    }
  }

  describe(): string {
    return this.beds.map((bed) => `${bed.life.state.name} ${bed.life.describe()}`).join('\n');
  }

  async #step(): Promise<void> {
    const untilMs = this.nowMs + STEP_MS;
    for (const bed of this.beds) {
      await bed.life.runFor(STEP_MS);
      if (bed.isLookedAt) bed.health?.runUntil(untilMs);
    }
    if (untilMs - this.#lookedAtMs >= POOL_MS) this.#look(untilMs);
  }

  /** The pool's look: the guard holds at every one. */
  #look(atMs: number): void {
    this.#lookedAtMs = atMs;
    const patients = this.beds.map((bed) => bed.patient);
    const awake = patients.filter((p) => p.phase === 'ready' || this.quarantines[p.name] !== undefined).length;
    const plan = quarantine({
      atMs,
      patients,
      quarantines: this.quarantines,
      excused: {},
      isFull: this.beds.length >= (this.#options.max ?? this.beds.length),
      mayPutToSleep: this.#options.work === false,
    });
    this.quarantines = plan.quarantines;
    const out = Object.keys(plan.quarantines).length;
    this.mostOut = Math.max(this.mostOut, out);
    expect(out).toBeLessThanOrEqual(largestQuarantine(awake));
    for (const ask of plan.asks) this.#ask(ask);
  }

  #ask({ instance, request, ...why }: HealthAsk): void {
    const life = this.beds.find((bed) => bed.life.state.name === instance)?.life;
    if (request === 'suspend') life?.request('suspend');
    else life?.askForHealth({ request, ...why });
  }
}
