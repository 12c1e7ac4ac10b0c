/**
 * A pool of instances with their health on virtual time: lives interpreted over simulated providers, a health loop for each, and the pool's
 * part of it, as the workflows put them together. What goes wrong with a machine is given as data.
 */
import { expect } from 'vitest';
import { healthAct, healthSubject, type HealthAct } from '../../domain/fleet/instance-life/health-subject.ts';
import type { InstanceState, Machine } from '../../domain/fleet/instance-life/types.ts';
import {
  largestQuarantine,
  quarantine,
  type QuarantineAsk,
  type HealthView,
  type JudgedInstance,
  type Quarantines,
} from '../../domain/fleet/pool/quarantine.ts';
import { FaultyMachine, type MachineFault, type Traffic } from './faulty-machine.ts';
import { VirtualHealth } from './virtual-health.ts';
import type { Proof } from './virtual-gateway.ts';
import { VirtualInstance } from './virtual-instance.ts';
import { fixedLadder, simulatedOffer } from './virtual-ladder.ts';

/** What ends a fault; a fault of the place comes back with every machine there. */
export interface FixedBy {
  readonly restart?: boolean;
  readonly reboot?: boolean;
}

export interface HealthPoolOptions {
  readonly count: number;
  readonly traffic?: Traffic;
  /** The most instances of the pool; as many as there are by default. */
  readonly max?: number;
  readonly work?: boolean;
}

/** An act with its instance and time. */
export interface HealthPoolAct extends HealthAct {
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
class PoolMember {
  readonly life: VirtualInstance;
  readonly machines = new Map<string, FaultyMachine>();
  health: VirtualHealth | null = null;
  /** When its level changed, and to what. */
  sinceMs = 0;
  level = 'healthy';
  failure: string | null = null;
  fixedBy: FixedBy = {};
  /** Nothing is to be had any more. */
  isSoldOut = false;
  readonly #traffic: Traffic;
  #standing: ReturnType<typeof healthSubject> | null = null;
  #before: InstanceState;
  #isRebooted = false;
  /** The machine that is judged. */
  #healthOf: string | null = null;
  readonly #acts: HealthPoolAct[];

  constructor(name: string, traffic: Traffic, acts: HealthPoolAct[]) {
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
  get machine(): FaultyMachine | null {
    const id = this.life.state.machine?.providerId;
    return id === undefined ? null : this.#machineOf(id);
  }

  get isLookedAt(): boolean {
    return this.#standing !== null && this.#standing.mode !== 'away';
  }

  /** As the pool's look shows it. */
  get judged(): JudgedInstance {
    const { name, phase, phaseSinceMs } = this.life.state;
    const state = this.health?.state;
    const health: HealthView | null =
      state === undefined || (phase !== 'ready' && phase !== 'cordoned')
        ? null
        : { level: state.level, failure: state.failure, reason: state.reason, sinceMs: state.sinceMs };
    return { name, phase, phaseSinceMs, health, isHeld: false };
  }

  #machineOf(id: string): FaultyMachine {
    const known = this.machines.get(id);
    if (known !== undefined) return known;
    const machine = new FaultyMachine({ traffic: this.#traffic });
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
    const standing = healthSubject(state);
    const before = this.#standing;
    this.#standing = standing;
    if (standing.mode === 'away') return;
    this.health?.skipTo(nowMs);
    if (standing.mode !== 'serving' || (before?.mode === 'serving' && before.machine === standing.machine)) return;
    const machine = this.machine;
    if (machine === null) return;
    if (this.health === null || this.#healthOf !== standing.machine) this.health = new VirtualHealth(machine, nowMs);
    else this.health.passCheck(nowMs, { isSameMachine: true, isRebooted: this.#isRebooted });
    this.#healthOf = standing.machine;
    this.#isRebooted = false;
  }

  #proof(machine: Machine): Proof | null {
    const { fault } = this.#machineOf(machine.providerId);
    switch (fault?.kind) {
      case 'wedged':
        return { failure: 'timeout' };
      case 'cpu':
        return { failure: 'cpu_only' };
      case 'no_gpu':
        return { failure: 'no_gpu' };
      case 'xid':
        return fault.xid === 79 ? { failure: 'no_gpu' } : null;
      default:
        return null;
    }
  }

  #touched(machine: Machine, how: 'restart' | 'reboot'): void {
    const faulty = this.#machineOf(machine.providerId);
    if (how === 'reboot') faulty.reboot();
    if (this.fixedBy[how] === true) faulty.setFault(null, this.life.nowMs);
    // What is not fixed shows again in the log of the next boot.
    else if (how === 'reboot' && faulty.fault?.kind === 'xid') faulty.log.push(faulty.fault.xid);
  }
}

export class VirtualHealthPool {
  readonly members: readonly PoolMember[];
  readonly acts: HealthPoolAct[] = [];
  quarantines: Quarantines = {};
  /** Most instances that were quarantined at the same time. */
  mostOut = 0;
  readonly #options: HealthPoolOptions;
  #lookedAtMs = 0;

  constructor(options: HealthPoolOptions) {
    this.#options = options;
    const traffic = options.traffic ?? { kind: 'busy', inFlight: 2, callMs: 20_000 };
    this.members = Array.from(
      { length: options.count },
      (_, n) => new PoolMember(`visual-${n + 1}`, traffic, this.acts),
    );
  }

  get nowMs(): number {
    return this.members[0]?.life.nowMs ?? 0;
  }

  member(index: number): PoolMember {
    const member = this.members[index];
    if (member === undefined) throw new Error(`there is no instance ${index}`);
    return member;
  }

  /** Boots all. */
  async open(): Promise<void> {
    await this.runUntil(() => this.members.every((member) => member.life.state.phase === 'ready'));
  }

  /** Something goes wrong with an instance's present machine. */
  setFault(index: number, fault: MachineFault | null, fixedBy: FixedBy = {}): void {
    const member = this.member(index);
    member.fixedBy = fixedBy;
    member.machine?.setFault(fault, this.nowMs);
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
    return this.members.map((member) => `${member.life.state.name} ${member.life.describe()}`).join('\n');
  }

  async #step(): Promise<void> {
    const untilMs = this.nowMs + STEP_MS;
    for (const member of this.members) {
      await member.life.runFor(STEP_MS);
      if (member.isLookedAt) member.health?.runUntil(untilMs);
    }
    if (untilMs - this.#lookedAtMs >= POOL_MS) this.#look(untilMs);
  }

  /** The pool's look: the guard holds at every one. */
  #look(atMs: number): void {
    this.#lookedAtMs = atMs;
    const instances = this.members.map((member) => member.judged);
    const awake = instances.filter((p) => p.phase === 'ready' || this.quarantines[p.name] !== undefined).length;
    const plan = quarantine({
      atMs,
      instances,
      quarantines: this.quarantines,
      excused: {},
      isFull: this.members.length >= (this.#options.max ?? this.members.length),
      mayPutToSleep: this.#options.work === false,
    });
    this.quarantines = plan.quarantines;
    const out = Object.keys(plan.quarantines).length;
    this.mostOut = Math.max(this.mostOut, out);
    expect(out).toBeLessThanOrEqual(largestQuarantine(awake));
    for (const ask of plan.asks) this.#ask(ask);
  }

  #ask({ instance, request, ...why }: QuarantineAsk): void {
    const life = this.members.find((member) => member.life.state.name === instance)?.life;
    if (request === 'suspend') life?.request('suspend');
    else life?.askForHealth({ request, ...why });
  }
}
