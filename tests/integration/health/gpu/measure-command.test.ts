/** The measuring command in a real shell, with programs in place of the driver's: whatever becomes of one part, the others are there. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { MEASURE_COMMAND, partsOf } from '../../../../domain/health/gpu/commands.ts';
import { readMachine, type MachineReading } from '../../../../domain/health/gpu/measurement.ts';
import { folderPerFile } from '../../../../testing/per-file.ts';

const L4 = path.resolve(import.meta.dirname, '../../../fixtures/nvidia-smi/l4-555.xml');
const folder = folderPerFile();

const run = promisify(execFile);

/** What is read of a machine with this nvidia-smi and this kernel log. */
async function measured(driver: string, kernel = ''): Promise<MachineReading & { readonly exitCode: string }> {
  const bin = mkdtempSync(path.join(folder, 'bin-'));
  const programs = { 'nvidia-smi': driver, journalctl: `cat ${path.join(bin, 'log')}`, dmesg: 'exit 1' };
  writeFileSync(path.join(bin, 'log'), `${kernel}\n`);
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const { stdout } = await run('sh', ['-c', MEASURE_COMMAND], { env, maxBuffer: 10_000_000 });
  return { ...readMachine(stdout), exitCode: partsOf(stdout).get('gpu-exit') ?? '' };
}

it('a driver that answers is read whole, and its exit code with it', async () => {
  const { gpus, disk, exitCode } = await measured(`cat ${L4}`);
  expect(gpus).toMatchObject([{ name: 'NVIDIA L4', temperatureC: 45 }]);
  expect(disk?.totalBytes).toBeGreaterThan(0);
  expect(exitCode).toBe('0');
});

it('a driver that fails says why', async () => {
  const words = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  expect(await measured(`echo "${words}"; exit 9`)).toMatchObject({ gpus: null, gpuMessage: words, exitCode: '9' });
});

it('a driver that no signal reaches takes nothing else with it: what the kernel logged is there', async () => {
  // It stays behind with its output open, as a process does that the kernel holds.
  const { gpus, gpuMessage, disk } = await measured(
    'setsid sleep 40 &\necho "<nvidia_smi_log>"; exec sleep 40',
    'NVRM: Xid (PCI:0000:01:00): 119, pid=9, Timeout waiting for RPC from GSP',
  );
  expect(gpus).toMatchObject([{ xids: [119], temperatureC: null }]);
  expect(gpuMessage).toBe('nvidia-smi did not answer in time');
  expect(disk?.totalBytes).toBeGreaterThan(0);
});
