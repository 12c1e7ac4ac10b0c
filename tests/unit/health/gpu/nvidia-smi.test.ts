/**
 * The driver's report: real outputs of several drivers, GPUs that are lost, drivers that fail, and anything else a machine may print.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDriverReport, type DriverGpu } from '../../../../domain/health/gpu/nvidia-smi.ts';
import { codePoint } from '../../../../testing/any-text.ts';
import { forAll } from '../../../../testing/property.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/nvidia-smi');
const fixture = (name: string): string => readFileSync(path.join(FIXTURES, `${name}.xml`), 'utf8');
const MIB = 1024 * 1024;

function only(output: string): DriverGpu {
  const report = parseDriverReport(output, 0);
  if (!report.answered || report.gpus[0] === undefined) throw new Error(JSON.stringify(report));
  return report.gpus[0];
}

describe('real outputs', () => {
  it('an A100 cut into slices (535): the card, not its slices; utilisation is not known then', () => {
    expect(only(fixture('a100-mig-535'))).toMatchObject({
      index: 0,
      busId: '0000:01:00',
      name: 'NVIDIA A100-SXM4-80GB',
      utilRatio: null,
      memoryTotalBytes: 81_920 * MIB,
      memoryUsedBytes: 50 * MIB,
      temperatureC: 27,
      slowdownMarginC: 62,
      throttleReasons: [],
      eccEnabled: true,
      eccUncorrected: 0,
      rowRemapPending: null,
      migEnabled: true,
      persistenceEnabled: false,
      powerW: 67.03,
      powerLimitW: 500,
    });
    const expected = { driverVersion: '535.54.03', cudaVersion: '12.2', lost: [] };
    expect(parseDriverReport(fixture('a100-mig-535'), 0)).toMatchObject(expected);
  });

  it('a T4 of the old words (515): throttle reasons, power readings, retired pages', () =>
    expect(only(fixture('t4-515'))).toMatchObject({
      busId: '0000:00:1e',
      slowdownMarginC: 53,
      powerW: 26.78,
      powerLimitW: 70,
      rowRemapPending: false,
      rowRemapFailed: null,
      linkWidth: 8,
      linkWidthMax: 16,
      eccUncorrected: 0,
    }));

  it('cards for games say less: no ECC, no remapping', () => {
    expect(only(fixture('rtx3080-536'))).toMatchObject({
      eccEnabled: null,
      eccUncorrected: null,
      rowRemapPending: null,
      persistenceEnabled: null,
      slowdownMarginC: 64,
      throttleReasons: [],
    });
    expect(only(fixture('gtx1070ti-v10'))).toMatchObject({ temperatureC: 39, slowdownMarginC: null, powerW: null });
  });

  it('margins instead of limits (Ada, Blackwell): the margin at which it slows down is below zero', () => {
    expect(only(fixture('l4-555'))).toMatchObject({ slowdownMarginC: 41, eccUncorrected: 0, rowRemapFailed: false });
    expect(only(fixture('rtxpro6000-590'))).toMatchObject({
      slowdownMarginC: 70,
      powerW: 3.99,
      eccUncorrected: null,
      rowRemapPending: false,
      recoveryAction: null,
      memoryUsedBytes: 65_720 * MIB,
    });
  });

  it('what ails a GPU is read under either name', () => {
    const hot = fixture('l4-555')
      .replace('hw_thermal_slowdown>Not Active', 'hw_thermal_slowdown>Active')
      .replace('hw_slowdown>Not Active', 'hw_slowdown>Active')
      .replace('<gpu_temp_tlimit>39 C', '<gpu_temp_tlimit>-1 C')
      .replace('row_pending>No', 'row_pending>Yes')
      .replace('row_failure>No', 'row_failure>Yes')
      .replace('parity>0<', 'parity>3<')
      .replace('dram_uncorrectable>0<', 'dram_uncorrectable>4<');
    expect(only(hot)).toMatchObject({
      throttleReasons: ['hw_slowdown', 'hw_thermal_slowdown'],
      slowdownMarginC: 1,
      rowRemapPending: true,
      rowRemapFailed: true,
      eccUncorrected: 7,
    });
    const old = fixture('t4-515').replace('hw_slowdown>Not Active', 'hw_slowdown>Active');
    expect(only(old).throttleReasons).toEqual(['hw_slowdown']);
  });
});

it.each([
  [
    'Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU',
    '0000:05:00',
  ],
  [
    'Unable to determine the device handle for GPU0: 0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU',
    '0000:01:00',
  ],
  ['Unable to determine the device handle for GPU0000:CB:00.0: Unknown Error', '0000:cb:00'],
  ['Unable to determine the device handle for GPU1: Unknown Error', 'GPU 1'],
])('GPUs that are lost and drivers that fail: %s', (words, id) => {
  expect(parseDriverReport(words, 15)).toMatchObject({ answered: true, gpus: [], lost: [id] });
  // Newer drivers go on and list the others.
  expect(parseDriverReport(`${words}\n${fixture('l4-555')}`, 0)).toMatchObject({ gpus: [{ index: 0 }], lost: [id] });
});

it('GPUs that are lost and drivers that fail: a GPU that is listed with errors instead of figures', () => {
  const lost = fixture('l4-555').replaceAll(/>[^<>\n]*(?= ?<\/(?:gpu_temp|gpu_util|used|total)>)/gu, '>GPU is lost');
  expect(parseDriverReport(lost, 0)).toMatchObject({ answered: true, gpus: [], lost: ['0000:01:00'] });
});

it.each([
  ['No devices were found', 6, { answered: true, gpus: [], lost: [] }],
  [
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
    9,
    { answered: false, message: expect.stringContaining("couldn't communicate with the NVIDIA driver") as string },
  ],
  [
    'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.183',
    18,
    {
      answered: false,
      message: 'Failed to initialize NVML: Driver/library version mismatch NVML library version: 535.183',
    },
  ],
  [
    'sh: 1: nvidia-smi: not found',
    127,
    { answered: false, message: 'nvidia-smi is not there: no driver is installed' },
  ],
  ['', 124, { answered: false, message: 'nvidia-smi did not answer in time' }],
  ['', 1, { answered: false, message: 'nvidia-smi ended with 1 and said nothing' }],
  ['<nvidia_smi_log><gpu><uti', 0, { answered: false }],
  ['<nvidia_smi_log></nvidia_smi_log>', 0, { answered: true, gpus: [] }],
])('GPUs that are lost and drivers that fail: %s', (output, exitCode, expected) =>
  expect(parseDriverReport(output, exitCode)).toMatchObject(expected),
);

describe('anything at all', () => {
  const names = ['l4-555', 't4-515', 'rtxpro6000-590', 'a100-mig-535'];
  const finite = (value: number | null): boolean => value === null || Number.isFinite(value);

  function check(output: string, exitCode: number): void {
    const report = parseDriverReport(output, exitCode);
    if (!report.answered) {
      expect(report.message).not.toBe('');
      return;
    }
    for (const gpu of report.gpus) {
      expect(gpu.name).not.toBe('');
      for (const value of Object.values(gpu)) if (typeof value === 'number') expect(finite(value)).toBe(true);
      expect(gpu.utilRatio === null || (gpu.utilRatio >= 0 && gpu.utilRatio <= 1)).toBe(true);
      expect(gpu.eccUncorrected === null || gpu.eccUncorrected >= 0).toBe(true);
    }
  }

  it('text of any kind is read or refused, never thrown at', async () => {
    await forAll([fc.string({ unit: codePoint }), fc.integer({ min: 0, max: 255 })], check);
    await forAll([fc.string({ unit: 'grapheme-ascii' })], (text) =>
      check(`<nvidia_smi_log>${text}</nvidia_smi_log>`, 0),
    );
  });

  it('real outputs with pieces cut out, doubled or replaced', async () => {
    const damage = fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.nat(400),
        put: fc.constantFrom(
          '',
          'N/A',
          '[Not Supported]',
          'ERR!',
          '-',
          '<gpu>',
          '</gpu>',
          '9'.repeat(400),
          '&amp;',
          '<!--',
        ),
      }),
      { maxLength: 6 },
    );
    await forAll([fc.constantFrom(...names), damage], (name, pieces) => {
      let text = fixture(name);
      for (const { at, length, put } of pieces) {
        const from = Math.floor(at * text.length);
        text = text.slice(0, from) + put + text.slice(from + length);
      }
      check(text, 0);
    });
  });
});
