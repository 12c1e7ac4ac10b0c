/**
 * The machines behind simulated instances: their faults and shells, and the effects of a restart or reboot.
 *
 * A machine exists from the first `running` of its instance. Its faults come from the scenario, by the order in which machines start, or are
 * set while it runs. A stop and start counts as a reboot.
 */
import { ownerOf } from '../../../domain/fleet/provider/names.ts';
import type { MachineFault } from '../../machine/faults.ts';
import { answerCommand, type ShellAnswer, type ShellMachine } from '../../machine/shell.ts';
import {
  addFaults,
  bootMachine,
  isBooting,
  modelEffect,
  rebootMachine,
  restartModelServer,
  type MachineState,
} from '../../machine/state.ts';
import type { Context } from './context.ts';
import { fits } from './faults.ts';
import { CloudRefusal } from './refusal.ts';
import type { SimInstance } from './state.ts';

/** Called after a change of a machine that affects its model server. */
export type MachineListener = (instance: SimInstance) => void;

/** Compute capability of the GPUs in the catalogue, by a part of their names. */
const CAPABILITIES: readonly (readonly [RegExp, string])[] = [
  [/B300/u, '10.3'],
  [/B200/u, '10.0'],
  [/PRO 6000/u, '12.0'],
  [/H[12]00/u, '9.0'],
  [/L40S|L4$|Ada/u, '8.9'],
  [/A6000|A10G/u, '8.6'],
  [/A100/u, '8.0'],
  [/T4$/u, '7.5'],
  [/V100/u, '7.0'],
];

export class Machines {
  readonly #contextOf: () => Context;
  readonly #listeners = new Set<MachineListener>();

  constructor(contextOf: () => Context) {
    this.#contextOf = contextOf;
  }

  /** Adds a listener. Returns a function that removes it. */
  onChange(listener: MachineListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** An instance has entered `running`: creates its machine, or reboots it. */
  entered(instance: SimInstance, atMs: number): void {
    if (instance.phase !== 'running') return;
    const machines = this.#all();
    const known = machines[instance.id];
    if (known !== undefined) {
      rebootMachine(known, atMs, atMs);
      return;
    }
    const machine = bootMachine(atMs);
    machines[instance.id] = machine;
    const nth = Object.keys(machines).length;
    for (const { match, faults } of this.#contextOf().scenario.machineFaults) {
      if (!fits(match.types, instance.instanceType) || !fits(match.hostnames, instance.hostname)) continue;
      if (match.nth === undefined || [match.nth].flat().includes(nth)) addFaults(machine, faults, atMs);
    }
  }

  /** Null if the instance never ran. */
  stateOf(id: string): MachineState | null {
    return this.#all()[id] ?? null;
  }

  isBooting(id: string, atMs: number): boolean {
    const machine = this.stateOf(id);
    return machine !== null && isBooting(machine, atMs);
  }

  /** Effect of its faults on its model server, and how often that was started. */
  modelEffect(id: string, atMs: number): ReturnType<typeof modelEffect> & { readonly starts: number } {
    const machine = this.stateOf(id);
    if (machine === null) return { effect: 'none', tokensPerSecond: null, starts: 0 };
    return { ...modelEffect(machine, atMs), starts: machine.starts };
  }

  /** Adds faults to a running machine; an empty list removes all. @param idOrHostname of a running instance */
  setFaults(idOrHostname: string, faults: readonly MachineFault[], atMs: number): void {
    const instance = this.#running().find((i) => i.id === idOrHostname || i.hostname === idOrHostname);
    const machine = instance === undefined ? null : this.stateOf(instance.id);
    if (instance === undefined || machine === null) throw new CloudRefusal('unknown_instance', idOrHostname);
    if (faults.length === 0) machine.faults = [];
    addFaults(machine, faults, atMs);
    this.#tell(instance);
  }

  /**
   * Runs a command on the machine of one of Deckhand's instances. While an old machine of that name ends there may be several: then on the one
   * with the given model server, else on the newest.
   */
  run(
    target: { readonly installationId: string; readonly instance: string; readonly modelUrl: string },
    command: string,
    atMs: number,
  ): ShellAnswer {
    const named = this.#running()
      .filter((i) => ownerOf(i.hostname, target.installationId)?.instance === target.instance)
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs);
    const instance = named.find((i) => i.modelUrl === target.modelUrl) ?? named[0];
    const state = instance === undefined ? null : this.stateOf(instance.id);
    if (instance === undefined || state === null) return { kind: 'no_answer' };
    const answer = answerCommand(this.#shellMachine(instance, state), command, atMs);
    if (answer.kind === 'restart') {
      restartModelServer(state, atMs);
      this.#tell(instance);
    }
    if (answer.kind === 'reboot') this.reboot(instance, atMs);
    return answer;
  }

  /** Reboots the machine of an instance that runs. */
  reboot(instance: SimInstance, atMs: number): void {
    const state = this.stateOf(instance.id);
    if (state === null || instance.phase !== 'running') return;
    const [bootSec] = this.#contextOf().scenario.boot.startSec;
    rebootMachine(state, atMs, atMs + bootSec * 1000);
    this.#tell(instance);
  }

  #shellMachine(instance: SimInstance, state: MachineState): ShellMachine {
    const { catalogue, scenario } = this.#contextOf();
    const { name = 'GPU', vramGib = 0 } = catalogue.types.get(instance.instanceType) ?? {};
    const count = instance.gpuCount;
    return {
      state,
      gpus: { name, count, vramGibEach: count === 0 ? 0 : vramGib / count },
      capability: CAPABILITIES.find(([pattern]) => pattern.test(name))?.[1] ?? '8.0',
      parallel: scenario.modelServer.parallel,
      vllm: instance.vllm,
      ...(scenario.spot.noticeSec === 0
        ? {}
        : { notice: { protocol: scenario.spot.noticeBy, endsAtMs: instance.evictsAtMs ?? null } }),
    };
  }

  #running(): SimInstance[] {
    return Object.values(this.#contextOf().state.instances).filter((i) => i.phase === 'running');
  }

  #all(): Record<string, MachineState> {
    return this.#contextOf().state.machines;
  }

  #tell(instance: SimInstance): void {
    for (const listener of this.#listeners) listener(instance);
  }
}
