/**
 * Identity of a process: its pid and its start time.
 *
 * Pids are reused, so a pid alone does not identify a process. The pair shows whether the process with a pid is still the one that was
 * started, so that no other process is ended.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process, named so that it cannot be confused with a later one of the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; compared for equality only. Linux: clock ticks since boot. Elsewhere: what `ps` prints. */
  readonly startTime: string;
}

interface ProcStat {
  readonly state: string;
  readonly startTime: string;
}

/** Reads state and start time from /proc; undefined where there is no such process. */
function readProcStat(pid: number): ProcStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets; fields are counted from behind its closing bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTime] = [fields[0], fields[19]];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined;
  }
}

/** Start time of a live process, undefined if there is none with this pid. A zombie counts as gone. */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readProcStat(pid);
    return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.startTime;
  }
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return text === '' || /\sZ\S*$/.test(text) ? undefined : text.replace(/\s+\S+$/, '');
  } catch {
    return undefined;
  }
}

/**
 * True for a process that has ended but was not yet collected by its parent. Signals to it succeed, so software that asks `kill(pid, 0)`
 * takes it for a living one. Linux only: elsewhere false.
 */
export function isZombie(pid: number): boolean {
  return process.platform === 'linux' && readProcStat(pid)?.state === 'Z';
}

/** Identity of a live process, undefined if there is none with this pid. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTime = startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** True while exactly this process lives. */
export function isSameProcessAlive(identity: ProcessIdentity): boolean {
  return startTimeOf(identity.pid) === identity.startTime;
}

/** Sends a signal to exactly this process; does nothing if it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isSameProcessAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    // ESRCH: it ended between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until the process is gone; false if it still lives after `timeoutMs`. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isSameProcessAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Asks a process to end, and ends it by force after `graceMs`. */
export async function endProcess(identity: ProcessIdentity, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  signalProcess(identity, signal);
  if (await waitUntilGone(identity, graceMs)) return;
  signalProcess(identity, 'SIGKILL');
  await waitUntilGone(identity, 2_000);
}
