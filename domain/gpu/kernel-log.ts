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

/** Numbers of the errors by GPU, each once, ascending. */
export function parseXids(log: string): ReadonlyMap<string, readonly number[]> {
  const seen = new Map<string, Set<number>>();
  const add = (address: string, xid: number): void => {
    const busId = canonicalBusId(address.replace(/^PCI:/u, '').split(/[,\s]/u)[0] ?? '');
    if (busId === null) return;
    const set = seen.get(busId) ?? new Set<number>();
    seen.set(busId, set.add(xid));
  };
  for (const line of log.split('\n')) {
    const xid = XID_LINE.exec(line);
    if (xid !== null) add(xid[1] ?? '', Number(xid[2]));
    const fallen = FALLEN_LINE.exec(line);
    if (fallen !== null) add(fallen[1] ?? '', XID_FALLEN_OFF_BUS);
  }
  return new Map([...seen].map(([busId, xids]) => [busId, [...xids].toSorted((a, b) => a - b)]));
}
