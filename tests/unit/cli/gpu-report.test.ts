/**
 * The report on a GPU as it stands in a terminal.
 */
import { expect, it } from 'vitest';
import { renderDiagnosis } from '../../../cli/doctor/gpu-report.ts';
import type { GpuDiagnosis } from '../../../domain/health/gpu/diagnosis/finding.ts';

const HAS = { driver: '550.90.07', cuda: '12.4', gpus: [{ name: 'NVIDIA L4', computeCapability: 8.9 }] };
const REPORT: GpuDiagnosis = {
  target: 'visual-0',
  atMs: 0,
  level: 'fail',
  findings: [
    { area: 'driver', name: 'driver', level: 'ok', found: '580.95.05', fix: null, share: null },
    { area: 'GPU', name: 'GPU 0 errors', level: 'fail', found: 'XID 119', fix: 'Reboot the machine.', share: null },
    { area: 'settings', name: 'settings', level: 'skipped', found: 'cannot be read', fix: null, share: null },
    {
      area: 'models',
      name: 'gemma3:12b',
      level: 'warn',
      found: 'weights 7.6 GiB and a cache that is so large that the line is longer than a narrow terminal',
      fix: 'A larger GPU.',
      share: 1.5,
    },
  ],
  engines: [
    {
      engine: 'ollama',
      title: 'Ollama',
      version: '0.32.7',
      needs: { driver: 531, cuda: '12.0', computeCapability: 5 },
      has: HAS,
      suffices: true,
      reason: null,
      next: null,
    },
    {
      engine: 'vllm',
      title: 'vLLM',
      version: '0.32.0',
      needs: { driver: 580, cuda: '13.0', computeCapability: 7.5 },
      has: HAS,
      suffices: false,
      reason: 'driver 550 is older than 580',
      next: 'Install driver 580 or newer.',
    },
  ],
};

it('areas, findings, a bar and what to do, broken to the width of the terminal', async () => {
  const text = renderDiagnosis(REPORT, { colours: false, width: 80 });
  await expect(text).toMatchFileSnapshot('snapshots/gpu-report.txt');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

it('colours only where they are wanted, and nothing to fix is said', async () => {
  const findings = REPORT.findings.slice(0, 1);
  const sound: GpuDiagnosis = { ...REPORT, target: 'local', level: 'ok', findings, engines: [] };
  const text = renderDiagnosis(sound, { colours: true, width: 80 });
  expect(text).toContain('\u001B[32m✓\u001B[39m');
  await expect(text).toMatchFileSnapshot('snapshots/gpu-report-sound.txt');
});
