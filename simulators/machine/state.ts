/**
 * A simulated machine: which faults it has and had, and since when it runs. Plain JSON; nothing here waits.
 */
import { effectOf, isHealedBy, type MachineFault, type ModelEffect } from './faults.ts';

/** A fault of a machine, past, present or to come. */
export interface FaultRecord {
  readonly fault: MachineFault;
  /** It is there from here on; a reboot that does not help logs it anew. */
  fromMs: number;
  /** It passes by itself; null = it does not. */
  readonly untilMs: number | null;
  healedAtMs: number | null;
}

export interface MachineState {
  bootedAtMs: number;
  /** It boots until then and answers nothing; null = it runs. */
  rebootingUntilMs: number | null;
  /** Counts the starts of its model server. */
  starts: number;
  faults: FaultRecord[];
}

export const bootMachine = (atMs: number): MachineState => ({
  bootedAtMs: atMs,
  rebootingUntilMs: null,
  starts: 0,
  faults: [],
});

/** Adds faults, counted from `atMs`. */
export function addFaults(machine: MachineState, faults: readonly MachineFault[], atMs: number): void {
  for (const fault of faults) {
    const fromMs = atMs + fault.afterSec * 1000;
    const untilMs = fault.forSec === undefined ? null : fromMs + fault.forSec * 1000;
    machine.faults.push({ fault, fromMs, untilMs, healedAtMs: null });
  }
}

const isActive = ({ fromMs, untilMs, healedAtMs }: FaultRecord, atMs: number): boolean =>
  fromMs <= atMs && (untilMs === null || atMs < untilMs) && healedAtMs === null;

/** Faults that are there now. */
export const activeFaults = (machine: MachineState, atMs: number): MachineFault[] =>
  machine.faults.filter((record) => isActive(record, atMs)).map(({ fault }) => fault);

/** Errors that the kernel logged since it booted, oldest first. */
export const loggedXids = (machine: MachineState, atMs: number): { readonly xid: number; readonly gpu: number }[] =>
  machine.faults
    .filter(({ fromMs }) => fromMs >= machine.bootedAtMs && fromMs <= atMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .flatMap(({ fault }) => (fault.kind === 'xid' ? [{ xid: fault.xid, gpu: fault.gpu }] : []));

export const isBooting = (machine: MachineState, atMs: number): boolean =>
  machine.rebootingUntilMs !== null && atMs < machine.rebootingUntilMs;

function heal(machine: MachineState, remedy: 'restart' | 'reboot', atMs: number): void {
  for (const record of machine.faults) {
    if (isActive(record, atMs) && isHealedBy(record.fault, remedy)) record.healedAtMs = atMs;
  }
  machine.starts += 1;
}

/** Its model server starts anew. */
export const restartModelServer = (machine: MachineState, atMs: number): void => heal(machine, 'restart', atMs);

/** It boots until `upAtMs`. What a reboot does not end is there again, and is logged again. */
export function rebootMachine(machine: MachineState, atMs: number, upAtMs: number): void {
  heal(machine, 'reboot', atMs);
  machine.bootedAtMs = upAtMs;
  machine.rebootingUntilMs = upAtMs;
  for (const record of machine.faults) if (isActive(record, atMs)) record.fromMs = upAtMs;
}

/** What its faults make of its model server. */
export function modelEffect(
  machine: MachineState,
  atMs: number,
): { effect: ModelEffect; tokensPerSecond: number | null } {
  const faults = activeFaults(machine, atMs);
  const effects = faults.map(effectOf);
  const effect = effects.includes('wedged') ? 'wedged' : effects.includes('cpu_only') ? 'cpu_only' : 'none';
  const paces = faults.flatMap((fault) => (fault.kind === 'slow' ? [fault.tokensPerSecond] : []));
  return { effect, tokensPerSecond: paces.length === 0 ? null : Math.min(...paces) };
}
