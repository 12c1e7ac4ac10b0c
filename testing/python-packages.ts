/** Python packages of others in virtual environments, each made once per user and kept in the cache. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../platform/config.ts';

const run = promisify(execFile);

/**
 * Path of a Python that has these packages, such as `verda==1.25.0`; the first gives the environment its name.
 * @throws when there is no python3 or a package cannot be fetched
 */
export async function pythonWith(...packages: readonly [string, ...string[]]): Promise<string> {
  const [first] = packages;
  const all = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 8);
  const home = path.join(loadConfig().cacheDir, 'conformance', `${first.replaceAll(/[^\w.]+/gu, '-')}-${all}`);
  const python = path.join(home, 'bin', 'python');
  if (existsSync(python)) return python;
  // Made beside and moved when complete: an install that was cut off leaves nothing that looks like one. Scripts of a moved
  // environment name the old path; the interpreter itself, which is all that is used, finds its packages by where it stands.
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(path.dirname(home), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', unfinished]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(path.join(unfinished, 'bin', 'python'), [...pip, ...packages]);
    if (!existsSync(python)) renameSync(unfinished, home);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return python;
}

/** Runs a script of this checkout. @returns the JSON that it prints @throws when it fails */
export async function reportOf(python: string, script: string, ...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(python, [path.resolve(import.meta.dirname, '..', script), ...args]);
  return JSON.parse(stdout);
}
