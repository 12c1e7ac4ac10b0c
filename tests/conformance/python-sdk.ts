/** The provider's own Python SDK in a virtual environment, made once per user and kept in the cache. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../../platform/config.ts';

const SDK = 'verda==1.25.0';
const run = promisify(execFile);

/** Path of a Python that has the SDK. @throws when there is no python3 or the package cannot be fetched */
export async function pythonWithSdk(): Promise<string> {
  const home = path.join(loadConfig().cacheDir, 'conformance', SDK.replace('==', '-'));
  const python = path.join(home, 'bin', 'python');
  if (existsSync(python)) return python;
  // Made beside and moved when complete: an install that was cut off leaves nothing that looks like one. Scripts of a moved
  // environment name the old path; the interpreter itself, which is all that is used, finds its packages by where it stands.
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(path.dirname(home), { recursive: true });
  try {
    await run('python3', ['-m', 'venv', unfinished]);
    await run(path.join(unfinished, 'bin', 'python'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      SDK,
    ]);
    if (!existsSync(python)) renameSync(unfinished, home);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return python;
}
