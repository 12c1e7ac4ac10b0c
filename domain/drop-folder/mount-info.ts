/**
 * Reads Linux' table of mounts (`/proc/self/mountinfo`): which file system a path lies on.
 */
import { isInside } from './paths.ts';

/** One mount. */
export interface Mount {
  readonly mountPoint: string;
  /** Such as `nfs4`, `ext4`. */
  readonly fsType: string;
  /** What is mounted, such as `server:/export`. */
  readonly source: string;
}

/** The table writes spaces and the like as octal escapes. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** The mount that a path lies on; undefined for a table without it. Of two on the same point the later one is seen. */
export function mountOf(table: string, path: string): Mount | undefined {
  let best: Mount | undefined;
  for (const line of table.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const mountPoint = left.split(' ')[4];
    const [fsType, source] = right.split(' ');
    if (mountPoint === undefined || fsType === undefined || source === undefined) continue;
    const mount = { mountPoint: unescaped(mountPoint), fsType, source: unescaped(source) };
    if (!isInside(mount.mountPoint, path)) continue;
    if (best === undefined || mount.mountPoint.length >= best.mountPoint.length) best = mount;
  }
  return best;
}
