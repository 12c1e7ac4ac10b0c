/**
 * Errors of GPUs in the kernel's log: the driver writes one line for each, `NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, …`.
 */
import { canonicalBusId } from './bus-id.ts';

/** The number of "GPU has fallen off the bus". */
export const XID_FALLEN_OFF_BUS = 79;

const XID_LINE = /NVRM:\s+Xid\s+\(([^)]*)\):\s*(\d{1,4})\b/u;
const FALLEN_LINE = /NVRM:\s+(?:GPU(?:\s+at)?)\s+(?:PCI:)?([0-9a-f:.]+):\s+GPU has fallen off the bus/iu;

/** Kernel lines that are worth being fetched: an extended regular expression for `grep -E`. */
export const KERNEL_LINES = 'NVRM: (Xid|GPU [^ ]+ GPU has fallen off the bus)';

/** The errors of one GPU. */
export interface XidRecord {
  /** Each once, ascending. */
  readonly xids: readonly number[];
  /** Lines with one, repetitions counted. */
  readonly events: number;
}

/** The errors by GPU. */
export function parseXids(log: string): ReadonlyMap<string, XidRecord> {
  const seen = new Map<string, { readonly xids: Set<number>; events: number }>();
  const add = (address: string, xid: number, events: number): void => {
    const busId = canonicalBusId(address.replace(/^PCI:/u, '').split(/[,\s]/u)[0] ?? '');
    if (busId === null) return;
    const record = seen.get(busId) ?? { xids: new Set<number>(), events: 0 };
    record.xids.add(xid);
    record.events += events;
    seen.set(busId, record);
  };
  for (const line of log.split('\n')) {
    const xid = XID_LINE.exec(line);
    if (xid !== null) add(xid[1] ?? '', Number(xid[2]), 1);
    const fallen = FALLEN_LINE.exec(line);
    // Says in words what a line with a number says too.
    if (fallen !== null) add(fallen[1] ?? '', XID_FALLEN_OFF_BUS, 0);
  }
  return new Map(
    [...seen].map(([busId, { xids, events }]) => [busId, { xids: [...xids].toSorted((a, b) => a - b), events }]),
  );
}
