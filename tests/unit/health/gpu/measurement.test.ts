/**
 * The answer to the measuring command taken apart: errors in the kernel's log by GPU, the disk, GPUs that are lost, answers that break off.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBusId } from '../../../../domain/health/gpu/bus-id.ts';
import { parseDisk } from '../../../../domain/health/gpu/disk.ts';
import { parseXids } from '../../../../domain/health/gpu/kernel-log.ts';
import { readMachine } from '../../../../domain/health/gpu/measurement.ts';
import { codePoint } from '../../../../testing/any-text.ts';
import { forAll } from '../../../../testing/property.ts';

const L4 = readFileSync(path.resolve(import.meta.dirname, '../../../fixtures/nvidia-smi/l4-555.xml'), 'utf8');
const DF =
  'Filesystem     1-blocks         Used   Available Capacity Mounted on\n/dev/vda1  105089261568 36245852160 68826632192      35% /';

const answer = (parts: { gpu?: string; code?: number; kernel?: string; disk?: string }): string =>
  [
    '@@deckhand gpu',
    parts.gpu ?? L4,
    '@@deckhand gpu-exit',
    String(parts.code ?? 0),
    '@@deckhand kernel',
    parts.kernel ?? '',
    '@@deckhand disk',
    parts.disk ?? DF,
    '@@deckhand end',
  ].join('\n');

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
    const words =
      'Unable to determine the device handle for GPU1: 0000:02:00.0: GPU is lost.  Reboot the system to recover this GPU';
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
    const words = 'Unable to determine the device handle for GPU0000:01:00.0: Unknown Error';
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
