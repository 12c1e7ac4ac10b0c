/**
 * Errors of GPUs in the kernel's log: the driver writes one line for each, `NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, …`.
 */
import { failureOfXid } from '../xids.ts';
import { canonicalBusId } from './bus-id.ts';

/** The number of "GPU has fallen off the bus". */
export const XID_FALLEN_OFF_BUS = 79;

const XID_LINE = /NVRM:\s+Xid\s+\(([^)]{1,99})\):\s*(\d{1,4})\b/u;
const FALLEN_LINE = /NVRM:\s+(?:GPU(?:\s+at)?)\s+(?:PCI:)?([0-9a-f:.]{1,99}):\s+GPU has fallen off the bus/iu;
/** An error stands at the begin of a line, behind a time at most. */
const LINE_CHARS = 400;
/** No machine has more GPUs, and no GPU more kinds of errors. */
const MOST_GPUS = 32;
const MOST_XIDS = 64;

/** Kernel lines that are worth being fetched: an extended regular expression for `grep -E`. */
export const KERNEL_LINES = 'NVRM: (Xid|GPU [^ ]+ GPU has fallen off the bus)';

/** The errors of one GPU. */
export interface XidRecord {
  /** Each once, ascending. */
  readonly xids: readonly number[];
  /** Lines with an error of an application, repetitions counted: only of these the next one is news. What the driver merely notes is not counted. */
  readonly events: number;
}

/** The errors by GPU. */
export function parseXids(log: string): ReadonlyMap<string, XidRecord> {
  const seen = new Map<string, { readonly xids: Set<number>; events: number }>();
  const add = (address: string, xid: number, events: number): void => {
    const busId = canonicalBusId(address.replace(/^PCI:/u, '').split(/[,\s]/u)[0] ?? '');
    if (busId === null) return;
    const record = seen.get(busId) ?? { xids: new Set<number>(), events: 0 };
    if (!seen.has(busId) && seen.size >= MOST_GPUS) return;
    if (record.xids.size < MOST_XIDS) record.xids.add(xid);
    record.events += events;
    seen.set(busId, record);
  };
  for (const whole of log.split('\n')) {
    const line = whole.slice(0, LINE_CHARS);
    const xid = XID_LINE.exec(line);
    if (xid !== null) add(xid[1] ?? '', Number(xid[2]), failureOfXid(Number(xid[2])) === 'gpu_app_error' ? 1 : 0);
    const fallen = FALLEN_LINE.exec(line);
    // Says in words what a line with a number says too.
    if (fallen !== null) add(fallen[1] ?? '', XID_FALLEN_OFF_BUS, 0);
  }
  return new Map(
    [...seen].map(([busId, { xids, events }]) => [busId, { xids: [...xids].toSorted((a, b) => a - b), events }]),
  );
}
