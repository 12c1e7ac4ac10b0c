/**
 * How much memory a process really uses, looked at from outside.
 *
 * An address-space limit would be simpler, but V8 and WebAssembly reserve far more address space than they use.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Linux counts in pages of 4 KiB on every machine Node is released for, except some arm64 kernels; there this errs to the low side. */
const PAGE_BYTES = 4096;

/** Resident bytes of a process; 0 when it is gone or the platform does not say. */
export function residentBytes(pid: number | undefined): number {
  if (pid === undefined) return 0;
  return process.platform === 'linux' ? residentFromProc(pid) : residentFromPs(pid);
}

function residentFromProc(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch {
    // The process ended between two looks, which its own exit reports.
    return 0;
  }
}

/** macOS and the BSDs; where there is no `ps`, only the time limits are left. */
function residentFromPs(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8', timeout: 1000 });
  return Number.parseInt(stdout ?? '', 10) * 1024 || 0;
}
