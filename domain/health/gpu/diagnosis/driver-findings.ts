/**
 * Driver, kernel module and CUDA: is there a driver, does it work, does Ollama take it?
 */
import { COMPATIBILITY_SOURCES, cudaBuildFor, driverBranch, installDriver, OLLAMA_DRIVERS } from './compatibility.ts';
import type { ServerKind } from '../../../models/server-kind.ts';
import type { AmdReport } from '../amd.ts';
import type { DiagnosisFacts, MachineFacts } from './facts.ts';
import { findingsIn, type GpuFinding } from './finding.ts';
import { capabilityOf } from './gpu-findings.ts';

const { ok, warn, fail, skipped } = findingsIn('driver');

export function driverFindings({ machine, machineMessage, server }: DiagnosisFacts): GpuFinding[] {
  if (machine === null) {
    if (machineMessage !== null)
      return [
        fail(
          'machine',
          `no command could be run on it: ${machineMessage}`,
          'Log in by hand to see whether it is up; reboot it when it does not answer, and replace it when that does not help.',
        ),
      ];
    return [skipped('driver', 'not looked at: the server is reached by URL, and no command can be run there')];
  }
  const { driver } = machine;
  if (!driver.answered) {
    // Rules need no GPU; a machine without one is as it should be.
    if (server.isReader) return [skipped('driver', `${driver.message}; the built-in reader needs no GPU`)];
    if (machine.amd !== null) return [ofAmd(machine.amd)];
    return [fail('driver', driver.message, fixOfDriver(driver.message))];
  }
  return [
    driver.driverVersion === null
      ? skipped('driver', 'the driver answers and does not say its version')
      : driverVersion(driver.driverVersion, driver.cudaVersion, machine, server.kind),
    kernelModule(driver.driverVersion, machine),
    unifiedMemory(machine),
  ].filter((finding) => finding !== null);
}

/** Such a machine may answer all the same, as a server that people run themselves. */
const ofAmd = ({ driver, rocm }: AmdReport): GpuFinding =>
  warn(
    'driver',
    `AMD’s (amdgpu ${driver ?? 'of unknown version'}, ROCm ${rocm ?? 'of unknown version'}), which Deckhand does not look into: readiness, health and this diagnosis read NVIDIA’s`,
    'Deckhand rents no GPU of AMD. A server on this one is used by its address (OLLAMA_HOST, DECKHAND_STATIC_HOSTS) and watched by its answers alone; see below which engines run on it.',
  );

function fixOfDriver(message: string): string {
  if (/not there|no driver/iu.test(message))
    return `${installDriver(OLLAMA_DRIVERS.asked)} A rented machine: take an image that has one.`;
  if (/version mismatch/iu.test(message))
    return 'The driver was updated under the loaded kernel module: reboot, or unload and load the nvidia modules.';
  if (/did not answer in time/iu.test(message)) return 'The driver hangs over a GPU: reboot the machine.';
  if (/couldn't communicate/iu.test(message))
    return 'The kernel module is not loaded: `modprobe nvidia`; after a new kernel reinstall the driver’s DKMS package; with Secure Boot sign it.';
  return 'See `dmesg | grep NVRM` on the machine; a reboot loads the driver anew.';
}

function driverVersion(version: string, cuda: string | null, machine: MachineFacts, kind: ServerKind): GpuFinding {
  const branch = driverBranch(version) ?? 0;
  const named = `${version}${cuda === null ? '' : `, CUDA up to ${cuda}`}`;
  // The needs of other servers are said of each engine below.
  if (kind !== 'ollama') return ok('driver', named);
  const capabilities = machine.driver.answered ? machine.driver.gpus.map((gpu) => capabilityOf(machine, gpu)) : [];
  const known = capabilities.filter((capability) => capability !== null);
  const upgrade = (least: number): string => `${installDriver(least)} ${COMPATIBILITY_SOURCES.ollama}`;
  if (branch < OLLAMA_DRIVERS.least)
    return fail(
      'driver',
      `${named}: too old for Ollama, which falls back to the CPU without a word`,
      upgrade(OLLAMA_DRIVERS.asked),
    );
  const { upToCapability, leastForThose } = OLLAMA_DRIVERS;
  if (branch < leastForThose && known.some((capability) => capability <= upToCapability))
    return fail(
      'driver',
      `${named}: GPUs up to compute capability ${upToCapability} need ${leastForThose}`,
      upgrade(leastForThose),
    );
  if (branch < OLLAMA_DRIVERS.asked)
    return warn('driver', `${named}: Ollama asks for ${OLLAMA_DRIVERS.asked}`, upgrade(OLLAMA_DRIVERS.asked));
  const least = known.length === 0 ? null : Math.min(...known);
  const build = least === null ? null : cudaBuildFor(branch, least);
  return ok('driver', build === null ? named : `${named}; Ollama’s ${build.library} runs on it`);
}

function kernelModule(driverVersion: string | null, { kernelModule: { version, isOpen } }: MachineFacts): GpuFinding {
  if (version === null) return skipped('kernel module', 'its version cannot be read here');
  const named = `${version}, ${isOpen ? 'open' : 'proprietary'}`;
  if (driverVersion !== null && version !== driverVersion)
    return fail(
      'kernel module',
      `${named}, while the driver is ${driverVersion}`,
      'Reboot: the driver was updated and its module was not loaded yet.',
    );
  return ok('kernel module', named);
}

/** CUDA needs it and nvidia-smi does not: without it everything looks well and models run on the CPU. */
function unifiedMemory({ kernelModule: { loaded } }: MachineFacts): GpuFinding | null {
  if (loaded === null || !loaded.includes('nvidia')) return null;
  if (loaded.includes('nvidia_uvm')) return ok('unified memory', 'nvidia_uvm is loaded');
  return warn(
    'unified memory',
    'nvidia_uvm is not loaded; CUDA loads it when it may',
    'If models run on the CPU: `modprobe nvidia_uvm`. After a suspend `rmmod nvidia_uvm && modprobe nvidia_uvm` helps.',
  );
}
