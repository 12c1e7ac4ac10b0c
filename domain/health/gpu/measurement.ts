/**
 * What a machine's answer to the measuring command says of its GPUs and its disk.
 */
import type { GpuReading } from '../types.ts';
import { partsOf } from './commands.ts';
import { parseDisk, type DiskReading } from './disk.ts';
import { parseXids, XID_FALLEN_OFF_BUS, type XidRecord } from './kernel-log.ts';
import { parseDriverReport, type DriverGpu, type DriverReport } from './nvidia-smi.ts';

/** See the fields of the same names in `HealthMeasurement`. */
export interface MachineReading {
  readonly gpus: readonly GpuReading[] | null;
  readonly gpuMessage: string | null;
  readonly disk: DiskReading | null;
}

/** What the driver said in an output with marked parts. */
export function driverReportIn(parts: ReadonlyMap<string, string>): DriverReport {
  const said = parts.get('gpu');
  const exitCode = Number(parts.get('gpu-exit') ?? Number.NaN);
  if (said === undefined || !Number.isInteger(exitCode)) {
    return { answered: false, message: 'the answer to the measuring command broke off' };
  }
  return parseDriverReport(said, exitCode);
}

/** Reads the output of the measuring command. Never throws. */
export function readMachine(output: string): MachineReading {
  const parts = partsOf(output);
  const report = driverReportIn(parts);
  const disk = parseDisk(parts.get('disk') ?? '');
  const xids = parseXids(parts.get('kernel') ?? '');
  if (report.answered) return { gpus: gpuReadings(report, xids), gpuMessage: messageOf(report), disk };
  // A driver that hangs over a GPU says nothing any more, while the kernel's log says what happened.
  const fromLog = [...xids].map(([busId, record], index) => figureless(index, `GPU at ${busId}`, record));
  return { gpus: fromLog.length === 0 ? null : fromLog, gpuMessage: report.message, disk };
}

/**
 * The GPUs with their errors. A GPU that the driver cannot reach any more is listed without figures and with XID 79 (fallen off the bus), so that
 * it is not taken for one that never existed.
 */
export function gpuReadings(
  report: Extract<DriverReport, { answered: true }>,
  xids: ReadonlyMap<string, XidRecord>,
): GpuReading[] {
  const known = new Set(report.gpus.map((gpu) => gpu.busId));
  const fallen = [...xids].filter(([busId, record]) => record.xids.includes(XID_FALLEN_OFF_BUS) && !known.has(busId));
  const lost = [...new Set([...report.lost.filter((id) => !known.has(id)), ...fallen.map(([busId]) => busId)])];
  // Named by index in one place and by address in the other, it is still one GPU.
  const distinct = lost.some((id) => id.includes(':')) ? lost.filter((id) => id.includes(':')) : lost;
  const readings = report.gpus.map((gpu) =>
    readingOf(gpu, (gpu.busId === null ? undefined : xids.get(gpu.busId)) ?? NO_XIDS),
  );
  let index = readings.reduce((next, gpu) => Math.max(next, gpu.index + 1), 0);
  for (const id of distinct) {
    const { xids: seen, events } = xids.get(id) ?? NO_XIDS;
    const list = [...new Set([...seen, XID_FALLEN_OFF_BUS])].toSorted((a, b) => a - b);
    readings.push(figureless(index++, `lost GPU (${id})`, { xids: list, events }));
  }
  return readings;
}

const NO_XIDS: XidRecord = { xids: [], events: 0 };

function readingOf(gpu: DriverGpu, { xids, events }: XidRecord): GpuReading {
  const { index, name, utilRatio, memoryUsedBytes, memoryTotalBytes, temperatureC, slowdownMarginC } = gpu;
  const { throttleReasons, eccUncorrected, rowRemapPending, rowRemapFailed } = gpu;
  return {
    index,
    name,
    utilRatio,
    memoryUsedBytes,
    memoryTotalBytes,
    temperatureC,
    slowdownMarginC,
    throttleReasons,
    xids,
    xidEvents: events,
    eccUncorrected,
    rowRemapPending,
    rowRemapFailed,
  };
}

const figureless = (index: number, name: string, { xids, events }: XidRecord): GpuReading => ({
  index,
  name,
  utilRatio: null,
  memoryUsedBytes: null,
  memoryTotalBytes: null,
  temperatureC: null,
  slowdownMarginC: null,
  throttleReasons: [],
  xids,
  xidEvents: events,
  eccUncorrected: null,
  rowRemapPending: null,
  rowRemapFailed: null,
});

function messageOf(report: Extract<DriverReport, { answered: true }>): string | null {
  if (report.lost.length > 0) return `the driver cannot reach ${report.lost.join(', ')}`;
  return report.gpus.length === 0 ? 'the driver shows no GPU' : null;
}
