/**
 * The driver's report: real outputs of several drivers, GPUs that are lost, drivers that fail, and anything else a machine may print.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBusId } from '../../../../domain/health/gpu/bus-id.ts';
import { parseDisk } from '../../../../domain/health/gpu/disk.ts';
import { parseXids } from '../../../../domain/health/gpu/kernel-log.ts';
import { readMachine } from '../../../../domain/health/gpu/measurement.ts';
import { type DriverGpu, parseDriverReport } from '../../../../domain/health/gpu/nvidia-smi.ts';
import { codePoint } from '../../../../testing/any-text.ts';
import { forAll } from '../../../../testing/property.ts';

const FIXTURES = path.resolve(import.meta.dirname, '../../../fixtures/nvidia-smi');
const fixture = (name: string): string => readFileSync(path.join(FIXTURES, `${name}.xml`), 'utf8');
const L4 = fixture('l4-555');
const MIB = 1024 * 1024;
const LOST = 'GPU is lost.  Reboot the system to recover this GPU';
const unable = (gpu: string, why: string): string => `Unable to determine the device handle for ${gpu}: ${why}`;

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
    expect(only(L4)).toMatchObject({ slowdownMarginC: 41, eccUncorrected: 0, rowRemapFailed: false });
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
    const hot = L4.replace('hw_thermal_slowdown>Not Active', 'hw_thermal_slowdown>Active')
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
  [unable('GPU 0000:05:00.0', LOST), '0000:05:00'],
  [unable('GPU0: 0000:01:00.0', LOST), '0000:01:00'],
  [unable('GPU0000:CB:00.0', 'Unknown Error'), '0000:cb:00'],
  [unable('GPU1', 'Unknown Error'), 'GPU 1'],
])('GPUs that are lost and drivers that fail: %s', (words, id) => {
  expect(parseDriverReport(words, 15)).toMatchObject({ answered: true, gpus: [], lost: [id] });
  // Newer drivers go on and list the others.
  expect(parseDriverReport(`${words}\n${L4}`, 0)).toMatchObject({ gpus: [{ index: 0 }], lost: [id] });
});

it('GPUs that are lost and drivers that fail: a GPU that is listed with errors instead of figures', () => {
  const lost = L4.replaceAll(/>[^<>\n]*(?= ?<\/(?:gpu_temp|gpu_util|used|total)>)/gu, '>GPU is lost');
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
    const words = ['', 'N/A', '[Not Supported]', 'ERR!', '-', '<gpu>', '</gpu>', '9'.repeat(400), '&amp;', '<!--'];
    const at = fc.double({ min: 0, max: 1, noNaN: true });
    const damage = fc.record({ at, length: fc.nat(400), put: fc.constantFrom(...words) });
    await forAll([fc.constantFrom(...names), fc.array(damage, { maxLength: 6 })], (name, pieces) => {
      let text = fixture(name);
      for (const { at, length, put } of pieces) {
        const from = Math.floor(at * text.length);
        text = text.slice(0, from) + put + text.slice(from + length);
      }
      check(text, 0);
    });
  });
});

// The answer to the measuring command taken apart: errors in the kernel's log by GPU, the disk, GPUs that are lost, answers that break off.
const DF =
  'Filesystem     1-blocks         Used   Available Capacity Mounted on\n/dev/vda1  105089261568 36245852160 68826632192      35% /';

const answer = ({ gpu = L4, code = 0, kernel = '' }: { gpu?: string; code?: number; kernel?: string }): string =>
  Object.entries({ gpu, 'gpu-exit': code, kernel, disk: DF })
    .map(([part, said]) => `@@deckhand ${part}\n${said}\n`)
    .join('')
    .concat('@@deckhand end');

it('errors in the kernel’s log are found by GPU, each once and counted, whatever stands before and behind', () => {
  const log = [
    '[  812.4] NVRM: Xid (PCI:0000:3b:00): 94, pid=1234, name=ollama, Ch 00000008',
    'Oct 06 17:59:27 host kernel: NVRM: Xid (PCI:0000:3b:00): 31, pid=77, name=exe, Ch 0000000a, intr 00000000. MMU Fault',
    'NVRM: Xid (PCI:0000:3b:00): 94, pid=1235',
    'NVRM: Xid (PCI:0000:af:00 GPU-I:03): 13, Graphics SM Warp Exception',
    "NVRM: Xid (PCI:0001:00:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
    'NVRM: GPU 0000:C1:00.0: GPU has fallen off the bus.',
    'NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.54.03',
    'usb 1-1: Xid 12',
  ].join('\n');
  expect([...parseXids(log)]).toEqual([
    ['0000:3b:00', { xids: [31, 94], events: 3 }],
    ['0000:af:00', { xids: [13], events: 1 }],
    // Only errors of applications are counted: of the others one is enough.
    ['0001:00:00', { xids: [79], events: 0 }],
    ['0000:c1:00', { xids: [79], events: 0 }],
  ]);
});

it('errors in the kernel’s log addresses are compared in one way of writing', () => {
  for (const [text, id] of [
    ['00000000:3B:00.0', '0000:3b:00'],
    ['0000:3b:00', '0000:3b:00'],
    ['3B:00.0', '0000:3b:00'],
    ['00000001:00:00.0', '0001:00:00'],
    ['GPU-1', null],
    ['', null],
  ] as const)
    expect(canonicalBusId(text)).toBe(id);
});

it('the disk is read, also with blanks in its name', () => {
  expect(parseDisk(DF)).toEqual({ totalBytes: 105_089_261_568, freeBytes: 68_826_632_192 });
  expect(parseDisk('Filesystem 1-blocks Used Available Capacity Mounted on\nmy share 100 40 60 40% /mnt/a b')).toEqual({
    totalBytes: 100,
    freeBytes: 60,
  });
  expect(parseDisk('df: /var/lib/ollama: No such file or directory')).toBeNull();
});

describe('whatever a machine prints', () => {
  const CHARS = 480_000;
  const many = (piece: string): string => piece.repeat(Math.ceil(CHARS / piece.length));
  /** Lines of a length that is not cut. */
  const inLines = (text: string): string => text.replaceAll(/.{1000}/gsu, '$&\n');
  const gpu = (inner: string): string =>
    `<nvidia_smi_log><gpu id="00000000:01:00.0">\n${inLines(inner)}\n</gpu></nvidia_smi_log>`;
  const reasons = Array.from({ length: 20_000 }, (_, n) => `<reason_${n}>Active</reason_${n}>`).join('');
  const lost = Array.from({ length: 9000 }, (_, n) => `unable to determine the device handle for gpu ${n}: `);
  const addresses = Array.from({ length: 9000 }, (_, n) => n.toString(16).padStart(4, '0'));
  const xids = addresses.flatMap((domain, n) => [
    `NVRM: Xid (PCI:${domain}:01:00): 94, pid=1`,
    `NVRM: Xid (PCI:0000:01:00): ${n}, pid=1`,
  ]);

  it.each([
    [
      'a figure with blanks without end',
      { gpu: gpu(`<temperature><gpu_temp>1${many(' ')}!</gpu_temp></temperature>`) },
    ],
    ['a unit without end', { gpu: gpu(`<fb_memory_usage><used>${many('a')}!</used></fb_memory_usage>`) }],
    ['tags that are never closed', { gpu: many('<'), code: 9 }],
    ['tags in tags in tags', { gpu: gpu(many('<a>')) }],
    ['a document of its own entities', { gpu: `<!DOCTYPE x [${many('<!ENTITY a "&b;&b;">')}]>${L4}` }],
    ['more GPUs than there are', { gpu: inLines(`<nvidia_smi_log>${many('<gpu><a>b</a></gpu>')}</nvidia_smi_log>`) }],
    ['reasons that no driver has', { gpu: gpu(`<clocks_event_reasons>${reasons}</clocks_event_reasons>`) }],
    ['a thousand lost GPUs', { gpu: lost.join('\n') }],
    ['an error without end', { kernel: many('NVRM: Xid (') }],
    ['errors of GPUs without end', { kernel: xids.join('\n') }],
  ])('is read soon, and little comes of it: %s', (_, parts) => {
    // What takes too long shows as the test's own limit.
    const reading = readMachine(answer(parts));
    expect(reading.gpus?.length ?? 0).toBeLessThanOrEqual(64);
    expect(JSON.stringify(reading).length).toBeLessThan(40_000);
  });

  it('no more than is useful is read of it', () =>
    expect(readMachine(answer({ gpu: `${many('x\n')}${many('x\n')}${L4}` })).gpus).toBeNull());

  it('what it says goes into rows and reasons without what those cannot hold', () => {
    const said = 'Failed\u0000 to \u001b[31minitialize\u202E NVML\uD800';
    expect(readMachine(answer({ gpu: said, code: 9 })).gpuMessage).toBe('Failed to [31minitialize NVML\uFFFD');
    const named = L4.replace(/<product_name>.*<\/product_name>/u, '<product_name>NVIDIA\u0000 L4</product_name>');
    expect(readMachine(answer({ gpu: named })).gpus?.[0]?.name).toBe('NVIDIA L4');
  });
});

describe('the whole answer', () => {
  it('joins the driver’s GPU with its errors', () => {
    const { gpus, gpuMessage, disk } = readMachine(answer({ kernel: 'NVRM: Xid (PCI:0000:01:00): 94, pid=1' }));
    expect(gpus).toMatchObject([{ index: 0, name: 'NVIDIA L4', xids: [94] }]);
    expect(gpuMessage).toBeNull();
    expect(disk?.freeBytes).toBe(68_826_632_192);
  });

  it('a lost GPU stays in the list, known by its error, beside those that work', () => {
    const words = unable('GPU1: 0000:02:00.0', LOST);
    const { gpus, gpuMessage } = readMachine(answer({ gpu: `${words}\n${L4}` }));
    expect(gpus).toMatchObject([
      { index: 0, xids: [] },
      { index: 1, xids: [79], temperatureC: null },
    ]);
    expect(gpuMessage).toContain('0000:02:00');
  });

  it('a GPU that the log says is gone and the driver no longer names is lost too', () => {
    const { gpus } = readMachine(answer({ kernel: 'NVRM: Xid (PCI:0000:02:00): 79, pid=1' }));
    expect(gpus).toMatchObject([{ index: 0 }, { index: 1, xids: [79] }]);
  });

  it('the only GPU lost: one without figures, not none', () => {
    const words = unable('GPU0000:01:00.0', 'Unknown Error');
    expect(readMachine(answer({ gpu: words, code: 15 })).gpus).toMatchObject([{ xids: [79] }]);
  });

  it('a driver that hangs: what the log says is all there is', () => {
    const { gpus, gpuMessage } = readMachine(
      answer({ gpu: '', code: 124, kernel: 'NVRM: Xid (PCI:0000:01:00): 119, pid=9' }),
    );
    expect(gpus).toMatchObject([{ name: 'GPU at 0000:01:00', xids: [119] }]);
    expect(gpuMessage).toBe('nvidia-smi did not answer in time');
  });

  it('no driver, no GPU, and an answer that breaks off are told apart', () => {
    expect(readMachine(answer({ gpu: 'sh: nvidia-smi: not found', code: 127 }))).toMatchObject({ gpus: null });
    const expected = { gpus: [], gpuMessage: 'the driver shows no GPU' };
    expect(readMachine(answer({ gpu: 'No devices were found', code: 6 }))).toMatchObject(expected);
    expect(readMachine(answer({}).slice(0, 600))).toMatchObject({
      gpus: null,
      gpuMessage: 'the answer to the measuring command broke off',
      disk: null,
    });
  });

  it('is read without an error whatever it is', async () => {
    const whole = answer({ kernel: 'NVRM: Xid (PCI:0000:01:00): 94, pid=1' });
    await forAll([fc.nat(whole.length), fc.string({ unit: codePoint, maxLength: 50 })], (at, put) => {
      const { gpus } = readMachine(whole.slice(0, at) + put + whole.slice(at + put.length));
      for (const gpu of gpus ?? []) expect(gpu.xids).toEqual([...new Set(gpu.xids)].toSorted((a, b) => a - b));
    });
  });
});
