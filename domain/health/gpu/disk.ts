/**
 * Reads what `df -P -B1` prints of one file system.
 */

/** Bytes. */
export interface DiskReading {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The first file system listed; null where none is. */
export function parseDisk(output: string): DiskReading | null {
  for (const line of output.split('\n')) {
    // Names of file systems may hold blanks; the figures do not.
    const match = /\s(\d+)\s+(\d+)\s+(\d+)\s+\d+%\s/u.exec(` ${line} `);
    if (match === null) continue;
    const totalBytes = Number(match[1]);
    const freeBytes = Number(match[3]);
    if (Number.isSafeInteger(totalBytes) && Number.isSafeInteger(freeBytes)) return { freeBytes, totalBytes };
  }
  return null;
}
