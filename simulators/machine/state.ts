/** State of a simulated machine: its past and present faults, and its boots. Plain JSON; nothing here waits. */
import { effectOf, isHealedBy, type MachineFault, type ModelEffect } from './faults.ts';

/** A past, present or future fault of a machine. */
export interface FaultRecord {
  readonly fault: MachineFault;
  /** Start of the fault; a reboot that does not help moves it to the end of the reboot, so that it is logged again. */
  fromMs: number;
  /** End without a remedy; null = none. */
  readonly untilMs: number | null;
  healedAtMs: number | null;
}

export interface MachineState {
  bootedAtMs: number;
  /** End of the boot, during which it does not answer; null = it runs. */
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

/** Faults that are active at `atMs`. */
export const activeFaults = (machine: MachineState, atMs: number): MachineFault[] =>
  machine.faults.filter((record) => isActive(record, atMs)).map(({ fault }) => fault);

/** XID errors in the kernel log since the boot, oldest first. */
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

/** Restarts the model server, which ends some faults. */
export const restartModelServer = (machine: MachineState, atMs: number): void => heal(machine, 'restart', atMs);

/** Reboots the machine until `upAtMs`. Faults that a reboot does not end are active and logged again after it. */
export function rebootMachine(machine: MachineState, atMs: number, upAtMs: number): void {
  heal(machine, 'reboot', atMs);
  machine.bootedAtMs = upAtMs;
  machine.rebootingUntilMs = upAtMs;
  for (const record of machine.faults) if (isActive(record, atMs)) record.fromMs = upAtMs;
}

/** Effect of its faults on its model server. */
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
