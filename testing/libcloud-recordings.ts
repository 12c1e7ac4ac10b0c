/** Answers of clouds that others recorded: the fixtures of Apache libcloud, fetched with its source package. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../platform/config.ts';

const VERSION = '3.9.1';
const FIXTURES = 'libcloud/test/compute/fixtures';

/**
 * Folder with the recordings of one driver, such as `ec2`, fetched once per user and kept in the cache.
 * @throws when there is no python3 or no registry
 */
export async function libcloudRecordings(driver: string): Promise<string> {
  const home = path.join(loadConfig().cacheDir, 'conformance', `apache-libcloud-${VERSION}`);
  const found = path.join(home, `apache_libcloud-${VERSION}`, FIXTURES, driver);
  if (existsSync(found)) return found;
  const run = promisify(execFile);
  // Made beside and moved when complete: a download that was cut off leaves nothing that looks like one.
  const unfinished = `${home}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const python = path.join(unfinished, 'venv', 'bin', 'python');
    const asSource = ['--no-deps', '--no-binary', ':all:'];
    await run('python3', ['-m', 'venv', path.join(unfinished, 'venv')]);
    await run(python, [
      '-m',
      'pip',
      'download',
      '--quiet',
      ...asSource,
      '-d',
      unfinished,
      `apache-libcloud==${VERSION}`,
    ]);
    await run(python, ['-m', 'tarfile', '-e', path.join(unfinished, `apache_libcloud-${VERSION}.tar.gz`), unfinished]);
    if (!existsSync(home)) renameSync(unfinished, home);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return found;
}
