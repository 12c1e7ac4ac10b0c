/**
 * Paths of a drop folder: which file a job may name (one inside an allowed root, by the text of its path; the code that opens the file checks
 * links), and which mount a path lies on.
 *
 * POSIX paths; absolute ones start with `/`.
 */

/** A path without `.`, `..`, doubled or trailing slashes. `..` at the top of an absolute path stays at the top, as in POSIX. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** True for a path that is a root itself or below it, both absolute. */
export function isInside(root: string, path: string): boolean {
  const [top, target] = [normalised(root), normalised(path)];
  return target === top || target.startsWith(top === '/' ? top : `${top}/`);
}

/** Where a job's file is, or why it may not be there. */
export type LocatedFile =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Finds the place of a job's file.
 *
 * @param dropDir absolute; relative paths start there
 * @param roots absolute; the file has to be below one of them
 */
export function locateFile(dropDir: string, roots: readonly string[], filePath: string): LocatedFile {
  if (filePath.includes('\0')) return { kind: 'refused', reason: 'file_path: holds a NUL character' };
  const path = normalised(filePath.startsWith('/') ? filePath : `${dropDir}/${filePath}`);
  const isBelow = roots.some((root) => isInside(root, path) && normalised(root) !== path);
  return isBelow ? { kind: 'file', path } : { kind: 'refused', reason: 'file_path: leads out of the drop folder' };
}

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

/**
 * The mount that a path lies on, from Linux' table of mounts (`/proc/self/mountinfo`); undefined for a table without it. Of two mounts
 * on the same point the later one is visible.
 */
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
