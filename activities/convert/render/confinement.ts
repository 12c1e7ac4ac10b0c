/**
 * What a render process may do: read the code it runs, and nothing else. It parses hostile files, so it gets the file through a pipe and
 * gives images back as messages; it neither sees the data directory nor starts programs.
 *
 * Node's permission model bounds what JavaScript does. What draws and encodes is native code, which it does not bound: on Linux that is
 * kept from gaining rights, and from the capabilities of an administrator, by setpriv where the system has it. Node 24 cannot bound the
 * network.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '../../../platform/processes/find-executable.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Our code that render processes load, and the libraries. The data directory lies inside the checkout by default, so that is not given. */
const READ = ['activities/convert/render/', 'domain/', 'platform/blobs/', 'package.json', 'node_modules/'];
/** Compiled code of the libraries; halves the time to start. Node goes on without it where the folder cannot be written. */
export const COMPILE_CACHE = path.join(ROOT, 'node_modules/.cache/deckhand-render');

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];
const SETPRIV_TIMEOUT_MS = 5000;

/** Makes the folder of compiled code: Node gives a process the right to write below a folder only if there is one. */
function makeCompileCache(): void {
  try {
    mkdirSync(COMPILE_CACHE, { recursive: true });
  } catch {
    // An installation that may not be written; processes start more slowly.
  }
}

/** Node's own options for a process. */
function nodeOptions(): string[] {
  makeCompileCache();
  const given = (name: string): string[] => [path.join(ROOT, name), realPath(path.join(ROOT, name))];
  return [
    '--permission',
    // The thread that notices the end of the parent.
    '--allow-worker',
    // The canvas, which pdfjs wants also for a probe, and the encoder of images.
    '--allow-addons',
    ...new Set(READ.flatMap(given).map((name) => `--allow-fs-read=${name}`)),
    ...new Set(given('node_modules/.cache/deckhand-render').map((name) => `--allow-fs-write=${name}`)),
    '--disable-warning=SecurityWarning',
  ];
}

/** The path with links resolved, with its closing slash; unchanged when there is nothing yet. */
function realPath(name: string): string {
  try {
    return realpathSync(name) + (name.endsWith('/') ? '/' : '');
  } catch {
    return name;
  }
}

let launcher: readonly string[] | undefined;

/** The program and options before Node's; empty where the system has none. Tried out once, because not every user may give up everything. */
function launcherOf(): readonly string[] {
  if (launcher !== undefined) return launcher;
  const setpriv = process.platform === 'linux' ? SETPRIV.find(isExecutable) : undefined;
  const attempts =
    setpriv === undefined
      ? []
      : [
          [setpriv, '--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
          [setpriv, '--no-new-privs'],
        ];
  const works = ([program = '', ...options]: string[]): boolean =>
    spawnSync(program, [...options, program, '--version'], { timeout: SETPRIV_TIMEOUT_MS, stdio: 'ignore' }).status ===
    0;
  launcher = attempts.find(works) ?? [];
  return launcher;
}

/** How a render process is started: for the options of `fork`. */
export function confined(): { readonly execPath: string; readonly execArgv: string[] } {
  const [program, ...options] = launcherOf();
  if (program === undefined) return { execPath: process.execPath, execArgv: nodeOptions() };
  return { execPath: program, execArgv: [...options, process.execPath, ...nodeOptions()] };
}
